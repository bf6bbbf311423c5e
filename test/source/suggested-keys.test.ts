// The key of a suggestion: certain only where nothing else could be it as well; else it is a question.
import { describe, expect, it } from 'vitest';
import { suggested } from './suggested.js';

/** A file of products with a name and price, and the given columns next to them. */
const feed = (header: string, rows: readonly string[]): string =>
  [`${header};Name;Preis`, ...rows.map((row, i) => `${row};${['Sand', 'Kies', 'Splitt'][i % 3]} ${i};1${i},50`)].join(
    '\n',
  );

describe('the key is asked about', () => {
  it.each([
    [
      'a code of a place next to a number of items that records share',
      'ItemNo;Bin',
      ['WH1;B-0', 'WH1;B-1', 'WH2;B-2', 'WH2;B-3', 'WH3;B-4', 'WH3;B-5'],
    ],
    [
      'a number of a party whose word is unknown next to a plain number',
      'Nr.;Kred.-Artikelnr.',
      ['70000;617500', '70010;625101', '70020;301702', '70030;401103'],
    ],
    [
      'a long number next to codes with letters',
      'Artikelnummer;Bestandseinheit',
      ['254000115600;EB-00', '254000433301;EB-01', '254000377102;EB-02', '254000210003;EB-03'],
    ],
  ])('%s', async (_, header, rows) => {
    const { fields, asked } = await suggested(feed(header, rows));
    expect(fields).not.toHaveProperty('sku');
    expect(Object.keys(asked['sku'] ?? {}).sort()).toEqual(header.split(';').sort());
  });
});

describe('the key is certain', () => {
  it.each([
    [
      'a word after initials',
      'ProductID;EANCode',
      ['4462261;4006381333931', '4452641;4006381333948', '4451201;4006381333955', '4461999;4006381333962'],
      'ProductID',
    ],
    [
      'a long number of a system with leading zeros',
      'Material;Sorte',
      ['000000000000284900;A1', '000000000000284101;B2', '000000000000284102;C3', '000000000000284103;D4'],
      'Material',
    ],
  ])('%s', async (_, header, rows, key) => {
    const { fields } = await suggested(feed(header, rows));
    expect(fields).toMatchObject({ sku: key });
  });
});

it('of two keys that are named as plainly, the one that all records have is taken', async () => {
  const rows = ['Cup', 'Pot', 'Jug', 'Tin'].map((name, i) => `K-${i};${i === 2 ? '' : `Z-${i}`};${name};9,90`);
  const { fields } = await suggested(`Artikelnummer;Artikelnr;Name;Preis\n${rows.join('\n')}\n`);
  expect(fields).toMatchObject({ sku: 'Artikelnummer' });
});

describe('codes in groups', () => {
  it.each([
    ['Artikelnummer', ['0 986 400 100', '0 986 401 101', '0 986 402 102']],
    ['Varenr', ['12 34 00', '12 34 01', '12 35 02']],
    ['Artikel', ['1K0 615 301 A', '1K0 615 301 B', '1K0 615 302']],
  ])('are the key: %s', async (header, rows) => {
    expect((await suggested(feed(header, rows))).fields).toMatchObject({ sku: header });
  });

  it('that some records share are asked about', async () => {
    const { asked } = await suggested(feed('Artikel', ['1K0 615 301 A', '1K0 615 301 A', '1K0 615 301 B']));
    expect(asked['sku']?.['Artikel']).toContain('1 repeated');
  });

  it('are no names with a number', async () => {
    expect((await suggested(feed('Artikel', ['Lampe 1', 'Lampe 2', 'Lampe 3']))).fields).not.toHaveProperty('sku');
  });
});

it('what is paid for a product is no key, though all records have another amount', async () => {
  const records = [4.5, 44, 24].map((cost, i) => ({
    code: `A${i}`,
    name: ['Lamp', 'Desk', 'Bed'][i],
    prices: [
      { type: 'EK', value: cost },
      { type: 'VK', value: cost * 2 + 0.5 },
    ],
  }));
  expect((await suggested(JSON.stringify(records), 'f.json')).fields).toMatchObject({ sku: 'code' });
  const whole = records.map((one) => ({
    ...one,
    prices: one.prices.map((p) => ({ ...p, value: Math.ceil(p.value) })),
  }));
  expect((await suggested(JSON.stringify(whole), 'f.json')).fields).toMatchObject({ sku: 'code' });
});

it('a numbered identifier of items stands next to a number of products with letters, which is no range', async () => {
  const { questions } = await suggested(feed('ITEM_ID;PRODUCTNO', ['500;F-0', '501;F-1', '502;F-8', '503;F-3']));
  const candidates = questions.find(({ field }) => field === 'sku')?.candidates;
  expect(candidates).toMatchObject([
    { column: 'PRODUCTNO', min: null, max: null },
    { column: 'ITEM_ID', min: 500, max: 503 },
  ]);
});
