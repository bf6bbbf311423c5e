// The columns in which rows differ, and the values of a column.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { columnReader } from '../../../src/core/rows/column-reader.js';
import { rowDiffer } from '../../../src/core/rows/row-comparer.js';
import type { Row } from '../../../src/core/rows/table.js';

// More than a mask has bits.
const names = Array.from({ length: 70 }, (_, i) => `c${i}`);
const same: Row = Object.fromEntries(names.map((name) => [name, 0]));
const columns = fc.uniqueArray(fc.constantFrom(...names));
const changed = (differing: readonly string[]): Row => ({
  ...same,
  ...Object.fromEntries(differing.map((name) => [name, 1])),
});

it('equal sets of columns that differ are one list, in the order of the table', () => {
  const differ = rowDiffer(names);
  fc.assert(
    fc.property(columns, columns, (one, other) => {
      const list = differ(same, changed(one));
      expect(list).toEqual(names.filter((name) => one.includes(name)));
      differ(same, changed(other));
      expect(differ(changed(one), same)).toBe(list);
    }),
  );
});

it('lists of columns are right however many there are', () => {
  const differ = rowDiffer(names);
  for (let i = 0; i < 40; i++)
    for (let k = 0; k < 40; k++)
      expect(differ(same, changed([`c${i}`, `c${k + 30}`]))).toEqual(
        [...new Set([`c${i}`, `c${k + 30}`])].sort(byNumber),
      );
});

const byNumber = (one: string, other: string): number => Number(one.slice(1)) - Number(other.slice(1));

it('a column is read as by its name', () => {
  const rows = [{ price: 1 }, undefined, { price: null }, {}, { price: 'x' }] as readonly (Row | undefined)[];
  const read = columnReader('price');
  expect(read(rows, [0, 1, 2, 3, 4])).toEqual([1, null, null, null, 'x']);
  expect(read(rows, [4, 0])).toEqual(['x', 1]);
});
