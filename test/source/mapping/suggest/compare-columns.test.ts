// How the amounts of two columns relate: what tells a person which one is the price, with tax, or an offer.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { profilesOf } from '../../../../src/source/inspection/column-profile.js';
import { haveSameValues, relate } from '../../../../src/source/mapping/suggest/compare-columns.js';
import { columnOf } from './profiles.js';

/** The relation of the amounts of the one to those of the other, record by record; an empty text is no amount. */
function relation(pairs: readonly (readonly [one: string | number, other: string | number])[]) {
  const values = pairs.flatMap(([one, other], record) => [
    ['A', String(one), record] as const,
    ['B', String(other), record] as const,
  ]);
  const [one, other] = profilesOf(values);
  if (one === undefined || other === undefined) throw new Error('no columns');
  return relate(one, other);
}

describe('two columns of amounts are', () => {
  it.each([
    [
      'equal',
      [
        [10, 10],
        [9.95, 9.95],
        [0, 0],
      ],
      '= "B"',
    ],
    ['equal in their only record', [[10, 10]], '= "B"'],
    [
      'not equal by a cent',
      [
        [10, 10],
        [9.95, 9.94],
      ],
      'below "B" in 0 of 2 records',
    ],
    [
      'a multiple, as a tax makes',
      [
        [11.9, 10],
        [23.8, 20],
        [8.33, 7],
      ],
      '= 1.19 × "B"',
    ],
    [
      'a multiple, as hundredths are',
      [
        [1190, 11.9],
        [2380, 23.8],
      ],
      '= 100 × "B"',
    ],
    [
      'a multiple that only the largest tell',
      [
        [0.11, 0.1],
        [0.22, 0.2],
        [1085, 1000],
      ],
      '= 1.085 × "B"',
    ],
    ['of no multiple in one record', [[11.9, 10]], 'always above "B", by 19 to 19 %'],
    [
      'always below',
      [
        [9, 10],
        [6, 20],
      ],
      'always below "B", by 10 to 70 %',
    ],
    [
      'below by all, where the one is free',
      [
        [0, 10],
        [0, 20],
      ],
      'always below "B", by 100 to 100 %',
    ],
    [
      'always above',
      [
        [11, 10],
        [30, 20],
      ],
      'always above "B", by 10 to 50 %',
    ],
    [
      'always above what is not zero',
      [
        [11, 10],
        [30, 20],
        [5, 0],
      ],
      'always above "B", by 10 to 50 %',
    ],
    [
      'sometimes the one, sometimes the other',
      [
        [9, 10],
        [30, 20],
        [8, 9],
        [7, 7],
      ],
      'below "B" in 2 of 4 records',
    ],
    [
      'below in some, and else equal',
      [
        [9, 10],
        [20, 20],
        [6, 6],
      ],
      'below "B" in 1 of 3 records',
    ],
    [
      'compared where both have one',
      [
        [9, 10],
        ['', 20],
        [5, ''],
        [6, 20],
      ],
      'always below "B", by 10 to 70 %',
    ],
    [
      'not below what is zero',
      [
        [9, 0],
        [8, 0],
      ],
      'below "B" in 0 of 2 records',
    ],
  ] as const)('%s', (_, pairs, words) => {
    expect(relation(pairs).words).toBe(words);
  });

  it('not related where no record has both', () => {
    expect(
      relation([
        [9, ''],
        ['', 10],
      ]),
    ).toEqual({ both: 0, notAbove: 0, notBelow: 0, words: undefined });
  });
});

it('an amount is above or below another one from a cent on', () => {
  const amounts = [10, 10.005, '', 9.99, 10.01, 9.995];
  expect(relation(amounts.map((one) => [one, 10]))).toMatchObject({ both: 5, notAbove: 0.8, notBelow: 0.8 });
  expect(relation([7, 9, 10, 11].map((one) => [one, 10]))).toMatchObject({ both: 4, notAbove: 0.75, notBelow: 0.5 });
});

it('a multiple of up to four decimals is found, whatever the cents were rounded to', () => {
  const prices = fc.array(fc.integer({ min: 1, max: 99_999 }), { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(prices, fc.integer({ min: 10_001, max: 19_999 }), (cents, factor) => {
      const pairs = [500_000, ...cents].map((one) => [Math.round((one * factor) / 10_000) / 100, one / 100] as const);
      const [, found = ''] = /^= ([\d.]+) × "B"$/.exec(relation(pairs).words ?? '') ?? [];
      expect(Math.abs(Number(found) - factor / 10_000)).toBeLessThan(0.000_01);
    }),
  );
});

it('of several values in a record nothing is told, unless all are the same', () => {
  const several = columnOf('A', [['10', '12'], '5']);
  expect(relate(several, columnOf('B', ['12', '5'])).words).toBeUndefined();
  expect(relate(columnOf('B', ['12', '4']), several).words).toBeUndefined();
  expect(relate(several, columnOf('B', [['10', '12'], '5'])).words).toBe('= "B"');
});

it.each([
  [['a', 'b'], ['a', 'b'], true],
  [['a', 'b'], ['b', 'a'], false],
  [['a', 'b', 'a'], ['a', 'b', ''], false],
  [['a', 'a'], ['a', 'b'], false],
])('whether %j and %j have the same values: %s', (one, other, are) => {
  expect(haveSameValues(columnOf('A', one), columnOf('B', other))).toBe(are);
});
