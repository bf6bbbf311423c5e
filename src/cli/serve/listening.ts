// The options of `serve`, and what a process that serves alone and one that supervises workers have in common.
import { CatalogError, type ErrorCode } from '../../core/errors.js';
import type { MetricValues } from '../../http/server/monitoring/metrics.js';
import { stopSignals } from '../exit-codes.js';
import type { LocalOptions } from '../options.js';

export interface ServeOptions extends LocalOptions {
  readonly host: string;
  readonly port: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** Addresses of proxies; true for the loopback addresses. */
  readonly behindProxy?: true | string;
  readonly rate: number;
  readonly authFailures: number;
  readonly workers: number;
  readonly cors?: readonly string[];
  readonly metricsPort?: number;
}

/** Why a server could not listen: what the system's or OpenSSL's codes mean, and what to do. */
const listenFailures: readonly (readonly [codes: RegExp, code: ErrorCode, remedy: string])[] = [
  [/^EADDRINUSE$/, 'try_again', 'end what listens there, or choose another port'],
  [/^(?:EADDRNOTAVAIL|EACCES|ENOTFOUND|ERR_SOCKET_BAD_PORT)$/, 'usage', 'choose another --host or --port'],
  [/^ERR_OSSL_/, 'input_unreadable', 'name a certificate and its key, both as PEM, with --tls-cert and --tls-key'],
];

/** The failure of an address that cannot be bound or a certificate that is none; any other error as it is. */
export function listenFailure(error: unknown): unknown {
  const { code: found = '', message } = error as NodeJS.ErrnoException;
  const known = listenFailures.find(([codes]) => codes.test(found));
  if (known === undefined) return error;
  const [, code, remedy] = known;
  return new CatalogError(code, `Cannot listen: ${message.replace(/\.$/, '')}; ${remedy}.`);
}

/** Resolves at the first signal to stop, or when the terminal is closed. A second signal kills the process. */
export function stopSignal(process: NodeJS.Process): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of stopSignals) process.once(signal, () => resolve());
  });
}

/** Serves the metrics where a port was given. */
export async function startMetrics(port: number | undefined, read: () => Promise<readonly MetricValues[]>) {
  if (port === undefined) return undefined;
  const { serveMetrics } = await import('../../http/server/monitoring/metrics-server.js');
  try {
    return await serveMetrics(port, read);
  } catch (error) {
    throw listenFailure(error);
  }
}
