// Refused records of JSON and XML documents, and of feeds whose tables are other files: corrected, the same mapping takes them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repetitions } from '../tier.js';
import { recordsOf } from './mended.js';
import { folder, typedHere } from './typed.js';

interface Form {
  readonly name: string;
  readonly map: string;
  /** A document of these records; of a price that is no number the record is refused. */
  readonly document: (records: readonly Product[]) => string;
  /** How records of a one-line document are called. */
  readonly line: RegExp;
}

interface Product {
  readonly sku: string;
  readonly name: string;
  readonly price: string;
}

const fields =
  'to: products\nfields: { sku: sku, slug: sku, name: { template: "{name} {$line}" }, price: price, currency: { value: EUR } }';
const json = (value: unknown) => JSON.stringify(value);
const elements = (records: readonly Product[]) =>
  records.map(({ sku, name, price }) => `<p><sku>${sku}</sku><name>${name}</name><price>${price}</price></p>`).join('');

const forms: readonly Form[] = [
  { name: 'feed.json', map: fields, document: json, line: /\b1 #2\b/ },
  {
    name: 'inner.json',
    map: `read: { items: data.products }\n${fields}`,
    document: (records) => json({ ok: true, data: { products: records, count: records.length } }),
    line: /\b1 #2\b/,
  },
  {
    name: 'keyed.json',
    map: `read: { items: "products.*" }\n${fields.replace('sku: sku, slug: sku', 'sku: "@key", slug: "@key"')}`,
    document: (records) => json({ products: Object.fromEntries(records.map(({ sku, ...rest }) => [sku, rest])) }),
    line: /\b1 #2\b/,
  },
  { name: 'feed.ndjson', map: fields, document: (records) => records.map(json).join('\n'), line: /^ +2 / },
  {
    name: 'feed.xml',
    map: `read: { record: p }\n${fields}`,
    document: (records) => `<?xml version="1.0"?><c><list>${elements(records)}</list></c>`,
    line: /\b1 #2\b/,
  },
];

const products: readonly Product[] = ['1.50', '2', '30', '4.25', '5'].map((price, i) => ({
  sku: `S${i}`,
  name: `Name ${i}`,
  price,
}));
const spoilt = '1.2.3';

async function imported(cwd: string, file: string, db: string, ...more: readonly string[]) {
  return typedHere(['products', join(cwd, file), '--map', join(cwd, 'map.yaml'), '--db', join(cwd, db), ...more]);
}

describe.each(forms)('$name', ({ name, map, document, line }) => {
  it('any records spoilt, refused, corrected and imported again are the undisturbed import', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...products.keys()], { minLength: 1 }), async (chosen) => {
        const broken = products.map((product, i) => (chosen.includes(i) ? { ...product, price: spoilt + i } : product));
        const cwd = folder({ 'map.yaml': map, [name]: document(products), [`broken.${name}`]: document(broken) });
        await imported(cwd, name, 'whole.db');
        const refused = await imported(cwd, `broken.${name}`, 'mended.db', '--refused-file', join(cwd, `back.${name}`));
        expect(refused.code).toBe(3);
        const back = join(cwd, `back.${name}`);
        const text = readFileSync(back, 'utf8');
        const corrected = chosen.reduce((all, i) => all.replaceAll(spoilt + i, products[i]?.price ?? ''), text);
        writeFileSync(back, corrected);
        const again = await imported(cwd, `back.${name}`, 'mended.db');
        expect(again.code, again.stderr).toBe(0);
        expect(recordsOf(cwd, 'mended.db')).toEqual(recordsOf(cwd, 'whole.db'));
      }),
      { numRuns: repetitions('MENDED_FORMS', { fast: 1, moderate: 2, full: 20 }) },
    );
  });

  it('names a refused record by its line, and by its number where the document is one line', async () => {
    const broken = products.map((product, i) => (i === 1 ? { ...product, price: spoilt } : product));
    const cwd = folder({ 'map.yaml': map, [name]: document(broken) });
    const { stdout } = await imported(cwd, name, 'catalog.db');
    expect(stdout.split('\n').find((words) => /\bS1\b/.test(words))).toMatch(line);
  });
});

