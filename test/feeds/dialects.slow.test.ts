// The dialects that suppliers write in, a small file of each: its notices and its result.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { folder, type Typed, typed } from '../cli/typed.js';

const feed = (name: string) => fileURLToPath(new URL(`../../fixtures/feeds/${name}`, import.meta.url));

/** Imports products of a fixture through a mapping; each line as key, action or code. */
async function imported(
  name: string,
  map: string,
): Promise<{ readonly lines: string[]; readonly said: Typed; readonly cwd: string }> {
  const cwd = folder({ 'map.yaml': map });
  const said = await typed(cwd, ['products', feed(name), '--map', 'map.yaml', '--output', 'ndjson']);
  const told = said.stdout.split('\n').filter((line) => line.includes('"action"'));
  const lines = told
    .map((line) => JSON.parse(line))
    .map((line) => `${line.line} ${line.external_id} ${line.code ?? line.action}`);
  return { lines, said, cwd };
}

async function product(cwd: string, sku: string): Promise<Record<string, unknown>> {
  return JSON.parse((await typed(cwd, ['get', 'product', '--sku', sku])).stdout);
}

const simple = 'set: {currency: EUR}\nfields: {sku: sku, name: name, price: price}';

describe('a German feed in cp1252', () => {
  it('is imported as categories, characteristics and products; what is wrong is refused with line, column and value', async () => {
    const cwd = folder();
    const run = ['run', feed('baumarkt.csv'), '--map', feed('baumarkt.yaml'), '--report-file', 'report.ndjson'];
    const { code, stderr } = await typed(cwd, run);
    expect(code).toBe(3);
    const report = readFileSync(`${cwd}/report.ndjson`, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"action"'));
    const refused = report.map((line) => JSON.parse(line)).filter(({ action }) => action === 'refused');
    expect(refused.map(({ line, code: why }) => `${line} ${why}`)).toEqual([
      '5 field_format',
      '6 attribute_value_not_listed',
    ]);
    expect(refused[0].reason).toContain('column "Geändert": "31.02.2026" is not a date of the form DD.MM.YYYY');
    expect(refused[1].reason).toContain('Did you mean "grün"?');
    expect(stderr).toContain('"8,72E+12" is rounded by a spreadsheet, which lost digits');
    expect(await product(cwd, '10-4711')).toMatchObject({
      name: 'Bohrmaschine "Profi" 13 mm',
      price: '1229.99',
      stock: 12,
      created_at: 1766530800,
    });
    expect(await product(cwd, '10-4712')).toMatchObject({ price: '89.90', stock: 0 });
    expect(await product(cwd, '10-4713')).toMatchObject({ name: 'Müllsäcke 120 l', price: '12.00' });
    const category = JSON.parse((await typed(cwd, ['get', 'category', '--name', 'Bohrer'])).stdout);
    expect((await product(cwd, '10-4711'))['category']).toBe(category.id);
  });

  it('inspect shows its dialect, and suggests a mapping that imports it', async () => {
    const cwd = folder();
    const { stdout, code } = await typed(cwd, ['inspect', feed('baumarkt.csv'), '--write-map', 'map.yaml']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/csv, cells separated by semicolon, lines end in CRLF/);
    expect(stdout).toMatch(/encoding: windows-1252 \(byte 0xE4 at \d+ is not UTF-8/);
    expect(stdout).toMatch(/decimal sign: , \(/);
    expect(stdout).toMatch(/Bezeichnung +name +100 % +5 +\d+ +Bohrmaschine/);
    expect(stdout).toMatch(/EAN: 1 value such as 8,72E\+12: a spreadsheet has lost their digits/);
    const dry = await typed(cwd, [
      'products',
      feed('baumarkt.csv'),
      '--map',
      'map.yaml',
      '--set',
      'currency=EUR',
      '--dry-run',
      '--output',
      'json',
    ]);
    expect(JSON.parse(dry.stdout).response).toMatchObject({ total: 5 });
  });
});

describe('other dialects', () => {
  it('UTF-16 with tabs', async () => {
    const { lines, cwd } = await imported('utf16.csv', simple);
    expect(lines).toEqual(['2 A-1 created', '3 A-2 created']);
    expect((await product(cwd, 'A-2'))['name']).toBe('Кофе');
  });

  it('bare CR; "15,990" is refused until the decimal sign is given; no-break spaces and currencies are accepted', async () => {
    const koruna = simple.replace('EUR', 'CZK');
    expect((await imported('bare-cr.csv', koruna)).lines).toEqual(['2 A-1 field_format', '3 A-2 created']);
    const told = await imported('bare-cr.csv', `read: {decimal: "."}\n${koruna}`);
    expect(told.lines).toEqual(['2 A-1 created', '3 A-2 field_format']);
    expect((await product(told.cwd, 'A-1'))['price']).toBe('15990.00');
    expect((await product((await imported('bare-cr.csv', koruna)).cwd, 'A-2'))['price']).toBe('7900.50');
  });

  it('no header', async () => {
    const map =
      'read: {columns: [kind, no, title, amount]}\nfields: {sku: no, name: title, price: amount, currency: {value: EUR}}';
    const { lines, said, cwd } = await imported('headerless.csv', map);
    expect(lines).toEqual(['1 A-1 created', '2 A-2 created']);
    expect((await product(cwd, 'A-2'))['price']).toBe('4.20');
    expect(said.stderr).toContain('column "amount": read with decimal comma (2 numbers)');
  });

  it('barcodes after an apostrophe, and barcodes that a spreadsheet has rounded', async () => {
    const map = 'fields: {sku: sku, name: name, ean: {column: ean, apostrophe: strip}, currency: {value: EUR}}';
    const { said, cwd } = await imported('barcodes.csv', map);
    expect((await product(cwd, 'A-1'))['ean']).toBe('4006381333931');
    expect((await product(cwd, 'A-3'))['ean']).toBe('0012345678905');
    expect(said.stderr).toContain('"8,72E+12" is rounded by a spreadsheet, which lost digits');
  });

  it('shifted rows are refused, repeated headers and empty rows left out, with a note', async () => {
    const { lines, said } = await imported('shifted.csv', simple);
    expect(lines).toEqual(['2 A-1 created', '3  row_shape', '5 A-3 created', '7  row_shape']);
    expect(said.stderr).toContain('1 repeated header row skipped (line 4)');
    expect(said.stderr).toContain('1 empty rows skipped');
    const seen = await typed(folder(), ['inspect', feed('shifted.csv'), '--output', 'json']);
    expect(JSON.parse(seen.stdout).troubles).toEqual([
      { what: 'rows with another number of cells than the header', count: 2, lines: [3, 7] },
      { what: 'the header repeated', count: 1, lines: [4] },
    ]);
  });
});
