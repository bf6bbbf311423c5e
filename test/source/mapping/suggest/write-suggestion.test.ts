// The mapping that a suggestion is, as a whole and line by line.
import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../../src/source/inspection/inspect-file.js';
import { suggestMapping } from '../../../../src/source/mapping/suggest/suggest-mapping.js';
import { fileOf } from '../../given.js';
import { known, suggested } from '../../suggested.js';

const table = (...rows: readonly string[]): string => `${rows.join('\n')}\n`;
const head = `# yaml-language-server: $schema=mapping.schema.json
# Editors complete and check it by that file: catalog-import schema mapping > mapping.schema.json
# A suggestion by catalog-import inspect: read it, correct it.
`;
const open = '# Write the right one in place of each ?: until then nothing is imported.\n';
const seldom = '# optional: true marks columns that are seldom filled, and may be missing in another delivery.\n';
const noCurrency = '#   no header or sample names it: the code of all its prices, such as { value: EUR }\n';

/** The lines from the one that begins so. */
const from = (yaml: string, line: string): string => yaml.slice(yaml.indexOf(`\n${line}`) + 1);

describe('the whole mapping', () => {
  it('of a table of products', async () => {
    const { yaml } = await suggested(
      table('SKU;Name;Preis;Kategorie;Farbe;Leer', 'A-1;Sand;1,50;Home > Lamps;rot;', 'A-2;Kies;2,50;Home > Pans;rot;'),
    );
    expect(yaml).toBe(`${head}${open}${seldom}read:
  format: csv
  delimiter: ";"
  decimal: ","
import:
  - to: categories
    skip: { of: "Kategorie", empty: true }
    each: { path: "Kategorie", separator: ">", name: { repeated: full } }
    once: first
    fields: { name: $name, parent: $parent }
  - to: products
    fields:
      sku: "SKU"   # A-1
      name: "Name"   # Sand
      price: "Preis"   # 1,50
      category: { column: "Kategorie", path: ">" }   # Home > Lamps
      currency: ?   # which one is it?
      ${noCurrency}# Columns that fill nothing yet:
#   "Farbe"   # rot
`);
  });

  it('without a question, and without a column that fills nothing', async () => {
    const { yaml } = await suggested(table('sku,name,price,currency', 'A-1,Sand,1.50,EUR', 'A-2,Kies,2.50,EUR'));
    expect(yaml).toBe(`${head}${seldom}to: products
read:
  format: csv
  delimiter: ","
  decimal: "."
fields:
  sku: "sku"   # A-1
  name: "name"   # Sand
  price: "price"   # 1.50
  currency: "currency"   # EUR
`);
  });

  it.each([
    ['no', 'specs', 'Length', 'skip: { of: $value, empty: true }', ''],
    [
      'some',
      'specs',
      'Einkaufspreis',
      'skip: [{ of: $value, empty: true }, { of: $name, is: ["Einkaufspreis"] }]',
      '   # without amounts of money: Einkaufspreis',
    ],
  ])('of products with %s amounts of money among their values', async (_, member, name, skip, without) => {
    const records = ['Sand', 'Kies', 'Ton'].map((good, i) => ({
      ...{ sku: `A-${i}`, name: `${good} fein`, price: 1.5 + i },
      [member]: [
        { name: 'Form', value: 'rund' },
        { name, value: `${i + 1}.50` },
      ],
    }));
    const { yaml } = await suggested(JSON.stringify(records), 'feed.json');
    const each = `{ parallel: { name: "${member}[].name", value: "${member}[].value" }, ${skip} }`;
    expect(from(yaml, 'import:')).toBe(`import:
  - to: characteristics
    each: ${each}${without}
    once: first
    fields: { name: $name }
  - to: products
    fields:
      sku: "sku"   # A-0
      name: "name"   # Sand fein
      price: "price"   # 1.5
      attributes:
        each: ${each}
        entry: { type: $name, value: $value }
      currency: ?   # which one is it?
      ${noCurrency}`);
  });

  it('of products whose table names characteristics: other values are none', async () => {
    const records = ['Sand', 'Kies', 'Ton'].map((good, i) => ({
      ...{ sku: `A-${i}`, name: `${good} fein`, price: 1.5 + i, 'attributes[Colour]': 'red' },
      specs: [
        { name: 'Form', value: 'rund' },
        { name: 'Art', value: 'neu' },
      ],
    }));
    const { yaml } = await suggested(JSON.stringify(records), 'feed.json');
    expect(yaml).not.toContain('specs[]');
    expect(yaml).toContain('"attributes[Colour]": "attributes[Colour]"   # red\n');
  });

  it('of products below titles, which are their categories where they have no others', async () => {
    const rows = (category: string) =>
      [
        'Sande',
        `A-1;Sand;1,50${category}`,
        `A-2;Kies;2,50${category}`,
        'Tone',
        `A-3;Ton;1,50${category}`,
        `A-4;Lehm;2,50${category}`,
      ].map((row) => (row.includes(';') ? row : `${row};;${category.replace(/[^;]/g, '')}`));
    const title =
      '  - to: categories\n    skip: { of: Section, empty: true }\n    once: first\n    fields: { name: Section }\n';
    const without = await suggested(table('SKU;Name;Preis', ...rows('')));
    expect(without.yaml).toContain(`import:\n${title}  - to: products\n`);
    expect(without.yaml).toContain('\n      category: Section   # Sande\n');
    const categories = await suggested(table('SKU;Name;Preis;Kategorie', ...rows(';rot')));
    expect(categories.yaml).not.toContain(title);
    expect(categories.yaml).toContain('\n      category: "Kategorie"   # rot\n');
  });
});

