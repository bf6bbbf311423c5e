// Amounts of a mapping: the currency beside them, the order of steps, and what a refusal quotes.
import { describe, expect, it } from 'vitest';
import { readMapped } from '../given.js';

const eur = 'fields: {sku: sku, price: p, currency: {value: EUR}}';

async function refusalOf(map: string, content: string): Promise<string> {
  const { problems } = await readMapped(map, content);
  return problems.map(({ code, field, message }) => `${code} ${field} ${message}`).join('\n');
}

describe('a currency beside an amount', () => {
  it('that contradicts the currency of the item refuses it', async () => {
    expect(await refusalOf(eur, 'sku,p\nA,"1,234.50 USD"\n')).toMatch(
      /^currency_mismatch price column "p": "1,234.50 USD" names USD, and the currency of the item is EUR/,
    );
  });

  it.each([
    ['$ 5', 'CAD', true],
    ['$ 5', 'EUR', false],
    ['5 kr', 'DKK', true],
    ['5 kr', 'EUR', false],
    ['£5', 'GBP', true],
    ['US$5', 'CAD', false],
    ['5 zł', 'PLN', true],
    ['5 FCFA', 'XOF', true],
    ['5 eur', 'EUR', true],
  ])('%s in an item of %s: accepted %s', async (cell, currency, accepted) => {
    const { items, problems } = await readMapped(
      'fields: {sku: sku, price: p, currency: c}',
      `sku,p,c\nA,${cell},${currency}\n`,
    );
    expect(problems.map(({ code }) => code)).toEqual(accepted ? [] : ['currency_mismatch']);
    expect(items).toHaveLength(1);
  });

  it('that --set gives the item is compared, too', async () => {
    const { problems } = await readMapped('fields: {sku: sku, price: p}', 'sku,p\nA,5 USD\n', {
      set: new Map([['currency', 'EUR']]),
    });
    expect(problems).toMatchObject([{ code: 'currency_mismatch' }]);
  });

  it('gives the currency: from reads signs and codes, and map resolves a shared sign', async () => {
    const map = 'fields: {sku: sku, price: p, currency: {from: p, map: {$: USD}, else: keep, default: EUR}}';
    const { items } = await readMapped(map, 'sku,p\nA,€ 5\nB,5 CHF\nC,$5\nD,5\n');
    expect(items.map((item) => (item as { currency: string }).currency)).toEqual(['EUR', 'CHF', 'USD', 'EUR']);
  });

  it.each([
    [
      'price: {from: p}',
      'fields.price.from: "from" gives the currency next to an amount; for the value of the column write { column: "p" }',
    ],
    ['price: {from: p, number: true}', 'fields.price.from'],
    [
      'stock: {from: {column: p}}',
      'fields.stock.from: "from" gives the currency next to an amount; for the value of the column write column: in its place',
    ],
    ['description: {from: p}', 'fields.description.from'],
    ['price: {column: p, plus: {from: p}}', 'fields.price.plus.from'],
    ['grades: {entry: {grade: sku, price: {from: p}}}', 'fields.grades.entry.price.from'],
  ])('%s was to give the value of the column, and is refused', async (field, place) => {
    await expect(readMapped(`fields: {sku: sku, ${field}}`, 'sku,p\nA,5 EUR\n')).rejects.toThrow(place);
  });

  it('an attribute has the currency, and other fields have it as one of several values', async () => {
    const map =
      'fields: {sku: sku, description: {first: [{from: p}, sku]}, attributes: {entry: {type: {value: Currency}, value: {from: p}}}}';
    const { items } = await readMapped(map, 'sku,p\nA,5 EUR\nB,5\n');
    expect(items).toMatchObject([
      { description: 'EUR', attributes: [{ type: 'Currency', value: 'EUR' }] },
      { description: 'B' },
    ]);
  });

  it('any other word refuses the amount, and ignore: lets it pass', async () => {
    expect(await refusalOf(eur, 'sku,p\nA,item 10.50\n')).toMatch(
      /^field_format price column "p": "item 10.50" holds "item"/,
    );
    const { items } = await readMapped(
      'fields: {sku: sku, price: {column: p, number: {ignore: [Stk, each]}}}',
      'sku,p\nA,10.50 Stk\nB,each 3\n',
    );
    expect(items).toMatchObject([{ price: '10.50' }, { price: '3' }]);
  });
});

