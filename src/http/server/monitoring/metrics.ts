// The server's metrics, by prom-client. It costs 0.9 µs of processor time a request (own counters: 0.5) if requests are
// counted in a row, and several times that if each is counted on its own, between all other code of a request: so they
// are counted together. It provides escaping, the exposition format, and the aggregation of several processes.
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Counts } from '../../../core/import-report.js';
import type { Resource } from '../../../core/resource.js';
import type { ConnectionFault } from '../http-server.js';

/** The metrics of one process as data, which can be sent to another process and aggregated there. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface Metrics {
  requestStarted(): void;
  /** Counts an answered request. `route` is the path of one of the routes, never a path that a client made up. */
  requestEnded(method: string, route: string, status: number, seconds: number): void;
  batchImported(resource: Resource, counts: Readonly<Counts>): void;
  /** A connection failed before it had a request. */
  connectionFailed(fault: ConnectionFault): void;
  values(): Promise<MetricValues>;
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const methods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);

/** An answered request that is not counted yet. */
interface EndedRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** Requests that are counted together. */
const countedTogether = 64;

/** What the metrics read from the server when they are collected. */
export interface MetricSources {
  /** The bytes of bodies and large responses that are held now. */
  readonly bytesHeld: () => number;
  /** Lines of the log that could not be written. */
  readonly linesDropped: () => number;
}

export function newMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const { requests, durations, inFlight } = requestMetrics(registers);
  const connectionFailures = new Counter({
    name: 'catalog_http_connection_failures_total',
    help: 'Connections that failed before they had a request.',
    labelNames: ['fault'],
    registers,
  });
  const items = new Counter({
    name: 'catalog_items_total',
    help: 'Items of imports that were not dry runs, by their outcome.',
    labelNames: ['resource', 'action'],
    registers,
  });
  addProcessMetrics(registers, sources);
  const ended: EndedRequest[] = [];
  let begun = 0;

  function countEnded(): void {
    for (const { method, route, status, seconds } of ended.splice(0)) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    }
    inFlight.set(begun);
  }

  return {
    requestStarted() {
      begun++;
    },
    requestEnded(sentMethod, route, status, seconds) {
      const method = methods.has(sentMethod) ? sentMethod : 'other';
      begun--;
      ended.push({ method, route, status, seconds });
      if (ended.length >= countedTogether) countEnded();
    },
    batchImported({ name: resource }, { created, updated, unchanged, refused }) {
      for (const [action, count] of Object.entries({ created, updated, unchanged, refused })) {
        if (count > 0) items.inc({ resource, action }, count);
      }
    },
    connectionFailed: (fault) => connectionFailures.inc({ fault }),
    values() {
      countEnded();
      return registry.getMetricsAsJSON();
    },
  };
}

function requestMetrics(registers: Registry[]) {
  const requests = new Counter({
    name: 'catalog_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'catalog_http_request_duration_seconds',
    help: 'Time from the request line to the end of the answer.',
    labelNames: ['method', 'route'],
    buckets,
    registers,
  });
  const inFlight = new Gauge({ name: 'catalog_http_requests_in_flight', help: 'Requests in progress.', registers });
  return { requests, durations, inFlight };
}

/** Metrics that are read from the process on request. */
function addProcessMetrics(registers: Registry[], { bytesHeld, linesDropped }: MetricSources): void {
  new Gauge({
    name: 'catalog_http_bytes_held',
    help: 'Bytes of bodies and large answers held in memory.',
    registers,
    collect() {
      this.set(bytesHeld());
    },
  });
  new Counter({
    name: 'catalog_log_lines_dropped_total',
    help: 'Lines of the log that could not be written.',
    registers,
    collect() {
      this.reset();
      this.inc(linesDropped());
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory.',
    registers,
    collect() {
      try {
        this.set(process.memoryUsage.rss());
      } catch {
        // The system needs a file descriptor to tell it, and connections may have taken all: the last value stays.
      }
    },
  });
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time spent.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
}

/**
 * Adds the counters of a process that ended to those of processes that ended earlier, so that sums over all processes
 * never decrease. Its gauges are dropped.
 */
export function addEndedProcess(ended: MetricValues, last: MetricValues): Promise<MetricValues> {
  const counters = last.filter(({ type }) => String(type) !== 'gauge');
  return AggregatorRegistry.aggregate([ended, counters]).getMetricsAsJSON();
}

/** The metrics of several processes, summed, in the text format of Prometheus. */
export function metricsText(processes: readonly MetricValues[]): Promise<string> {
  return AggregatorRegistry.aggregate([...processes]).metrics();
}

/** The content type of `metricsText`. */
export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE;
