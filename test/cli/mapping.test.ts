// --map on the command line: one resource or several out of one feed, and what is said where a mapping does not fit.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workbookOf, zipOf } from '../source/given-zip.js';
import { folder, typed } from './typed.js';

const map = `
read: { decimal: "," }
import:
  - { to: products, fields: { sku: no, currency: { value: EUR }, price: vk, category: group } }
  - { to: category, each: { path: group, separator: ">" }, once: first, fields: { name: $name, parent: $parent } }
`;
const feed = 'no;vk;group\nA;1,50;Home > Phones\nB;2,50;Home\n';

describe('one file feeds several resources', () => {
  it('in import order, whatever the order of the sections; a second run changes nothing', async () => {
    const cwd = folder({ 'feed.csv': feed, 'map.yaml': map });
    const run = async () => {
      const { stdout, code } = await typed(cwd, ['run', 'feed.csv', '--map', 'map.yaml', '--output', 'json']);
      expect(code).toBe(0);
      return JSON.parse(stdout).response.data.map(({ resource, created, unchanged }: Record<string, unknown>) => [
        resource,
        created,
        unchanged,
      ]);
    };
    expect(await run()).toEqual([
      ['category', 2, 0],
      ['product', 2, 0],
    ]);
    expect(await run()).toEqual([
      ['category', 0, 2],
      ['product', 0, 2],
    ]);
    const product = JSON.parse((await typed(cwd, ['get', 'product', '--sku', 'A'])).stdout);
    const category = JSON.parse((await typed(cwd, ['get', 'category', '--name', 'phones'])).stdout);
    expect(product).toMatchObject({ price: '1.50', category: category.id });
  });

  it('a dry run of all of them predicts the real one and writes nothing', async () => {
    const cwd = folder({ 'feed.csv': feed, 'map.yaml': map });
    const dry = await typed(cwd, ['run', 'feed.csv', '--map', 'map.yaml', '--dry-run', '--output', 'json']);
    expect(JSON.parse(dry.stdout).response.data.map(({ created }: { created: number }) => created)).toEqual([2, 2]);
    expect((await typed(cwd, ['get', 'product', '--sku', 'A'])).code).toBe(7);
  });

  it('a command of one resource uses only its section; the command line overrides the mapping', async () => {
    const cwd = folder({
      'feed.csv': feed.replaceAll(';', '|'),
      'map.yaml': `${map.replace('decimal: ","', 'decimal: ",", delimiter: ";"')}`,
    });
    const { stdout } = await typed(cwd, [
      'categories',
      'feed.csv',
      '--map',
      'map.yaml',
      '--delimiter',
      '|',
      '--output',
      'json',
    ]);
    expect(JSON.parse(stdout).response).toMatchObject({ resource: 'category', created: 2, total: 2 });
  });
});

describe('a mapping that does not fit is a usage error, and nothing is imported', () => {
  it.each([
    [['groups', 'feed.csv', '--map', 'map.yaml'], 'map.yaml maps products, category, and no groups'],
    [['run', '.', '--map', 'map.yaml'], 'name the file of the folder'],
    [['products', 'feed.csv', '--map', 'map.yaml', '--rename', 'no=sku'], '--rename and --map both name columns'],
    [['products', 'feed.csv', '--map', 'none.yaml'], 'The mapping none.yaml cannot be read'],
    [['products', 'feed.csv', '--map', 'map.yaml', '--report-file', 'map.yaml'], 'would overwrite map.yaml'],
  ])('%j', async (args, message) => {
    const cwd = folder({ 'feed.csv': feed, 'map.yaml': map });
    const { code, stderr } = await typed(cwd, args, { input: feed });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect((await typed(cwd, ['get', 'product', '--sku', 'A'])).code).toBe(7);
  });
});

