// Columns that are called keys and names are none where their values cannot be so.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

/** The columns that are or may be a field of a file of three products, which has other keys and names as well. */
async function candidates(
  field: 'sku' | 'name',
  header: string,
  values: readonly string[],
): Promise<readonly string[]> {
  const rows = values.map((value, i) => `${value};KX-${7 - i}Z;${['Red tea cup', 'Blue pot', 'Tea tin'][i]};1${i},50`);
  const { fields, asked } = await suggested([`${header};Code;Bezeichnung;Preis`, ...rows].join('\n'));
  return [fields[field] ?? [], Object.keys(asked[field] ?? {})].flat();
}

const long = (words: string, length: number) => words.padEnd(length, ' of clay');

describe('a column that is called a name is none', () => {
  it.each([
    ['of numbers', ['101', '102', '103']],
    ['of barcodes', ['4006381333931', '4006381333948', '5901234123457']],
    ['of codes', ['R-1', 'R-2', 'R-3']],
    ['of addresses', ['https://x.de/a', 'https://x.de/b', 'https://x.de/c']],
    ['of texts that are too long', [long('A cup', 191), long('A pot', 191), long('A tin', 191)]],
  ] as const)('%s', async (_, values) => {
    expect(await candidates('name', 'Titel', values)).toEqual(['Bezeichnung']);
  });

  it('but of texts as long as a name may be', async () => {
    const values = [long('A cup', 190), long('A pot', 190), long('A tin', 190)];
    expect(await candidates('name', 'Titel', values)).toContain('Titel');
  });
});

describe('a column that is called a key is none', () => {
  it.each([
    ['of words', ['for the kitchen', 'for the garden', 'for a desk']],
    ['of amounts', ['1,50', '2,75', '3,20']],
    ['of addresses', ['https://x.de/a1', 'https://x.de/b2', 'https://x.de/c3']],
    ['of lists', ['["A1","A2"]', '["B1"]', '["C1"]']],
    ['of what was searched for', ['<em>A</em>1', '<em>A</em>2', '<em>A</em>3']],
    ['of what is too long', ['a'.repeat(191), 'b'.repeat(191), 'c'.repeat(191)]],
  ] as const)('%s', async (_, values) => {
    expect(
      await candidates(
        'sku',
        'SKU',
        values.map((value) => `"${value.replaceAll('"', '""')}"`),
      ),
    ).toEqual(['Code']);
  });

  it('but of codes of which one was searched for', async () => {
    expect(await candidates('sku', 'SKU', ['<em>A</em>1', 'B2', 'C3'])).toEqual(['SKU']);
  });

  it('but of codes as long as a key may be', async () => {
    expect(
      await candidates(
        'sku',
        'SKU',
        ['a1', 'b2', 'c3'].map((code) => code.repeat(95)),
      ),
    ).toEqual(['SKU']);
  });
});

const goods = ['Sand', 'Kies', 'Splitt', 'Ton', 'Mergel', 'Lehm', 'Kalk', 'Gips', 'Torf', 'Humus'];
const barcodes = ['4006381333900', '4006381333979', '4006381334044', '4006381334112', '4006381333931', '4006381333948'];

/** The column that is a field, or those that may be it; undefined without any. */
async function found(field: string, content: string, name?: string): Promise<string | readonly string[] | undefined> {
  const { fields, asked } = await suggested(content, name);
  const candidates = asked[field];
  return fields[field] ?? (candidates && Object.keys(candidates));
}

/** A file of columns next to prices. */
const table = (header: string, rows: readonly string[]): string =>
  [`${header};Preis`, ...rows.map((row, i) => `${row};${(i * 7) % 9},50`)].join('\n');

