// What was refused, mended and imported again is what an import without the slip would have made: whatever a mapping takes
// from other rows, or from the place in the file, comes back with the row.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dumpOf } from '../proof/dump.js';
import { folder } from './typed.js';
import { typedHere } from './typed-here.js';

const shipped = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/maps/${name}.yaml`, import.meta.url)), 'utf8');

interface Case {
  readonly name: string;
  readonly map: string;
  /** The columns of a feed and its rows. */
  readonly rows: readonly (readonly string[])[];
  /** Columns in which a value may be spoilt, so that its row is refused and not left out. */
  readonly spoilt: readonly string[];
}

/** A NUL refuses whatever item its cell goes into, and is taken out again to mend it. */
const slip = '\0';

const csv = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) => row.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
    .join('\n') + '\n';

/** Imports a feed by all sections of its mapping; refused records go to a folder. */
async function importAll(cwd: string, db: string, feed: string, refused?: string): Promise<string> {
  const more = refused === undefined ? [] : ['--refused-file', join(cwd, refused)];
  const { stderr, stdout } = await typedHere([
    'run',
    join(cwd, feed),
    '--map',
    join(cwd, 'map.yaml'),
    '--db',
    join(cwd, db),
    '--report',
    'none',
    ...more,
  ]);
  return stdout + stderr;
}

/** Imports each file of mended records by its own resource, in the order of the sections. */
async function importMended(cwd: string, db: string, refused: string): Promise<void> {
  const place = join(cwd, refused);
  if (!existsSync(place)) return;
  const files = readdirSync(place);
  for (const resource of ['characteristics', 'categories', 'groups', 'products']) {
    for (const file of files.filter(
      (name) => name.startsWith(`${resource}.`) || (resource === 'products' && name === 'broken.csv'),
    )) {
      const path = join(place, file);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(slip, ''));
      const { stdout } = await typedHere([
        resource,
        path,
        '--map',
        join(cwd, 'map.yaml'),
        '--db',
        join(cwd, db),
        '--output',
        'ndjson',
        '--report',
        'refused',
      ]);
      expect(stdout).not.toContain('"action":"refused"');
    }
  }
}

/** Imports the folder of mended records as a whole, with the mapping as it is. */
async function runMended(cwd: string, db: string, refused: string): Promise<void> {
  const place = join(cwd, refused);
  if (!existsSync(place)) return;
  for (const file of readdirSync(place)) {
    const path = join(place, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(slip, ''));
  }
  const options = ['--map', join(cwd, 'map.yaml'), '--db', join(cwd, db), '--output', 'ndjson', '--report', 'refused'];
  const { stdout, stderr, code } = await typedHere(['run', place, ...options]);
  expect([code, stdout.match(/"action":"refused".*/)?.[0], code === 0 ? '' : stderr]).toEqual([0, undefined, '']);
}

/** Records as they are, without the order in which entries came. */
function recordsOf(cwd: string, db: string): Record<string, unknown> {
  const plain = (text: string) => text.replace(/,?"position":\d+|,?\\"position\\":\d+/g, '');
  return Object.fromEntries([...dumpOf(join(cwd, db)).records].map(([name, text]) => [name, plain(text)]).sort());
}

const cases: readonly Case[] = [
  {
    name: 'a line as key, filled cells within a group',
    map: `
to: products
fill: { columns: [kind], within: room }
fields: { sku: { template: "K{$line}" }, name: { template: "{room} {kind} {no}" }, currency: { value: EUR }, price: price }
`,
    rows: [
      ['room', 'kind', 'no', 'price'],
      ['Kitchen', 'Tables', '1', '1.00'],
      ['Kitchen', '', '2', '2.00'],
      ['Tops', '', '3', '3.00'],
      ['Kitchen', '', '4', '4.00'],
      ['Tops', 'Shelves', '5', '5.00'],
      ['Tops', '', '6', '6.00'],
      ['Kitchen', 'Lamps', '7', '7.00'],
      ['Kitchen', '', '8', '8.00'],
    ],
    spoilt: ['price', 'no'],
  },
  {
    name: 'rows that belong together, of one key in two places',
    map: `
import:
  - to: characteristics
    once: merge
    fields: { name: { value: Finish }, values: { entry: { label: finish } } }
  - to: products
    rows: handle
    fields:
      sku: { template: "{handle}-{$line}" }
      name: name
      currency: { value: EUR }
      attributes: { entry: { type: { value: Finish }, value: finish } }
`,
    rows: [
      ['handle', 'name', 'finish'],
      ['a', 'A', 'oak'],
      ['a', '', 'ash'],
      ['b', 'B', 'oak'],
      ['a', 'A again', 'elm'],
      ['a', '', 'oak'],
      ['c', 'C', ''],
    ],
    spoilt: ['name', 'finish'],
  },
  {
    name: 'tables of the same file, one made of another',
    map: `
