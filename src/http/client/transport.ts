// Sends one request to the remote and receives the response, on pooled connections. Adds the key, and never sends to
// another origin: redirects are not followed. Each request has a deadline of its own, since retries inside undici do
// not respect it. undici takes 147 ms to load, and is used only in this file.
import { setMaxListeners } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import * as nodeTls from 'node:tls';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import { CatalogError } from '../../core/errors.js';
import { timedRequest } from './timed-request.js';

export interface TransportOptions {
  /** The given address, without a slash at its end. */
  readonly base: URL;
  readonly key: string;
  /** Maximum connections. */
  readonly connections: number;
  /** Milliseconds a request may take, from the first byte sent to the last one received. */
  readonly timeout: number;
  /** Certificates (PEM) trusted beside those that Node trusts. */
  readonly ca: string | undefined;
  /** The environment with the usual proxy variables. */
  readonly env: NodeJS.ProcessEnv;
}

/** A request. `path` is relative to the base address. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TransportResponse {
  readonly status: number;
  /** The value of a header by its lower-case name, '' where it is missing. */
  header(name: string): string;
  readonly body: string;
}

/** Thrown where no complete response arrived. The message is a predicate of "the remote"; `code` is the system's. */
export class TransportError extends Error {
  override readonly name = 'TransportError';

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Limits of one request. */
export interface SendLimits {
  /** Milliseconds it may take, if less than the time-out of the transport. */
  readonly within?: number;
  /** Cancels it: at once if nothing was sent yet, else after a second in which the response may still arrive. */
  readonly cancelled?: AbortSignal;
}

export interface Transport {
  /** Sends and receives. Throws TransportError. */
  send(sending: TransportRequest, limits?: SendLimits): Promise<TransportResponse>;
  close(): Promise<void>;
}

/** Maximum length of a response; the report on a legal batch is a tenth of it. */
const longestAnswer = 256 * 1024 * 1024;

/**
 * Milliseconds in which a response may still arrive after cancellation, since the remote has committed what it reports.
 */
const gracePeriod = 1_000;

/** Whether an address is on this machine: requests to it need no TLS, and use no proxy. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Opens connections to one origin. */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const { base, key, timeout } = options;
  const dispatcher = await openDispatcher(options);
  const prefix = base.pathname.replace(/\/$/, '');
  const authorization = `Bearer ${key}`;

  async function send(
    { method, path, body, headers }: TransportRequest,
    limits: SendLimits = {},
  ): Promise<TransportResponse> {
    const deadline = newDeadline(limits, timeout);
    const ended = timedRequest(`${method} ${path}`);
    try {
      const received = await deadline.orEnd(
        dispatcher.request({
          origin: base.origin,
          path: prefix + path,
          method,
          headers: { authorization, accept: 'application/json', ...headers },
          ...(body === undefined ? {} : { body }),
          opaque: deadline,
          signal: deadline.signal,
        }),
      );
      const text = await deadline.orEnd(readText(received.body));
      ended(String(received.statusCode));
      return {
        status: received.statusCode,
        header: (name) => String(received.headers[name] ?? '').replaceAll(key, '[key]'),
        // The server may echo the key; it is removed here.
        body: text.includes(key) ? text.replaceAll(key, '[key]') : text,
      };
    } catch (cause) {
      const failure = cause instanceof TransportError ? cause : transportError(cause);
      ended(failure.code);
      throw failure;
    } finally {
      deadline.done();
    }
  }

  return { send, close: () => dispatcher.destroy() };
}

/** Ends one request on time-out or cancellation. */
interface Deadline {
  readonly signal: AbortSignal;
  /** Waits for `work` until the deadline: a request that waits for a connection ignores its signal. */
  orEnd<T>(work: Promise<T>): Promise<T>;
  /** Called when the request was written to a connection. */
  started(): void;
  /** Called when the request has ended: clears the timers. */
  done(): void;
}

function newDeadline({ within = Number.POSITIVE_INFINITY, cancelled }: SendLimits, timeout: number): Deadline {
  const abort = new AbortController();
  const time = Math.min(timeout, within);
  const late = (): void =>
    abort.abort(new TransportError('TIMEOUT', `gave no answer within ${Math.ceil(time / 1000)} s`));
  const given = (): void => abort.abort(new TransportError('CANCELLED', 'gave no answer before this was ended'));
  const timers = [setTimeout(late, time)];
  let started = false;
  const cancel = (): void => {
    if (started) timers.push(setTimeout(given, gracePeriod));
    else given();
  };
  const ended = new Promise<never>((_, reject) => {
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason), { once: true });
  });
  ended.catch(() => undefined);
  cancelled?.addEventListener('abort', cancel);
  if (cancelled?.aborted) cancel();
  return {
    signal: abort.signal,
    orEnd(work) {
      work.catch(() => undefined);
      return Promise.race([work, ended]);
    },
    started() {
      started = true;
    },
    done() {
      for (const timer of timers) clearTimeout(timer);
      cancelled?.removeEventListener('abort', cancel);
    },
  };
}

