// Sections that are imported together are compared with the beginnings of their files, before anything is written.
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSections, type FileHead } from '../../../src/source/mapping/check-sections.js';
import { readMapping } from '../../../src/source/mapping/read-mapping.js';
import { fileOf, product } from '../given.js';

const table = (...columns: string[]): FileHead => ({ columns, records: [], characters: 0, isWhole: true });
const objects = (...records: object[]): FileHead => ({ columns: undefined, records, characters: 9, isWhole: true });

/** Checks a mapping, each of whose sections is of the file that it names, or of `feed`. */
async function check(map: string, heads: Readonly<Record<string, FileHead | undefined>>) {
  const { import: sections, tables, read } = readMapping(fileOf(map, 'map.yaml'));
  // Tables of other files are looked for next to these.
  const folder = dirname(fileOf(''));
  const files = sections.map((section) => ({
    fields: product,
    keyField: 'sku',
    options: {
      file: join(folder, section.file ?? 'feed'),
      mapped: { name: 'map.yaml', place: `import.${section.to}`, section, tables, read },
    },
  }));
  const used = await checkSections(files, async ({ file }) => heads[basename(file)]);
  return Object.fromEntries([...used].map(([file, names]) => [basename(file), [...names].sort()]));
}

/** Two sections, so that the records of both are looked at. */
const two = (first: string, second = 'fields: { sku: sku }', more = '') => `${more}
import:
  - { to: products, file: a, ${first} }
  - { to: products, file: b, ${second} }
`;

it('what sections and tables use of a file is used, whichever of them does', async () => {
  const other = basename(fileOf('id,v\n'));
  const looked = (name: string) => `{ column: of, lookup: { table: ${name}, column: v } }`;
  const map = `tables:
  own: { key: no, columns: { v: value } }
  other: { file: ${other}, key: id, columns: { v: v } }
import:
  - { to: products, fields: { sku: sku, name: ${looked('own')}, ean: ${looked('other')} } }
  - { to: products, fields: { sku: nr } }
`;
  const heads = { feed: table('sku', 'nr', 'of', 'no', 'value', 'more'), [other]: table('id', 'v', 'w') };
  expect(await check(map, heads)).toEqual({ feed: ['no', 'nr', 'of', 'sku', 'value'], [other]: ['id', 'v'] });
});

describe('a name that a file lacks is a mistake', () => {
  const records = objects({ sku: 'A', kind: 'x' });

  it.each([
    ['of a field', two('fields: { sku: nr }'), { a: records }, 'import.products.fields.sku: column "nr" not found'],
    [
      'of a later section',
      two('fields: { sku: sku }', 'fields: { sku: nr }'),
      { a: records, b: records },
      'column "nr"',
    ],
    ['of a column', two('fields: { sku: nr }'), { a: table('sku') }, 'fields.sku: column "nr" not found'],
    [
      'of fill',
      two('fill: { columns: [nr] }, fields: { sku: sku }'),
      { a: table('sku') },
      'fill: column "nr" not found',
    ],
    [
      'of a condition, also where that keeps nothing',
      two('keep: { of: type, is: x }, fields: { sku: sku }'),
      { a: records },
      'of: column "type" not found',
    ],
  ])('%s', async (_, map, heads, message) => {
    await expect(check(map, heads)).rejects.toThrow(message);
  });

  it('but none where no record is kept that could have it', async () => {
    const map = two('keep: { of: kind, is: y }, fields: { sku: nr }');
    expect(await check(map, { a: records, b: objects({ sku: 'A' }) })).toMatchObject({ b: ['sku'] });
    await expect(check(map, { a: objects({ sku: 'A', kind: 'x' }, { sku: 'B', kind: 'y' }) })).rejects.toThrow('"nr"');
  });

  it('nor in a file of which nothing is known', async () => {
    expect(await check(two('fields: { sku: nr }'), { a: undefined, b: table('sku') })).toEqual({ b: ['sku'] });
  });
});

describe('a table of the file', () => {
  const looked = 'name: { column: sku, lookup: { table: t, column: v } }';
  const map = (t: string, more = '') =>
    `tables: { t: { ${t}, columns: { v: kind } } }
import:
  - { to: products, ${more}fields: { sku: sku, ${looked} } }
  - { to: products, fields: { sku: sku } }
`;
  const records = objects({ sku: 'A', kind: 'x' });

  it('has names that are in it, as far as it keeps records', async () => {
    await expect(check(map('key: nr'), { feed: records })).rejects.toThrow('tables.t.key: column "nr" not found');
    await expect(check(map('key: nr'), { feed: table('sku', 'kind') })).rejects.toThrow('tables.t.key: column "nr"');
    expect(await check(map('key: nr, keep: { of: kind, is: y }'), { feed: records })).toHaveProperty('feed');
    await expect(check(map('key: nr, keep: { of: type, is: y }'), { feed: records })).rejects.toThrow('column "type"');
    await expect(check(map('key: sku, fill: { columns: [nr] }'), { feed: table('sku', 'kind') })).rejects.toThrow(
      'tables.t.fill: column "nr" not found',
    );
  });

  it('says whether it has the cells that a section fills', async () => {
    await expect(check(map('key: sku', 'fill: { columns: [kind] }, '), { feed: table('sku', 'kind') })).rejects.toThrow(
      'tables.t: a section fills "kind", which the table reads',
    );
  });
});
