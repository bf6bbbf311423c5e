// The one way in which a test waits: until something is so, or until a promise settles. Each wait has a deadline of its own,
// shortly before the limit of its test, and then says what it waited for and what came instead. A wait that fails is over:
// it leaves no loop behind. (`expect.poll` is the same for a value that a matcher judges.)
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { TestRunner } from 'vitest';
import { testLimit } from './limits.js';

/** How long before the limit of a test its waits end, so that their reason is seen and not that the time was up. */
const ahead = 5_000;
/** A wait that begins after that has this long. */
const least = 1_000;

/** How long a wait that begins now may take, in milliseconds. */
function rest(): number {
  const test = TestRunner.getCurrentTest();
  const passed = test?.result?.startTime === undefined ? 0 : Date.now() - test.result.startTime;
  return Math.max(least, (test?.timeout ?? testLimit) - passed - ahead);
}

export interface WaitOptions {
  /** Milliseconds; no later than shortly before the limit of the test. */
  readonly within?: number;
  /** What the failure shows; without it, what `look` gave last. */
  readonly instead?: () => unknown;
}

/** A wait that was in vain. */
class Vain extends Error {
  constructor(what: string, milliseconds: number, instead: unknown) {
    const came = typeof instead === 'string' ? instead : inspect(instead, { depth: 4 });
    super(`waited ${(milliseconds / 1000).toFixed(1)} s for ${what}; instead came:\n${came.slice(-4000)}`);
    this.name = 'Vain';
  }
}

/**
 * Waits until `look` gives something that is true.
 * @param what a noun, such as "the first line of the report"
 * @param look where it fails the wait is over, and fails
 * @returns what it gave
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { within = Number.POSITIVE_INFINITY, instead }: WaitOptions = {},
): Promise<Exclude<T, false | null | undefined>> {
  const allowed = Math.min(within, rest());
  const begin = performance.now();
  for (;;) {
    const found = await look();
    if (found) return found as Exclude<T, false | null | undefined>;
    if (performance.now() - begin > allowed) throw new Vain(what, allowed, instead === undefined ? found : instead());
    await sleep(5);
  }
}

/** Waits for a promise, such as the end of a process or an event. */
export async function settled<T>(
  what: string,
  promise: Promise<T>,
  { within = Number.POSITIVE_INFINITY, instead = () => 'nothing' }: WaitOptions = {},
): Promise<T> {
  const allowed = Math.min(within, rest());
  const over = new AbortController();
  const late = sleep(allowed, undefined, { signal: over.signal }).then(
    () => Promise.reject(new Vain(what, allowed, instead())),
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    over.abort();
  }
}
