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
  /** Retries so far. */
  readonly retries: number;
  /** The wait that ends last, undefined if nothing waits. */
  readonly waiting: RetryWait | undefined;
}

interface RetryWait {
  /** When it ends, in milliseconds since the epoch. */
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
  /** Counts a successful request. */
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

/**
 * Creates the limiter for one remote. Longer than a screen: its parts are steps of one queue, which share the number of
 * requests under way and those that wait.
 * @param most the most concurrent requests
 * @param onWait called when a wait begins
 */
export function newConcurrencyLimiter(
  most: number,
  onWait: (milliseconds: number, why: string) => void,
): ConcurrencyLimiter {
  let width = most;
  let inFlight = 0;
  let retries = 0;
  let well = 0;
  let slowedAt = 0;
  let silentUntil = 0;
  const queue: (() => void)[] = [];
  const waits = new Set<RetryWait>();
  const cancelled = new AbortController();
  setMaxListeners(0, cancelled.signal);

  function admit(): void {
    while (inFlight < width) {
      const next = queue.shift();
      if (next === undefined) return;
      inFlight++;
      next();
    }
  }

  async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    const ended = AbortSignal.any([signal, cancelled.signal]);
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
    refuseOnceEnded(signal);
  }

  function refuseOnceEnded(signal: AbortSignal): void {
    if (signal.aborted || cancelled.signal.aborted)
      throw new CatalogError('interrupted', 'Interrupted while waiting for the remote.');
  }

  return {
    state() {
      const last = [...waits].reduce<RetryWait | undefined>(
        (a, b) => (a === undefined || b.until > a.until ? b : a),
        undefined,
      );
      return { inFlight, retries, waiting: last };
    },
    async run(work, signal) {
      await new Promise<void>((resolve) => {
        queue.push(resolve);
        admit();
      });
      try {
        for (let rest = silentUntil - Date.now(); rest > 0; rest = silentUntil - Date.now()) {
          await pause(rest, signal);
        }
        refuseOnceEnded(signal);
        return await work();
      } finally {
        inFlight--;
        admit();
      }
    },
    reduce(since) {
      // Several 429 for requests of one burst count once.
      if (since < slowedAt) return;
      slowedAt = Date.now();
      width = Math.max(1, Math.floor(width / 2));
      well = 0;
    },
    succeeded() {
      if (width >= most || ++well < untilMore) return;
      width++;
      well = 0;
      admit();
    },
    pauseAll(milliseconds) {
      silentUntil = Math.max(silentUntil, Date.now() + milliseconds);
    },
    async wait(milliseconds, why, signal) {
      retries++;
      onWait(milliseconds, why);
      if (steps.hasSubscribers) steps.publish({ name: 'wait', milliseconds, subject: why } satisfies TimedStep);
      const wait = { until: Date.now() + milliseconds, why };
      waits.add(wait);
      try {
        await pause(milliseconds, signal);
      } finally {
        waits.delete(wait);
      }
    },
    cancel: () => cancelled.abort(),
    cancelled: cancelled.signal,
  };
}
