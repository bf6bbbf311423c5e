// The currency next to an amount that a table, a part or a step reads before it comes to its field.
import { describe, expect, it } from 'vitest';
import { readMapped } from '../given.js';

const refused = '!currency_mismatch';

/** The items as key and price, and what was refused. */
async function pricesOf(map: string, content: string): Promise<string[]> {
  const { items } = await readMapped(`set: { currency: EUR }\n${map}`, content);
  return items.map((item) => {
    if (typeof item === 'string') return item;
    const { sku, price } = item as { sku: string; price?: string };
    return price === undefined ? sku : `${sku} ${Number(price)}`;
  });
}

describe('a number of a table', () => {
  const looked = 'fields: { sku: nr, price: { column: nr, lookup: { table: p, column: vk } } }';
  const table = (vk: string) => `tables: { p: { key: nr, columns: { vk: ${vk} } } }\n`;

  it('has to be in the currency of the item that looks it up', async () => {
    const map = table('{ column: vk, number: true }') + looked;
    expect(await pricesOf(map, 'nr,vk\nA,12.50 $\nB,9.00 €\nC,7\nD,8 USD\n')).toEqual([refused, 'B 9', 'C 7', refused]);
    const { problems } = await readMapped(`set: { currency: EUR }\n${map}`, 'nr,vk\nA,12.50 $\n');
    expect(problems).toMatchObject([
      { field: 'price', message: expect.stringMatching(/^column "vk" of the table p: "12.50 \$" names/) },
    ]);
  });

  it.each([
    ['min', [refused, refused, refused, refused]],
    ['last', [refused, refused, '2 4', '2 4']],
    ['first', ['1 5', '1 5', refused, refused]],
  ])('counts with the others of its key by aggregate: %s', async (how, prices) => {
    const map = table(`{ column: vk, number: true, aggregate: ${how} }`) + looked;
    expect(await pricesOf(map, 'nr,vk\n1,5.00 €\n1,4.00 USD\n2,5.00 USD\n2,4.00 €\n')).toEqual(prices);
  });

  it('is not the same as that of another row in another currency', async () => {
    const map = table('{ column: vk, number: true }') + looked;
    expect(await pricesOf(map, 'nr,vk\n1,5.00\n1,5.00 $\n2,5.00 €\n2,5.0\n')).toEqual([refused, refused, '2 5', '2 5']);
  });

  it.each([
    ['a sum', '{ column: vk, number: true, plus: { column: sh } }'],
    ['a product', '{ column: sh, number: true, times: { column: vk } }'],
    ['a rounded number', '{ column: vk, number: true, round: 1 }'],
    ['a branch', '{ when: [{ if: { of: nr, not: X }, then: { column: vk, number: true } }] }'],
    ['a text that is read at the field', 'vk'],
  ])('%s', async (_, vk) => {
    const prices = await pricesOf(table(vk) + looked, 'nr,vk,sh\nA,12.50 $,1\nB,9.00 €,1\n');
    expect(prices).toEqual([refused, expect.stringMatching(/^B \d/)]);
  });

  it('keeps its currency in the rows of each, and for the currency of the item', async () => {
    const rows = `${table('{ column: vk, number: true }')}each: { rows_of: p, key: nr }\n`;
    expect(await pricesOf(`${rows}fields: { sku: nr, price: $vk }`, 'nr,vk\nA,12.50 $\nB,9.00 €\n')).toEqual([
      refused,
      'B 9',
    ]);
    const map = `${rows}fields: { sku: nr, price: $vk, currency: { from: $vk } }`;
    expect((await readMapped(map, 'nr,vk\nA,12.50 USD\n')).items).toEqual([
      { sku: 'A', price: '12.50', currency: 'USD' },
    ]);
  });
});

describe('a part of each', () => {
  const list = 'each: { parallel: { p: { column: vk, split: "|", number: true } } }\n';
  const feed = 'nr,vk,sh\nA,5.00 €|6.00 $|7,\nB,8 USD,1 €\nC,8,1 USD\n';

  it('is compared alone, with what it is added to', async () => {
    expect(await pricesOf(`${list}fields: { sku: nr, price: $p }`, feed)).toEqual([
      'A 5',
      refused,
      'A 7',
      refused,
      'C 8',
    ]);
    const sum = `${list}fields: { sku: nr, price: { column: $p, plus: { column: sh, default: 0 } } }`;
    expect(await pricesOf(sum, feed)).toEqual(['A 5', refused, 'A 7', refused, refused]);
  });

  it('that is left out, or fills no field, is not compared', async () => {
    const kept = list.replace('} } }', '} }, skip: { of: $p, is: "6.00" } }');
    expect(await pricesOf(`${kept}fields: { sku: nr, price: $p }`, feed)).toEqual(['A 5', 'A 7', refused, 'C 8']);
    expect(await pricesOf(`${list}fields: { sku: nr }`, feed)).toEqual(['A', 'A', 'A', 'B', 'C']);
  });

  it('is compared where a template makes the number', async () => {
    const prices = await pricesOf(`${list}fields: { sku: nr, price: { template: "{$p}" } }`, feed);
    expect(prices).toEqual(['A 5', refused, 'A 7', refused, 'C 8']);
  });

  it('of several columns', async () => {
    const map = `each: { parallel: { p: { columns: [{ column: a, number: true }, { column: b, number: true }] } } }
fields: { sku: nr, price: $p }`;
    expect(await pricesOf(map, 'nr,a,b\nA,5 $,6 €\n')).toEqual([refused, 'A 6']);
  });

  it('is compared in the entries of a list', async () => {
    const map = `fields: { sku: nr, grades: { each: { parallel: { g: { column: gr, split: "|" }, p: { column: vk, split: "|", number: true } } }, entry: { grade: $g, price: $p } } }`;
    expect(await pricesOf(map, 'nr,gr,vk\nA,new|good,5 €|4 $\nB,new|good,5 €|4\n')).toEqual([refused, 'B']);
  });
});

describe('of several amounts of a cell or of rows', () => {
  it.each([
    ['first', refused],
    ['last', 'A 11'],
    ['sum', refused],
  ])('the one that is taken counts: %s', async (take, price) => {
    const map = `fields: { sku: nr, price: { column: vk, split: "/", number: true, take: ${take} } }`;
    expect(await pricesOf(map, 'nr,vk\nA,12 USD/11 EUR\n')).toEqual([price]);
  });

  it('the one that a condition leaves out does not count', async () => {
    const map = 'fields: { sku: nr, price: { column: vk, number: true, when: { of: c, is: EUR } } }';
    expect(await pricesOf(map, 'nr,vk,c\nA,5 $,USD\nB,5 $,EUR\nC,5 €,EUR\n')).toEqual(['A', refused, 'C 5']);
  });

  it.each([
    ['first', ['A 5', refused]],
    ['last', [refused, 'B 4']],
    ['max', [refused, refused]],
  ])('the one that aggregate chooses counts: %s', async (how, prices) => {
    const map = `rows: nr\nfields: { sku: nr, price: { column: vk, aggregate: ${how} } }`;
    expect(await pricesOf(map, 'nr,vk\nA,5 €\nA,4 $\nB,5 $\nB,4 €\n')).toEqual(prices);
  });
});