describe('categories', () => {
  const looked = (id: string) => `  name: { column: "${id}", lookup: { table: tree, column: name } }
  parent: { column: "${id}", lookup: { table: tree, column: parent } }
  reference: "${id}"
`;

  it('in a tree of numbers are looked up', async () => {
    const { yaml } = await suggested(
      table('id;name;parent', '1;Home;', '2;Lamps;1', '3;Garden;', '4;Lamps;3'),
      'categories.csv',
    );
    expect(from(yaml, 'tables:')).toBe(`tables:
  tree: { key: "id", parent: "parent", columns: { name: { template: "{name} ({id})" } } }   # in any order
to: categories
read:
  format: csv
  delimiter: ";"
  # decimal: ","    # what could be either is refused until this says it
fields:
${looked('id')}`);
  });

  it('whose name is a question have it in the table', async () => {
    const rows = ['1;Home;Heim;', '2;Lamps;Lampen;1', '3;Garden;Garten;', '4;Rugs;Matten;3'];
    const { yaml } = await suggested(table('id;name;title;parent', ...rows), 'categories.csv');
    expect(from(yaml, 'tables:')).toContain(`    columns:
      name: ?   # which one is it?
      #   "name": 100 % filled, all different; such as Home, Lamps
      #   "title": 100 % filled, all different; such as Heim, Lampen
to: categories
`);
    expect(yaml.split('name: ?')).toHaveLength(2);
  });

  it('whose parents are not in the file have a section that makes these', async () => {
    const { yaml } = await suggested(table('name;parent', 'Lamps;Home', 'Pans;Home', 'Rugs;Garden'), 'categories.csv');
    expect(from(yaml, 'import:')).toBe(`import:
  - to: categories
    skip: { of: "parent", empty: true }
    once: first
    fields: { name: "parent" }
  - to: categories
    fields:
      name: "name"   # Lamps
      parent: "parent"   # Home
`);
  });
});

describe('rows without a key are told, and a column that is asked about fills nothing', () => {
  it.each([
    [
      'SKU;Code',
      [';K-1', 'A-2;', 'A-3;'],
      '# skip: { of: "SKU", empty: true }   # 1 record has none and would be refused\nfields:\n',
    ],
    ['SKU;Stock', ['A-1;in stock', 'A-2;low', 'A-3;7'], '\n  stock: ?   # which one is it?\n'],
  ] as const)('%s', async (header, rows, line) => {
    const goods = ['Sand', 'Kies', 'Ton'];
    const { yaml } = await suggested(table(`${header};Name;Preis`, ...rows.map((row, i) => `${row};${goods[i]};1,50`)));
    expect(yaml).toContain(line);
    expect(yaml).not.toContain('stock: "Stock"');
  });
});

