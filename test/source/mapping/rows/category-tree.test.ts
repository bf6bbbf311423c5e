// Rows that name the row above them become categories, or are told why they have no place.
import { describe, expect, it } from 'vitest';
import type { TableRow } from '../../../../src/source/mapping/language/lookup-table.js';
import { categoryTree } from '../../../../src/source/mapping/rows/category-tree.js';

/** Rows as `key title parent`, by line, and what becomes of their keys. */
function treeOf(lines: readonly string[], naming: Parameters<typeof categoryTree>[1] = { columns: {} }) {
  const rows = new Map<string, TableRow[]>();
  for (const [i, line] of lines.entries()) {
    const [id = '', name = '', parent = ''] = line.split(' ');
    rows.set(id, [...(rows.get(id) ?? []), { line: i + 2, number: i + 1, cells: { name }, parent }]);
  }
  const tree = categoryTree(rows, naming, false);
  const named = [...tree.rows].map(([id, [first]]) => [id, `${first?.cells['name']}<${first?.cells['parent']}`]);
  const faults = tree.faults.map(({ key, line, problem }) => [key, `${line} ${problem.code}`]);
  return { ...Object.fromEntries([...named, ...faults]), messages: tree.faults.map(({ problem }) => problem.message) };
}

describe('a row', () => {
  it('has the names of its place', () => {
    const lines = ['4 Other 2', '3 Other 1', '1 Home', '2 Garden', '5 Pots 4'];
    const repeated = { columns: {}, name: { repeated: 'parent' } } as const;
    expect(treeOf(lines, repeated)).toMatchObject({
      1: 'Home<',
      2: 'Garden<',
      3: 'Other (Home)<Home',
      4: 'Other (Garden)<Garden',
      5: 'Pots<Other (Garden)',
    });
    expect(treeOf(lines, { columns: {}, name: 'full' })).toMatchObject({
      1: 'Home<',
      5: 'Garden > Other > Pots<Garden > Other',
    });
  });

  it('has the title of one of its rows, where the others have none', () => {
    expect(treeOf(['1 Tea', '1'])).toMatchObject({ 1: 'Tea<', messages: [] });
  });

  it('without a title has no place, nor has what is below it', () => {
    expect(treeOf(['1', '2 Tea 1', '3 Cup'])).toMatchObject({
      1: '2 field_required',
      2: '3 field_required',
      3: 'Cup<',
    });
  });

  it('that has the name of another has no place, nor has the other, nor what is below them', () => {
    const tree = treeOf(['1 Tea', '2 Other', '3 OTHER 1', '4 Green 3', '5 Cup']);
    expect(tree).toMatchObject({
      1: 'Tea<',
      2: '3 category_path_mismatch',
      3: '4 category_path_mismatch',
      4: '5 category_path_mismatch',
      5: 'Cup<',
    });
    expect(tree.messages[0]).toMatch(
      /^"2" \(line 3\) and "3" \(line 4\) are both called "Other", .*tell them apart with name: \{repeated: parent\} in the table/,
    );
    expect(tree.messages[1]).toMatch(/^"3" \(line 4\) and "2" \(line 3\) are both called "OTHER"/);
  });

  it.each([
    ['itself', ['1 Tea 1'], { 1: '2 category_parent_cycle' }],
    ['a row below it', ['1 Tea 2', '2 Cup 1'], { 1: '2 category_parent_cycle', 2: '3 category_parent_cycle' }],
    ['no row', ['1 Tea 9', '2 Cup 1'], { 1: '2 reference_not_found', 2: '3 reference_not_found' }],
  ])('below %s has no place', (_, lines, faults) => {
    expect(treeOf(lines)).toMatchObject(faults);
  });
});
