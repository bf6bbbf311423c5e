// What was refused, mended and imported again is what an import without the slip would have made: whatever a mapping takes
// from other rows, or from the place in the file, comes back with the row.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { magentoColumns } from '../feeds/magento-columns.js';
import { repetitions } from '../tier.js';
import { cellTooMany, csv, importAll, importMended, recordsOf, runMended, slip } from './mended.js';
import { folder } from './typed.js';

const shipped = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/maps/${name}.yaml`, import.meta.url)), 'utf8');

interface Case {
  readonly name: string;
  readonly map: string;
  /** The columns of a feed and its rows. */
  readonly rows: readonly (readonly string[])[];
  /** Columns in which a value may be spoilt, so that its row is refused and not left out. */
  readonly spoilt: readonly string[];
  /** Places of values, counted from 0, and lines without a shape that once ended otherwise. */
  readonly found?: readonly (readonly [line: number, column: number, ...shapeless: number[]])[];
}

const cases: readonly Case[] = [
  {
    name: 'rows that repeat a key, each with fields of its own',
    map: `
to: products
keep: { of: no, empty: false }
fields: { sku: no, slug: no, name: name, currency: { value: EUR }, price: price, tag: tag, note: { column: note, map: { a: A, b: B }, else: keep } }
`,
    rows: [
      ['no', 'name', 'price', 'tag', 'note'],
      ['1', 'One', '1', '', 'a'],
      ['2', 'Two', '2', 'x', 'b'],
      ['1', 'Uno', '', 'y', ''],
      ['3', 'Three', '3', '', 'a'],
      ['2', '', '2.50', '', 'c'],
      ['1', '', '1.50', '', 'b'],
      ['1', 'Eins', '', 'z', ''],
    ],
    spoilt: ['name', 'price', 'tag', 'note'],
  },
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
    found: [
      [0, 1, 3],
      [2, 1, 4],
      [0, 1, 3, 0],
    ],
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
    name: 'merged rows that look up one row',
    map: `
tables:
  names: { key: no, columns: { name: name } }
import:
  - to: products
    once: merge
    fields:
      sku: no
      currency: { value: EUR }
      name: { columns: [kind, name], join: " " }
      price: price
      note: { column: of, lookup: { table: names, column: name }, else: empty }
`,
    rows: [
      ['no', 'kind', 'of', 'name', 'price'],
      ['1', '', '', 'Ada', '2.50'],
      ['2', 'Chair', '1', 'Bo', ''],
      ['2', '', '1', '', '1'],
      ['3', 'Table', '1', 'Cy', '3'],
    ],
    spoilt: ['kind', 'name'],
    found: [[3, 1, 1]],
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
      magentoColumns,
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
  {
    name: 'filled keys behind a row without a shape, of which the first stays',
    map: `
to: products
fill: { columns: [room, kind] }
once: first
fields: { sku: { template: "{no}.{room}.{kind}" }, name: { template: "{name} {$line}", aggregate: first }, currency: { value: EUR } }
`,
    rows: [
      ['no', 'room', 'kind', 'name'],
      ['6', '', '', 'A'],
      ['1', 'Kitchen', '', 'B'],
      ['5', '', '', 'C'],
      ['3', '', '', 'D'],
      ['1', '', '', 'E'],
      ['6', '', '', 'F'],
      ['2', '', 'Chair', 'G'],
      ['1', '', '', 'H'],
      ['2', '', '', 'I'],
    ],
    spoilt: ['name'],
    found: [
      [8, 3, 2],
      [0, 3, 2, 3],
    ],
  },
];

/** A few of the places that can be spoilt. */
const someOf = <T>(places: readonly T[]) => fc.subarray([...places], { minLength: 1, maxLength: 4 });
/** Rows that lose their shape: mostly none. */
const someLines = (count: number) => fc.uniqueArray(fc.nat({ max: count - 1 }), { maxLength: 2 });

/** What is typed for the mended files: one by one, each by its resource, or their folder as a whole. */
const ways = [importMended, runMended];

describe('any rows spoilt, refused, mended and imported again are the undisturbed import', () => {
  it.each(cases)('$name', async ({ map, rows, spoilt, found = [] }) => {
    const [header = [], ...data] = rows;
    const cells = data.flatMap((row, line) =>
      spoilt.flatMap((column) => (row[header.indexOf(column)] ? [{ line, column: header.indexOf(column) }] : [])),
    );
    let refused = 0;
    const undisturbed = folder({ 'map.yaml': map, 'feed.csv': csv(rows) });
    await importAll(undisturbed, 'whole.db', 'feed.csv');
    const whole = recordsOf(undisturbed, 'whole.db');
    await fc.assert(
      fc.asyncProperty(someOf(cells), someLines(data.length), async (chosen, shapeless) => {
        const broken = data.map((row, line) =>
          row.map((cell, column) =>
            chosen.some((one) => one.line === line && one.column === column) ? cell + slip : cell,
          ),
        );
        const lines = csv([header, ...broken]).split('\n');
        for (const line of shapeless) lines[line + 1] += cellTooMany;
        const cwd = folder({ 'map.yaml': map, 'feed.csv': csv(rows), 'broken.csv': lines.join('\n') });
        await importAll(cwd, 'mended.db', 'broken.csv', 'refused');
        refused += existsSync(join(cwd, 'refused')) ? readdirSync(join(cwd, 'refused')).length : 0;
        for (const again of ways) {
          const own = folder();
          cpSync(cwd, own, { recursive: true });
          await again(own, 'mended.db', 'refused');
          expect(recordsOf(own, 'mended.db'), again.name).toEqual(whole);
        }
      }),
      {
        numRuns: repetitions('MENDED_RUNS', { fast: 1, moderate: 1, full: 20 }) + found.length,
        examples: found.map(([line, column, ...shapeless]) => [[{ line, column }], shapeless]),
      },
    );
    expect(refused).toBeGreaterThan(0);
  });
});