describe('large files and other shapes', () => {
  it('run reads a .zip as the folder within it', async () => {
    const cwd = folder();
    const files = {
      'shop/2-products.csv': 'sku,currency,category\nA,EUR,Phones\n',
      'shop/1-categories.json': '[{"name":"Phones"}]',
      'shop/': '',
    };
    writeFileSync(join(cwd, 'shop.zip'), zipOf(files));
    const { stdout, code } = await typed(cwd, ['run', 'shop.zip', '--output', 'json']);
    expect(code).toBe(0);
    const reports = JSON.parse(stdout).response.data;
    expect(reports.map(({ resource, created }: Record<string, unknown>) => [resource, created])).toEqual([
      ['category', 1],
      ['product', 1],
    ]);
    writeFileSync(join(cwd, 'odd.zip'), zipOf({ 'things.csv': 'a\n1\n' }));
    expect((await typed(cwd, ['run', 'odd.zip'])).stderr).toContain(
      'things.csv: the name does not say which records the file has',
    );
  });

  it('--on-duplicate refuse compares the keys that the mapping produces', async () => {
    const cwd = folder({
      'feed.csv': 'no;vk\nA;1,50\nB;2,50\nA;3,50\n',
      'map.yaml': 'fields: { sku: no, currency: { value: EUR }, price: vk }',
    });
    const { stdout } = await typed(cwd, [
      'products',
      'feed.csv',
      '--map',
      'map.yaml',
      '--on-duplicate',
      'refuse',
      '--output',
      'json',
    ]);
    expect(JSON.parse(stdout).response).toMatchObject({ created: 1, refused: 2 });
  });

  it('--on-duplicate refuse tells parts of one row that share a key', async () => {
    const cwd = folder({
      'feed.csv': 'no;sizes\nA;S,M\nB;S,S\n',
      'map.yaml':
        'each: { split: sizes, by: "," }\nset: { currency: EUR }\nfields: { sku: { template: "{no}-{$value}" } }',
    });
    const run = ['products', 'feed.csv', '--map', 'map.yaml', '--on-duplicate'];
    expect((await typed(cwd, [...run, 'refuse', '--dry-run'])).stderr).toContain(
      'one item repeats a key: "B-S" twice on line 3; none was applied',
    );
    expect((await typed(cwd, [...run, 'last'])).stderr).toContain(
      'one item repeats a key: "B-S" twice on line 3; the last accepted item of each key wins',
    );
  });

  it.each(['last', 'first', 'keep-last', 'refuse'])(
    'with once the mapping says what becomes of the rows of a key, and not --on-duplicate %s',
    async (policy) => {
      const cwd = folder({
        'feed.csv': 'n,v,k\nSize,S,custom\nsize,M,x\nSize,L,custom\n',
        'map.yaml':
          'once: merge\nfields: { name: n, kind: { column: k, map: { custom: custom } }, values: { entry: { label: v } } }',
      });
      const { stdout, stderr } = await typed(cwd, [
        'characteristics',
        'feed.csv',
        '--map',
        'map.yaml',
        ...['--on-duplicate', policy, '--output', 'json'],
      ]);
      expect(JSON.parse(stdout).response).toMatchObject({ created: 1, refused: 1 });
      expect(stderr).not.toContain('repeat');
    },
  );

  it('a sheet of a workbook, named in the mapping, and inspected', async () => {
    const text = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const sheet = `<row r="1">${text('A1', 'Art.-Nr.')}${text('B1', 'VK')}</row><row r="2">${text('A2', 'A')}<c r="B2" s="2"><v>12.5</v></c></row>`;
    const cwd = folder({
      'map.yaml': 'read: { sheet: Items }\nrename: { Art.-Nr.: sku, VK: price }\nset: { currency: EUR }',
    });
    writeFileSync(join(cwd, 'feed.xlsx'), workbookOf({ Notes: '', Items: sheet }));
    const seen = await typed(cwd, ['inspect', 'feed.xlsx', '--sheet', 'Items', '--output', 'json']);
    expect(JSON.parse(seen.stdout)).toMatchObject({
      compression: 'xlsx',
      records: 1,
      suggestion: { resource: 'products', fields: { sku: 'Art.-Nr.', price: 'VK' } },
    });
    const { code } = await typed(cwd, ['products', 'feed.xlsx', '--map', 'map.yaml']);
    expect(code).toBe(0);
    expect(JSON.parse((await typed(cwd, ['get', 'product', '--sku', 'A'])).stdout)['price']).toBe('12.50');
  });
});