describe('the key is the column that all records have, each its own', () => {
  it.each([
    ['SKU;Code;Name', [';K-1;Sand', 'A-2;K-2;Kies', 'A-3;K-3;Ton'], ['Code', 'SKU']],
    ['SKU;Code;Name', ['A-2;K-1;Sand', 'A-2;K-2;Kies', 'A-3;K-3;Ton'], ['SKU', 'Code']],
    ['SKU;Code;Name', [';K-1;Sand', 'A-2;;Kies', 'A-3;;Ton'], 'SKU'],
    ['Artikelnummer;Produktcode;Name', ['A-1;;Sand', 'A-2;K-2;Kies', 'A-3;K-3;Ton'], 'Artikelnummer'],
    ['Artikelnummer;Produktcode;Name', ['A-1;K-2;Sand', 'A-2;K-2;Kies', 'A-3;K-3;Ton'], 'Artikelnummer'],
    [
      'Artikelnummer;Produktcode;Name',
      ['A-1;K-1;Sand', 'A-2;K-2;Kies', 'A-3;K-3;Ton'],
      ['Artikelnummer', 'Produktcode'],
    ],
    // What is called by its thing alone is a key only with codes.
    ['Artikel;Farbe', ['Sand;rot', 'Kies;rot', 'Ton;blau'], []],
  ] as const)('of %s with %s', async (header, rows, key) => {
    expect(await found('sku', table(header, rows))).toEqual(key);
  });

  it('a column of codes that is called a name is one', async () => {
    const rows = ['K-100;Sand fein', 'K-200;Kies fein', 'K-300;Ton fein'];
    expect(await found('sku', table('Name;Bezeichnung', rows))).toBe('Name');
    expect(await found('name', table('Name;Bezeichnung', rows))).toBe('Bezeichnung');
  });

  it.each([
    [
      'of codes, also where some share one',
      ['K-100;Sand fein;X-7', 'K-200;Kies fein;X-9', 'K-200;Ton fein;X-8'],
      ['Name', 'Platz'],
    ],
    ['but not of words', ['Sand;Sand fein;X-7', 'Kies;Kies fein;X-9', 'Ton;Ton fein;X-8'], 'Platz'],
  ])('a column that is called a name is one next to other codes: %s', async (_, rows, key) => {
    const content = table('Name;Bezeichnung;Platz', rows);
    expect(await found('sku', content)).toEqual(key);
    expect(await found('ean', content)).toBeUndefined();
  });

  it('what is called one and shared is asked about next to barcodes', async () => {
    const rows = (codes: readonly string[]) => codes.map((code, i) => `${code};${barcodes[i]};Sand ${i}`);
    expect(await found('sku', table('Modellcode;EAN;Name', rows(['M1', 'M1', 'M2'])))).toEqual(['Modellcode', 'EAN']);
  });
});

describe('a barcode', () => {
  it.each([
    [
      'of a product next to one of its carton',
      'Barcode;Barcode Karton',
      [0, 1, 2].map((i) => `${barcodes[i]};${barcodes[i + 3]}`),
      'Barcode',
    ],
    ['of a carton is asked about', 'EAN Karton', barcodes.slice(0, 3), ['EAN Karton']],
    [
      'of a carton, by its header alone',
      'Barcode Karton',
      ['4006381333901', '12345678', '4006381333903'],
      ['Barcode Karton'],
    ],
    [
      'of several in a cell is asked about',
      'Barcode',
      ['4006381333900, 4006381333979', '4006381334044', '4006381334112'],
      ['Barcode'],
    ],
    ['is no text', 'Barcode', ['auf Anfrage', 'siehe Karton', 'am Karton'], undefined],
  ])('%s', async (_, header, values, ean) => {
    const rows = values.map((value, i) => `A-${i};${goods[i]} fein;${value}`);
    expect(await found('ean', table(`SKU;Name;${header}`, rows))).toEqual(ean);
  });
});

