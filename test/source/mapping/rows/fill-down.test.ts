// Cells that repeat those above them, and those that a row below an unreadable one may repeat.
import { describe, expect, it } from 'vitest';
import { fileScope } from '../../../../src/source/mapping/file-scope.js';
import type { FillRule, MappingSection } from '../../../../src/source/mapping/mapping.js';
import { fillDown } from '../../../../src/source/mapping/rows/fill-down.js';

const mapped = { name: 'map.yaml', place: '', section: { to: '', fields: {} }, tables: {}, read: {} };

function filler(fill: FillRule, columns = ['a', 'b', 'c']) {
  const scope = fileScope(mapped as MappingSection, columns, { tables: new Map(), repeated: new Set() });
  const filled = fillDown({ section: { fill }, place: 'the mapping' }, scope, columns);
  if (filled === undefined) throw new Error('it fills nothing');
  return { ...filled, absent: scope.absent };
}

describe('an empty cell', () => {
  const rows = (fill: FillRule, ...given: string[][]) => {
    const { fill: take } = filler(fill);
    return given.map((row) => [take(row), ...row]);
  };

  it('repeats the one above it', () => {
    expect(rows({ columns: ['b', 'c'] }, ['1', 'x', ''], ['2', '', ''], ['', ' ', 'y'], ['3', 'z', ''])).toEqual([
      ['whole', '1', 'x', ''],
      ['filled', '2', 'x', ''],
      ['filled', '', 'x', 'y'],
      ['filled', '3', 'z', 'y'],
    ]);
  });

  it('repeats only those of its group', () => {
    expect(rows({ columns: ['b'], within: 'a' }, ['1', 'x', ''], ['1', '', ''], ['2', '', ''])).toEqual([
      ['whole', '1', 'x', ''],
      ['filled', '1', 'x', ''],
      ['whole', '2', '', ''],
    ]);
  });
});

describe('an empty cell below an unreadable row', () => {
  const below = (fill: FillRule, ...groups: string[]) => {
    const { fill: take, interrupt } = filler(fill);
    take(['1', 'x', '']);
    interrupt('2,z', 3, []);
    return groups.map((group) => take([group, '', '']));
  };

  it('may repeat that, in its group or where there are none', () => {
    expect(below({ columns: ['b'] }, '3', '4')).toEqual(['unsure', 'unsure']);
    expect(below({ columns: ['b'], within: 'a' }, '1', '2')).toEqual(['unsure', 'unsure']);
  });

  it('repeats it not in a group that it does not name', () => {
    expect(below({ columns: ['b'], within: 'a' }, '3', '2')).toEqual(['whole', 'whole']);
  });
});

it('optional columns that the file lacks are told', () => {
  const { absent } = filler({ columns: ['b', 'd'], optional: true });
  expect(absent()).toEqual(['d']);
});

describe('a row may have been filled', () => {
  it('by the row above it', () => {
    const { fill, variants } = filler({ columns: ['b', 'c'] });
    fill(['1', 'x', '']);
    expect(variants(['', '', ''])).toEqual([
      ['', '', ''],
      ['', 'x', ''],
    ]);
    expect(variants(['', 'y', ''])).toEqual([
      ['', 'y', ''],
      ['', 'y', ''],
    ]);
  });

  it('by an unreadable one, or by what that repeats', () => {
    const { fill, variants, interrupt } = filler({ columns: ['b', 'c'] });
    fill(['1', 'x', 'y']);
    interrupt('2,z', 3, [['2', 'z', '']]);
    interrupt('3,,w', 4, [['3', '', 'w']]);
    const made = variants(['', '', '']).map((row) => row.join(' ').trim());
    expect([...new Set(made)].sort()).toEqual(['', 'w', 'x w', 'x y', 'z', 'z y']);
    // Rows with cells of their own end that.
    fill(['4', 'u', 'v']);
    interrupt('5,t', 6, [['5', 't', '']]);
    const after = variants(['', '', '']).map((row) => row.join(' ').trim());
    expect([...new Set(after)].sort()).toEqual(['', 't', 't v', 'u v']);
  });

  it('by one of its group', () => {
    const { fill, variants, interrupt } = filler({ columns: ['b'], within: 'a' });
    fill(['1', 'x', '']);
    interrupt('1,z;2,w', 3, [
      ['1', 'z', ''],
      ['2', 'w', ''],
    ]);
    expect(new Set(variants(['1', '', '']).map((row) => row[1]))).toEqual(new Set(['', 'x', 'z']));
    expect(fill(['1', '', ''])).toBe('unsure');
    expect(fill(['1', 'y', ''])).toBe('whole');
    expect(fill(['1', '', ''])).toBe('filled');
  });
});
