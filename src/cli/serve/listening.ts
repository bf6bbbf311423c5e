// The options of `serve`, and what a process that serves alone and one that supervises workers have in common.
import { CatalogError } from '../../core/errors.js';
import type { MetricValues } from '../../http/server/monitoring/metrics.js';
import { stopSignals } from '../exit-codes.js';
import type { LocalOptions } from '../options.js';

/** The options of `serve`. */
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

/** An address that cannot be bound is a usage error; any other error is returned as it is. */
export function listenFailure(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (!/^(?:EADDRINUSE|EADDRNOTAVAIL|EACCES|ENOTFOUND|ERR_SOCKET_BAD_PORT|ERR_OSSL_\w+)$/.test(code)) return error;
  const remedy = code.startsWith('ERR_OSSL')
    ? 'name a certificate and its key, both as PEM, with --tls-cert and --tls-key'
    : 'choose another --host or --port';
  return new CatalogError('usage', `Cannot listen: ${(error as Error).message.replace(/\.$/, '')}; ${remedy}.`);
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