tables:
  parents: { keep: { of: kind, is: parent }, key: id, columns: { name: name, brand: brand } }
  brands: { keep: { of: kind, is: brand }, key: id, columns: { name: name } }
  full: { keep: { of: kind, is: parent }, key: id, columns: { text: { columns: [name, { column: brand, lookup: { table: brands, column: name }, else: empty }], join: " " } } }
import:
  - to: products
    keep: { of: kind, is: [child, parent] }
    fields:
      sku: id
      currency: { value: EUR }
      name: { columns: [{ column: of, lookup: { table: full, column: text }, else: empty }, name], join: " " }
      price: price
`,
    rows: [
      ['kind', 'id', 'of', 'brand', 'name', 'price'],
      ['parent', 'P1', '', 'B1', 'Chair', '1'],
      ['child', 'C1', 'P1', '', 'red', '2'],
      ['brand', 'B1', '', '', 'Acme', ''],
      ['child', 'C2', 'P2', '', 'blue', '3'],
      ['parent', 'P2', '', 'B2', 'Table', '4'],
      ['child', 'C3', 'P1', '', 'green', '5'],
      ['brand', 'B2', '', '', 'Bodo', ''],
    ],
    spoilt: ['price'],
  },
  {
    name: 'shopify',
    map: shipped('shopify'),
    rows: [
      [
        'Handle',
        'Title',
        'Body (HTML)',
        'Vendor',
        'Type',
        'Tags',
        'Published',
        'Option1 Name',
        'Option1 Value',
        'Variant SKU',
        'Variant Grams',
        'Variant Inventory Qty',
        'Variant Price',
        'Variant Compare At Price',
        'Variant Barcode',
        'SEO Title',
        'SEO Description',
        'Status',
      ],
      [
        'tee',
        'Tee',
        '<p>Soft</p>',
        'Acme',
        'Shirts',
        'a',
        'true',
        'Size',
        'S',
        'T-S',
        '100',
        '1',
        '9.90',
        '',
        '',
        '',
        '',
        'active',
      ],
      ['tee', '', '', '', '', '', '', '', 'M', 'T-M', '110', '2', '9.90', '', '', '', '', ''],
      ['tee', '', '', '', '', '', '', '', 'L', 'T-L', '120', '3', '9.90', '', '', '', '', ''],
      [
        'mug',
        'Mug',
        'For tea',
        'Acme',
        'Kitchen',
        '',
        'true',
        'Title',
        'Default Title',
        'M-1',
        '300',
        '4',
        '5.00',
        '',
        '',
        '',
        '',
        'draft',
      ],
      [
        'cap',
        'Cap',
        '',
        'Acme',
        'Shirts',
        '',
        'true',
        'Colour',
        'Red',
        'C-R',
        '80',
        '5',
        '7.00',
        '',
        '',
        '',
        '',
        'active',
      ],
      ['cap', '', '', '', '', '', '', '', 'Blue', 'C-B', '80', '6', '7.00', '', '', '', '', ''],
    ],
    spoilt: ['Variant Price', 'Option1 Value', 'Tags'],
  },
  {
    name: 'woocommerce',
    map: shipped('woocommerce'),
    rows: [
      [
        'Type',
        'SKU',
        'Name',
        'Published',
        'Short description',
        'Description',
        'Stock',
        'Weight (kg)',
        'Sale price',
        'Regular price',
        'Categories',
        'Tags',
        'Parent',
        'Attribute 1 name',
        'Attribute 1 value(s)',
      ],
      [
        'variable',
        'hoodie',
        'Hoodie',
        '1',
        '',
        'Warm',
        '',
        '',
        '',
        '',
        'Clothing > Hoodies',
        '',
        '',
        'Colour',
        'Red, Blue',
      ],
      [
        'simple',
        'cap',
        'Cap',
        '1',
        '',
        'Flat',
        '5',
        '0.2',
        '',
        '16',
        'Clothing > Accessories',
        '',
        '',
        'Colour',
        'Yellow',
      ],
      ['variation', 'hoodie-red', 'Hoodie - Red', '1', '', '', '3', '1', '42', '45', '', '', 'hoodie', 'Colour', 'Red'],
      [
        'variation',
        'hoodie-blue',
        'Hoodie - Blue',
        '1',
        '',
        '',
        '4',
        '1',
        '',
        '45',
        '',
        '',
        'hoodie',
        'Colour',
        'Blue',
      ],
      ['simple', 'belt', 'Belt', '-1', 'Thin', '', '', '', '', '65', 'Clothing > Accessories', '', '', '', ''],
    ],
    spoilt: ['Regular price', 'Description', 'Attribute 1 value(s)'],
  },
  {
    name: 'vendure',
    map: shipped('vendure'),
    rows: [
      [
        'name',
        'slug',
        'description',
        'assets',
        'facets',
        'optionGroups',
        'optionValues',
        'sku',
        'price',
        'taxCategory',
        'stockOnHand',
      ],
      [
        'Laptop',
        'laptop',
        'Fast',
        '',
        'category:Electronics|category:Computers',
        'screen size|RAM',
        '13 inch|8GB',
        'L1',
        '1299.00',
        'standard',
        '100',
      ],
      ['', '', '', '', '', '', '15 inch|8GB', 'L2', '1399.00', 'standard', '100'],
      ['', '', '', '', '', '', '13 inch|16GB', 'L3', '2199.00', 'standard', '100'],
      ['Cable', 'cable', 'Long', '', 'category:Electronics|category:Parts', '', '', 'C1', '5.00', 'standard', '9'],
      [
        'Tablet',
        'tablet',
        'Flat',
        '',
        'category:Electronics|category:Computers',
        'storage',
        '32GB',
        'T1',
        '329.00',
        'standard',
        '100',
      ],
      ['', '', '', '', '', '', '128GB', 'T2', '429.00', 'standard', '100'],
    ],
    spoilt: ['price', 'optionValues', 'description'],
  },
  {
    name: 'magento',
    map: shipped('magento'),
    rows: [
      [
        'sku',
        'attribute_set_code',
        'product_type',
        'categories',
        'name',
        'description',
        'short_description',
        'weight',
        'product_online',
        'price',
        'special_price',
        'url_key',
        'meta_title',
        'meta_description',
        'additional_attributes',
        'qty',
        'configurable_variations',
      ],
      [
        'MH01-XS-Black',
        'Top',
        'simple',
        'Default Category/Men/Tops',
        'Hoodie-XS-Black',
        'Soft',
        '',
        '1',
        '1',
        '52',
        '',
        'mh01-xs-black',
        '',
        '',
        'color=Black,size=XS,climate=Cool',
        '100',
        '',
      ],
      [
        'MH01-S-Gray',
        'Top',
        'simple',
        'Default Category/Men/Tops',
        'Hoodie-S-Gray',
        'Soft',
        '',
        '1',
        '1',
        '52',
        '',
        'mh01-s-gray',
        '',
        '',
        'color=Gray,size=S',
        '100',
        '',
      ],
      [
        'MH01',
        'Top',
        'configurable',
        'Default Category/Men/Tops',
        'Hoodie',
        'Soft',
        '',
        '1',
        '1',
        '52',
        '',
        'mh01',
        '',
        '',
        'climate=Cool',
        '0',
        'sku=MH01-XS-Black,size=XS,color=Black|sku=MH01-S-Gray,size=S,color=Gray',
      ],
      [
        '24-MB01',
        'Bag',
        'simple',
        'Default Category/Gear,Default Category/Gear/Bags',
        'Bag',
        'Big',
        '',
        '',
        '1',
        '34',
        '',
        'bag',
        '',
        '',
        'material=Canvas',
        '100',
        '',
      ],
    ],
    spoilt: ['price', 'description', 'additional_attributes'],
  },
];

describe.each([
  ['each file by its resource', importMended],
  ['their folder by run', runMended],
])('any rows spoilt, refused, mended and imported again are the undisturbed import: %s', (_, again) => {
  it.each(cases)('$name', async ({ map, rows, spoilt }) => {
    const [header = [], ...data] = rows;
    const cells = data.flatMap((row, line) =>
      spoilt.flatMap((column) => (row[header.indexOf(column)] ? [{ line, column: header.indexOf(column) }] : [])),
    );
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.subarray(cells, { minLength: 1, maxLength: 4 }), async (chosen) => {
        const broken = data.map((row, line) =>
          row.map((cell, column) =>
            chosen.some((one) => one.line === line && one.column === column) ? cell + slip : cell,
          ),
        );
        const cwd = folder({ 'map.yaml': map, 'feed.csv': csv(rows), 'broken.csv': csv([header, ...broken]) });
        await importAll(cwd, 'whole.db', 'feed.csv');
        await importAll(cwd, 'mended.db', 'broken.csv', 'refused');
        refused += existsSync(join(cwd, 'refused')) ? readdirSync(join(cwd, 'refused')).length : 0;
        await again(cwd, 'mended.db', 'refused');
        expect(recordsOf(cwd, 'mended.db')).toEqual(recordsOf(cwd, 'whole.db'));
      }),
      { numRuns: 5 },
    );
    expect(refused).toBeGreaterThan(0);
  });
});
