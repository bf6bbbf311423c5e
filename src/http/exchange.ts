// One request to the remote and what came back, on connections that are kept. The key is put on here, and nothing
// leaves for another origin: redirects are not followed. The home of undici, which takes 147 ms to load.
import { rootCertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { CatalogError } from '../core/errors.js';

export interface ExchangeOptions {
  /** The address given, without a slash at its end. */
  readonly base: URL;
  readonly key: string;
  /** Most connections at once. */
  readonly connections: number;
  /** Milliseconds a request may take, from the first byte sent to the last one received. */
  readonly timeout: number;
  /** Certificates (PEM) trusted beside those that Node trusts. */
  readonly ca: string | undefined;
  /** Where the usual variables for proxies are looked up. */
  readonly env: NodeJS.ProcessEnv;
}

/** What is sent. `path` is relative to the base address. */
export interface Sending {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  /** The value of a header by its lower-case name, '' where it is missing. */
  header(name: string): string;
  readonly body: string;
}

/** Thrown where no whole answer came: the words say why, `code` is the system's. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface Exchange {
  /** Sends and receives. Throws NoAnswer. */
  send(sending: Sending): Promise<Answer>;
  close(): Promise<void>;
}

/** The longest answer that is taken in; a report of a legal batch is a tenth of it. */
const longestAnswer = 256 * 1024 * 1024;

/** Whether an address is this machine's own: what goes there needs no TLS, and passes no proxy. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Opens connections to one origin. */
export async function openExchange(options: ExchangeOptions): Promise<Exchange> {
  const { base, key, timeout } = options;
  const dispatcher = await openDispatcher(options);
  const prefix = base.pathname.replace(/\/$/, '');
  const authorization = `Bearer ${key}`;

  async function send({ method, path, body, headers }: Sending): Promise<Answer> {
    const abort = new AbortController();
    const timer = setTimeout(
      () => abort.abort(new NoAnswer('TIMEOUT', `gave no answer within ${Math.round(timeout / 1000)} s`)),
      timeout,
    );
    try {
      const received = await dispatcher.request({
        origin: base.origin,
        path: prefix + path,
        method,
        headers: { authorization, accept: 'application/json', ...headers },
        ...(body === undefined ? {} : { body }),
        signal: abort.signal,
      });
      const text = await readText(received.body);
      return {
        status: received.statusCode,
        header: (name) => String(received.headers[name] ?? '').replaceAll(key, '[key]'),
        // Whoever is at the other end may repeat the key; it goes no further.
        body: text.includes(key) ? text.replaceAll(key, '[key]') : text,
      };
    } catch (cause) {
      throw cause instanceof NoAnswer ? cause : noAnswer(cause);
    } finally {
      clearTimeout(timer);
    }
  }

  return { send, close: () => dispatcher.destroy() };
}

async function openDispatcher({ base, connections, ca, env }: ExchangeOptions): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  // Said explicitly, since NODE_TLS_REJECT_UNAUTHORIZED would switch the check off otherwise.
  const tls = { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) };
  // Time is limited for the whole request, not for its parts.
  const limits = { connections, headersTimeout: 0, bodyTimeout: 0 };
  if (isLoopback(base)) return new Agent({ ...limits, connect: tls });
  const proxies = {
    httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
    httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
    noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
  };
  try {
    // Through a tunnel: a proxy sees the name of the host, and no header.
    return new EnvHttpProxyAgent({ ...limits, ...proxies, connect: tls, requestTls: tls, proxyTls: tls });
  } catch (cause) {
    // Its value is not shown: it may hold a password.
    throw new CatalogError('usage', 'HTTP_PROXY or HTTPS_PROXY is no address of a proxy; mend or unset it.', { cause });
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > longestAnswer) throw new NoAnswer('TOO_LONG', `sent an answer of more than ${longestAnswer} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function noAnswer(cause: unknown): NoAnswer {
  const { message, code = '' } = cause as NodeJS.ErrnoException;
  const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'refused the connection',
    ECONNRESET: 'closed the connection before its answer was whole',
    UND_ERR_SOCKET: 'closed the connection before its answer was whole',
    UND_ERR_CONNECT_TIMEOUT: 'could not be reached in time',
    ENOTFOUND: 'is a name that is not found',
  };
  return new NoAnswer(code, words[code] ?? `could not be reached (${message})`, { cause });
}
