// Trying again: how long to wait, how often, and when to give up. undici's own retry agent does not repeat a POST, has
// no jitter, ignores time-outs and caps Retry-After.
import { CatalogError } from '../../core/errors.js';
import type { Traffic } from './concurrency-limiter.js';
import type { Limits } from './transport.js';

/** How much patience there is with a remote. Times are in milliseconds. */
export interface Patience {
  /** The first wait; each later one is twice as long, up to `longest`. */
  readonly base: number;
  readonly longest: number;
  /** How often one thing is sent at most. */
  readonly tries: number;
  /** The longest Retry-After that is waited for. */
  readonly maxWait: number;
  /** How long one thing is tried. */
  readonly maxTime: number;
}

/** The patience that is not configured otherwise. */
export const usualPatience: Patience = { base: 500, longest: 30_000, tries: 8, maxWait: 300_000, maxTime: 900_000 };

/** An attempt that did not succeed and is worth another. */
export interface Again {
  /** What the remote did: `answered 503 (…)`. */
  readonly again: string;
  /** Milliseconds the remote asks to wait, where it does. */
  readonly after?: number;
  /** It said that there are too many requests. */
  readonly tooMany?: boolean;
}

/** Tells an attempt to be repeated from what was wanted. */
export function isAgain(outcome: unknown): outcome is Again {
  return typeof outcome === 'object' && outcome !== null && 'again' in outcome;
}

/** Milliseconds that the first attempt may take, however little patience there is. */
const firstAttempt = 10_000;

/**
 * Attempts something until it succeeds or patience ends.
 * @param attempt given how long it may take
 * @param signal ends the waiting for good
 * @throws CatalogError `remote_failed` that says what the remote did last and what would help
 */
export async function persist<T extends object>(
  attempt: (limits: Limits) => Promise<T | Again>,
  patience: Patience,
  traffic: Traffic,
  signal: AbortSignal,
): Promise<T> {
  const begun = Date.now();
  for (let tries = 1; ; tries++) {
    let sent = 0;
    const outcome = await traffic.inPlace(() => {
      sent = Date.now();
      const left = patience.maxTime - (sent - begun);
      return attempt({ within: Math.max(left, tries === 1 ? firstAttempt : 0), hurried: traffic.hurried });
    }, signal);
    if (!isAgain(outcome)) {
      traffic.wentWell();
      return outcome;
    }
    const asked = outcome.after ?? 0;
    const wait = Math.max(backoff(tries, patience), asked);
    const spent = Date.now() - begun;
    const why = whyGiveUp({ tries, asked, total: spent + wait }, patience);
    if (why !== undefined) throw new CatalogError('remote_failed', `The remote ${outcome.again}; ${why}.`);
    if (outcome.tooMany) {
      traffic.slowDown(sent);
      if (asked > 0) traffic.silence(asked);
    }
    await traffic.wait(wait, outcome.again, signal);
  }
}

/** Equal jitter: half of it certain, half of it by chance, so that many clients do not come back at once. */
function backoff(tries: number, { base, longest }: Patience): number {
  const whole = Math.min(longest, base * 2 ** (tries - 1));
  return whole / 2 + (Math.random() * whole) / 2;
}

function whyGiveUp(
  { tries, asked, total }: { readonly tries: number; readonly asked: number; readonly total: number },
  patience: Patience,
): string | undefined {
  if (tries >= patience.tries) return `gave up after ${tries} tries`;
  if (asked > patience.maxWait)
    return `it asks to wait ${seconds(asked)}, which is more than ${seconds(patience.maxWait)} (--retry-max-wait)`;
  if (total > patience.maxTime)
    return `gave up, since another try would take longer than ${seconds(patience.maxTime)} (--retry-max-time)`;
  return undefined;
}

function seconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}

/**
 * Reads a Retry-After: seconds, or a date.
 * @param date the answer's own Date, so that a clock that goes wrong does not make the wait too short
 * @returns milliseconds, undefined where there is none that can be read
 */
export function retryAfter(header: string, date: string, now: number): number | undefined {
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const until = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const theirs = Date.parse(date);
  return Math.max(0, until - now, Number.isNaN(theirs) ? 0 : until - theirs);
}
