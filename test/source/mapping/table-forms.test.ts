// How the file of a table is read: what the mapping says of its own file is not said of another one.
import { describe, expect, it } from 'vitest';
import { folder, typed } from '../../cli/typed.js';
import { fileOf } from '../given.js';
import { readMapped } from './given.js';

const looking = (table: string, read: string, more = '') => `
read: ${read}
tables: { t: { ${table}, key: id, columns: { v: name } } }
${more}
fields: { sku: nr, name: { column: of, lookup: { table: t, column: v } } }`;

/** Reads a feed whose table is in another file. */
async function withTable(read: string, feed: string, table: string | Uint8Array, own = '', name = 'table.csv') {
  const path = fileOf(table, name).split('/').at(-1);
  const { items, failure } = await readMapped(looking(`file: ${path}${own}`, read), feed);
  expect(failure).toBeUndefined();
  return items;
}

const brand = 'id;name\n8;Müller\n';
const latin = (text: string) => Buffer.from(text, 'latin1');
const made = [{ sku: 'A', name: 'Müller' }];

describe('a table of another file', () => {
  it.each([
    ['sections', '{ sections: G }', 'nr;of;text\nTools;;\nA;8;x\n'],
    ['skip', '{ skip: 1 }', 'Price list\nnr;of\nA;8\n'],
    ['header', '{ header: { containing: [nr, of] } }', 'Price list\nnr;of\nA;8\n'],
    ['columns', '{ columns: [nr, of] }', 'A;8\n'],
    ['leave_out', '{ leave_out: ["8"] }', 'nr;of\nA;8\n'],
    ['delimiter', '{ delimiter: "|" }', 'nr|of\nA|8\n'],
  ])('has no %s of the mapping', async (_, read, feed) => {
    expect(await withTable(read, feed, brand)).toEqual(made);
  });

  it('has no format, record or list of the mapping', async () => {
    const xml = '<a><x><nr>A</nr><of>8</of></x></a>';
    const path = fileOf('<b><y><id>8</id><name>Müller</name></y><y><id>9</id></y></b>', 'table.xml').split('/').at(-1);
    const map = looking(`file: ${path}`, '{ record: x }');
    expect((await readMapped(map, xml, { name: 'feed.xml' })).items).toEqual(made);
    expect(
      await withTable('{ format: csv }', 'nr,of\nA,8\n', '{"id":8,"name":"Müller"}\n', '', 'table.ndjson'),
    ).toEqual(made);
  });

  it('with a single filled cell in a row is no title, and short rows are unreadable', async () => {
    const short = '{ short_rows: true }';
    expect(await withTable(short, 'nr;of\nA;8\n', 'id;name;x\n8;Müller\n')).toEqual(['!record_incomplete']);
    expect(await withTable(short, 'nr;of\nA;8\n', 'id;name;x\n8;Müller\n', ', read: { short_rows: true }')).toEqual(
      made,
    );
  });

  it('is read by its own words', async () => {
    const own = ', read: { skip: 1, columns: [id, name], delimiter: "|" }';
    expect(await withTable('{}', 'nr;of\nA;8\n', 'Brands\n8|Müller\n', own)).toEqual(made);
    const inLatin = ', read: { encoding: windows-1252 }';
    expect(await withTable('{}', 'nr;of\nA;8\n', latin(brand), inLatin)).toEqual(made);
    const number = 'id;name\n8;1,5\n';
    const map = (read: string) => `
read: { decimal: "." }
tables: { t: { file: ${fileOf(number).split('/').at(-1)}${read}, key: id, columns: { v: { column: name, number: true } } } }
fields: { sku: nr, name: { column: of, lookup: { table: t, column: v } } }`;
    expect((await readMapped(map(', read: { decimal: "," }'), 'nr;of\nA;8\n')).items).toEqual([
      { sku: 'A', name: '1.5' },
    ]);
  });

  it('has the encoding of the mapping only where it is not UTF-8', async () => {
    const read = '{ encoding: windows-1252 }';
    const feed = 'nr;of\nA;8\n';
    expect(await withTable(read, feed, latin(brand))).toEqual(made);
    expect(await withTable(read, feed, brand)).toEqual(made);
    expect(await withTable(read, feed, `\ufeff${brand}`)).toEqual(made);
    expect(await withTable(read, feed, Buffer.from(`\ufeff${brand}`, 'utf16le'))).toEqual(made);
  });

  it('that a section reads, and one of the same file, are written as the mapping says', async () => {
    const cwd = folder({
      'brands.csv': 'List of brands\nid|name\n8|Smith\n',
      'products.csv': 'List of products\nnr|of\nA|8\n',
      'm.yaml': `
read: { skip: 1, delimiter: "|" }
tables: { t: { file: brands.csv, key: id, columns: { v: name } } }
import:
  - { to: brands, file: brands.csv, fields: { id: { column: name, identifier: b_ }, name: name } }
  - { to: products, file: products.csv, set: { currency: EUR }, fields: { sku: nr, name: { column: of, lookup: { table: t, column: v } } } }
`,
    });
    expect(await typed(cwd, ['run', '.', '--map', 'm.yaml'])).toMatchObject({ code: 0 });
    const { items } = await readMapped(
      looking('keep: { of: id, empty: false }', '{ skip: 1 }', 'keep: { of: nr, empty: false }'),
      'x\nnr;of;id;name\nA;8;;\n;;8;Müller\n',
    );
    expect(items).toEqual(made);
  });
});

