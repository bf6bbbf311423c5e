// What is asked about values that only lists and deep objects of records have: what may fill a field, and nothing else.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

const names = ['Kettle', 'Lamp', 'Chair', 'Vase'];
/** Barcodes of the products, and those of their cartons. */
const barcodes = ['4006381333900', '4006381333979', '4006381334044', '4006381334112'];
const cartons = ['14006381333907', '14006381333976', '14006381334041', '14006381334119'];

/** The suggestion for products with a key and a name of their own, and the given members. */
const products = (membersOf: (i: number) => object) =>
  suggested(JSON.stringify(names.map((name, i) => ({ sku: `A-${i}`, name, ...membersOf(i) }))), 'f.json');

/** The suggestion for products with a key and a price, and no member that is called a name. */
const unnamed = (membersOf: (name: string, i: number) => object) =>
  suggested(
    JSON.stringify(names.map((name, i) => ({ sku: `A-${i}`, price: 3.5 + i, ...membersOf(name, i) }))),
    'f.json',
  );

describe('a price that only parts of records have is asked about', () => {
  it('among amounts with cents, where no header says price; counts, sizes and ratios are none', async () => {
    const { asked } = await products((i) => ({
      offers: [{ from: 10 * i, worth: 9.95 + i, width: 1.5 + i, share: 0.125 + i, freight: 3.95, dealer: 7.25 + i }],
    }));
    expect(Object.keys(asked['price'] ?? {})).toEqual(['offers[].worth']);
  });

  it('and none where they have no such amounts, or empty ones', async () => {
    const packed = await products((i) => ({ packs: [{ pieces: 2 + i, ratio: 1.125 + i, price: '' }] }));
    expect(packed.asked).not.toHaveProperty('price');
  });

  it('by the first six of many', async () => {
    const { asked } = await products((i) => ({
      offers: [Object.fromEntries([...'abcdefgh'].map((shop, j) => [`price_${shop}`, i + j + 0.55]))],
    }));
    expect(Object.keys(asked['price'] ?? {})).toEqual([...'abcdef'].map((shop) => `offers[].price_${shop}`));
  });

  it('an entry whose group is null is not known by its group', async () => {
    const { asked } = await products((i) => ({
      prices: [
        { group: null, price: 10.5 + i },
        { group: 'dealer', price: 8.5 + i },
      ],
    }));
    expect(Object.keys(asked['price'] ?? {})).toEqual(['prices[].price']);
  });
});

it('entries with a flag are told apart by it', async () => {
  const { asked } = await products((i) => ({
    offers: [
      { default: true, price: 10.5 + i },
      { default: false, price: 8.5 + i },
    ],
  }));
  expect(Object.keys(asked['price'] ?? {})).toEqual(['offers[default=true].price', 'offers[default=false].price']);
});

it('entries of lists that never have a second one are not told apart by their type', async () => {
  const { asked } = await products((i) => ({ offers: [{ type: i < 2 ? 'shop' : 'web', price: 10.5 + i }] }));
  expect(Object.keys(asked['price'] ?? {})).toEqual(['offers[].price']);
});

it('nor are entries whose word comes twice in some records', async () => {
  const { asked } = await products((i) => ({
    offers: [
      { shop: 'north', price: 10.5 + i },
      { shop: i < 3 ? 'south' : 'north', price: 8.5 + i },
    ],
  }));
  expect(Object.keys(asked['price'] ?? {})).toEqual(['offers[].price']);
});

it('a name of which half have several words is one', async () => {
  const { asked } = await unnamed((_, i) => ({ labels: [{ short: ['Tea kettle', 'Desk lamp', 'Chair', 'Vase'][i] }] }));
  expect(Object.keys(asked['name'] ?? {})).toEqual(['labels[].short']);
});

it('an object that some records lack is no list of objects', async () => {
  const { fields } = await products((i) => ({ offer: i === 0 ? null : { price: 5.5 + i, currency: 'EUR' } }));
  expect(fields).toMatchObject({ price: 'offer.price', currency: 'offer.currency' });
});

it('the barcode of a record is certain next to those of its packages', async () => {
  const { fields } = await products((i) => ({
    price: 5.5 + i,
    ean: barcodes[i],
    packages: [{ gtin: cartons[i], units: 12 }],
  }));
  expect(fields).toMatchObject({ ean: 'ean' });
});

describe('a name that no header tells is asked about among the texts of records', () => {
  it('inside lists', async () => {
    const { asked } = await unnamed((name) => ({ blocks: [{ content: `${name} of steel`, kind: 'plain' }] }));
    expect(Object.keys(asked['name'] ?? {})).toEqual(['blocks[].content']);
  });

  it('that all records have, each its own, in words', async () => {
    const { asked } = await unnamed((name, i) => ({
      blocks: [
        {
          ...{ content: `${name} of steel`, colour: i < 2 ? 'dark red' : 'light blue' },
          ...(i > 0 && { hint: `Wash ${name} by hand` }),
          story: `${name} ${'of the old mill '.repeat(20)}`,
        },
      ],
    }));
    expect(Object.keys(asked['name'] ?? {})).toEqual(['blocks[].content']);
  });
});
