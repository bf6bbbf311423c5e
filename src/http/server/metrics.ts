// What the server counts, as numbers by series, so that the counts of several workers are summed by name.
// The text is the exposition format of Prometheus.
import type { Counts } from '../../core/line.js';
import type { Resource } from '../../core/resource.js';
import type { ConnectionFault } from './http-server.js';

/** Numbers by series: `name{label="value"}`. All of them may be summed over processes. */
export type Series = Readonly<Record<string, number>>;

export interface Metrics {
  began(): void;
  /** A request was answered. `route` is a path of ours, never one a client made up. */
  answered(method: string, route: string, status: number, seconds: number): void;
  imported(resource: Resource, counts: Readonly<Counts>): void;
  /** A connection failed before it had a request. */
  connectionFailed(fault: ConnectionFault): void;
  series(): Series;
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const methods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);

/** Kinds and help texts of the metrics, in the order they are printed. */
const families = {
  catalog_http_requests_total: ['counter', 'Requests answered.'],
  catalog_http_request_duration_seconds: ['histogram', 'Time from the request line to the end of the answer.'],
  catalog_http_requests_in_flight: ['gauge', 'Requests being worked on.'],
  catalog_http_connection_failures_total: ['counter', 'Connections that failed before they had a request.'],
  catalog_http_bytes_held: ['gauge', 'Bytes of bodies and large answers held in memory.'],
  catalog_items_total: ['counter', 'Items of imports that were not dry runs, by what became of them.'],
  process_resident_memory_bytes: ['gauge', 'Resident memory.'],
  process_cpu_seconds_total: ['counter', 'User and system CPU time spent.'],
} as const;

interface Durations {
  readonly counts: number[];
  sum: number;
}

/**
 * Begins counting.
 * @param bytesHeld bytes of bodies and large answers that are held at the moment
 */
export function newMetrics(bytesHeld: () => number): Metrics {
  const answers = new Map<string, number>();
  const durations = new Map<string, Durations>();
  const items = new Map<string, number>();
  const faults = new Map<string, number>();
  let inFlight = 0;

  function add(map: Map<string, number>, key: string, n: number): void {
    map.set(key, (map.get(key) ?? 0) + n);
  }

  return {
    began: () => void inFlight++,
    answered(method, route, status, seconds) {
      inFlight--;
      const labels = `method="${methods.has(method) ? method : 'other'}",route="${route}"`;
      add(answers, `${labels},status="${status}"`, 1);
      let known = durations.get(labels);
      if (known === undefined) {
        known = { counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 };
        durations.set(labels, known);
      }
      let bucket = buckets.findIndex((most) => seconds <= most);
      if (bucket < 0) bucket = buckets.length;
      known.counts[bucket] = (known.counts[bucket] ?? 0) + 1;
      known.sum += seconds;
    },
    imported({ name }, { created, updated, unchanged, refused }) {
      for (const [action, n] of Object.entries({ created, updated, unchanged, refused })) {
        if (n > 0) add(items, `resource="${name}",action="${action}"`, n);
      }
    },
    connectionFailed: (fault) => add(faults, `fault="${fault}"`, 1),
    series() {
      const series: Record<string, number> = {};
      for (const [labels, n] of answers) series[`catalog_http_requests_total{${labels}}`] = n;
      for (const [labels, known] of durations) histogram(series, labels, known);
      for (const [labels, n] of items) series[`catalog_items_total{${labels}}`] = n;
      for (const [labels, n] of faults) series[`catalog_http_connection_failures_total{${labels}}`] = n;
      series['catalog_http_bytes_held'] = bytesHeld();
      const { user, system } = process.cpuUsage();
      series['catalog_http_requests_in_flight'] = inFlight;
      series['process_resident_memory_bytes'] = process.memoryUsage.rss();
      series['process_cpu_seconds_total'] = (user + system) / 1e6;
      return series;
    },
  };
}

function histogram(series: Record<string, number>, labels: string, { counts, sum }: Durations): void {
  const name = 'catalog_http_request_duration_seconds';
  let total = 0;
  for (const [i, n] of counts.entries()) {
    total += n;
    series[`${name}_bucket{${labels},le="${buckets[i] ?? '+Inf'}"}`] = total;
  }
  series[`${name}_sum{${labels}}`] = sum;
  series[`${name}_count{${labels}}`] = total;
}

/**
 * What a process that died still counts for: its counters, so that sums never run backwards; its gauges are gone.
 * @param before what those that died earlier count for
 */
export function retired(before: Series, last: Series): Series {
  const counters = Object.entries(last).filter(([name]) => kindOf(name) !== 'gauge');
  return Object.fromEntries(summed([before, Object.fromEntries(counters)]));
}

function summed(processes: readonly Series[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const series of processes) {
    for (const [name, n] of Object.entries(series)) sums.set(name, (sums.get(name) ?? 0) + n);
  }
  return sums;
}

/** The counts of several processes as one text in the exposition format of Prometheus. */
export function metricsText(processes: readonly Series[]): string {
  const sums = summed(processes);
  let text = '';
  for (const [family, [kind, help]] of Object.entries(families)) {
    text += `# HELP ${family} ${help}\n# TYPE ${family} ${kind}\n`;
    for (const [name, n] of sums) if (familyOf(name) === family) text += `${name} ${n}\n`;
  }
  return text;
}

function familyOf(series: string): string {
  const name = series.replace(/\{.*/s, '');
  return name in families ? name : name.replace(/_(?:bucket|sum|count)$/, '');
}

function kindOf(series: string): string | undefined {
  return families[familyOf(series) as keyof typeof families]?.[0];
}
