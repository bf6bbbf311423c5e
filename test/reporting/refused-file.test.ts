// --refused-file: what was refused comes back as it came, is mended, and goes in as it is.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { folder, products, typed } from '../cli/typed.js';

const feed = (name: string) => fileURLToPath(new URL(`../../fixtures/feeds/${name}`, import.meta.url));

async function counts(
  cwd: string,
  args: readonly string[],
): Promise<{ created: number; refused: number; stderr: string }> {
  const { stdout, stderr } = await typed(cwd, [...args, '--output', 'json']);
  const { created, refused } = JSON.parse(stdout).response;
  return { created, refused, stderr };
}

describe('refused rows come back in the source’s own dialect, columns and encoding', () => {
  it('a cp1252 feed with a mapping: refused, corrected in place, imported with the same mapping', async () => {
    const cwd = folder();
    const map = ['--map', feed('baumarkt.yaml')];
    await typed(cwd, ['run', feed('baumarkt.csv'), ...map, '--refused-file', 'back']);
    const name = join(cwd, 'back', 'products.baumarkt.csv');
    const back = iconv.decode(readFileSync(name), 'windows-1252');
    const [header, first, second] = back.split('\n');
    expect(header).toBe('Art.-Nr.;Bezeichnung;VK brutto;EAN;Bestand;Warengruppe;Farbe;Geändert;_line;_code;_reason');
    expect(first).toMatch(
      /^10-4714;Gießkanne;1\.234;.*;31\.02\.2026;"5";"field_format";"created_at: column ""Geändert""/,
    );
    expect(second).toMatch(/^10-4715;Türgriff – Größe L;.*;"6";"attribute_value_not_listed";/);
    writeFileSync(
      join(cwd, 'mended.csv'),
      iconv.encode(back.replace('31.02.', '28.02.').replace('grüün', 'grün'), 'windows-1252'),
    );
    const mended = await counts(cwd, ['products', 'mended.csv', ...map]);
    expect(mended).toMatchObject({ created: 2, refused: 0 });
    expect(mended.stderr).not.toContain('_line');
  });

  it('a record that is refused again is written with its new problems, and without a second set of columns', async () => {
    const cwd = folder({ 'a.csv': 'sku,name,currency,price\nA,"two\nlines",EUR,x\nB,short\nC,Tea,EUR,5\n' });
    await typed(cwd, ['products', 'a.csv', '--refused-file', 'b.csv']);
    const back = readFileSync(join(cwd, 'b.csv'), 'utf8');
    expect(back).toMatch(
      /^sku,name,currency,price,_line,_code,_reason\nA,"two\nlines",EUR,x,"2","field_format",".*"\nB,short,"4","row_shape",".*"\n$/,
    );
    writeFileSync(join(cwd, 'b.csv'), back.replace(',x,', ',-1,'));
    await typed(cwd, ['products', 'b.csv', '--refused-file', 'c.csv']);
    const again = readFileSync(join(cwd, 'c.csv'), 'utf8');
    expect(again.split('\n')[0]).toBe('sku,name,currency,price,_line,_code,_reason');
    expect(again).toMatch(/EUR,-1,"2","field_out_of_range",/);
  });

  it('a file without a header: the problems follow the cells, and are ignored with the same mapping', async () => {
    const cwd = folder({
      'm.yaml':
        'read: {columns: [kind, sku, name, price, ean, note]}\n' +
        'fields: {sku: sku, name: name, price: price, currency: {value: EUR}}\n',
      'a.csv': 'Book;A;"Snow; Crash";x;;\nBook;B;Unix;2.50;;\nBook;C;short\n',
    });
    const map = ['--map', 'm.yaml'];
    expect(await counts(cwd, ['products', 'a.csv', ...map, '--refused-file', 'b.csv'])).toMatchObject({ refused: 2 });
    const back = readFileSync(join(cwd, 'b.csv'), 'utf8');
    expect(back).toMatch(
      /^Book;A;"Snow; Crash";x;;;"1";"field_format";".*"\nBook;C;short;"3";"row_shape";".*has 3 cells.*"\n$/,
    );
    // Half mended: the row that is three cells short is not made whole by the three behind it.
    writeFileSync(join(cwd, 'half.csv'), back.replace(';x;', ';1.50;'));
    const half = await counts(cwd, ['products', 'half.csv', ...map, '--refused-file', 'c.csv']);
    expect(half).toMatchObject({ created: 1, refused: 1 });
    const again = readFileSync(join(cwd, 'c.csv'), 'utf8');
    // The line is still that of the first file.
    expect(again).toMatch(/^Book;C;short;"3";"row_shape";"the row has 3 cells(?:[^"]|"")*"\n$/);
    // Mended, and written by a program that quotes only what must be.
    writeFileSync(join(cwd, 'd.csv'), again.replace('short;"3";"row_shape"', 'short;3;;;3;row_shape'));
    expect(await counts(cwd, ['products', 'd.csv', ...map])).toMatchObject({ created: 1, refused: 0 });
    const { stdout } = await typed(cwd, ['get', 'product', '--sku', 'A']);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Snow; Crash', price: '1.50' });
  });

  it('a path is a file or a folder by its form, for one file and several', async () => {
    const cwd = folder({ 'products.csv': 'sku\nA\n' });
    mkdirSync(join(cwd, 'shop'));
    for (const name of ['products.csv', '2-products.csv']) writeFileSync(join(cwd, 'shop', name), 'sku\nA\n');
    await typed(cwd, ['products', 'products.csv', '--refused-file', 'one/']);
    await typed(cwd, ['run', 'shop', '--refused-file', 'several']);
    expect(readdirSync(join(cwd, 'one'))).toEqual(['products.csv']);
    expect(readdirSync(join(cwd, 'several')).sort()).toEqual(['2-products.csv', 'products.csv']);
    const { code, stderr } = await typed(cwd, ['run', 'shop', '--refused-file', 'back.csv']);
    expect(code).toBe(2);
    expect(stderr).toContain('name a folder with --refused-file back/ instead');
  });

  it('JSON and NDJSON records keep their content; bytes that are not UTF-8 are preserved', async () => {
    const cwd = folder({
      'a.json': '[{"sku":"A","currency":"EUR","extra":1},\n {"sku":"B"}, 7]',
      'b.ndjson': '{"sku":"C"}\n{broken\n',
    });
    await typed(cwd, ['products', 'a.json', '--refused-file', 'back.json']);
    expect(JSON.parse(readFileSync(join(cwd, 'back.json'), 'utf8'))).toEqual([
      { sku: 'B', _line: 2, _code: 'currency_required', _reason: expect.any(String) },
      7,
    ]);
    await typed(cwd, ['products', 'b.ndjson', '--refused-file', 'back.ndjson']);
    const lines = readFileSync(join(cwd, 'back.ndjson'), 'utf8').trim().split('\n');
    expect(lines[0]).toMatch(/^\{"sku":"C","_line":1,"_code":"currency_required",/);
    expect(lines[1]).toBe('{broken');
    expect(await counts(cwd, ['products', 'back.ndjson', '--set', 'currency=EUR'])).toMatchObject({
      created: 1,
      refused: 1,
    });
    const odd = Buffer.concat([Buffer.from('sku,name,currency\nA,M'), Buffer.of(0xfc), Buffer.from('ll,EUR\n')]);
    writeFileSync(join(cwd, 'odd.csv'), odd);
    await typed(cwd, ['products', 'odd.csv', '--refused-file', 'odd-back.csv']);
    expect(readFileSync(join(cwd, 'odd-back.csv')).includes(Buffer.of(0x4d, 0xfc, 0x6c))).toBe(true);
  });

  it.each([
    [
      'a.json',
      '[{"sku":"A"}]',
      'r.csv',
      'is named like CSV, and the refused records of a.json are written back as they came, in JSON. Name it r.json.',
    ],
    ['a.csv', 'sku\nA\n', 'r.json', 'in CSV. Name it r.csv.'],
    ['a.xml', '<f><p><sku>A</sku></p><p><sku>B</sku></p></f>', 'r.ndjson', 'in XML. Name it r.xml.'],
    ['a.ndjson', '{"sku":"A"}\n{"sku":"B"}\n', 'r.xml', 'in NDJSON. Name it r.ndjson.'],
  ])('%s: a name of another format is refused before anything is imported', async (name, text, refused, message) => {
    const cwd = folder({ [name]: text });
    const { code, stderr } = await typed(cwd, ['products', name, '--refused-file', refused, '--set', 'currency=EUR']);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect((await typed(cwd, ['get', 'product', '--sku', 'A'])).code).not.toBe(0);
  });

  it.each([
    ['a.csv', 'sku;name\nA;x\n', 'r.tsv', []],
    ['a.csv', 'sku\nA\n', 'r.txt', []],
    ['a.json', '[{"sku":"A"}]', 'r.ndjson', []],
    ['a.json', '[{"sku":"A"}]', 'r.csv', ['--format', 'json']],
  ])('%s: %s %s is imported with the same options', async (name, text, refused, options) => {
    const cwd = folder({ [name]: text });
    expect((await typed(cwd, ['products', name, '--refused-file', refused, ...options])).code).toBe(3);
    expect(await counts(cwd, ['products', refused, '--set', 'currency=EUR', ...options])).toMatchObject({ created: 1 });
  });

  it('the report tells where the refused records are, and in which form', async () => {
    const cwd = folder({ 'a.csv': 'sku\nA\n' });
    const { stdout, stderr } = await typed(cwd, ['products', 'a.csv', '--refused-file', 'b.csv', '--output', 'json']);
    expect(JSON.parse(stdout).response.refused_file).toEqual({ path: 'b.csv', count: 1, as: 'records' });
    expect(stderr).toContain('a.csv: 1 refused record written back as they came: correct them, and import b.csv');
  });

  it('without a refused record there is no file, and no old one is left', async () => {
    const cwd = folder({ 'a.csv': products(3), 'old.csv': 'old' });
    await typed(cwd, ['products', 'a.csv', '--refused-file', 'old.csv']);
    expect(existsSync(join(cwd, 'old.csv'))).toBe(false);
  });

  it('the feed itself is never overwritten', async () => {
    const cwd = folder({ 'a.csv': 'sku\nA\n' });
    const { code, stderr } = await typed(cwd, ['products', 'a.csv', '--refused-file', 'a.csv']);
    expect(code).toBe(2);
    expect(stderr).toContain('--refused-file a.csv would overwrite a.csv');
  });
});

