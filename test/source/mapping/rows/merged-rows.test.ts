// The rows of one key as one item: only the lines of rows that add something are kept with it.
import { describe, expect, it } from 'vitest';
import { recordKey } from '../../../../src/core/fields/record-key.js';
import { mergedRows } from '../../../../src/source/mapping/rows/merged-rows.js';
import { characteristic } from '../../given.js';

const row = (line: number) => ({ line, number: line });
const red = { label: 'Red', hex: '#f00' };

describe('a row of a key that has a kind and the value Red', () => {
  const merged = () => {
    const one = mergedRows(recordKey(characteristic, 'name'), new Map([['values[].status', 'last' as const]]));
    expect(one.add({ name: 'Colour', kind: 'colour', values: [{ ...red, status: 'activated' }] }, row(2))).toBe(true);
    return one;
  };

  it.each([
    ['the same', { name: 'Colour', kind: 'colour', values: [red] }],
    ['less', { name: 'Colour', kind: undefined, values: undefined }],
    ['the same in other letters', { name: 'COLOUR', kind: 'Colour', values: [{ label: 'RED', hex: '#F00' }] }],
    ['an entry that says less', { name: 'Colour', values: [{ label: 'Red', hex: undefined }] }],
    ['no entries', { name: 'Colour', values: [] }],
  ])('adds nothing: %s', (_, item) => {
    const one = merged();
    const before = structuredClone(one.item);
    expect(one.add(item, row(3))).toBe(false);
    expect(one.item).toEqual(before);
    expect(one.problem).toBeUndefined();
  });

  it.each([
    ['an entry', { values: [{ label: 'Blue' }] }, { values: [{ label: 'Red' }, { label: 'Blue' }] }],
    [
      'a member that counts by its last row',
      { values: [{ label: 'red', status: 'x' }] },
      { values: [{ status: 'x' }] },
    ],
    ['a field', { external: 'x' }, { external: 'x' }],
  ])('adds %s', (_, item, made) => {
    const one = merged();
    expect(one.add({ name: 'Colour', ...item }, row(3))).toBe(true);
    expect(one.item).toMatchObject({ name: 'Colour', kind: 'colour', ...made });
    expect(one.problem).toBeUndefined();
    // Said again, it adds nothing.
    expect(one.add({ name: 'Colour', ...item }, row(4))).toBe(false);
  });

  it('adds to what is added to the list', () => {
    const one = mergedRows(recordKey(characteristic, 'name'), new Map());
    const add = (...labels: string[]) => ({ name: 'Colour', values: { add: labels.map((label) => ({ label })) } });
    expect(one.add(add('Red'), row(2))).toBe(true);
    expect(one.add(add('red', 'Blue'), row(3))).toBe(true);
    expect(one.add(add('blue'), row(4))).toBe(false);
    expect(one.item).toEqual(add('Red', 'Blue'));
    expect(one.problem).toBeUndefined();
  });

  it('that differs is part of why the item is refused, with the line of the first that says so', () => {
    const one = merged();
    expect(one.add({ name: 'Colour', kind: 'custom' }, row(3))).toBe(true);
    expect(one.add({ name: 'Colour', values: [{ label: 'Red', hex: '#e00' }] }, row(4))).toBe(true);
    expect(one.problem?.message).toMatch(/^kind is "colour" on line 2 and "custom" on line 3/);
  });
});
