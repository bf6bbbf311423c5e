// Trees of categories whose rows name their parents by numbers or codes, in any order.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { category } from '../../../src/core/resources/category.js';
import { folder, typedHere } from '../../cli/typed.js';
import { readMapped } from './given.js';

const tree = (name = '{ repeated: parent }') => `
tables:
  tree: { key: id, parent: up, columns: { name: title }, name: ${name} }
to: categories
fields:
  name: { column: id, lookup: { table: tree, column: name } }
  parent: { column: id, lookup: { table: tree, column: parent } }
  reference: id
`;
const read = (content: string, name?: string) => readMapped(tree(name), content, { fields: category.fields });

describe('a tree by number', () => {
  it('in which parents are below their children is imported parents first', async () => {
    const { items, lines } = await read('id,up,title\n3,2,Tees\n9,,Books\n2,1,Tops\n4,3,Short\n1,,Men\n');
    expect(items).toEqual([
      { name: 'Books', reference: '9' },
      { name: 'Men', reference: '1' },
      { name: 'Tops', parent: 'Men', reference: '2' },
      { name: 'Tees', parent: 'Tops', reference: '3' },
      { name: 'Short', parent: 'Tees', reference: '4' },
    ]);
    expect(lines).toEqual([3, 6, 4, 2, 5]);
  });

  it('names that occur again are told apart, and a number leads to its own category', async () => {
    const feed = 'id,up,title\n1,,Home\n2,,Garden\n3,1,Other\n4,2,other\n5,4,Lamps\n';
    const named = async (name?: string) =>
      (await read(feed, name)).items.map((item) => [
        (item as { name: string }).name,
        (item as { parent?: string }).parent ?? '',
      ]);
    expect(await named()).toEqual([
      ['Home', ''],
      ['Garden', ''],
      ['Other (Home)', 'Home'],
      ['other (Garden)', 'Garden'],
      ['Lamps', 'other (Garden)'],
    ]);
    expect((await named('full')).at(-1)).toEqual(['Garden > other > Lamps', 'Garden > other']);
    const last = await read(feed, 'last');
    expect(last.items).toEqual([
      expect.anything(),
      expect.anything(),
      '!category_path_mismatch',
      '!category_path_mismatch',
      '!category_path_mismatch',
    ]);
    expect(last.problems[0]?.message).toMatch(
      /"3" \(line 4\) and "4" \(line 5\) are both called "Other".*repeated: parent/,
    );
  });

  it('names that are still the same with their parents are refused with the rule that tells them apart', async () => {
    const feed = 'id,up,title\n1,,Men\n2,,Women\n3,1,Shoes\n4,2,Shoes\n5,3,Sneakers\n6,4,Sneakers\n';
    const { items, problems } = await read(feed);
    expect(items.slice(4)).toEqual(Array(2).fill('!category_path_mismatch'));
    expect(problems[0]?.message).toMatch(
      /both called "Sneakers \(Shoes\)", and names are unique; tell them apart with name: \{repeated: full\} in the table/,
    );
    const full = await read(feed, '{ repeated: full }');
    expect(full.problems).toEqual([]);
    const twins = await read('id,up,title\n1,,Men\n2,1,Shoes\n3,1,shoes\n', '{ repeated: full }');
    expect(twins.problems[0]?.message).toMatch(/names are unique; rename one$/);
  });

  it.each(['last', 'full', 'parent', '{ repeated: parent }'])(
    'with name: %s a row without a title is refused with what is below it',
    async (name) => {
      const { items, problems } = await read('id,up,title\n1,,Home\n7,1, \n8,7,Lamps\n9,8,Bulbs\n', name);
      expect(items).toEqual([{ name: 'Home', reference: '1' }, ...Array(3).fill('!field_required')]);
      expect(problems[2]?.message).toMatch(/the category "7" \(line 3\) has no name/);
    },
  );

  it('a parent that is no row is named, and what is below such a row is refused, too', async () => {
    const { items, problems } = await read('id,up,title\n5,7,Lost\n6,5,Below\n1,,Home\n');
    expect(items).toEqual(['!reference_not_found', '!reference_not_found', { name: 'Home', reference: '1' }]);
    expect(problems[1]?.message).toMatch(/the parent of "5" \(line 2\) is "7", and no row has this key/);
  });

  it('a loop is refused with all of its keys and lines', async () => {
    const { items, problems } = await read('id,up,title\n1,2,A\n2,3,B\n3,1,C\n4,4,D\n5,1,E\n6,,F\n');
    expect(items.slice(0, 5)).toEqual(Array(5).fill('!category_parent_cycle'));
    expect(problems[0]?.message).toMatch(/"1" \(line 2\), "2" \(line 3\), "3" \(line 4\); correct the parent of one/);
    expect(problems[3]?.message).toMatch(/"4" \(line 5\) is its own parent/);
  });

  it('of rows on one line the numbers of their records are named', async () => {
    const rows = [
      { id: '1', up: '', title: 'A' },
      { id: '2', up: '', title: 'a' },
      { id: '3', up: '4', title: 'B' },
      { id: '4', up: '3', title: 'C' },
      { id: '5', up: '9', title: 'D' },
    ];
    const { problems } = await readMapped(tree('last'), JSON.stringify(rows), {
      name: 'feed.json',
      fields: category.fields,
    });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^table tree, record 1: "1" \(record 1\) and "2" \(record 2\) are both called "A"/),
      expect.stringMatching(/^table tree, record 2: "2" \(record 2\) and "1" \(record 1\)/),
      expect.stringMatching(/^table tree, record 3: each of these .* "3" \(record 3\), "4" \(record 4\)/),
      expect.stringMatching(/^table tree, record 4: each of these/),
      expect.stringMatching(/^table tree, record 5: the parent of "5" \(record 5\) is "9"/),
    ]);
  });

  it('rows of one number that differ are refused with both lines', async () => {
    const { items, problems } = await read('id,up,title\n1,,A\n1,,B\n2,1,C\n');
    expect(items).toEqual(Array(3).fill('!mapping_rows_disagree'));
    expect(problems[0]?.message).toMatch(/"A" on line 2 and "B" on line 3/);
  });

  it.each([
    ['name: full', '{ key: id, columns: { name: title }, name: full }', /add parent:/],
    ['no name', '{ key: id, parent: up, columns: { label: title } }', /must have a name/],
  ])('a table with %s is refused', async (_, table, message) => {
    await expect(async () => await read('id,up,title\n', `full }\n  other: ${table.slice(0, -1)}`)).rejects.toThrow(
      expect.objectContaining({ message: expect.stringMatching(message) }),
    );
  });

  it('any order of the rows gives the same tree', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i},${i === 0 ? '' : (i * 7 + 3) % i},T${i % 9}`);
    const sorted = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).sort();
    const expected = sorted((await read(['id,up,title', ...rows, ''].join('\n'), 'full')).items);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(rows, { minLength: rows.length }), async (shuffled) => {
        const { items } = await read(['id,up,title', ...shuffled, ''].join('\n'), 'full');
        expect(sorted(items)).toEqual(expected);
        const seen = new Set(['']);
        for (const item of items as { name: string; parent?: string }[]) {
          if (typeof item === 'string') continue;
          expect(seen).toContain(item.parent ?? '');
          seen.add(item.name);
        }
      }),
      { numRuns: 20 },
    );
  });
});

it('the shipped map names the tree, and products of another file find their categories by number', async () => {
  const shipped = fileURLToPath(new URL('../../../fixtures/maps/taxonomy.yaml', import.meta.url));
  const cwd = folder({
    'taxonomy.json': JSON.stringify([
      { id: 4, parentId: 2, name: 'Other' },
      { id: 3, parentId: 1, name: 'Other' },
      { id: 1, parentId: 0, name: 'Home' },
      { id: 2, parentId: 0, name: 'Garden' },
    ]),
    'feed.csv': 'sku,cat,price\nA,4,1.00\nB,3,1.00\nC,5,1.00\n',
    'taxonomy.yaml': readFileSync(shipped, 'utf8'),
    'feed.yaml': `
