// JSON inside a cell, and sheets of one workbook that are joined.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from '../../cli/typed.js';
import { workbookOf, zipOf } from '../given-zip.js';
import { readMapped } from './given.js';

describe('json: a path in the JSON of a cell', () => {
  const feed = (cell: string) => `sku,data.raw\nA,"${cell.replaceAll('"', '""')}"\nB,\n`;
  const read = (field: string, cell: string) => readMapped(`fields: { sku: sku, ${field} }`, feed(cell));

  it.each([
    ['a member', 'price: { json: data.raw.price.net }', '{"price": {"net": 9.50}}', { price: '9.50' }],
    ['all digits', 'ean: { json: data.raw.ean }', '{"ean": 12345678901234567890}', { ean: '12345678901234567890' }],
    ['a list', 'name: { json: "data.raw[].no", join: "+" }', '[{"no": "x"}, {"no": "y"}]', { name: 'x+y' }],
    ['the cell itself', 'name: { json: data.raw, join: "+" }', '["x", "y"]', { name: 'x+y' }],
    [
      'entries of a list',
      'attributes: { each: { parallel: { n: { json: "data.raw[].n" }, v: { json: "data.raw[].v" } } }, entry: { type: $n, value: $v } }',
      '[{"n": "Size", "v": "S"}, {"n": "Fit", "v": "Slim"}]',
      {
        attributes: [
          { type: 'Size', value: 'S' },
          { type: 'Fit', value: 'Slim' },
        ],
      },
    ],
  ])('%s', async (_, field, cell, made) => {
    expect((await read(field, cell)).items).toEqual([{ sku: 'A', ...made }, { sku: 'B' }]);
  });

  it.each([
    ['no JSON', 'name: { json: data.raw.no }', '{"no": x', /column "data.raw": .* is not valid JSON/],
    [
      'a list for a value',
      'name: { json: data.raw.v.no }',
      '{"v": [{"no": 1}, {"no": 2}]}',
      /is a list of 2 here; use \{json: /,
    ],
    ['an object', 'name: { json: data.raw }', '{"no": 1}', /data.raw/],
  ])('%s is refused', async (_, field, cell, message) => {
    const { items, problems } = await read(field, cell);
    expect(items).toEqual([expect.stringMatching(/^!/), { sku: 'B' }]);
    expect(problems[0]?.message).toMatch(message);
  });

  it('the cell is that of the longest beginning of the path that holds a text, in each record', async () => {
    const records = [
      { sku: 'A', data: { raw: '{"no":"x"}' } },
      { sku: 'B', data: '{"raw":{"no":"y"}}' },
      { sku: 'C', 'data.raw': '{"no":"z"}', data: '{}' },
      { sku: 'D', data: {} },
      { sku: 'E' },
    ];
    const ndjson = records.map((one) => JSON.stringify(one)).join('\n');
    const map = 'fields: { sku: sku, name: { json: data.raw.no } }';
    const made = [
      { sku: 'A', name: 'x' },
      { sku: 'B', name: 'y' },
      { sku: 'C', name: 'z' },
      { sku: 'D' },
      { sku: 'E' },
    ];
    expect((await readMapped(map, ndjson, { name: 'feed.ndjson' })).items).toEqual(made);
    const table = 'sku,data,data.raw\nA,"{""raw"":{""no"":""y""}}","{""no"":""x""}"\n';
    expect((await readMapped(map, table)).items).toEqual(made.slice(0, 1));
  });

  it('an unknown column is named', async () => {
    await expect(readMapped('fields: { sku: sku, name: { json: dat.raw } }', feed(''))).rejects.toThrow(
      'column "dat" not found',
    );
  });
});

const map = `
tables:
  prices: { sheet: Prices, key: no, columns: { price: amount } }
import:
  - to: categories
    sheet: Groups
    fields: { name: group }
  - to: products
    sheet: Items
    fields: { sku: no, category: group, currency: { value: EUR }, price: { column: no, lookup: { table: prices, column: price } } }
`;
const rows = (...cells: string[][]) =>
  cells
    .map(
      (row, i) =>
        `<row r="${i + 1}">${row.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`,
    )
    .join('');
const csv = (...cells: string[][]) => `${cells.map((row) => row.join(',')).join('\n')}\n`;

describe('a section and a table name their sheet', () => {
  it.each([
    [
      'a workbook',
      'feed.xlsx',
      (of: typeof rows, name: (sheet: string) => string) => workbookOf(sheets(of, name)),
      rows,
    ],
    ['an archive', 'feed.zip', (of: typeof rows, name: (sheet: string) => string) => zipOf(sheets(of, name)), csv],
  ])('%s', async (_, file, packed, of) => {
    const isZip = file.endsWith('.zip');
    const name = (sheet: string) => (isZip ? `${sheet}.csv` : sheet);
    const cwd = folder({ 'map.yaml': isZip ? map.replace(/sheet: (\w+)/g, 'sheet: $1.csv') : map });
    const at = (one: string) => join(cwd, one);
    writeFileSync(at(file), packed(of, name));
    const run = await typedHere(['run', at(file), '--map', at('map.yaml'), '--db', at('c.db')]);
    expect(run).toMatchObject({ code: 0 });
    const { stdout } = await typedHere(['export', 'products', '--db', at('c.db')]);
    const made = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(made.map(({ sku, category, price }) => [sku, category, price])).toEqual([
      ['A', 'Tea', '9.50'],
      ['B', 'Milk', '1.20'],
    ]);
  });

  it('is refused for a file that has none, and an unknown sheet is named', async () => {
    const cwd = folder({ 'map.yaml': 'to: products\nsheet: Items\nfields: { sku: no }\n', 'feed.csv': 'no\nA\n' });
    const at = (one: string) => join(cwd, one);
    writeFileSync(at('feed.xlsx'), workbookOf({ Other: rows(['no'], ['A']), More: rows(['no'], ['A']) }));
    const read = (file: string) => typedHere(['products', at(file), '--map', at('map.yaml'), '--db', at('c.db')]);
    expect(await read('feed.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('sheet: of the mapping is for'),
    });
    expect(await read('feed.xlsx')).toMatchObject({ code: 2, stderr: expect.stringContaining('Items') });
  });
});

function sheets(of: typeof rows, name: (sheet: string) => string) {
  return {
    [name('Groups')]: of(['group'], ['Tea'], ['Milk']),
    [name('Prices')]: of(['no', 'amount'], ['A', '9.50'], ['B', '1.20']),
    [name('Items')]: of(['no', 'group'], ['A', 'Tea'], ['B', 'Milk']),
  };
}