describe('fill and tables', () => {
  const colours = (words = '') =>
    `tables: { t: { key: model, columns: { all: { column: colour, aggregate: { join: "/" } } }${words} } }`;
  const fields = 'fields: { sku: sku, name: { column: model, lookup: { table: t, column: all } } }';
  const feed = 'model,sku,colour\nShirt,S1,red\n,S2,blue\n,,\nHat,H1,green\n';

  it.each([
    ['fill of its own', ', fill: { columns: [model] }', ['red/blue', 'red/blue', 'green']],
    ['fill: none', ', fill: none', ['red', 'red', 'green']],
  ])('a table of the same file with %s', async (_, words, names) => {
    const { items } = await readMapped(`fill: { columns: [model] }\n${colours(words)}\n${fields}`, feed);
    expect(items.map((item) => (item as { name: string }).name)).toEqual(names);
  });

  it('a table of the same file that does not say whether it has the filled cells is refused', async () => {
    const map = `fill: { columns: [model, sku], within: colour }\n${colours()}\n${fields}`;
    await expect(readMapped(map, feed)).rejects.toThrow(
      'tables.t: a section fills "model", which the table reads; write fill: {columns: ["model"], within: "colour"} in the table, or fill: none.',
    );
    const other = await readMapped(`fill: { columns: [sku] }\n${colours()}\n${fields}`, feed);
    expect(other.items).toHaveLength(3);
  });

  it('a table of a file that another section fills is refused, too, before anything is written', async () => {
    const cwd = folder({
      'models.csv': 'model,sku,colour\nShirt,S1,red\n,S2,blue\n',
      'products.csv': 'sku,model\nA,Shirt\n',
      'm.yaml': `
${colours(', file: models.csv')}
import:
  - { to: products, file: products.csv, set: { currency: EUR }, ${fields} }
  - { to: brands, file: models.csv, fill: { columns: [model] }, once: first, fields: { id: sku, name: model } }
`,
    });
    const { code, stderr } = await typed(cwd, ['run', '.', '--map', 'm.yaml']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('tables.t: a section fills "model"')]);
  });

  it('of another file are filled by their own words', async () => {
    const path = fileOf('model,colour\nShirt,red\n,blue\n').split('/').at(-1);
    const map = `${colours(`, file: ${path}, fill: { columns: [model] }`)}\n${fields}`;
    expect((await readMapped(map, 'sku,model\nS1,Shirt\n')).items).toEqual([{ sku: 'S1', name: 'red/blue' }]);
  });

  it('rows that may repeat an unreadable one are missed under the keys that they may have', async () => {
    const damaged = 'model,sku,colour\nShirt,S1,red\nCap,C1,black,x\n,S2,blue\nHat,H1,green\n';
    const filled = 'fill: { columns: [model] }';
    const { items } = await readMapped(`${filled}\n${colours(`, ${filled}`)}\n${fields}`, damaged);
    expect(items).toEqual(['!record_incomplete', '!row_shape', '!record_incomplete', { sku: 'H1', name: 'green' }]);
  });
});
