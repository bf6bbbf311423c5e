// How many rows filled each field: what is missing since the last run. What a file or a plan keeps of it may have been changed by
// others.
import { expect, it } from 'vitest';
import { asFilledFields, emptiedFields, isFilled, vanishedFields } from '../../../src/core/ledger/filled-fields.js';

it.each([
  [undefined, false],
  [null, false],
  ['', false],
  [[], false],
  [['x'], true],
  ['x', true],
  [0, true],
  [false, true],
])('a field with %o is filled: %s', (value, filled) => {
  expect(isFilled(value)).toBe(filled);
});

it.each<readonly [string, readonly [number, number], readonly [number, number], readonly number[]]>([
  ['as many as before', [4, 3], [4, 3], []],
  ['one less', [4, 3], [4, 2], [1]],
  ['none', [4, 3], [4, 0], [3]],
  ['half, of half the rows', [4, 4], [2, 2], []],
  ['less than half, of half the rows', [4, 4], [2, 1], [1]],
  ['as many, of twice the rows', [4, 4], [8, 4], []],
  ['none, where no rows were before', [0, 1], [4, 0], []],
])('of values of a field there are %s', (_, [rows, before], [nowRows, now], missing) => {
  const found = emptiedFields({ rows, fields: { name: before } }, { rows: nowRows, fields: { name: now } });
  expect(found).toEqual(missing.map((count) => ({ field: 'name', count })));
});

it('a field vanished if it had values and no row has one', () => {
  const before = { rows: 3, fields: { name: 3, price: 2, stock: 1, note: 0 } };
  const none = { fields: [], count: 0 };
  expect(vanishedFields(before, { rows: 3, fields: { name: 1 } })).toEqual({ fields: ['price', 'stock'], count: 3 });
  expect(vanishedFields(before, { rows: 0, fields: {} })).toEqual(none);
  expect(vanishedFields(undefined, before)).toEqual(none);
  expect(vanishedFields(before, undefined)).toEqual(none);
});

it('is read as it was stored', () => {
  for (const stored of [
    { rows: 2, fields: {} },
    { rows: 2, fields: { name: 2, price: 0 } },
    { rows: 2, fields: { name: 1 }, entries: 3, refused: 0 },
  ])
    expect(asFilledFields(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
});

it.each([
  ['no object', 7],
  ['null', null],
  ['no rows', { fields: {} }],
  ['rows that are no count', { rows: -1, fields: {} }],
  ['no fields', { rows: 1 }],
  ['fields that are null', { rows: 1, fields: null }],
  ['a field whose number is no count', { rows: 1, fields: { name: 1, price: '1' } }],
  ['a field with half a row', { rows: 1, fields: { name: 0.5, price: 1 } }],
])('is not known: %s', (_, stored) => {
  expect(asFilledFields(stored)).toBeUndefined();
});

it('leaves out what else is no count', () => {
  expect(asFilledFields({ rows: 1, fields: {}, entries: 'x', refused: -1 })).toEqual({ rows: 1, fields: {} });
});