it('takes tables that are other files from beside the mapping, where refused rows are elsewhere', async () => {
  const map =
    'tables: { brands: { file: brands.csv, key: id, columns: { name: name } } }\nto: products\n' +
    'fields: { sku: sku, price: price, note: { column: brand, lookup: { table: brands, column: name } }, currency: { value: EUR } }';
  const cwd = folder({
    'map.yaml': map,
    'brands.csv': 'id,name\n1,Acme\n2,Bodo\n',
    'f.csv': 'sku,brand,price\nA,1,1\nB,2,1.2.3\n',
  });
  const elsewhere = folder();
  const back = join(elsewhere, 'back.csv');
  await imported(cwd, 'f.csv', 'catalog.db', '--refused-file', back);
  writeFileSync(back, readFileSync(back, 'utf8').replace('1.2.3', '2.50'));
  const options = ['--map', join(cwd, 'map.yaml'), '--db', join(cwd, 'catalog.db')];
  const again = await typedHere(['products', back, ...options]);
  expect(again.code, again.stderr).toBe(0);
  expect(recordsOf(cwd, 'catalog.db')['product B']).toContain('Bodo');
  writeFileSync(join(elsewhere, 'map.yaml'), map);
  const lost = await typedHere([
    'products',
    back,
    '--map',
    join(elsewhere, 'map.yaml'),
    '--db',
    join(cwd, 'catalog.db'),
  ]);
  expect(lost.code).toBe(5);
  expect(lost.stderr).toContain('file brands.csv of a table not found, neither in');
});

it('keeps the number of a refused record, which the file of refused records would change', async () => {
  const map = fields.replace('sku: sku, slug: sku', 'sku: { template: "N{$record}" }');
  const cwd = folder({ 'map.yaml': map, 'feed.json': json(products.map((one) => ({ ...one, price: spoilt }))) });
  const back = join(cwd, 'back.json');
  await imported(cwd, 'feed.json', 'catalog.db', '--refused-file', back);
  const [file = ''] = readdirSync(cwd).filter((name) => name.endsWith('.items.ndjson'));
  const last = readFileSync(join(cwd, file), 'utf8').trimEnd().split('\n').at(-1) ?? '';
  const { _unread: unread, ...item } = JSON.parse(last);
  expect(unread).toBe('price');
  writeFileSync(join(cwd, 'one.ndjson'), json({ ...item, price: '5' }));
  const again = await typedHere(['products', join(cwd, 'one.ndjson'), '--db', join(cwd, 'catalog.db')]);
  expect(again.code, again.stderr).toBe(0);
  expect(Object.keys(recordsOf(cwd, 'catalog.db'))).toEqual(['product N5']);
});

it.each([
  {
    name: 'several items of a record (each)',
    more: 'each: { split: sizes, by: "," }',
    sku: '{ template: "{sku}{$value}" }',
    places: ['Aa 1 #1', 'Ab 1 #1', 'Aa 1 #3', 'Ab 1 #3', 'Ba 1 #4'],
  },
  { name: 'once: first', more: 'once: first', sku: 'sku', places: ['A 1 #1', 'B 1 #4', 'C 1 #5'] },
  { name: 'once: merge', more: 'once: merge', sku: 'sku', places: ['A 1 #1', 'B 1 #4', 'C 1 #5'] },
  { name: 'records in groups (rows)', more: 'rows: sku', sku: 'sku', places: ['A 1 #1', 'B 1 #4', 'C 1 #5'] },
  { name: 'records left out', more: 'skip: { of: sku, is: A }', sku: 'sku', places: ['B 1 #4', 'C 1 #5'] },
])('names the record in the file where the document is one line: $name', async ({ more, sku, places }) => {
  const a = { sku: 'A', sizes: 'a,b', price: spoilt };
  const records = [a, { ...a, sizes: '' }, a, { sku: 'B', sizes: 'a', price: spoilt }, { sku: 'C', price: spoilt }];
  const map = `to: products\n${more}\nfields: { sku: ${sku}, slug: ${sku}, name: sku, price: price, currency: { value: EUR } }`;
  const cwd = folder({ 'map.yaml': map, 'feed.json': json(records) });
  const { stdout } = await imported(cwd, 'feed.json', 'catalog.db');
  const shown = [...stdout.matchAll(/^ +(1 #\d) +([A-C]\w?) /gm)].map(([, place, key]) => `${key} ${place}`);
  expect(shown).toEqual(places);
});
