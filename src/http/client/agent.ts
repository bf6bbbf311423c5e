// The connections to one origin: proxies by the usual variables, certificates always checked, one more authority where
// its certificates are given. undici takes 147 ms to load, so that it is loaded with the first connection.
import { existsSync, readFileSync } from 'node:fs';
import type * as Tls from 'node:tls';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import { CatalogError } from '../../core/errors.js';
import { TransportError } from './transport-error.js';

export interface AgentOptions {
  /** The given address, without a slash at its end. */
  readonly base: URL;
  /** Maximum connections. */
  readonly connections: number;
  /** Certificates (PEM) trusted in addition to those that Node trusts. */
  readonly ca: string | undefined;
  /** The environment with the usual proxy variables. */
  readonly env: NodeJS.ProcessEnv;
}

/** Whether an address is on this machine: requests to it need no TLS, and use no proxy. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
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
async function trustedAnyway(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const { rootCertificates, getCACertificates } = (await import('node:tls')) as typeof Tls & {
    getCACertificates?(type: 'default'): string[];
  };
  if (getCACertificates !== undefined) return getCACertificates('default');
  const extra = env['NODE_EXTRA_CA_CERTS'] ?? '';
  return extra === '' || !existsSync(extra) ? rootCertificates : [...rootCertificates, readFileSync(extra, 'utf8')];
}

/** @param signal ends what connects */
export async function openAgent(
  { base, connections, ca, env }: AgentOptions,
  signal: AbortSignal,
): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent, Pool } = (await import('undici')).default;
  // Set explicitly, since NODE_TLS_REJECT_UNAUTHORIZED would otherwise switch the check off.
  const tls = {
    signal,
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca: [...(await trustedAnyway(env)), ca] }),
  };
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
    throw new CatalogError('usage', 'HTTP_PROXY or HTTPS_PROXY is not an address of a proxy; correct or unset it.', {
      cause,
    });
  }
}

/** The handler of the library that passes everything on, to be changed in part. */
export async function passingHandler() {
  return (await import('undici')).default.DecoratorHandler;
}