describe('inspect', () => {
  it('a file without a header is reported: unknown columns, and duplicate names', async () => {
    const cwd = folder({
      'books.csv': 'Book,9780131,C,9780131\nBook,9780201,Unix,9780201\nBook,9780262,SICP,9780262\n',
    });
    const { stdout } = await typed(cwd, ['inspect', 'books.csv']);
    expect(stdout).toMatch(/^ {2}9780131 +100 %/m);
    expect(stdout).toContain('  9780131: several columns have this name');
    expect(stdout).toContain('No column is called after a field. Where its first line is a record and no header');
  });

  it('of a file that cannot be read to its end, nothing is said of the rows behind the damage', async () => {
    const cwd = folder({ 'cut.csv': 'sku,name\nA,Cup\nB,"Pot\nC,Jug\n' });
    const { stdout, code } = await typed(cwd, ['inspect', 'cut.csv']);
    expect(code).toBe(5);
    expect(stdout).toContain('The file could not be read to its end: this is what comes before the damage.');
    expect(stdout).not.toContain('No row is ragged or damaged.');
  });

  it('of several columns that fit a field, the one that fits best is suggested', async () => {
    const cwd = folder({ 'woo.csv': 'SKU,Type,Name,Categories \nA,simple,Shirt,Clothing\n' });
    const { stdout } = await typed(cwd, ['inspect', 'woo.csv']);
    expect(stdout).toContain('category ← Categories.');
  });

  it('reports repeated keys, values that are too long, wrong encodings and lost characters, with their lines', async () => {
    const long = 'n'.repeat(200);
    const cwd = folder({
      'feed.csv': `sku,name,price\nA,Müller,1.5\nB,M\u00c3\u00bcller,2\nA,${long},\nC,M\ufffdller,3\n`,
    });
    const { stdout, code } = await typed(cwd, ['inspect', 'feed.csv']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/repeated sku: A on lines 2 and 4/);
    expect(stdout).toMatch(/name: 200 bytes on line 4; name takes 190/);
    expect(stdout).toMatch(/1 {2}text in a wrong encoding \(Ã¤ for ä\) \(line 3\)/);
    expect(stdout).toMatch(/1 {2}signs lost in another program \(U\+FFFD\) \(line 5\)/);
    expect(stdout).toMatch(/encoding: utf-8 \(all of it is valid UTF-8\)/);
  });

  it('looks into JSON records by path, and never writes over a mapping', async () => {
    const cwd = folder({
      'a.json': '[{"sku":"A","price":{"amount":"1,50"}},{"sku":"B","price":{"amount":"2,50"}}]',
      'map.yaml': 'x',
    });
    const { stdout } = await typed(cwd, ['inspect', 'a.json', '--output', 'json']);
    const { columns, format } = JSON.parse(stdout);
    expect(format).toBe('json');
    expect(
      columns.map(({ name, numbers }: { name: string; numbers: { comma: number } }) => [name, numbers.comma]),
    ).toEqual([
      ['sku', 0],
      ['price.amount', 2],
    ]);
    const refused = await typed(cwd, ['inspect', 'a.json', '--write-map', 'map.yaml']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('map.yaml is there already');
  });

  it('detects UTF-16 without a byte order mark, and binary files', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'u.csv'), Buffer.from('sku,name\nA,Tea\n', 'utf16le'));
    const { stdout } = await typed(cwd, ['inspect', 'u.csv']);
    expect(stdout).toMatch(/encoding: utf-16le \(many second bytes of each character are zero/);
    const none = await typed(cwd, ['inspect', 'nothing.csv']);
    expect(none.code).toBe(5);
  });
});
