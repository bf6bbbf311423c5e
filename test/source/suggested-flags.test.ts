// Weights, statuses and prices of a suggestion that only a unit, two values, or the kind of a record tells.
import { describe, expect, it } from 'vitest';
import { suggested } from './suggested.js';

/** A file of four products with the given columns next to their prices. */
const feed = (header: string, rows: readonly string[]): string =>
  [
    `SKU;Name;Preis;Bestand;${header}`,
    ...rows.map((row, i) => `A-${i};${['Sand', 'Kies', 'Splitt', 'Lehm'][i]};1${i},50;${[7, 0, 9, 3][i]};${row}`),
  ].join('\n');

describe('a unit of weight in the header', () => {
  it.each(['Waga (g)', '重量(g)', 'Вес (г)', 'Peso [g]'])('%s: converts the weight', async (header) => {
    const { fields, yaml } = await suggested(feed(header, ['300', '250', '900', '40']));
    expect(fields).toMatchObject({ weight: header });
    expect(yaml).toContain(`weight: { column: "${header}", shift: -3 }`);
  });

  it.each(['Masa (g)', 'Massa [g]', 'Svoris (g)'])('%s: is asked about where the word is not known', async (header) => {
    const { asked } = await suggested(feed(header, ['300', '250', '900', '40']));
    expect(asked['weight']).toEqual({ [header]: `write { column: "${header}", shift: -3 }` });
  });

  it.each([
    ['Brutto (kg)', 'Netto (kg)'],
    ['Net (g)', 'Gross (g)'],
  ])('%s and %s are weights, and no prices', async (...headers) => {
    const { fields, asked } = await suggested(feed(headers.join(';'), ['3,5;3', '2,5;2', '9;8', '4;3']));
    expect(fields).toMatchObject({ price: 'Preis' });
    expect(Object.keys(asked['weight'] ?? {})).toEqual(headers);
  });

  it('many of them are ingredients, and a price of a kilogram is no weight', async () => {
    const rows = ['3;4;5', '2;3;4', '9;8;7', '4;3;2'];
    expect((await suggested(feed('Fat (g);Protein (g);Salt (g)', rows))).asked).not.toHaveProperty('weight');
    expect((await suggested(feed('Preis (kg)', ['3,50', '2,50', '9,00', '4,00']))).asked).not.toHaveProperty('weight');
  });
});

describe('two values that say whether a product is listed are asked about by both', () => {
  it.each([
    ['Durum', 'aktif', 'pasif'],
    ['Aktiv', 'J', 'N'],
    ['Status', 'lieferbar', 'Auslauf'],
    ['Состояние', 'активен', 'неактивен'],
    ['状态', '上架', '下架'],
    ['公開', '公開', '非公開'],
    ['판매상태', '판매중', '판매중지'],
    ['Widoczny', 'aktywny', 'nieaktywny'],
    ['Stato', 'attivo', 'non attivo'],
  ])('%s: %s, %s', async (header, one, other) => {
    const { asked } = await suggested(feed(header, [one, other, one, one]));
    const map = `map: { ${JSON.stringify(one)}: activated, ${JSON.stringify(other)}: suspended }`;
    expect(asked['status']?.[header]).toContain(`write { column: "${header}", ${map} }, or the other way round`);
  });

  it.each([
    ['Material', 'Oak', 'Steel'],
    ['Gender', 'men', 'women'],
    ['Rückgabe', 'ja', 'nein'],
    ['Colour', 'black', 'white'],
  ])('%s: %s, %s is no status', async (header, one, other) => {
    expect((await suggested(feed(header, [one, other, one, one]))).asked).not.toHaveProperty('status');
  });
});

it.each([
  ['Type', 'variable', 'variation'],
  ['product_type', 'configurable', 'simple'],
  ['Art', 'Vater', 'Kind'],
])('%s: a price of 0 of all parents, %s, is asked about', async (header, parent, child) => {
  const rows = [
    `P;Hemd;0,00;0;${parent}`,
    `P-S;Hemd S;19,90;4;${child}`,
    `Q;Hut;0,00;0;${parent}`,
    `Q-S;Hut S;9,90;3;${child}`,
  ];
  const { asked } = await suggested(`SKU;Name;Preis;Bestand;${header}\n${rows.join('\n')}\n`);
  expect(asked['price']?.['Preis']).toContain(`skip: { of: "${header}", is: "${parent}" }`);
});

it('a price of 0 of some records of a kind only is taken as it is written', async () => {
  const rows = ['P;Hemd;0,00;0;a', 'Q;Hose;19,90;4;a', 'R;Hut;0,00;0;b', 'S;Schal;9,90;3;b'];
  expect((await suggested(`SKU;Name;Preis;Bestand;Art\n${rows.join('\n')}\n`)).fields).toMatchObject({
    price: 'Preis',
  });
});

it('a price of 0 of one of many brands is taken as it is written: brands are no kinds of records', async () => {
  const brands = Array.from(
    { length: 60 },
    (_, i) => `brand ${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i / 26)}`,
  );
  const rows = brands.flatMap((brand, i) =>
    ['A', 'B'].map((size) => `P${i}-${size};Hemd;${i === 3 ? 0 : 9},90;4;${brand}`),
  );
  const feed = `SKU;Name;Preis;Bestand;Herkunft\n${rows.join('\n').replaceAll(';0,90;', ';0,00;')}\n`;
  expect((await suggested(feed)).fields).toMatchObject({ price: 'Preis' });
});

it('of a number with its name the name counts: the currency and category of an ERP', async () => {
  const records = ['Pot', 'Cup', 'Jug'].map((name, i) => ({
    ...{ default_code: `A-${i}`, name, lst_price: 10.5 + i, qty_available: 3, currency_id: [1, 'EUR'] },
    category: [i, `All / ${name}s`],
  }));
  const { yaml } = await suggested(JSON.stringify(records), 'feed.json');
  expect(yaml).toContain('currency: { column: "currency_id", take: last }');
  expect(yaml).toContain('fields: { name: { column: "category", take: last } }');
  expect(yaml).toContain('category: { column: "category", take: last }');
});

it('two words of which one begins as a known state does are asked about as the status, whatever their header is', async () => {
  const rows = ['aktif', 'pasif', 'aktif', 'aktif'].map((word, i) => `A-${i};Hemd ${i};9,90;${word}`);
  const { asked } = await suggested(`SKU;Name;Preis;Yayın\n${rows.join('\n')}\n`);
  expect(Object.keys(asked['status'] ?? {})).toEqual(['Yayın']);
});
