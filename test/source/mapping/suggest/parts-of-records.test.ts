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

describe('a key inside an object that is called so', () => {
  const keysOf = async (of: (i: number) => object) => {
    const records = names.map((name, i) => ({ id: `${700 + i * 13}`, name, price: 5.5 + i, ...of(i) }));
    const { fields, questions } = await suggested(JSON.stringify(records), 'f.json');
    const question = questions.find(({ field }) => field === 'sku');
    return fields['sku'] ?? question?.candidates.map((one) => ('column' in one ? one.column : one.value));
  };

  it.each([
    ['is asked about', (i: number) => ({ SKU: { z: `K-${i}` } }), ['id', 'SKU.z']],
    ['is asked about inside a list', (i: number) => ({ SKU: [{ v: `K-${i}` }] }), ['id', 'SKU[].v']],
    [
      'is asked about where it is less deep',
      (i: number) => ({ SKU: [{ deep: { v: `K-${i}` }, z: `K-${i}` }] }),
      ['id', 'SKU[].z'],
    ],
    ['is not where one record has it', (i: number) => ({ SKU: i === 0 ? { z: 'K-0' } : {} }), 'id'],
    ['is not where records share it', (i: number) => ({ SKU: { z: `K-${i % 2}` } }), 'id'],
    [
      'is not where the record has one',
      (i: number) => ({ code: `C-${i}`, sku: `S-${i}`, items: [{ sku: `P-${i}` }] }),
      'sku',
    ],
  ] as const)('%s', async (_, of, expected) => {
    expect(await keysOf(of)).toEqual(expected);
  });
});

describe('parts of which half are numbers', () => {
  it.each([
    ['stock', (i: number) => ({ price: 5.5 + i, lager: { north: i < 2 ? `${i + 3}` : 'k. A.' } }), ['lager.north']],
    ['price', (i: number) => ({ offers: [{ price: i < 2 ? `${i + 3}.50` : 'n/a' }] }), ['offers[].price']],
    ['price', (i: number) => ({ offers: [{ price: i < 1 ? `${i + 3}.50` : 'n/a' }] }), []],
  ] as const)('may be the %s: %#', async (field, of, expected) => {
    const { asked } = await products(of);
    expect(Object.keys(asked[field] ?? {})).toEqual(expected);
  });
});

describe('parts of other things', () => {
  it('have no prices of the product', async () => {
    const { asked } = await products((i) => ({
      ...{ offers: [{ price: 5.5 + i }], brand: [{ price: 3.5 + i }], shipping: [{ price: 4.5 }] },
    }));
    expect(Object.keys(asked['price'] ?? {})).toEqual(['offers[].price']);
  });

  it('an empty member next to a list with prices is none of them', async () => {
    const { fields, asked } = await products((i) => ({ price: '', offers: [{ price: 5.5 + i }] }));
    expect(fields).not.toHaveProperty('price');
    expect(Object.keys(asked['price'] ?? {})).toEqual(['offers[].price']);
  });
});

describe('the values of a list', () => {
  it.each([
    ['stock', (i: number) => ({ price: 5.5 + i, depots: [{ stock: i * 3 }, { stock: i }] }), 'take: sum, take: first'],
    ['price', (i: number) => ({ offers: [{ price: i * 3 + 0.5 }, { price: i + 0.5 }] }), 'take: first'],
  ] as const)('of the %s can be taken so', async (field, of, take) => {
    const { asked } = await products(of);
    expect(Object.values(asked[field] ?? {})).toEqual([`of a list: ${take}, or a section with each`]);
  });
});

describe('a text that may be the name', () => {
  const long = (name: string, length: number) => `${name} ${'of clay '.repeat(24)}`.slice(0, length);
  it.each([
    [
      'is as long as a name may be',
      (name: string) => ({ blocks: [{ content: long(name, 190) }] }),
      ['blocks[].content'],
    ],
    ['is not longer', (name: string) => ({ blocks: [{ content: long(name, 191) }] }), []],
    [
      'may be one of two records in a list',
      (name: string, i: number) => ({ blocks: [{ content: `${i === 3 ? names[0] : name} x` }] }),
      ['blocks[].content'],
    ],
    [
      'may not be so in an object',
      (name: string, i: number) => ({ blocks: { content: `${i === 3 ? names[0] : name} x` } }),
      [],
    ],
    [
      'is in all records',
      (name: string, i: number) => ({
        ...{ foo: i > 0 ? '' : 'one x', bar: [{ content: i < 2 ? `${name} of steel` : '' }] },
        baz: [{ content: `${name} of wood` }],
      }),
      ['baz[].content'],
    ],
  ] as const)('%s', async (_, of, expected) => {
    const { asked } = await unnamed(of);
    expect(Object.keys(asked['name'] ?? {})).toEqual(expected);
  });
});
