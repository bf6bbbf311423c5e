// Supervises several processes that serve one catalog file: SQLite lets all of them read at once and one write at a
// time. This process starts them, replaces one that dies, collects their metrics, and ends with them.
import cluster, { type Worker } from 'node:cluster';

import { addEndedProcess, type MetricValues } from '../../http/server/monitoring/metrics.js';
import { type ServeOptions, startMetrics, stopSignal, type WorkerMessage } from '../commands/catalog/serve.js';

/** Runs `options.workers` workers until a signal ends them all. */
export async function watchWorkers({ workers, metricsPort }: ServeOptions, process: NodeJS.Process): Promise<void> {
  const crew = new Map<Worker, MetricValues>();
  let ended: Promise<MetricValues> = Promise.resolve([]);
  let stopping = false;
  let listening = 0;
  let allEnded = () => {};
  const finished = new Promise<void>((resolve) => {
    allEnded = resolve;
  });

  function stop(): void {
    stopping = true;
    for (const worker of crew.keys()) worker.process.kill('SIGTERM');
    if (crew.size === 0) allEnded();
  }

  function start(): void {
    const worker = cluster.fork();
    crew.set(worker, []);
    worker.on('message', (message: WorkerMessage) => {
      if ('metrics' in message) crew.set(worker, message.metrics);
      else if (++listening === workers) {
        process.stdout.write(`listening on ${message.listening}\n`);
        if (metrics !== undefined) process.stdout.write(`metrics on ${metrics.url}\n`);
      }
    });
    worker.once('exit', (code) => {
      const last = crew.get(worker) ?? [];
      ended = ended.then((before) => addEndedProcess(before, last));
      crew.delete(worker);
      if (stopping) {
        if (crew.size === 0) allEnded();
      } else if (listening < workers) {
        // It has written the reason to stderr; the others would fail too.
        process.exitCode = code || 1;
        stop();
      } else {
        process.stderr.write(`${JSON.stringify({ level: 'error', message: 'a worker died and is replaced', code })}\n`);
        setTimeout(() => (stopping ? undefined : start()), 1000);
      }
    });
  }

  const metrics = await startMetrics(metricsPort, async () => {
    // Both are read in the same tick, so that a worker that ends is counted in one of them.
    const [before, living] = [ended, [...crew.values()]];
    return [await before, ...living];
  });
  const stopped = stopSignal(process).then(stop);
  for (let i = 0; i < workers; i++) start();
  await Promise.race([stopped, finished]);
  await finished;
  await metrics?.stop();
}
