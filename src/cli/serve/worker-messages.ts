// What the workers of `serve` and their supervisor tell each other, in addition to connections (connection-dealer.ts).
import type { MetricValues } from '../../http/server/monitoring/metrics.js';

/** From a worker: it is ready for a connection, or its metrics, every second. */
export type WorkerMessage = { readonly ready: true } | { readonly metrics: MetricValues };

/** To a worker: how many there are to be, and how many serve. */
export interface WorkerCount {
  readonly wanted: number;
  readonly serving: number;
}

/** To a worker: a connection, which comes with this message. */
export const connectionMessage = 'connection';

/** To a worker: end once the requests in flight are answered. */
export const stopMessage = 'stop';
