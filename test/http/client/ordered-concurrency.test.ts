// Concurrent batches: invariants for any keys in common and any durations.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runOrdered } from '../../../src/http/client/ordered-concurrency.js';
import { retryAfter } from '../../../src/http/client/retry.js';

interface Job {
  readonly keys: readonly number[];
  readonly takes: number;
  readonly fails: boolean;
}

const job: fc.Arbitrary<Job> = fc.record({
  keys: fc.array(fc.nat(6), { maxLength: 3 }),
  takes: fc.nat(4),
  fails: fc.constant(false),
});

/** Runs jobs and notes the order in which they began and ended. */
async function runJobs(jobs: readonly Job[], most: number) {
  const events: (readonly ['begins' | 'ends', number])[] = [];
  let running = 0;
  let widest = 0;
  const told: number[] = [];
  const results = runOrdered(
    jobs,
    ({ keys, takes, fails }, index) => ({
      keys: new Set(keys.map(String)),
      async run() {
        events.push(['begins', index]);
        widest = Math.max(widest, ++running);
        await new Promise((resolve) => setTimeout(resolve, takes));
        running--;
        events.push(['ends', index]);
        if (fails) throw new Error(`job ${index}`);
        return index;
      },
    }),
    { most, onFailure: () => undefined },
  );
  let failure: unknown;
  try {
    for await (const index of results) told.push(index);
  } catch (cause) {
    failure = cause;
  }
  const at = (what: 'begins' | 'ends', index: number) => events.findIndex(([word, i]) => word === what && i === index);
  return { at, told, widest, failure, running: () => running };
}

describe('batches under way at once', () => {
  it('are yielded in order, no more than allowed at once, and those that share a key one after the other', () =>
    fc.assert(
      fc.asyncProperty(fc.array(job, { maxLength: 14 }), fc.integer({ min: 1, max: 5 }), async (jobs, most) => {
        const { at, told, widest } = await runJobs(jobs, most);
        expect(told).toEqual(jobs.map((_, i) => i));
        expect(widest).toBeLessThanOrEqual(most);
        for (const [later, { keys }] of jobs.entries()) {
          for (let earlier = 0; earlier < later; earlier++) {
            if (!jobs[earlier]?.keys.some((key) => keys.includes(key))) continue;
            expect(at('ends', earlier)).toBeLessThan(at('begins', later));
          }
        }
      }),
      { numRuns: 60 },
    ));

  it('after a failure, earlier results are yielded, running tasks end, and no more start', () =>
    fc.assert(
      fc.asyncProperty(fc.array(job, { minLength: 3, maxLength: 12 }), fc.nat(11), async (jobs, which) => {
        const failing = which % jobs.length;
        const given = jobs.map((each, i) => ({ ...each, fails: i === failing }));
        const { told, failure, running } = await runJobs(given, 3);
        expect(told).toEqual(jobs.slice(0, failing).map((_, i) => i));
        expect(failure).toMatchObject({ message: `job ${failing}` });
        expect(running()).toBe(0);
      }),
      { numRuns: 40 },
    ));

  it('the failure of a source comes after its items', async () => {
    async function* source(): AsyncGenerator<number> {
      yield 1;
      yield 2;
      throw new Error('torn');
    }
    const told: number[] = [];
    const results = runOrdered(source(), (item) => ({ keys: new Set<string>(), run: async () => item }), {
      most: 2,
      onFailure: () => undefined,
    });
    await expect(
      (async () => {
        for await (const item of results) told.push(item);
      })(),
    ).rejects.toThrow('torn');
    expect(told).toEqual([1, 2]);
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2030, 0, 1, 12, 0, 0);
  const date = (seconds: number): string => new Date(now + seconds * 1000).toUTCString();

  it.each([
    ['12', '', 12_000],
    ['0', '', 0],
    [date(30), date(0), 30_000],
    [date(-30), date(0), 0],
    // Our clock is an hour fast: the Date header of the response corrects it.
    [date(-3570), date(-3600), 30_000],
    // Or an hour slow.
    [date(3630), date(3600), 30_000],
    ['', '', undefined],
    ['soon', '', undefined],
    ['-5', '', undefined],
    ['1.5', '', undefined],
    ['Infinity', '', undefined],
  ])('%s (Date: %s) is %s ms', (header, theirs, wait) => {
    expect(retryAfter(header, theirs, now)).toBe(wait);
  });
});
