// Supervises several processes that serve one catalog file: SQLite lets all of them read at once and one write at a
// time. This process accepts their connections, starts them, replaces one that dies, collects their metrics, and ends
// them.
import cluster, { type Worker } from 'node:cluster';
import { addEndedProcess, type MetricValues } from '../../http/server/monitoring/metrics.js';
import { urlOf } from '../../http/server/server.js';
import { listenFailure, type ServeOptions, startMetrics, stopSignal } from '../commands/catalog/serve.js';
import { type ConnectionDealer, dealConnections } from './connection-dealer.js';
import { stopMessage, type WorkerCount, type WorkerMessage } from './worker-messages.js';

/** A worker, as its supervisor knows it. */
interface Member {
  readonly worker: Worker;
  readonly started: number;
  isReady: boolean;
  /** Its metrics, which it sends every second. */
  metrics: MetricValues;
  /** Seconds for which it has sent nothing. */
  silent: number;
}

/** Seconds without a word after which a worker hangs: what takes long is done by its importing thread. */
const longestSilence = 20;

/** Milliseconds after which workers that were asked to end are killed: their requests have 25 s. */
const longestEnd = 30_000;

/** Milliseconds before a worker that died is replaced: twice as long after each that did not live for `longestPause`. */
const shortestPause = 1000;
const longestPause = 60_000;

/** Runs `options.workers` workers until a signal ends them all. Throws if it cannot listen. */
export async function watchWorkers(options: ServeOptions, process: NodeJS.Process): Promise<void> {
  const dealer = await dealConnections(options.host, options.port).catch((error: unknown) => {
    throw listenFailure(error);
  });
  const crew = newCrew(dealer, options.workers, process);
  const metrics = await startMetrics(options.metricsPort, crew.metrics);
  const stopped = stopSignal(process);
  const isStarted = await Promise.race([crew.started, stopped.then(() => false)]);
  if (isStarted) {
    process.stdout.write(`listening on ${urlOf(dealer.address, options.tlsCert !== undefined)}\n`);
    if (metrics !== undefined) process.stdout.write(`metrics on ${metrics.url}\n`);
    await stopped;
  }
  await dealer.close();
  await crew.stop();
  await metrics?.stop();
}

interface Crew {
  /** Resolves with true once all are ready, with false if one of them ended before. */
  readonly started: Promise<boolean>;
  /** The metrics of the workers, and those of all that have ended. */
  metrics(): Promise<MetricValues[]>;
  /** Asks all to end, and resolves when they have. */
  stop(): Promise<void>;
}

/** Starts so many workers, and replaces those that die. */
function newCrew(dealer: ConnectionDealer, wanted: number, process: NodeJS.Process): Crew {
  const members = new Set<Member>();
  let onStart = (_isStarted: boolean): void => {};
  let onEmpty = (): void => {};
  let metricsOfEnded: Promise<MetricValues> = Promise.resolve([]);
  let isRunning = false;
  let isStopping = false;
  let pause = shortestPause;

  const log = (message: string, details: object): void => {
    process.stderr.write(
      `${JSON.stringify({ time: new Date().toISOString(), level: 'error', message, ...details })}\n`,
    );
  };

  function start(): void {
    const worker = cluster.fork();
    const member: Member = { worker, started: performance.now(), isReady: false, metrics: [], silent: 0 };
    members.add(member);
    worker.on('message', (message: WorkerMessage) => {
      member.silent = 0;
      if ('metrics' in message) member.metrics = message.metrics;
      else dealer.ready(worker);
      if (!member.isReady) countReady(member);
    });
    // Without it a worker that cannot be started would be an uncaught error.
    worker.on('error', (error) => onEnd(member, { error: error.message }));
    worker.once('exit', (code, signal) => onEnd(member, { code, signal }));
  }

  function countReady(member: Member): void {
    member.isReady = true;
    tellAll();
    if ([...members].filter(({ isReady }) => isReady).length < wanted) return;
    isRunning = true;
    onStart(true);
  }

  /** Tells the workers how many serve, for /readyz. */
  function tellAll(): void {
    const serving = [...members].filter(({ isReady }) => isReady).length;
    const count: WorkerCount = { wanted, serving };
    for (const { worker, isReady } of members) if (isReady) worker.send(count, () => {});
  }

  function onEnd(member: Member, reason: { readonly code?: number | null; readonly [detail: string]: unknown }): void {
    if (!members.delete(member)) return;
    dealer.remove(member.worker);
    metricsOfEnded = metricsOfEnded.then((before) => addEndedProcess(before, member.metrics));
    if (isStopping) {
      if (members.size === 0) onEmpty();
    } else if (!isRunning) {
      // It has written why, unless it was killed; the others would fail, too.
      if (!reason.code) log('a worker ended before it served', reason);
      process.exitCode = reason.code || 1;
      onStart(false);
    } else replace(member, reason);
  }

  function replace({ started: since }: Member, reason: object): void {
    if (performance.now() - since > longestPause) pause = shortestPause;
    log(`a worker died and is replaced in ${pause / 1000} s`, reason);
    tellAll();
    setTimeout(() => {
      if (!isStopping) start();
    }, pause);
    pause = Math.min(longestPause, pause * 2);
  }

  // Seconds are counted here: where all processes were stopped for a while, none of them hangs.
  const watch = setInterval(() => {
    for (const { worker } of [...members].filter((one) => one.isReady && ++one.silent > longestSilence)) {
      log('a worker does not answer and is ended', { pid: worker.process.pid });
      worker.process.kill('SIGKILL');
    }
  }, 1000);

  for (let i = 0; i < wanted; i++) start();
  return {
    started: new Promise((resolve) => {
      onStart = resolve;
    }),
    async metrics() {
      // Both are read in the same tick, so that a worker that ends is counted in one of them.
      const [before, living] = [metricsOfEnded, [...members].map(({ metrics }) => metrics)];
      return [await before, ...living];
    },
    async stop() {
      isStopping = true;
      clearInterval(watch);
      const late = setTimeout(() => {
        for (const { worker } of members) worker.process.kill('SIGKILL');
      }, longestEnd);
      const ended = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      for (const { worker, isReady } of members) {
        if (isReady) worker.send(stopMessage, () => {});
        else worker.process.kill('SIGKILL');
      }
      if (members.size > 0) await ended;
      clearTimeout(late);
    },
  };
}