/** The part of undici's dispatcher that is used here. */
type Requests = Pick<Dispatcher, 'request' | 'destroy'>;

async function openDispatcher(options: TransportOptions): Promise<Requests> {
  const { DecoratorHandler } = (await import('undici')).default;
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const agent = await openAgent(options, closing.signal);
  const watched = agent.compose((dispatch) => (given, handler) => {
    const { opaque } = given as { readonly opaque?: Deadline };
    const start = handler.onRequestStart?.bind(handler);
    const watching = Object.assign(new DecoratorHandler(handler), {
      onRequestStart(...args: Parameters<NonNullable<typeof start>>) {
        opaque?.started();
        start?.(...args);
      },
    });
    return dispatch(given, watching);
  });
  return {
    request: watched.request.bind(watched),
    destroy() {
      // A connecting socket would keep the process alive until its time-out.
      closing.abort();
      return agent.destroy();
    },
  };
}

/** Milliseconds to establish a tunnel through a proxy. */
const connectTime = 10_000;

/**
 * A tunnel that is not established in time, or that ends before, is a failure of its requests. In the library it is
 * not: it has no time-out for CONNECT, and after UND_ERR_SOCKET it reconnects again and again, without a pause.
 */
function failing(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    let called = false;
    const timer = setTimeout(
      () => fail(new TransportError('TIMEOUT', 'could not be reached in time by the proxy')),
      connectTime,
    );
    const fail = (error: Error): void => {
      clearTimeout(timer);
      if (!called) callback(error, null);
      called = true;
    };
    connect(options, (error, socket) => {
      // The library's own connector for proxies drops undefined options.
      if (!error) {
        clearTimeout(timer);
        if (called) return void socket?.destroy();
        called = true;
        return callback(null, socket as NonNullable<typeof socket>);
      }
      const { code = '' } = error as NodeJS.ErrnoException;
      const closed = 'could not be reached: the proxy closed the connection';
      fail(
        /^UND_ERR_(?:SOCKET|INFO)$/.test(code) ? new TransportError('PROXY_CLOSED', closed, { cause: error }) : error,
      );
    });
  };
}

/**
 * The certificates that Node trusts by default, as PEM, since an own list replaces them all. Node 20 cannot list those
 * that NODE_EXTRA_CA_CERTS adds, so that its file is read here.
 */
function trustedAnyway(env: NodeJS.ProcessEnv): readonly string[] {
  const { rootCertificates, getCACertificates } = nodeTls as typeof nodeTls & {
    getCACertificates?(type: 'default'): string[];
  };
  if (getCACertificates !== undefined) return getCACertificates('default');
  const extra = env['NODE_EXTRA_CA_CERTS'] ?? '';
  return extra === '' || !existsSync(extra) ? rootCertificates : [...rootCertificates, readFileSync(extra, 'utf8')];
}

async function openAgent({ base, connections, ca, env }: TransportOptions, signal: AbortSignal): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent, Pool } = (await import('undici')).default;
  // Set explicitly, since NODE_TLS_REJECT_UNAUTHORIZED would otherwise switch the check off.
  const tls = { signal, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca: [...trustedAnyway(env), ca] }) };
  // Time is limited for the whole request, not for its parts.
  const limits = { connections, headersTimeout: 0, bodyTimeout: 0 };
  const factory = (origin: string | URL, given: object): Dispatcher => {
    const { connect, ...rest } = given as Pool.Options;
    return new Pool(origin, {
      ...rest,
      ...(connect && { connect: typeof connect === 'function' ? failing(connect) : connect }),
    });
  };
  if (isLoopback(base)) return new Agent({ ...limits, connect: tls });
  const proxies = {
    httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
    httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
    noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
  };
  try {
    // Through a tunnel: a proxy sees the name of the host, and no headers.
    return new EnvHttpProxyAgent({ ...limits, ...proxies, factory, connect: tls, requestTls: tls, proxyTls: tls });
  } catch (cause) {
    // Its value is not shown, since it may contain a password.
    throw new CatalogError('usage', 'HTTP_PROXY or HTTPS_PROXY is not an address of a proxy; mend or unset it.', {
      cause,
    });
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > longestAnswer)
      throw new TransportError('TOO_LONG', `sent an answer of more than ${longestAnswer} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function transportError(cause: unknown): TransportError {
  const { message, code = '' } = cause as NodeJS.ErrnoException;
  const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'refused the connection',
    ECONNRESET: 'closed the connection before its answer was whole',
    UND_ERR_SOCKET: 'closed the connection before its answer was whole',
    UND_ERR_CONNECT_TIMEOUT: 'could not be reached in time',
    ENOTFOUND: 'is a name that is not found',
  };
  return new TransportError(code, words[code] ?? `could not be reached (${message})`, { cause });
}