tables:
  tree:
    file: taxonomy.json
    key: id
    parent: { column: parentId, map: { "0": "" }, else: keep }
    columns: { name: name }
    name: { repeated: full }
fields: { sku: sku, price: price, currency: { value: EUR }, category: { column: cat, lookup: { table: tree, column: name } } }
`,
  });
  const at = (name: string) => join(cwd, name);
  const into = ['--db', at('c.db'), '--output', 'ndjson'];
  const made = await typedHere(['categories', at('taxonomy.json'), '--map', at('taxonomy.yaml'), ...into]);
  expect(made).toMatchObject({ code: 0 });
  const again = await typedHere(['categories', at('taxonomy.json'), '--map', at('taxonomy.yaml'), ...into]);
  expect(again.stdout.match(/"unchanged"/g)?.length).toBeGreaterThanOrEqual(4);
  const { stdout } = await typedHere(['products', at('feed.csv'), '--map', at('feed.yaml'), ...into]);
  expect(stdout).toContain('"reference_not_found"');
  const category = async (sku: string) =>
    JSON.parse((await typedHere(['get', 'product', '--sku', sku, '--all', '--db', at('c.db')])).stdout).category_name;
  expect([await category('A'), await category('B')]).toEqual(['Garden > Other', 'Home > Other']);
});
