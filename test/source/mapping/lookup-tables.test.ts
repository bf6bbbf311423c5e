// Lookup tables as they are read: which records are rows, and what is said of those that are none.
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ReadRecords, readTables } from '../../../src/source/mapping/lookup-tables.js';
import { fileOf } from '../given.js';
import { readMapped } from './given.js';

/** A mapping whose fields look up a column of a table by the cell `of`. */
const looking = (table: string, more = '') => `tables: { t: { ${table} } }
${more}fields: { sku: sku, name: { column: of, lookup: { table: t, column: v }, else: empty } }
`;

/** What the keys find in a table of another file: names, and codes of what is refused. */
async function found(keys: string, words: string, content: string, name = 'table.csv') {
  const file = basename(fileOf(content, name));
  const feed = keys.split(' ').map((one, i) => `S${i},${one}`);
  const { items, problems } = await readMapped(looking(`file: ${file}, ${words}`), ['sku,of', ...feed].join('\n'));
  const names = items.map((item) => (typeof item === 'string' ? item : ((item as { name?: string }).name ?? '')));
  return { names: names.join(' '), message: problems[0]?.message };
}

describe('standard input is read once', () => {
  const other = fileOf('id,v\n');
  const own = { key: 'id', columns: { v: 'v' } };
  const apart = { ...own, file: basename(other) };
  const nothing: ReadRecords = async () => undefined;

  it.each([
    ['a table of it', { own }, ['own'], false],
    ['a table of it next to another one', { own, apart }, ['own', 'apart'], false],
    ['a table of another file', { own, apart }, ['apart'], true],
    ['no table', { own }, [], true],
  ])('%s', async (_, tables, used, isRead) => {
    const fields = Object.fromEntries(used.map((table) => [table, { column: 'a', lookup: { table, column: 'v' } }]));
    const mapped = { name: join(dirname(other), 'map.yaml'), place: '', section: { to: '', fields }, tables, read: {} };
    const read = readTables(mapped, { file: '-' }, { read: nothing, repeated: new Set() });
    if (isRead) expect([...(await read).keys()]).toEqual(used);
    else await expect(read).rejects.toThrow('standard input can be read once only. Name a file.');
  });
});

it('a currency next to an amount is told as one of the table', async () => {
  const table = 'key: sku, columns: { v: { column: p, number: true }, w: n }';
  const map = `tables: { t: { ${table} } }
set: { currency: USD }
fields: { sku: sku, name: { column: sku, lookup: { table: t, column: w } }, price: { column: sku, lookup: { table: t, column: v } } }
`;
  const { items, problems } = await readMapped(map, 'sku;p;n\nA;5 €;1.50 m\nB;7.50;2\n');
  expect(items).toEqual(['!currency_mismatch', { sku: 'B', currency: 'USD', name: '2', price: '7.50' }]);
  expect(problems[0]?.message).toContain('column "p" of the table t: ');
});

describe('records without a name that the table needs', () => {
  const json = (...records: object[]) => JSON.stringify(records);
  const words = (keep: string) => `keep: { of: ${keep}, is: x }, key: id, columns: { v: title }`;

  it('are a mistake', async () => {
    const read = (keep: string, ...records: object[]) => found('1', words(keep), json(...records), 'table.json');
    await expect(read('kind', { id: '1', kind: 'x' })).rejects.toThrow('columns.v: column "title" not found');
    await expect(read('type', { id: '1', kind: 'x' })).rejects.toThrow('of: column "type" not found');
    expect(await read('kind', { id: '1', kind: 'y' })).toEqual({ names: '', message: undefined });
  });
});

describe('filled cells of a table', () => {
  const words = (more = '') => `fill: { columns: [colour]${more} }, key: id, columns: { v: colour }`;

  it('are repeated beyond rows without a value', async () => {
    const content = 'model,id,colour\nShirt,1,red\n,,\nShirt,2,\nHat,3,\n';
    expect((await found('1 2 3', words(', within: model'), content)).names).toBe('red red ');
  });

  it('may be those of an unreadable row, also of the first', async () => {
    const content = 'model,id,colour\nShirt,1,red,x\nShirt,2,\nHat,3,green\nHat,4,\n';
    expect((await found('2 3 4', words(), content)).names).toBe('!record_incomplete green green');
    const later = 'model,id,colour\nShirt,1,red\nShirt,2,blue,x\nShirt,3,\nHat,4,green\n';
    expect((await found('1 3 4', words(), later)).names).toBe('red !record_incomplete green');
  });
});

it('a row of a tree that may repeat the cells of an unreadable one has no place in it, nor has what is below it', async () => {
  const words = 'fill: { columns: [x] }, key: id, parent: up, columns: { name: title, v: x }';
  const content = 'id,up,title,x\n1,,Home,a\n9,,Cup,b,c\n2,1,Tea,\n3,2,Green,y\n4,1,Pots,z\n';
  expect((await found('1 2 3 4', words, content)).names).toBe(
    '!record_incomplete !record_incomplete !reference_not_found z',
  );
});

describe('a row that cannot be mapped is named', () => {
  const words = 'key: id, columns: { v: { column: p, number: true } }';

  it.each([
    ['by its line', 'table.csv', 'id,p\n1,x\n2,5\n', 'table t, line 2: '],
    ['by its line, also where there is no other', 'table.csv', 'id,p\n1,x\n', 'table t, line 2: '],
    [
      'by its number where all are on one line',
      'table.json',
      '[{"id":"2","p":"5"},{"id":"1","p":"x"}]',
      'table t, record 2: ',
    ],
  ])('%s', async (_, name, content, begin) => {
    const { names, message } = await found('1', words, content, name);
    expect([names, message?.slice(0, begin.length)]).toEqual(['!field_format', begin]);
  });

  it.each([
    ['under its key', 'id', '1 2 3', 'Q !row_shape S'],
    [
      'under any key, where that is made of them',
      '{ template: "{id}{$a}" }',
      '1p 1q 2r 4',
      '!row_shape !row_shape !row_shape !row_shape',
    ],
    ['under what may be one of them', '$a', 'p q r x', 'P Q !row_shape '],
  ])('also where its parts are what is wrong, %s', async (_, key, keys, expected) => {
    const parts = `each: { parallel: { a: x, b: y }, by: "|" }, key: ${key}, columns: { v: { column: $b, aggregate: last } }`;
    const { names, message } = await found(keys, parts, 'id,x,y\n1,p|q,P|Q\n2,r|s,R\n3,t,S\n');
    expect(names).toBe(expected);
    expect(message).toMatch(/^table t, line 3: /);
  });
});
