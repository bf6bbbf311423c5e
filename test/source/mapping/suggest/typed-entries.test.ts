// Entries of lists by their type: each type is a column of its own, where the member that distinguishes entries says a few kinds.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

/** The columns that are or may be the price, or another field, of products with a list. */
async function columnsOf(list: string, entries: readonly unknown[], field = 'price'): Promise<readonly string[]> {
  const records = entries.map((some, i) => ({ sku: `A-${i}`, name: `Tea pot ${'ABCD'[i]}`, [list]: some }));
  const { fields, asked } = await suggested(JSON.stringify(records), 'feed.json');
  return [fields[field] ?? [], Object.keys(asked[field] ?? {})].flat();
}

const typed = (net: number, gross: number) => [
  { type: 'net', amount: net },
  { type: 'gross', amount: gross },
];
const steps = (...quantities: readonly number[]) =>
  quantities.map((minQuantity, i) => ({ minQuantity, price: 9.5 - i }));
const kinds = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ type: `${'abcdfghijklmn'[i]}xy`, amount: 1.5 + i }));

describe('prices of several types', () => {
  it.each([
    ['in each of two records', [typed(1.5, 1.8), typed(2.5, 2.8)]],
    ['one of them in a record that has no list', [typed(1.5, 1.8), typed(2.5, 2.8), { type: 'net', amount: 3.5 }]],
    ['one of them in a list of one', [typed(1.5, 1.8), typed(2.5, 2.8), [{ type: 'gross', amount: 3.5 }]]],
    ['none of them in a record', [typed(1.5, 1.8), typed(2.5, 2.8), []]],
  ])('%s', async (_, entries) => {
    expect(await columnsOf('prices', entries)).toEqual(['prices[type=gross].amount']);
  });

  it.each([
    ['twelve kinds', 12, 12, 'prices[type=axy].amount'],
    ['more', 13, 13, 'prices[].amount'],
  ])('%s', async (_, count, columns, first) => {
    const found = await columnsOf('prices', [kinds(count), kinds(count)]);
    expect(found[0]).toBe(count === columns && first.includes('=') ? first : found[0]);
    expect(found.some((one) => one.includes('[type='))).toBe(first.includes('='));
  });
});

describe('prices of several quantities', () => {
  const of = (...quantities: readonly number[]) => quantities.map((one) => `offers[minQuantity=${one}].price`);

  it.each([
    ['of which all records have one', [steps(1, 10), steps(1, 10), steps(1, 50)], of(1, 10, 50)],
    ['also where one record has no prices', [steps(1, 10), steps(1, 10), [], steps(1, 10)], of(1, 10)],
    ['of which none is in all', [steps(1, 2), steps(3, 1), steps(2, 3)], ['offers[].price']],
  ])('%s', async (_, entries, columns) => {
    expect(await columnsOf('offers', entries)).toEqual(columns);
  });

  it('or whether one is the default', async () => {
    const entries = [1.5, 2.5].map((price) => [
      { isDefault: true, price },
      { isDefault: false, price: price + 1 },
    ]);
    expect(await columnsOf('offers', entries)).toEqual([
      'offers[isDefault=true].price',
      'offers[isDefault=false].price',
    ]);
  });

  it('a word says more than a number, or what is a word in some entries', async () => {
    const entries = (first: string | number, second: string | number) =>
      [1.5, 2.5, 3.5].map((price) => [
        { market: first, kind: 'Retail', price },
        { market: second, kind: 'Street', price: price + 1 },
      ]);
    for (const some of [entries(1, 2), entries('EU', '7')])
      expect(await columnsOf('offers', some)).toEqual(['offers[kind=Retail].price', 'offers[kind=Street].price']);
  });
});

describe('counts by place', () => {
  const places = (south: string | number) => [
    { place: 'North', qty: 3 },
    { place: 'South', qty: south },
  ];

  it('are a column each where all are numbers', async () => {
    expect(await columnsOf('stocks', [places(14), places(6), places(9)], 'stock')).toEqual([
      'stocks[place=North].qty',
      'stocks[place=South].qty',
    ]);
    expect(await columnsOf('stocks', [places('n/a'), places(6), places(9)], 'stock')).toEqual(['stocks[].qty']);
  });
});

it('the type is no column, and neither is the list of all types', async () => {
  const records = ['A', 'B'].map((sku, i) => ({ sku, name: `Tea pot ${sku}`, prices: typed(1.5 + i, 1.8 + i) }));
  const { yaml } = await suggested(JSON.stringify(records), 'feed.json');
  expect(yaml.split('# Columns that fill nothing yet:\n')[1]).toBe(
    '#   "prices"   # [{"type":"net","amount":1.5},{"type":"gr\n#   "prices[type=net].amount"   # 1.5\n',
  );
});

it('identifiers with what is in them are no amounts', async () => {
  const records = ['4006381333900', '4006381333979', '4006381334044'].map((code, i) => ({
    ...{ name: `Tea pot ${'ABC'[i]}`, price: 1.5 + i },
    ids: [
      { type: 'EAN', value: code, per: 'piece', pack: '2' },
      { type: 'MPN', value: `M-10${i}`, per: '10', pack: 'box' },
    ],
  }));
  const { fields } = await suggested(JSON.stringify(records), 'feed.json');
  expect(fields).toEqual({ name: 'name', price: 'price', ean: 'ids[type=EAN].value' });
});
