// What several rows give for one value, and how their disagreement is told.
import { describe, expect, it } from 'vitest';
import { WrittenNumber } from '../../../../src/source/json/written-number.js';
import { type Aggregate, combined, combinedAll, rowsDisagree } from '../../../../src/source/mapping/rows/aggregate.js';
import { isBlankRow } from '../../../../src/source/mapping/rows/blank-row.js';

describe('two values', () => {
  it.each<[string, Aggregate | undefined, unknown, unknown, unknown]>([
    ['the same number', undefined, 9.5, '9.50', 9.5],
    ['the same number as a text', undefined, '9.50', 9.5, '9.50'],
    ['the same text in other letters', undefined, 'Red', 'RED', 'Red'],
    ['other texts', undefined, 'red', 'blue', undefined],
    ['other numbers', undefined, '5', '7', undefined],
    ['the same object', undefined, { a: 1 }, { a: 1 }, { a: 1 }],
    ['other objects', undefined, { a: 1 }, { a: 2 }, undefined],
    ['the smaller number', 'min', '7', '5', '5'],
    ['the larger number', 'max', '5', '7', '7'],
    ['the sum of numbers', 'sum', '5.5', '7', '12.5'],
    ['the sum of numbers that are no texts', 'sum', 5, 7, 12],
    ['a number and a text have no largest', 'max', '5', 'five', undefined],
    ['a text and a number have no largest', 'max', 'five', '5', undefined],
    ['a number and a text have no sum', 'sum', '5', 'five', undefined],
    ['joined', { join: '+' }, new WrittenNumber('1.50'), 'b', '1.50+b'],
  ])('%s', (_, how, first, second, made) => {
    expect(combined(how, first, second)).toEqual(made);
  });
});

it.each([
  ['5', '7', /; .*max.*$/],
  ['5', 'x', /aggregate: first, last or \{join: " "\}$/],
  ['x', '5', /aggregate: first, last or \{join: " "\}$/],
])('rows with %s and %s are told what may choose between them', (one, other, words) => {
  const [first, second] = [one, other].map((value, i) => ({ value, line: i + 2, number: i + 1 }));
  const refused: string[] = [];
  combinedAll(
    [first, second].flatMap((row) => row ?? []),
    undefined,
    (a, b) => refused.push(rowsDisagree(a, b, { field: 'price' }).message),
  );
  expect(refused).toEqual([expect.stringMatching(words)]);
  expect(refused[0]).toMatch(new RegExp(`^price is "${one}" on line 2 and "${other}" on line 3; `));
});

it.each([
  [['', ' \t'], true],
  [[' ', 'x'], false],
  [['x', 'y'], false],
  [['', 0], false],
  [{}, false],
])('the row %j is blank: %s', (row, isBlank) => {
  expect(isBlankRow(row)).toBe(isBlank);
});
