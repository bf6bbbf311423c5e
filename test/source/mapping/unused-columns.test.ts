// The values of columns and members that no section uses are counted.
import { describe, expect, it } from 'vitest';
import { unusedColumns, unusedMembers } from '../../../src/source/mapping/unused-columns.js';

it('the filled cells of columns that nothing uses are counted, whatever these are called', () => {
  const unused = unusedColumns(['a', ' ', ' b ', 'c', '_line'], new Set(['a']));
  for (const row of [
    ['1', '2', '3', ' ', '7'],
    ['1', '', '3', '', '8'],
    ['1', '2', '3'],
    ['1', '', 0],
  ])
    unused.watch(row);
  expect([...unused.counts()]).toEqual([
    ['column 2', 2],
    ['b', 4],
  ]);
});

describe('members that nothing uses', () => {
  it('are counted where they have a value', () => {
    const unused = unusedMembers(new Set(['a.x', 'b']));
    for (const record of [{ a: 1, b: 2, c: 3, d: null, e: '', _line: 7 }, { c: 0, d: false }, null, 'text', 5])
      unused.watch(record);
    expect([...unused.counts()]).toEqual([
      ['c', 2],
      ['d', 1],
    ]);
  });

  it('are those of paths, but not the attributes that a path reads', () => {
    const unused = unusedMembers(new Set(['param[@name=Colour]@unit', 'price[].amount']));
    unused.watch({ param: 'x', 'param@name': 'Colour', 'param@unit': 'kg', 'param@more': 'x', price: 1, prices: 1 });
    expect([...unused.counts().keys()]).toEqual(['param@more', 'prices']);
  });

  it('are bounded in their number, and those that are known are counted further', () => {
    const unused = unusedMembers(new Set());
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`m${i}`, 1]));
    unused.watch(many);
    unused.watch(many);
    expect(unused.counts().size).toBe(1_000);
    expect(unused.counts().get('m0')).toBe(2);
    expect(unused.counts().get('m999')).toBe(2);
  });
});
