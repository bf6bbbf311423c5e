// Prices that their values put in doubt: whole amounts that may be hundredths, and zeros of parents of variants.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

const names = ['Kettle', 'Lamp', 'Chair'];

/** The suggestion for products of the given prices, in JSON, and in CSV. */
const json = (prices: readonly number[], more: object = {}, member = 'price') =>
  suggested(
    JSON.stringify(prices.map((price, i) => ({ sku: `A-${i}`, name: names[i], [member]: price, ...more }))),
    'f.json',
  );
const csv = (header: string, ...rows: readonly string[]) =>
  suggested([`SKU;Name;${header}`, ...rows.map((row, i) => `P-${i};Hemd ${i};${row}`)].join('\n'));

describe('whole amounts of JSON', () => {
  it.each([
    ['hundredths', [1999, 100, 4990], {}, 'may be hundredths: shift: -2'],
    ['hundredths, one of them a round million', [1_990_000, 2_990_000, 3_990_001], {}, 'may be hundredths: shift: -2'],
    ['millionths', [19_990_000, 4_500_000, 70_000], {}, 'may be millionths: shift: -6'],
    ['hundredths of a currency', [1999, 100, 4990], { currency: 'EUR' }, 'may be hundredths: shift: -2'],
  ] as const)('may be %s, which is asked', async (_, prices, more, remark) => {
    const { fields, asked } = await json(prices, more);
    expect(fields).not.toHaveProperty('price');
    expect(asked['price']).toEqual({ price: remark });
  });

  it('are asked about where some of their currencies have hundredths', async () => {
    const records = ['JPY', 'EUR', 'JPY'].map((currency, i) => ({
      sku: `A-${i}`,
      name: names[i],
      price: 1999,
      currency,
    }));
    expect((await suggested(JSON.stringify(records), 'f.json')).asked).toHaveProperty('price');
  });

  it('are asked about once where another candidate has decimals', async () => {
    const { asked } = await suggested(
      JSON.stringify(names.map((name, i) => ({ sku: `A-${i}`, name, price_a: 1900 + i, price_b: 12.5 + i }))),
      'f.json',
    );
    expect(asked['price']?.['price_a']).toMatch(/^may be hundredths: shift: -2; /);
    expect(asked['price']?.['price_b']).not.toContain('hundredths');
  });

  it.each([
    ['some are less than one in hundredths', [1999, 99, 4990], {}, 'price'],
    ['one has decimals', [1999, 100.5, 4990], {}, 'price'],
    ['they are of a few records', [1999, 4990], {}, 'price'],
    ['their currency has no hundredths', [1999, 100, 4990], { currency: 'JPY' }, 'price'],
    ['their header says that they are', [1999, 100, 4990], {}, 'price_cents'],
  ] as const)('are taken as they are where %s', async (_, prices, more, member) => {
    expect((await json(prices, more, member)).fields).toMatchObject({ price: member });
  });

  it('of other forms are: a table is written for people', async () => {
    expect((await csv('Preis', '1999', '100', '4990')).fields).toMatchObject({ price: 'Preis' });
  });
});

describe('a price of 0', () => {
  it('of all records of a kind, and of no other, is asked about, and how to leave these out', async () => {
    const { fields, asked } = await csv('Art;Preis', 'Vater;0,00', 'Kind;19,90', 'Kind;9,90', 'Vater;0,00');
    expect(fields).not.toHaveProperty('price');
    expect(asked['price']).toEqual({
      Preis: 'it is 0 where "Art" is Vater: skip: { of: "Art", is: "Vater" } leaves these out',
    });
  });

  it.each([
    ['one of them has no price', ['a;0,00', 'a;', 'b;9,90', 'b;7,90']],
    ['there are six kinds', ['a;0,00', 'b;1,90', 'c;2,90', 'd;3,90', 'e;4,90', 'f;5,90', 'a;0,00']],
  ] as const)('is asked about where %s', async (_, rows) => {
    expect((await csv('Art;Preis', ...rows)).asked['price']?.['Preis']).toContain('it is 0 where "Art" is a: ');
  });

  it.each([
    ['all are free, and of one kind', 'Art', ['Kind;0,00', 'Kind;0,00', 'Kind;0,00']],
    ['some of the kind have one', 'Art', ['Vater;0,00', 'Kind;19,90', 'Kind;9,90', 'Vater;5,00']],
    ['others are free, too', 'Art', ['Vater;0,00', 'Kind;0,00', 'Kind;9,90', 'Vater;0,00']],
    ['all are free', 'Art', ['Vater;0,00', 'Kind;0,00', 'Kind;0,00', 'Vater;0,00']],
    ['only these have no kind', 'Art', [';0,00', 'Kind;19,90', 'Kind;9,90', ';0,00']],
    ['each record has a kind of its own', 'Farbe', ['rot;0,00', 'blau;19,90', 'weiß;9,90', 'grau;5,00']],
    ['kinds are numbers', 'Klasse', ['1;0,00', '2;19,90', '2;9,90', '1;0,00']],
    [
      'there are more kinds than six',
      'Marke',
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'a', 'b'].map((one) =>
        `${one};${one === 'a' ? 0 : 9},90`.replace('0,90', '0,00'),
      ),
    ],
    ['none is', 'Art', ['Vater;1,00', 'Kind;19,90', 'Kind;9,90', 'Vater;1,00']],
  ] as const)('is taken as it is where %s', async (_, header, rows) => {
    expect((await csv(`${header};Preis`, ...rows)).fields).toMatchObject({ price: 'Preis' });
  });
});
