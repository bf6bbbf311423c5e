// Metrics of several processes as one text in the format of Prometheus.
import { closeSync, openSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resources } from '../../../src/core/resources/index.js';
import {
  addEndedProcess,
  type MetricValues,
  metricsText,
  newMetrics,
} from '../../../src/http/server/monitoring/metrics.js';
import { serveMetrics } from '../../../src/http/server/monitoring/metrics-server.js';
import { execFileSync } from '../../child.js';

const [resource] = resources;
if (resource === undefined) throw new Error('there are no resources');

/** The values of one process that has answered `count` requests and imported as many items. */
async function aProcess(count: number): Promise<MetricValues> {
  const metrics = newMetrics({ bytesHeld: () => 1000, linesDropped: () => 7 });
  for (let i = 0; i < count; i++) {
    metrics.requestStarted();
    metrics.requestEnded('GET', '/livez', 200, i / 100);
  }
  metrics.requestStarted();
  metrics.connectionFailed('tls');
  if (resource)
    metrics.batchImported(resource, { created: count, updated: 0, unchanged: 0, refused: 1, total: count + 1 });
  // As a worker sends them to the process that watches it.
  return JSON.parse(JSON.stringify(await metrics.values()));
}

/** The samples of a text by series, without what the process itself uses. */
function samples(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => /^catalog_/.test(line));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/ (\S+)$/.exec(line)?.[1])]));
}

describe('metrics', () => {
  it('are summed over processes, series by series', async () => {
    const text = await metricsText([await aProcess(3), await aProcess(5)]);
    expect(text).toContain('# TYPE catalog_http_request_duration_seconds histogram\n');
    expect(text).toContain('catalog_http_requests_total{method="GET",route="/livez",status="200"} 8\n');
    const sums = samples(text);
    const duration = 'catalog_http_request_duration_seconds';
    expect(sums.get(`${duration}_count{method="GET",route="/livez"}`)).toBe(8);
    expect(sums.get(`${duration}_bucket{le="0.01",method="GET",route="/livez"}`)).toBe(4);
    expect(sums.get(`${duration}_bucket{le="+Inf",method="GET",route="/livez"}`)).toBe(8);
    expect(sums.get('catalog_http_requests_in_flight')).toBe(2);
    expect(sums.get('catalog_http_bytes_held')).toBe(2000);
  });

  it('of processes that ended keep their counters and histograms, but not their gauges', async () => {
    const processes = [await aProcess(3), await aProcess(5), await aProcess(7)];
    const before = samples(await metricsText(processes));
    let ended: MetricValues = [];
    for (const last of processes.slice(0, 2)) ended = await addEndedProcess(ended, last);
    const after = samples(await metricsText([ended, ...processes.slice(2)]));
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    for (const [series, value] of before) {
      const isGauge = /in_flight|bytes_held/.test(series);
      expect([series, after.get(series)]).toEqual([series, isGauge ? value / 3 : value]);
    }
  });

  it('of a process that has sent none yet count as zero', async () => {
    const known = await aProcess(3);
    const ended = await addEndedProcess([], []);
    expect(samples(await metricsText([ended, [], known]))).toEqual(samples(await metricsText([known])));
  });

  it('count unknown HTTP methods in one series', async () => {
    const metrics = newMetrics({ bytesHeld: () => 0, linesDropped: () => 0 });
    for (const method of ['BREW', 'PROPFIND']) {
      metrics.requestStarted();
      metrics.requestEnded(method, 'none', 405, 0.001);
    }
    const text = await metricsText([await metrics.values()]);
    expect(text).toContain('catalog_http_requests_total{method="other",route="none",status="405"} 2\n');
  });

  it('are refused with a query parameter, as every address of the catalog is', async () => {
    const { url, stop } = await serveMetrics(0, async () => [await aProcess(1)]);
    const answers = [];
    for (const query of ['', '?', '?x=1', '?x=1?y', '?%ff=1']) answers.push((await fetch(url + query)).status);
    expect(answers).toEqual([200, 200, 400, 400, 400]);
    expect(await (await fetch(`${url}?x=1`)).text()).toBe('"x" is not a query parameter here. No parameter is.\n');
    expect((await fetch(url.replace('metrics', 'other?x=1'))).status).toBe(404);
    await stop();
  });

  it.runIf(process.platform === 'linux')('are told while connections have taken all file descriptors', async () => {
    const limit = (files: string) => execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${files}:`]);
    const usual = /open files +(\d+|unlimited)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '';
    const metrics = newMetrics({ bytesHeld: () => 0, linesDropped: () => 0 });
    const opened: number[] = [];
    limit('400');
    try {
      expect(() => {
        for (;;) opened.push(openSync('/dev/null', 'r'));
      }).toThrow('EMFILE');
      expect((await metrics.values()).map(({ name }) => name)).toContain('process_resident_memory_bytes');
    } finally {
      for (const file of opened) closeSync(file);
      limit(usual);
    }
  });
});
