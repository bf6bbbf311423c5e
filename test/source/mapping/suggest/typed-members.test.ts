// Values in objects that say their type, as databases export them.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

const record = (i: number) => ({
  sku: { S: `A-${i}` },
  name: { S: `Tea pot ${'ABC'[i]}` },
  price: { N: `${1.5 + i}` },
  stock: { N: `${14 - i * 5}` },
});

/** The fields of three records. */
async function fieldsOf(of: (i: number) => object): Promise<Readonly<Record<string, string>>> {
  return (await suggested(JSON.stringify([0, 1, 2].map(of)), 'feed.json')).fields;
}

describe('a column is named by what is around the type', () => {
  const all = { sku: 'sku.S', name: 'name.S', price: 'price.N', stock: 'stock.N' };
  const inside = Object.fromEntries(Object.entries(all).map(([field, path]) => [field, `Item.${path}`]));

  it.each([
    ['of four members', record, all],
    ['of three', (i: number) => ({ ...record(i), stock: undefined }), { ...all, stock: undefined }],
    ['of members inside another', (i: number) => ({ Item: record(i) }), inside],
    [
      'of members inside another, next to plain ones',
      (i: number) => ({ meta: { region: 'eu' }, Item: record(i) }),
      inside,
    ],
    [
      'next to what has a last part of its own',
      (i: number) => ({ info: { stock: 14 - i * 5 }, Item: { ...record(i), stock: undefined } }),
      { ...inside, stock: 'info.stock' },
    ],
    [
      'of members of which two differ in their first letter',
      (i: number) => ({
        Item: { sku: record(i).sku, name: record(i).name, nett: { N: `${1.5 + i}` }, sett: { S: 'a' } },
      }),
      { sku: inside['sku'], name: inside['name'] },
    ],
  ])('%s', async (_, of, fields) => {
    expect(await fieldsOf(of)).toEqual(fields);
  });
});

describe('a last part is no type', () => {
  it.each([
    ['of two members', (i: number) => ({ sku: record(i).sku, price: record(i).price }), { sku: 'sku.S' }],
    [
      'where each member has its own',
      (i: number) => ({ sku: { code: `A-${i}` }, title: { de: `Pot ${i} red` }, price: { cost: i } }),
      { sku: 'sku.code', name: 'title.de' },
    ],
    [
      'where a member has two',
      (i: number) => ({ ...record(i), name: { S: `Tea pot ${i}`, N: '1' } }),
      { sku: 'sku.S' },
    ],
    ['where a member has none', (i: number) => ({ ...record(i), colour: 'red' }), { sku: 'sku.S' }],
  ])('%s', async (_, of, fields) => {
    expect(await fieldsOf(of)).toEqual(fields);
  });
});
