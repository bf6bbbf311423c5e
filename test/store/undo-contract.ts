// Any sequence of runs, undone in any order and number: the catalog is as if the undone runs had never been, or the undo said
// which fields it kept.
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { Store } from '../../src/store/store.js';
import type { Ranking } from './undo-model.js';
import { check, checkLast, separateNights } from './undo-play.js';
import { type Action, aFirst, erpFirst, fields, known, type Run, unranked, withOwner } from './undone-sequences.js';

const own = fc.subarray([...fields, 'Capacity', 'Colour']);
const run: fc.Arbitrary<Run> = fc.record({
  feed: fc.constantFrom('' as const, 'erp' as const, 'erp' as const, 'a' as const),
  lists: fc.record({ A: own, B: own, C: fc.subarray(['new', 'good', 'name', 'status']) }, { requiredKeys: [] }),
  suspends: fc.boolean(),
  isRecorded: fc.nat(9).map((one) => one > 0),
  repeats: fc.nat(3).map((one) => one === 0),
});
const undo = fc.record({
  undoes: fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 3 }),
  since: fc.nat(4).map((one) => one === 0),
});
const actions: fc.Arbitrary<readonly Action[]> = fc.array(fc.oneof(run, run, undo), { minLength: 3, maxLength: 12 });

/** Runs with a history. */
const recorded = run.map((one) => ({ ...one, isRecorded: true }));
const recordedRuns: fc.Arbitrary<readonly Action[]> = fc.array(recorded, { minLength: 1, maxLength: 5 });
const recordedActions: fc.Arbitrary<readonly Action[]> = fc.array(fc.oneof(recorded, recorded, undo), {
  minLength: 1,
  maxLength: 6,
});

/** Also runs of a feed that only updates, and longer sequences of them. */
const ofAnyFeed = fc.oneof(
  { arbitrary: recorded, weight: 4 },
  { arbitrary: recorded.map((one) => ({ ...one, feed: 'w' as const })), weight: 1 },
);
const longRecorded: fc.Arbitrary<readonly Action[]> = fc.array(fc.oneof(ofAnyFeed, ofAnyFeed, undo), {
  minLength: 3,
  maxLength: 12,
});

const rankings: fc.Arbitrary<Ranking> = fc.constantFrom(erpFirst, aFirst);
const allRankings: fc.Arbitrary<Ranking> = fc.constantFrom(unranked, erpFirst, aFirst, withOwner);

/** Sequences that were once undone wrongly, with others between their actions. */
const varied: fc.Arbitrary<readonly [Ranking, readonly Action[]]> = fc
  .tuple(fc.constantFrom(...known), fc.array(fc.tuple(fc.nat(12), fc.oneof(run, undo)), { minLength: 1, maxLength: 3 }))
  .map(([[ranking, all], more]) => {
    const actions = [...all];
    for (const [at, one] of more) actions.splice(at, 0, one);
    return [ranking, actions];
  });

/**
 * @param cases how many random sequences are tried, of feeds that are not ranked, and of ranked ones
 */
export function undoContract(name: string, open: () => Promise<Store>, cases: number): void {
  describe(`undo ${name}`, () => {
    separateNights();

    it('leaves what would be if the undone runs had never been, or says which fields it kept', async () => {
      await fc.assert(
        fc.asyncProperty(actions, async (all) => void (await check(await open(), unranked, all))),
        { numRuns: cases },
      );
    });

    it('does so with a feed that only updates, and names no earlier run for what it kept, nor changes that', async () => {
      await fc.assert(
        fc.asyncProperty(
          allRankings,
          longRecorded,
          async (ranking, all) => void (await check(await open(), ranking, all)),
        ),
        { numRuns: cases },
      );
    });

    it('does so where more happens between what was once undone wrongly', async () => {
      await fc.assert(
        fc.asyncProperty(varied, async ([ranking, all]) => void (await check(await open(), ranking, all))),
        { numRuns: cases },
      );
    });

    it('of the last runs leaves each record as it was before them, and keeps nothing', async () => {
      await fc.assert(
        fc.asyncProperty(recordedActions, recordedRuns, async (before, last) =>
          checkLast(await open(), unranked, [before, last]),
        ),
        { numRuns: cases },
      );
    });

    it('of the last runs does so where feeds are ranked, and none was undone before', async () => {
      await fc.assert(
        fc.asyncProperty(recordedRuns, recordedRuns, async (before, last) =>
          checkLast(await open(), erpFirst, [before, last]),
        ),
        { numRuns: cases },
      );
    });

    it('does so where feeds are ranked', async () => {
      await fc.assert(
        fc.asyncProperty(rankings, actions, async (ranking, all) => void (await check(await open(), ranking, all))),
        { numRuns: cases },
      );
    });
  });
}