describe('a name tells records apart', () => {
  it.each([
    ['four of one name are too few to judge', ['Sand', 'Sand', 'Sand', 'Sand'], 'Titel'],
    ['five are not', ['Sand', 'Sand', 'Sand', 'Sand', 'Sand'], undefined],
    ['so do texts as long as a name may be', [185, 184, 183, 182].map((length) => long('Sand', length)), 'Titel'],
    ['two names in six records do', ['Sand', 'Sand', 'Sand', 'Kies', 'Kies', 'Sand'], 'Titel'],
  ])('%s', async (_, names, title) => {
    expect(
      await found(
        'name',
        table(
          'SKU;Titel',
          names.map((name, i) => `A-${i};${name} fein`),
        ),
      ),
    ).toBe(title);
  });

  it('next to a title of a few words other texts that are all different may be it', async () => {
    const row = (good: string, i: number) =>
      [`A-${i}`, i % 2 ? 'Herr' : 'Frau', `${good} fein`, `Bad ${i % 3}`, good].join(';');
    expect(await found('name', table('SKU;Title;Info;Ort;Wort', goods.slice(0, 8).map(row)))).toEqual([
      'Title',
      'Info',
    ]);
  });

  it('but not where one of two columns has more of them', async () => {
    const row = (good: string, i: number) =>
      [`A-${i}`, ['rot', 'blau', 'grün'][i % 3], i % 2 ? 'Herr' : 'Frau', `${good} fein`].join(';');
    expect(await found('name', table('SKU;Bezeichnung;Titel;Info', goods.map(row)))).toEqual(['Bezeichnung', 'Titel']);
  });

  it.each([
    ['words that are all different', ['Sand', 'Kies', 'Ton'], true],
    ['words of which one occurs again', ['Sand', 'Sand', 'Ton'], false],
    ['times', ['12:30 Uhr', '12:45 Uhr', '13:30 Uhr'], false],
    ['addresses', ['https://x.de/a b', 'https://x.de/b c', 'https://x.de/c d'], false],
    ['letters', ['ab cd', 'de fg', 'gh xy'], false],
    ['texts of which one has no word', ['Rotes Tuch', 'xy zz', 'Blaues Tuch'], false],
    ['a text as long as a name may be', [long('Sand', 190), 'Kies fein', 'Ton'], true],
    ['a longer one', [long('Sand', 191), 'Kies fein', 'Ton'], false],
  ])('where no header says it: %s', async (_, values, isAsked) => {
    const rows = values.map((value, i) => `A-${i};${['Red cup', 'Blue pot', 'Tea tin'][i]};${value}`);
    expect(await found('name', table('SKU;Foo;Kurz', rows))).toEqual(isAsked ? ['Foo', 'Kurz'] : ['Foo']);
  });
});

it.each([
  [
    ['Rot;Sand', 'Blau;Ton'],
    ['Shade name', 'Foo'],
  ],
  [['Rot;Sand'], 'Shade name'],
])('one record does not tell whether other texts may be the name: %s', async (rows, name) => {
  expect(
    await found(
      'name',
      table(
        'SKU;Shade name;Foo',
        rows.map((row, i) => `A-${i};${row}`),
      ),
    ),
  ).toEqual(name);
});

describe('the name of a thing that many records share is not theirs', () => {
  const naam = (i: number) => ['Lampen rood', 'Pannen groot'][i % 2];
  it.each([
    [
      'a group',
      (good: string, i: number) => ({ tekst: `${good} mooi`, groep: { code: `G${i % 2}`, naam: naam(i) } }),
      'tekst',
    ],
    [
      'a group with an empty member',
      (good: string, i: number) => ({ tekst: `${good} mooi`, groep: { code: `G${i % 2}`, naam: naam(i), nota: '' } }),
      'tekst',
    ],
    ['an object with nothing else', (_: string, i: number) => ({ groep: { naam: naam(i) } }), 'groep.naam'],
    [
      'an object with members of their own',
      (_: string, i: number) => ({ artikel: { naam: naam(i), maat: `M${i}` } }),
      'artikel.naam',
    ],
  ])('%s', async (_, of, name) => {
    const records = goods.slice(0, 6).map((good, i) => ({ artikelnummer: `A-${i}1`, preis: 10.5 + i, ...of(good, i) }));
    expect(await found('name', JSON.stringify(records), 'feed.json')).toBe(name);
  });
});