describe('steps run in the order in which they are written', () => {
  it.each([
    ['{column: p, map: {auf Anfrage: "0"}, else: keep}', 'auf Anfrage', '0'],
    ['{column: p, map: {auf Anfrage: "0"}, else: keep}', '"1.229,99"', '1229.99'],
    ['{column: p, prefix: "1"}', '"2,50"', '12.50'],
    ['{column: p, default: "9,90"}', '', '9.90'],
    ['{column: p, suffix: ",50", round: 1}', '2', '2.5'],
    ['{column: p, number: {grouping: indian}}', '"1,23,456.50"', '123456.50'],
  ])('%s of %s', async (price, cell, read) => {
    const { items } = await readMapped(`fields: {sku: sku, price: ${price}}`, `sku,p\nA,${cell}\n`);
    expect(items).toMatchObject([{ price: read }]);
  });

  it('default and map replace what is not a date', async () => {
    const map =
      'fields: {sku: sku, stock: {column: d, default: 01.01.2020, map: {gestern: 02.01.2020}, else: keep, date: DD.MM.YYYY}}';
    const { items } = await readMapped(map, 'sku,d\nA,\nB,gestern\nC,03.01.2020\n');
    expect(items).toMatchObject([{ stock: 1577836800 }, { stock: 1577923200 }, { stock: 1578009600 }]);
  });
});

describe('a refusal quotes what stood in the cell', () => {
  it.each([
    [
      'price',
      '"1.234,505"',
      'field_decimals price column "p": "1.234,505" has more than 2 decimals; round it with round: 2',
    ],
    [
      'price',
      '"-1.234,50"',
      'field_out_of_range price column "p": "-1.234,50" is out of range; it must be 0 or more, with at most 12 digits before the point',
    ],
    ['stock', '"1,5"', 'field_type stock column "p": "1,5" must be a whole number'],
  ])('%s %s', async (field, cell, refusal) => {
    expect(await refusalOf(`fields: {sku: sku, ${field}: p}`, `sku,p\nA,${cell}\n`)).toBe(refusal);
  });
});

describe('a sign that several currencies share', () => {
  const map = (more: string) => `to: products\nfields: { sku: sku, price: price, currency: { from: price${more} } }`;

  it('does not say which one where it is the only source of the currency, and the refusal says what to write', async () => {
    const { items, problems } = await readMapped(map(''), 'sku,price\nA,£3.00\nB,kr 10\nC,12 EUR\n');
    expect(items[2]).toMatchObject({ sku: 'C', currency: 'EUR' });
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      [
        'currency_mismatch',
        'column "price": "£3.00" names £, which can be GBP, EGP, LBP, SHP, FKP or others; say which one, such as map: {"£": GBP}, else: keep next to from:',
      ],
      [
        'currency_mismatch',
        'column "price": "kr 10" names kr, which can be SEK, NOK, DKK, ISK; say which one, such as map: {"kr": SEK}, else: keep next to from:',
      ],
    ]);
  });

  it('is a currency with the map that the refusal names', async () => {
    const { items, problems } = await readMapped(
      map(', map: {"£": GBP}, else: keep'),
      'sku,price\nA,£3.00\nC,12 EUR\n',
    );
    expect(problems).toEqual([]);
    expect(items).toEqual([
      { sku: 'A', price: '3.00', currency: 'GBP' },
      { sku: 'C', price: '12', currency: 'EUR' },
    ]);
  });
});