const grouped =
  'to: products\nrows: sku\nfields: {sku: sku, currency: {value: EUR}, price: price, media: {entry: {file: image}}}\n';

describe('where a mapping joins rows, refused ones come back as the items that it made', () => {
  const items = (cwd: string, name: string) =>
    readFileSync(join(cwd, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('with their lines, to be imported without the mapping', async () => {
    const cwd = folder({
      'm.yaml': grouped,
      'a.csv': 'sku,price,image\nA,7,file_1\nA,,"file 2"\nA,,file_3\nB,5,file_4\n',
    });
    const { stdout, stderr } = await typed(cwd, [
      'products',
      'a.csv',
      '--map',
      'm.yaml',
      '--refused-file',
      'b.csv',
      '--output',
      'json',
    ]);
    expect(JSON.parse(stdout).response.refused_file).toEqual({ path: 'b.items.ndjson', count: 1, as: 'items' });
    expect(stderr).toContain(
      'as the items that the mapping made: correct them, and import b.items.ndjson without the mapping',
    );
    expect(items(cwd, 'b.items.ndjson')).toEqual([
      {
        ...{ sku: 'A', currency: 'EUR', price: '7' },
        media: [{ file: 'file_1' }, { file: 'file 2' }, { file: 'file_3' }],
        ...{ _lines: [2, 3, 4], _code: 'field_format', _reason: expect.stringContaining('media[1].file') },
      },
    ]);
    const text = readFileSync(join(cwd, 'b.items.ndjson'), 'utf8');
    writeFileSync(join(cwd, 'b.items.ndjson'), text.replace('file 2', 'file_2'));
    const again = await counts(cwd, ['products', 'b.items.ndjson']);
    expect(again).toMatchObject({ created: 1, refused: 0 });
    expect(again.stderr).not.toContain('_');
    // With the mapping at hand, too.
    expect(await counts(cwd, ['products', 'b.items.ndjson', '--map', 'm.yaml'])).toMatchObject({ refused: 0 });
  });

  it('what could not be read keeps an item from being imported until it is corrected', async () => {
    const cwd = folder({
      'm.yaml': grouped,
      'a.csv': 'sku,price,image\nA,7,file_1\nA,file_2\nB,1.2.3,file_4\nC,3,file_5\n',
    });
    await typed(cwd, ['products', 'a.csv', '--map', 'm.yaml', '--refused-file', 'back/']);
    const written = items(cwd, 'back/products.a.items.ndjson');
    expect(written.map(({ sku, _unread, _code, _lines }) => [sku, _unread, _code, _lines])).toEqual([
      ['A', 'A,file_2', 'record_incomplete', [2]],
      [undefined, 'A,file_2', 'row_shape', [3]],
      ['B', 'price', 'field_format', [4]],
    ]);
    const again = await typed(cwd, ['run', 'back', '--map', 'm.yaml', '--output', 'json', '--refused-file', 'more/']);
    expect(JSON.parse(again.stdout).response).toMatchObject({ created: 0, refused: 3 });
    // Written back once more it is the same file but for its reasons.
    const more = items(cwd, 'more/products.a.items.ndjson');
    expect(more.map(({ _code, _reason, ...item }) => item)).toEqual(written.map(({ _code, _reason, ...item }) => item));
    const mended = written.flatMap(({ _unread, ...item }) =>
      item.sku === 'A'
        ? { ...item, media: [...item.media, { file: 'file_2' }] }
        : item.sku === 'B'
          ? { ...item, price: '1.23' }
          : [],
    );
    writeFileSync(join(cwd, 'mended.ndjson'), mended.map((item) => JSON.stringify(item)).join('\n'));
    expect(await counts(cwd, ['products', 'mended.ndjson'])).toMatchObject({ created: 2, refused: 0 });
  });

  it('rows of a key that disagree are not imported as they came back', async () => {
    const cwd = folder({
      'm.yaml': 'to: products\nonce: first\nfields: {sku: sku, name: name, currency: {value: EUR}}\n',
      'a.csv': 'sku,name\nA,One\nA,Two\n',
    });
    await typed(cwd, ['products', 'a.csv', '--map', 'm.yaml', '--refused-file', 'b.csv']);
    expect(items(cwd, 'b.items.ndjson')).toMatchObject([
      { name: 'One', _unread: 'name', _lines: [2] },
      { name: 'Two', _unread: 'name', _lines: [3] },
    ]);
    expect(await counts(cwd, ['products', 'b.items.ndjson'])).toMatchObject({ created: 0, refused: 2 });
  });

  it('an amount in a currency that is not the product’s stays refused', async () => {
    const cwd = folder({
      'm.yaml': 'to: products\nrows: sku\nfields: {sku: sku, price: price}\n',
      'first.csv': 'sku,currency\nA,EUR\n',
      'a.csv': 'sku,price\nA,7 USD\n',
    });
    await typed(cwd, ['products', 'first.csv']);
    await typed(cwd, ['products', 'a.csv', '--map', 'm.yaml', '--refused-file', 'b.csv']);
    expect(items(cwd, 'b.items.ndjson')[0]).toMatchObject({ price: '7', _code: 'currency_mismatch' });
    expect(await counts(cwd, ['products', 'b.items.ndjson'])).toMatchObject({ refused: 1 });
  });

  it('a refused row of a merged record adds to what the others made', async () => {
    const cwd = folder({
      'm.yaml':
        'to: characteristics\nonce: merge\nfields: {name: name, values: {entry: {label: label, hex: {column: hex, map: {red: "#ff0000", tan: "#d2b48c"}}}}, kind: {value: colour}}\n',
      'a.csv': 'name,label,hex\nColour,Red,red\nColour,Tan,taan\n',
    });
    await typed(cwd, ['characteristics', 'a.csv', '--map', 'm.yaml', '--refused-file', 'b.csv']);
    const [item] = items(cwd, 'b.items.ndjson');
    expect(item).toMatchObject({ values: { add: [{ label: 'Tan' }] }, _unread: 'values[].hex', _lines: [3] });
    const { _unread, ...mended } = { ...item, values: { add: [{ label: 'Tan', hex: '#d2b48c' }] } };
    writeFileSync(join(cwd, 'c.ndjson'), JSON.stringify(mended));
    expect((await counts(cwd, ['characteristics', 'c.ndjson'])).refused).toBe(0);
    const { stdout } = await typed(cwd, ['get', 'characteristic', '--name', 'Colour']);
    expect(
      JSON.parse(stdout)
        .values.map(({ label }: { label: string }) => label)
        .sort(),
    ).toEqual(['Red', 'Tan']);
  });
});
