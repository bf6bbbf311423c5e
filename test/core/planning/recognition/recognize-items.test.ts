// When the fingerprint of an unchanged record is replaced by that of the item that was sent.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWorthKeeping, type RecognizedItems } from '../../../../src/core/planning/recognition/recognize-items.js';

const day = 86_400;
const epoch = { id: 'references', key_high: 1, key_low: 2, count: 3, moved_at: 1000 };
const recognized = (now: number, claim: RecognizedItems['claim']): RecognizedItems => ({
  ...{ unchanged: [], applied: [], itemKey: { high: 1, low: 2 } },
  ...{ epoch, now, claim },
});
const own = { high: 5, low: 6, epoch: 3 };
const rowOf = (high: number, low: number) => ({ applied_high: high, applied_low: low, applied_epoch: 1 });
const claims = ['always', 'never', 'in turns'] as const;

describe('the fingerprint of an unchanged record', () => {
  it.each(claims)('is set where there is none (%s)', (claim) => {
    expect(isWorthKeeping(recognized(2000, claim), own, rowOf(0, 0))).toBe(true);
  });

  it.each(claims)('of the same item follows the epoch once that stands still (%s)', (claim) => {
    const isKept = (now: number) => isWorthKeeping(recognized(now, claim), own, rowOf(own.high, own.low));
    expect([isKept(epoch.moved_at), isKept(epoch.moved_at + 3600), isKept(epoch.moved_at + 3601)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('of another item is replaced by the highest feed always, by lower ones never', () => {
    for (const other of [rowOf(5, 7), rowOf(4, 6), rowOf(0, 7)]) {
      expect(isWorthKeeping(recognized(2000, 'always'), own, other)).toBe(true);
      expect(isWorthKeeping(recognized(2000, 'never'), own, other)).toBe(false);
    }
  });

  it('of another item is replaced on one of four days where feeds are not ranked, each item on its own', () => {
    const days = (low: number, from: number) =>
      [0, 1, 2, 3].filter((i) =>
        isWorthKeeping(recognized((from + i) * day + 7, 'in turns'), { ...own, low }, rowOf(9, 9)),
      );
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.nat(30_000), (low, from) => {
        expect(days(low, from)).toHaveLength(1);
      }),
      { numRuns: 100 },
    );
    expect(new Set([1, 2, 3, 4].flatMap((low) => days(low, 0))).size).toBe(4);
  });
});
