// Two columns of one meaning: one is enough where it says in each record what the other one does; else a person chooses.
import { describe, expect, it } from 'vitest';
import { suggested } from './suggested.js';

const names = ['Sand', 'Kies', 'Splitt', 'Mulch'];

/** A file of four products with two columns of each of these headers. */
function feed(headers: readonly [string, string], values: readonly (readonly [string, string])[], more = ''): string {
  const rows = values.map((pair, i) => `A-${i};${names[i]};${more && '9,50;'}${pair.join(';')}`);
  return [`SKU;Name;${more}${headers.join(';')}`, ...rows].join('\n');
}

const codes = ['4006381333931', '4006381333948', '4006381333955', '4006381333962'] as const;

describe.each([
  { field: 'price', headers: ['Preis EUR', 'Verkaufspreis EUR'], all: ['9,99', '12,49', '19,90', '4,95'], more: '' },
  { field: 'stock', headers: ['Bestand', 'Lagerbestand'], all: ['7', '30', '0', '12'], more: 'Preis;' },
  { field: 'weight', headers: ['Gewicht kg', 'Weight kg'], all: ['0,5', '1,25', '3,1', '0,2'], more: 'Preis;' },
  { field: 'ean', headers: ['EAN', 'GTIN'], all: codes, more: 'Preis;' },
] as const)('$field', ({ field, headers, all, more }) => {
  const [one, other] = headers;
  const pairs = (of: (value: string, i: number) => readonly [string, string]) => feed(headers, all.map(of), more);

  it('of two that say the same, the first is taken', async () => {
    const { fields, asked } = await suggested(pairs((value) => [value, value]));
    expect(fields).toMatchObject({ [field]: one });
    expect(asked).not.toHaveProperty(field);
  });

  it('one that lacks some of the other is not asked about', async () => {
    const { fields } = await suggested(pairs((value, i) => [value, i < 2 ? value : '']));
    expect(fields).toMatchObject({ [field]: one });
  });

  it.each([
    [
      'each has values that the other lacks',
      (value: string, i: number) => [i < 3 ? value : '', i > 1 ? value : ''] as const,
    ],
    ['they differ in one record', (value: string, i: number) => [value, i === 2 ? (all[3] as string) : value] as const],
  ])('where %s, both are asked about', async (_, of) => {
    const { fields, asked } = await suggested(pairs(of));
    expect(fields).not.toHaveProperty(field);
    expect(Object.keys(asked[field] ?? {})).toEqual(expect.arrayContaining([one, other]));
  });
});

it('a barcode that some records have in a column of another name for it only is asked about', async () => {
  const { fields, asked } = await suggested(
    feed(
      ['ean13', 'upc'],
      [
        [codes[0], ''],
        [codes[1], ''],
        ['', '036000291452'],
        ['', '012345678905'],
      ],
      'Preis;',
    ),
  );
  expect(fields).not.toHaveProperty('ean');
  expect(Object.keys(asked['ean'] ?? {})).toEqual(['ean13', 'upc']);
});

it('of several barcodes in one record, each with its type, none is taken', async () => {
  const item = (name: string, i: number) =>
    `<item><sku>A-${i}</sku><title>${name}</title><barcode type="unit">${codes[i]}</barcode><barcode type="box">${codes[3 - i]}</barcode></item>`;
  const { fields, asked } = await suggested(`<c>${names.map(item).join('')}</c>`, 'feed.xml');
  expect(fields).not.toHaveProperty('ean');
  expect(asked['ean']).toEqual({
    barcode: expect.stringContaining('some records have several: write "barcode[@type=unit]"'),
  });
});

it('prices whose headers name a deposit, too, are asked about where nothing else is a price', async () => {
  const prices = [['2,15', '2,00'] as const, ['0,95', '0,80'] as const, ['1,33', '1,25'] as const];
  const { asked } = await suggested(feed(['VK inkl. Pfand', 'VK ohne Pfand'], prices));
  expect(Object.keys(asked['price'] ?? {})).toEqual(['VK inkl. Pfand', 'VK ohne Pfand']);
});

it('weights between which one has to choose are offered with their unit', async () => {
  const rows = names.map((name, i) => `A-${i};${name};9,50;${1200 + i};${1300 + 2 * i};g`);
  const { asked } = await suggested(['SKU;Name;Preis;net_weight;gross_weight;weight_unit', ...rows].join('\n'));
  const step = 'number: true, times: { column: "weight_unit", map: { "g": 0.001 } }';
  expect(asked['weight']).toMatchObject({
    net_weight: expect.stringContaining(`write { column: "net_weight", ${step} }`),
    gross_weight: expect.stringContaining(`write { column: "gross_weight", ${step} }`),
  });
});

describe('a column that is empty in some records', () => {
  it.each([
    ['status', 'Status;Aktiv', ['aktiv;', 'inaktiv;', ';nein', ';ja']],
    ['category', 'Kategorie;Warengruppe', ['Sand;', 'Sand;', ';Kies', ';Kies']],
  ])('is no sure %s, where another one is called so', async (field, headers, cells) => {
    const rows = cells.map((cell, i) => `A-${i};${names[i]};9,50;${cell}`);
    const { fields, asked } = await suggested([`SKU;Name;Preis;${headers}`, ...rows].join('\n'));
    expect(fields).not.toHaveProperty(field);
    expect(Object.keys(asked[field] ?? {})).toEqual(headers.split(';'));
  });
});

it('one barcode that only another column of barcodes has is enough for a question', async () => {
  const rows = names.map((name, i) => `A-${i};${name};9,50;${i === 2 ? '' : codes[i]};${i === 2 ? codes[2] : ''}`);
  const { asked } = await suggested(['SKU;Name;Preis;EAN;GTIN', ...rows].join('\n'));
  expect(Object.keys(asked['ean'] ?? {})).toEqual(['EAN', 'GTIN']);
});

describe('what is told of two columns', () => {
  it('prices that differ by a cent are not called equal', async () => {
    const { asked } = await suggested(
      feed(
        ['Preis EUR', 'Verkaufspreis EUR'],
        [
          ['9,99', '10,00'],
          ['12,49', '12,50'],
          ['19,89', '19,90'],
          ['4,95', '4,96'],
        ],
      ),
    );
    expect(asked['price']?.['Preis EUR']).not.toMatch(/^= "/);
  });

  it('of lists only what holds for all of their values', async () => {
    const variants = [
      [
        { onHand: 4, allocated: 1 },
        { onHand: 0, allocated: 0 },
      ],
      [{ onHand: 2, allocated: 2 }],
    ];
    const content = variants.map((list, i) =>
      JSON.stringify({ id: `P-${i}`, title: names[i], price: 9.5, variants: list }),
    );
    const { asked } = await suggested(content.join('\n'), 'feed.ndjson');
    expect(asked['stock']?.['variants[].onHand']).not.toContain('=');
  });
});
