// Supervises several processes that serve one catalog file: SQLite lets all of them read at once and one write at a
// time. This process accepts their connections, starts them, replaces one that dies, collects their metrics, and ends
// them.
import cluster, { type Worker } from 'node:cluster';
import { CatalogError } from '../../core/errors.js';
import { addEndedProcess, type MetricValues } from '../../http/server/monitoring/metrics.js';
import { urlOf } from '../../http/server/server.js';
import { exitCodes } from '../exit-codes.js';
import { type ConnectionDealer, dealConnections } from './connection-dealer.js';
import { listenFailure, type ServeOptions, startMetrics, stopSignal } from './listening.js';
import { stopMessage, type WorkerCount, type WorkerMessage } from './worker-messages.js';

/** A worker, as its supervisor knows it. */
interface KnownWorker {
  readonly worker: Worker;
  readonly started: number;
  isReady: boolean;
  metrics: MetricValues;
  /** Seconds for which it has sent nothing. */
  silent: number;
}

/** The workers, and what becomes of them. */
interface Crew {
  readonly wanted: number;
  readonly dealer: ConnectionDealer;
  readonly log: (message: string, details: object) => void;
  readonly workers: Set<KnownWorker>;
  /** The metrics of all that have ended. */
  ended: Promise<MetricValues>;
  /** Milliseconds before the next one that dies is replaced. */
  pause: number;
  state: 'starting' | 'running' | 'stopping';
  /** Called once all are ready, or when one ends before that, with the reason. */
  onStart: (failed?: EndReason) => void;
  /** Called when the last one has ended, while they are stopped. */
  onEmpty: () => void;
}

/** Seconds without a word after which a worker hangs: what takes long is done by its importing thread, or to start. */
const longestSilence = 20;
const longestStart = 60;

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
  const crew = newCrew(dealer, options.workers, process.stderr);
  let metrics: Awaited<ReturnType<typeof startMetrics>>;
  try {
    metrics = await startMetrics(options.metricsPort, () => metricsOf(crew));
    const stopped = stopSignal(process);
    const failed = await Promise.race([startWorkers(crew), stopped]);
    if (failed !== undefined) process.exitCode = startFailure(failed);
    if (crew.state === 'running') {
      process.stdout.write(`listening on ${urlOf(dealer.address, options.tlsCert !== undefined)}\n`);
      if (metrics !== undefined) process.stdout.write(`metrics on ${metrics.url}\n`);
      await stopped;
    }
  } finally {
    await dealer.close();
    await stopWorkers(crew);
    await metrics?.stop();
  }
}

/** Starts all workers. Resolves once they serve, or with the reason for which one ended before. */
async function startWorkers(crew: Crew): Promise<EndReason | undefined> {
  const started = new Promise<EndReason | undefined>((resolve) => {
    crew.onStart = resolve;
  });
  for (let i = 0; i < crew.wanted; i++) startWorker(crew);
  setInterval(() => endHanging(crew), 1000).unref();
  return await started;
}

/**
 * The exit code where a worker ended before it served; it has written why, unless it was killed or not even started.
 * @throws what prevented it
 */
function startFailure({ error, signal, code }: EndReason): number {
  if (error !== undefined) throw error;
  if (!signal) return code || exitCodes.bug;
  throw new CatalogError(
    'try_again',
    `A worker was ended by ${signal} before it served. Start it again, with fewer --workers where the system ended it for want of memory.`,
  );
}

function newCrew(dealer: ConnectionDealer, wanted: number, stderr: NodeJS.WritableStream): Crew {
  return {
    wanted,
    dealer,
    log(message, details) {
      const time = new Date().toISOString();
      stderr.write(`${JSON.stringify({ level: 'error', time, message, ...details })}\n`);
    },
    workers: new Set(),
    ended: Promise.resolve([]),
    pause: shortestPause,
    state: 'starting',
    onStart: () => {},
    onEmpty: () => {},
  };
}

function startWorker(crew: Crew): void {
  const worker = cluster.fork();
  const known: KnownWorker = { worker, started: performance.now(), isReady: false, metrics: [], silent: 0 };
  crew.workers.add(known);
  worker.on('message', (message: WorkerMessage) => {
    known.silent = 0;
    if ('metrics' in message) known.metrics = message.metrics;
    else crew.dealer.ready(worker);
    if (known.isReady) return;
    known.isReady = true;
    tellCount(crew);
  });
  // Without it, a worker that cannot be started would be an uncaught error.
  worker.on('error', (error) => onEnd(crew, known, { error }));
  worker.once('exit', (code, signal) => onEnd(crew, known, { code, signal }));
}

/** Tells the workers how many of them serve, for /readyz. */
function tellCount(crew: Crew): void {
  const ready = [...crew.workers].filter(({ isReady }) => isReady);
  const count: WorkerCount = { wanted: crew.wanted, serving: ready.length };
  for (const { worker } of ready) worker.send(count, () => {});
  if (crew.state !== 'starting' || ready.length < crew.wanted) return;
  crew.state = 'running';
  crew.onStart();
}

/** Why a worker ended. */
interface EndReason {
  readonly code?: number | null;
  readonly signal?: string | null;
  readonly error?: Error;
}

function onEnd(crew: Crew, known: KnownWorker, reason: EndReason): void {
  if (!crew.workers.delete(known)) return;
  crew.dealer.remove(known.worker);
  crew.ended = crew.ended.then((before) => addEndedProcess(before, known.metrics));
  if (crew.state === 'stopping') {
    if (crew.workers.size === 0) crew.onEmpty();
    // The others would fail, too.
  } else if (crew.state === 'starting') crew.onStart(reason);
  else replaceWorker(crew, known, reason);
}

function replaceWorker(crew: Crew, { started }: KnownWorker, reason: EndReason): void {
  if (performance.now() - started > longestPause) crew.pause = shortestPause;
  const { error, ...details } = reason;
  crew.log(`a worker died and is replaced in ${crew.pause / 1000} s`, error ? { error: error.message } : details);
  tellCount(crew);
  setTimeout(() => {
    if (crew.state === 'running') startWorker(crew);
  }, crew.pause);
  crew.pause = Math.min(longestPause, crew.pause * 2);
}

/** Seconds are counted here: where all processes were stopped for a while, none of them hangs. */
function endHanging({ workers, log }: Crew): void {
  for (const known of workers) {
    if (++known.silent <= (known.isReady ? longestSilence : longestStart)) continue;
    log('a worker does not answer and is ended', { pid: known.worker.process.pid });
    known.worker.process.kill('SIGKILL');
  }
}

async function metricsOf({ ended, workers }: Crew): Promise<MetricValues[]> {
  // Both are read in the same tick, so that a worker that ends is counted in one of them.
  const living = [...workers].map(({ metrics }) => metrics);
  return [await ended, ...living];
}

/** Asks all to end, and resolves when they have. */
async function stopWorkers(crew: Crew): Promise<void> {
  const { workers } = crew;
  crew.state = 'stopping';
  const ended = new Promise<void>((resolve) => {
    crew.onEmpty = resolve;
  });
  const late = setTimeout(() => {
    for (const { worker } of workers) worker.process.kill('SIGKILL');
  }, longestEnd);
  for (const { worker, isReady } of workers) {
    if (isReady) worker.send(stopMessage, () => {});
    else worker.process.kill('SIGKILL');
  }
  if (workers.size > 0) await ended;
  clearTimeout(late);
}
