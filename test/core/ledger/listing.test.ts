// What a feed lists and what is missing, against a model that keeps every run for ever.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addRun,
  difference,
  formerReading,
  listedKeys,
  missingKeys,
  noListing,
  readingsOf,
} from '../../../src/core/ledger/listing.js';
import { repetitions } from '../../tier.js';

interface Night {
  readonly reads: readonly number[];
  readonly isTrusted: boolean;
  readonly isUndone: boolean;
}

const keys = [11, 22, 33, 44, 55, 66];
const kept = 16;
const night = fc.record({
  reads: fc.subarray(keys, { maxLength: 2 }),
  isTrusted: fc.boolean(),
  isUndone: fc.boolean(),
});

/** Each fourth night counts: where no night among those that are kept tells anything, nothing is missing. */
const nights = fc
  .array(night, { minLength: 1, maxLength: 3 * kept, size: 'max' })
  .map((all) => all.map((one, i) => (i % 4 === 0 ? { ...one, isTrusted: true, isUndone: false } : one)));

/** The nights as runs, and what the listing keeps of them. */
function given(all: readonly Night[]) {
  const runs = all.map((one, i) => ({ ...one, run: 2 * i + 1, total: 100 + i }));
  const counts = (run: number) => runs.some((one) => one.run === run && !one.isUndone);
  const listing = runs.reduce(
    (before, { run, total, isTrusted, reads }) =>
      addRun(before, { run, total, isTrusted }, Float64Array.from(reads), counts),
    noListing,
  );
  const counting = runs.filter(({ isUndone }) => !isUndone);
  return { runs, counts, listing, counting, telling: counting.filter(({ isTrusted }) => isTrusted) };
}

const numRuns = repetitions('LISTINGS', { fast: 200, moderate: 500, full: 20_000 });

describe('a listing of the last runs', () => {
  it('knows what is missing as if every run was kept, also what only earlier runs read', () => {
    fc.assert(
      fc.property(nights, (all) => {
        const { listing, counts, counting, telling } = given(all);
        const expected = keys.flatMap((hash) => {
          const last = counting.findLast(({ reads }) => reads.includes(hash));
          const since = telling.filter(({ run }) => last !== undefined && run > last.run);
          return last === undefined || since[0] === undefined
            ? []
            : [{ hash, lastRun: last.run, sinceRun: since[0].run, runs: since.length }];
        });
        expect(missingKeys(listing, counts).sort((a, b) => a.hash - b.hash)).toEqual(expected);
      }),
      { numRuns },
    );
  });

  it('lists what was read since the last run whose keys can be trusted', () => {
    fc.assert(
      fc.property(nights, (all) => {
        const { listing, counts, counting, telling } = given(all);
        const since = telling.at(-1)?.run ?? 0;
        const read = new Set(counting.filter(({ run }) => run >= since).flatMap(({ reads }) => reads));
        const last = counting.at(-1);
        expect(listedKeys(listing, counts)).toEqual({
          ...{ run: last?.run, total: last?.total, runs: telling.length },
          keys: Float64Array.from(keys.filter((key) => read.has(key))),
        });
      }),
      { numRuns },
    );
  });

  it('knows which run before the kept ones read a key last, and how many did not since', () => {
    fc.assert(
      fc.property(nights, fc.constantFrom(...keys), (all, hash) => {
        const { listing, counts, runs } = given(all);
        const former = runs.slice(0, -kept).filter(({ isUndone }) => !isUndone);
        const last = former.findLast(({ reads }) => reads.includes(hash));
        const since = former.filter(({ run, isTrusted }) => isTrusted && run > (last?.run ?? 0));
        const isRead = runs.slice(-kept).some(({ reads, isUndone }) => !isUndone && reads.includes(hash));
        const found = formerReading(listing, hash, counts);
        if (!isRead || found !== undefined)
          expect(found).toEqual(last === undefined ? undefined : { run: last.run, unread: since.length });
      }),
      { numRuns },
    );
  });

  it('knows which of the kept runs read a key', () => {
    fc.assert(
      fc.property(nights, fc.constantFrom(...keys), (all, hash) => {
        const { listing, counts, runs } = given(all);
        const expected = runs.slice(-kept).filter(({ isUndone }) => !isUndone);
        expect(readingsOf(listing, hash, counts).map(({ run, reads }) => [run, reads])).toEqual(
          expected.map(({ run, reads }) => [run, reads.includes(hash)]),
        );
      }),
      { numRuns },
    );
  });
});

it('what one set of keys has and another one lacks', () => {
  const [some, others] = [Float64Array.from([11, 22, 33]), Float64Array.from([22, 44])];
  expect([...difference(some, others)]).toEqual([11, 33]);
  expect([...difference(some, noListing.keys)]).toEqual([11, 22, 33]);
});