describe('the line of a field', () => {
  /** The lines of a mapping, without the samples. */
  const lines = (yaml: string) => yaml.split('\n').map((line) => line.replace(/ {3}#.*$/, '').trim());

  it.each([
    [
      'a column that less than half of the records have',
      'Bild;Barcode',
      ['x;4006381333931', 'x;', 'x;'],
      'ean: { column: "Barcode", optional: true }',
    ],
    ['one that half of them have', 'Bild;Barcode', ['x;4006381333931', 'x;'], 'ean: "Barcode"'],
    ['one that is called as the field', 'Bild;EAN', ['x;4006381333931', 'x;', 'x;'], 'ean: "EAN"'],
    ['a weight with three decimals', 'Gewicht', ['4,125', '0,500', '2,75'], 'weight: "Gewicht"'],
    ['a weight with more', 'Gewicht', ['4,1255', '0,5', '2,75'], 'weight: { column: "Gewicht", round: 3 }'],
    [
      'a weight with its units',
      'Gewicht',
      ['450 g', '3 kg', '2 kg'],
      'weight: { column: "Gewicht", number: { units: { "g": 0.001, "kg": 1 } }, round: 3 }',
    ],
    ['codes of a currency', 'Währung', ['EUR', 'EUR', 'EUR'], 'currency: "Währung"'],
    ['names that are called as currencies', 'Bild', ['x', 'x', 'x'], 'name: "Name"'],
  ])('of %s', async (_, header, rows, line) => {
    const content = table(
      `SKU;Name;Preis;${header}`,
      ...rows.map((row, i) => `A-${i};${['Sand', 'Kies', 'Ton'][i]};1,50;${row}`),
    );
    expect(lines((await suggested(content)).yaml)).toContain(line);
  });

  it('of several columns with one header takes the first', async () => {
    const rows = ['A-1,Sand,1.50,Der Sand ist so,und so', 'A-2,Kies,2.50,Der Kies ist so,und wie'];
    const { yaml } = await suggested(table('sku,name,price,description,description', ...rows));
    expect(lines(yaml)).toContain('"description": { column: "description", take: first }');
  });

  it('of a list takes the first, and of a list of counts all of them', async () => {
    const records = ['Sand', 'Kies', 'Ton'].map((good, i) => ({
      ...{ sku: `A-${i}`, name: `${good} fein`, price: 1.5 + i },
      ...{ description: [`Ein ${good}`, 'der fein ist'], Kategorie: [['Home', 'Pans'], ['Home']][i % 2] },
    }));
    const { yaml } = await suggested(JSON.stringify(records), 'feed.json');
    expect(lines(yaml)).toEqual(
      expect.arrayContaining([
        'description: { column: "description", take: first }',
        'category: { column: "Kategorie", take: first }',
        'fields: { name: { column: "Kategorie", take: first } }',
      ]),
    );
  });

  it('of a price that a person chose is for one piece', async () => {
    const content = table('Nr;Name;Preis;Preiseinheit', 'A;Cup;150,50;100', 'B;Pot;250,00;1', 'C;Tin;350,00;100');
    const inspection = await inspectFile({ file: fileOf(content) });
    const { yaml } = suggestMapping(inspection, known, '', new Map([['price', 'Preis']]));
    expect(from(yaml, 'fields:')).toBe(`fields:
  name: "Name"   # Cup
  sku: "Nr"   # A
  price: { column: "Preis", number: true, times: { column: "Preiseinheit", map: { "100": 0.01, "1": 1 } }, round: 2 }   # 150,50
  currency: ?   # which one is it?
  ${noCurrency}# Columns that fill nothing yet:
#   "Preiseinheit"   # 100
`);
  });
});

it('the currency inside a record is told once', async () => {
  const records = ['Sand', 'Kies'].map((name, i) => ({
    ...{ sku: `A-${i}`, name, price: 1.5 + i },
    offer: [{ currency: 'EUR' }],
  }));
  const { yaml } = await suggested(JSON.stringify(records), 'feed.json');
  expect(yaml).toContain('  currency: ?   # which one is it?\n  #   { value: EUR }: "offer[].currency" has EUR\n');
});
