// The flow of requests to one remote: how many at once (fewer when it says 429, slowly more again), when nobody may
// send, and what there is to tell about it while it lasts.
import { setMaxListeners } from 'node:events';
import { CatalogError } from '../../core/errors.js';

/** What goes on with the remote, for those who watch. */
export interface TrafficState {
  readonly inFlight: number;
  /** How often something was sent again so far. */
  readonly retries: number;
  /** The wait that ends last, undefined where nothing waits. */
  readonly waiting: Wait | undefined;
}

interface Wait {
  /** When it ends, in milliseconds since the epoch. */
  readonly until: number;
  /** What the remote did: `answered 503 (…)`. */
  readonly why: string;
}

export interface Traffic {
  state(): TrafficState;
  /** Does `work` once there is a free place and nobody has asked for silence; throws as `wait` does. */
  inPlace<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** The remote answered that it is too much: half as much from now on. `since` is when the request was sent. */
  slowDown(since: number): void;
  /** A request went well. */
  wentWell(): void;
  /** Asks everybody not to send for a while. */
  silence(milliseconds: number): void;
  /** Waits before something is sent again. Throws once waiting is of no use any more (`hurry`, or `signal`). */
  wait(milliseconds: number, why: string, signal: AbortSignal): Promise<void>;
  /** Ends all waits, those to come too: who was to try again gives up. */
  hurry(): void;
  /** Aborted by `hurry`. */
  readonly hurried: AbortSignal;
}

/** Requests that go well in a row before one more is let through at once. */
const untilMore = 8;

/**
 * Makes the flow for one remote.
 * @param most how many requests may be under way at once
 * @param onWait told of each wait when it begins
 */
export function newTraffic(most: number, onWait: (milliseconds: number, why: string) => void): Traffic {
  let width = most;
  let inFlight = 0;
  let retries = 0;
  let well = 0;
  let slowedAt = 0;
  let silentUntil = 0;
  const queue: (() => void)[] = [];
  const waits = new Set<Wait>();
  const hurried = new AbortController();
  setMaxListeners(0, hurried.signal);

  function admit(): void {
    while (inFlight < width) {
      const next = queue.shift();
      if (next === undefined) return;
      inFlight++;
      next();
    }
  }

  async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    const ended = AbortSignal.any([signal, hurried.signal]);
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
    if (signal.aborted || hurried.signal.aborted)
      throw new CatalogError('interrupted', 'Interrupted while waiting for the remote.');
  }

  return {
    state() {
      const last = [...waits].reduce<Wait | undefined>(
        (a, b) => (a === undefined || b.until > a.until ? b : a),
        undefined,
      );
      return { inFlight, retries, waiting: last };
    },
    async inPlace(work, signal) {
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
    slowDown(since) {
      // Several answers to one burst are one complaint.
      if (since < slowedAt) return;
      slowedAt = Date.now();
      width = Math.max(1, Math.floor(width / 2));
      well = 0;
    },
    wentWell() {
      if (width >= most || ++well < untilMore) return;
      width++;
      well = 0;
      admit();
    },
    silence(milliseconds) {
      silentUntil = Math.max(silentUntil, Date.now() + milliseconds);
    },
    async wait(milliseconds, why, signal) {
      retries++;
      onWait(milliseconds, why);
      const wait = { until: Date.now() + milliseconds, why };
      waits.add(wait);
      try {
        await pause(milliseconds, signal);
      } finally {
        waits.delete(wait);
      }
    },
    hurry: () => hurried.abort(),
    hurried: hurried.signal,
  };
}
