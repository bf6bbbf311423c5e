// Retries with exponential back-off and jitter. By hand, since undici's retry agent does not repeat a POST, has no jitter,
// ignores time-outs and caps Retry-After.
import { CatalogError } from '../../core/errors.js';
import type { ConcurrencyLimiter } from './concurrency-limiter.js';
import type { SendLimits } from './transport.js';

/** The retry policy. Times are in milliseconds. */
export interface RetryPolicy {
  /** The first delay; each later one is twice as long, up to `longest`. */
  readonly base: number;
  readonly longest: number;
  /** Maximum attempts for one request. */
  readonly tries: number;
  /** The longest Retry-After that is accepted. */
  readonly maxWait: number;
  /** Maximum time for all attempts of one request. */
  readonly maxTime: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  base: 500,
  longest: 30_000,
  tries: 8,
  maxWait: 300_000,
  maxTime: 900_000,
};

/** An attempt that failed for a temporary reason. */
export interface Retryable {
  /** What the remote did: `answered 503 (…)`. */
  readonly again: string;
  /** Milliseconds of a Retry-After, if there is one. */
  readonly after?: number;
  /** The remote answered 429. */
  readonly tooMany?: boolean;
}

/** Whether an attempt should be repeated. */
export function isRetryable(outcome: unknown): outcome is Retryable {
  return typeof outcome === 'object' && outcome !== null && 'again' in outcome;
}

/** Milliseconds by which a timer may end before the clock says so. */
const timerSlack = 20;

/** Milliseconds that the first attempt may take, even if the policy allows less. */
const firstAttempt = 10_000;

/**
 * Repeats an attempt until it succeeds or the policy gives up.
 * @param attempt receives its time limits
 * @param signal cancels all waits
 * @throws CatalogError `remote_failed` with the last failure and the remedy
 */
export async function retryWithBackoff<T extends object>(
  attempt: (limits: SendLimits) => Promise<T | Retryable>,
  policy: RetryPolicy,
  traffic: ConcurrencyLimiter,
  signal: AbortSignal,
): Promise<T> {
  const begun = performance.now();
  let failure = '';
  for (let tries = 1; ; tries++) {
    let sent = 0;
    const outcome = await traffic.run(() => {
      sent = performance.now();
      const left = policy.maxTime - (sent - begun);
      return attempt({ within: Math.max(left, tries === 1 ? firstAttempt : 0), cancelled: traffic.cancelled });
    }, signal);
    if (!isRetryable(outcome)) {
      traffic.succeeded();
      return outcome;
    }
    const asked = outcome.after ?? 0;
    const wait = Math.max(backoff(tries, policy), asked);
    const spent = performance.now() - begun;
    // The last attempt has only the time that is left. Where that cut it off, the attempt before says more.
    if (failure === '' || spent < policy.maxTime - timerSlack) failure = outcome.again;
    const why = whyGiveUp({ tries, asked, total: spent + wait }, policy);
    if (why !== undefined) throw new CatalogError('remote_failed', `The remote ${failure}; ${why}.`);
    if (outcome.tooMany) {
      traffic.reduce(sent);
      if (asked > 0) traffic.pauseAll(asked);
    }
    await traffic.wait(wait, outcome.again, signal);
  }
}

/** Equal jitter: half of the delay is fixed and half random, so that many clients do not retry at the same time. */
function backoff(tries: number, { base, longest }: RetryPolicy): number {
  const whole = Math.min(longest, base * 2 ** (tries - 1));
  return whole / 2 + (Math.random() * whole) / 2;
}

function whyGiveUp(
  { tries, asked, total }: { readonly tries: number; readonly asked: number; readonly total: number },
  policy: RetryPolicy,
): string | undefined {
  if (tries >= policy.tries) return `gave up after ${tries} tries`;
  if (asked > policy.maxWait)
    return `it asks to wait ${seconds(asked)}, which is more than ${seconds(policy.maxWait)} (--retry-max-wait)`;
  if (total > policy.maxTime)
    return `gave up, since another try would take longer than ${seconds(policy.maxTime)} (--retry-max-time)`;
  return undefined;
}

function seconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}

/**
 * Parses a Retry-After: seconds, or a date.
 * @param date the response's own Date, so that a wrong clock does not change the wait
 * @returns milliseconds; undefined if it is missing or invalid
 */
export function retryAfter(header: string, date: string, now: number): number | undefined {
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const until = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const theirs = Date.parse(date);
  return Math.max(0, until - (Number.isNaN(theirs) ? now : theirs));
}
