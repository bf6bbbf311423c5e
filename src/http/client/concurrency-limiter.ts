// Limits the concurrent requests to one remote: half as many after a 429, slowly more again after successes (AIMD), and none
// while the remote asks for a pause. Also holds the state that progress shows.
import { channel } from 'node:diagnostics_channel';
import { setMaxListeners } from 'node:events';
import { CatalogError } from '../../core/errors.js';
import { stepChannel, type TimedStep } from '../../core/timed-step.js';

const steps = channel(stepChannel);

/** The state of the requests to the remote, for progress. */
export interface LimiterState {
  readonly inFlight: number;
  readonly retries: number;
  /** The wait that ends last, undefined if nothing waits. */
  readonly waiting: RetryWait | undefined;
}

interface RetryWait {
  /** When it ends, as a time of `performance.now()`. */
  readonly until: number;
  /** What the remote did: `answered 503 (…)`. */
  readonly why: string;
}

export interface ConcurrencyLimiter {
  state(): LimiterState;
  /** Runs `work` once a slot is free and no pause is in force; throws as `wait` does. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Handles a 429: halves the concurrency. `since` is when the request was sent. */
  reduce(since: number): void;
  succeeded(): void;
  /** Pauses all requests for a while. */
  pauseAll(milliseconds: number): void;
  /** Waits before a retry. Throws when waiting was cancelled (by `cancel`, or by `signal`). */
  wait(milliseconds: number, why: string, signal: AbortSignal): Promise<void>;
  /** Ends all waits, now and later: pending retries give up. */
  cancel(): void;
  /** Aborted by `cancel`. */
  readonly cancelled: AbortSignal;
}

/** Successes in a row before the concurrency grows by one. */
const untilMore = 8;

/** A limiter: its slots, and what waits for them. */
interface Limiter {
  /** The most concurrent requests at any time. */
  readonly most: number;
  /** The most concurrent requests now. */
  width: number;
  inFlight: number;
  retries: number;
  /** Successes in a row since the last change of `width`. */
  successes: number;
  /** When `width` was last reduced, and until when all requests pause; as a time of `performance.now()`. */
  slowedAt: number;
  silentUntil: number;
  /** Requests that wait for a slot. */
  readonly queue: (() => void)[];
  readonly waits: Set<RetryWait>;
  readonly cancelled: AbortController;
}

/**
 * Creates the limiter for one remote.
 * @param most the most concurrent requests
 * @param onWait called when a wait begins
 */
export function newConcurrencyLimiter(
  most: number,
  onWait: (milliseconds: number, why: string) => void,
): ConcurrencyLimiter {
  const state: Limiter = {
    ...{ most, width: most, inFlight: 0, retries: 0, successes: 0, slowedAt: 0, silentUntil: 0 },
    ...{ queue: [], waits: new Set(), cancelled: new AbortController() },
  };
  setMaxListeners(0, state.cancelled.signal);
  return {
    state: () => ({ inFlight: state.inFlight, retries: state.retries, waiting: lastWait(state) }),
    run: (work, signal) => runLimited(state, work, signal),
    reduce: (since) => reduce(state, since),
    succeeded: () => countSuccess(state),
    pauseAll(milliseconds) {
      state.silentUntil = Math.max(state.silentUntil, performance.now() + milliseconds);
    },
    async wait(milliseconds, why, signal) {
      state.retries++;
      onWait(milliseconds, why);
      if (steps.hasSubscribers) steps.publish({ name: 'wait', milliseconds, subject: why } satisfies TimedStep);
      const wait = { until: performance.now() + milliseconds, why };
      state.waits.add(wait);
      try {
        await pause(state, milliseconds, signal);
      } finally {
        state.waits.delete(wait);
      }
    },
    cancel: () => state.cancelled.abort(),
    cancelled: state.cancelled.signal,
  };
}

/** Starts waiting requests while there are free slots. */
function admit(state: Limiter): void {
  while (state.inFlight < state.width) {
    const next = state.queue.shift();
    if (next === undefined) return;
    state.inFlight++;
    next();
  }
}

async function runLimited<T>(state: Limiter, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  await new Promise<void>((resolve) => {
    state.queue.push(resolve);
    admit(state);
  });
  try {
    for (let rest = state.silentUntil - performance.now(); rest > 0; rest = state.silentUntil - performance.now()) {
      await pause(state, rest, signal);
    }
    refuseOnceEnded(state, signal);
    return await work();
  } finally {
    state.inFlight--;
    admit(state);
  }
}

function reduce(state: Limiter, since: number): void {
  // Several 429 for requests of one burst count once.
  if (since < state.slowedAt) return;
  state.slowedAt = performance.now();
  state.width = Math.max(1, Math.floor(state.width / 2));
  state.successes = 0;
}

function countSuccess(state: Limiter): void {
  if (state.width >= state.most || ++state.successes < untilMore) return;
  state.width++;
  state.successes = 0;
  admit(state);
}

function lastWait({ waits }: Limiter): RetryWait | undefined {
  return [...waits].reduce<RetryWait | undefined>((a, b) => (a === undefined || b.until > a.until ? b : a), undefined);
}

/** Waits; throws when waiting was cancelled. */
async function pause(state: Limiter, milliseconds: number, signal: AbortSignal): Promise<void> {
  const ended = AbortSignal.any([signal, state.cancelled.signal]);
  await new Promise<void>((resolve) => {
    if (ended.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      ended.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    ended.addEventListener('abort', end);
  });
  refuseOnceEnded(state, signal);
}

function refuseOnceEnded(state: Limiter, signal: AbortSignal): void {
  if (signal.aborted || state.cancelled.signal.aborted)
    throw new CatalogError('interrupted', 'Interrupted while waiting for the remote.');
}
