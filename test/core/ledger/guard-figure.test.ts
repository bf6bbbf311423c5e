// What is kept of the figures of guards, and which share is beyond a limit.
import { expect, it } from 'vitest';
import { exceedsShare, type GuardFigure, keptFigures } from '../../../src/core/ledger/guard-figure.js';

const figure: GuardFigure = {
  ...{ guard: 'sold_out', option: '--max-missing', resource: 'product', against: 'last' },
  ...{ count: 0, back: 0, of: 10, limit: 0.2, passed: true, words: 'none' },
};

it.each<readonly [string, Partial<GuardFigure>, string | undefined]>([
  ['counts nothing and passed', {}, ''],
  ['counts nothing and stopped the run', { passed: false }, 'none'],
  ['counts something', { count: 1 }, 'none'],
  ['is of a contract', { against: 'contract' }, 'none'],
  ['counts nothing in a week', { against: 'week' }, undefined],
  ['counts something in a week', { against: 'week', count: 1 }, 'none'],
])('the words of a figure that %s', (_, given, words) => {
  expect(keptFigures([{ ...figure, ...given }]).map((one) => one.words)).toEqual(words === undefined ? [] : [words]);
});

it('a figure is kept without offenders, and says whether it is a count', () => {
  const given = { ...figure, count: 3, isCount: true as const, offenders: [], more: 0 };
  expect(keptFigures([given])).toEqual([{ ...figure, count: 3, isCount: true }]);
});

it.each([
  [29, 0.29, 100, false],
  [30, 0.29, 100, true],
  [0, 0, 10, false],
  [1, 0, 10, true],
  [1, 0, 0, true],
])('%i exceeds %f of %i: %s', (count, share, of, exceeds) => {
  expect(exceedsShare(count, share, of)).toBe(exceeds);
});
