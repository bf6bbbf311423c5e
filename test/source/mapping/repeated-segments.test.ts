// The last parts of paths that occur under several parents: of the file, and of the records, that make the categories.
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMapping } from '../../../src/source/mapping/read-mapping.js';
import { readRepeatedSegments } from '../../../src/source/mapping/repeated-segments.js';
import { category, fileOf } from '../given.js';
import { readMapped } from './given.js';

const each = 'each: { path: cat, separator: ">", name: { repeated: parent } }';

/** What is found in the paths of records, and where these are read. */
async function segmentsOf(map: string, place: string, section: number, paths: readonly object[]) {
  const mapping = readMapping(fileOf(map, 'map.yaml'));
  const chosen = mapping.import[section];
  if (chosen === undefined) throw new Error('the mapping has no such section');
  const { tables, read, paths: rule } = mapping;
  const mapped = { name: 'map.yaml', place: '', section: chosen, tables, read, ...(rule && { paths: rule }) };
  const files: string[] = [];
  const found = await readRepeatedSegments(mapped, { file: place }, async ({ path }, take) => {
    files.push(basename(path));
    paths.forEach((record, i) => {
      take({ record, line: i + 1, number: i + 1, text: '' }, undefined);
    });
  });
  return { found: [...found], files };
}

const cats = (...names: string[]) => names.map((cat) => ({ cat }));

it('are those under several parents, in whatever letters', async () => {
  const records = cats('A > X', 'B > x', 'A > X', 'C > Y', 'c > y', 'X');
  expect(await segmentsOf(`${each}\nfields: { name: $name }`, 'feed.csv', 0, records)).toEqual({
    found: ['x'],
    files: ['feed.csv'],
  });
});

it('are not those of records that the section leaves out', async () => {
  const map = `skip: { of: cat, begins: B }\n${each}\nfields: { name: $name }`;
  expect((await segmentsOf(map, 'feed.csv', 0, cats('A > X', 'B > X', 'C > Y', 'D > Y'))).found).toEqual(['y']);
});

describe('their file is', () => {
  const [feed, other] = [fileOf('cat\n', 'feed.csv'), fileOf('cat\n', 'other.csv')];
  const map = (categories: string, products: string) => `import:
  - { to: categories, ${categories}${each}, fields: { name: $name } }
  - { to: products, ${products}fields: { sku: sku } }
`;
  const named = `file: ${basename(other)}, `;

  it.each([
    ['that of the section that makes the categories', map(named, `file: ${basename(feed)}, `), basename(other)],
    ['the one that is read, if only that section names one', map(named, ''), basename(feed)],
    ['the one that is read, if that section names none', map('', `file: ${basename(feed)}, `), basename(feed)],
  ])('%s', async (_, text, file) => {
    expect(dirname(feed)).toBe(dirname(other));
    expect((await segmentsOf(text, feed, 1, [])).files).toEqual([file]);
  });
});

it('the file is read as the mapping says', async () => {
  const map = `read: { skip: 1, delimiter: "|" }\n${each}\nfields: { name: $name, parent: $parent }`;
  const { items } = await readMapped(map, 'Categories, all\ncat|no\nA > X|1\nB > X|2\n', { fields: category });
  expect(items).toMatchObject([{ name: 'A' }, { name: 'X (A)' }, { name: 'B' }, { name: 'X (B)' }]);
});
