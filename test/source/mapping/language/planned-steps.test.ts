// What is calculated with is read as a number first, and words that would have no effect are refused before anything is read.
import { describe, expect, it } from 'vitest';
import { readMapped } from '../given.js';

const comma = 'read: { decimal: "," }\n';
const feed = 'sku;VK;B\nA;9,99;1,5\n';
const table = (column: string) =>
  `${comma}tables: { t: { key: sku, columns: { p: ${column} } } }\nfields: { sku: sku, price: { column: sku, lookup: { table: t, column: p } } }`;
const looked = (after: string) =>
  `${comma}tables: { t: { key: sku, columns: { p: VK } } }\nfields: { sku: sku, price: { column: sku, ${after} } }`;
const fields = (more: string) => `${comma}fields: { sku: sku, ${more} }`;

describe('a number is read before it is calculated with', () => {
  it.each([
    ['a column of a table', table('{ column: VK, times: { value: 1.19 }, round: 2 }'), { price: '11.89' }],
    [
      'one of several values',
      fields('price: { first: [{ column: VK, times: { value: 2 } }, VK] }'),
      { price: '19.98' },
    ],
    [
      'a branch of a number that is read later',
      fields('price: { when: [{ else: { column: VK, times: { value: 2 } } }], number: true }'),
      { price: '19.98' },
    ],
    [
      'branches of a text',
      fields('name: { when: [{ else: { column: VK } }], times: { value: 10 } }'),
      { name: '99.9' },
    ],
    ['a text', fields('name: { column: B, times: { value: 10 }, suffix: " kg" }'), { name: '15 kg' }],
    [
      'an attribute',
      fields('attributes: { entry: { type: { value: Size }, value: { column: B, shift: 1 } } }'),
      { attributes: [{ type: 'Size', value: '15' }] },
    ],
    ['the parts of a list', fields('name: { columns: [VK, B], shift: 2, join: "/" }'), { name: '999/150' }],
    ['what is looked up', looked('lookup: { table: t, column: p }, times: { value: 2 }'), { price: '19.98' }],
    [
      'what is looked up by a number',
      `${comma}tables: { t: { key: { column: B, number: true }, columns: { p: VK } } }\nfields: { sku: sku, price: { column: B, number: true, lookup: { table: t, column: p }, times: { value: 2 } } }`,
      { price: '19.98' },
    ],
    [
      'a number with a sign of its own',
      'fields: { sku: sku, name: { column: B, number: { decimal: "," }, plus: { value: 1 } } }',
      { name: '2.5' },
    ],
  ])('%s', async (_, map, item) => {
    const { items, problems } = await readMapped(map, feed);
    expect(problems).toEqual([]);
    expect(items).toEqual([{ sku: 'A', ...item }]);
  });

  it.each([
    ['name: { column: B, round: 0 }', 'x', 'column "B": "x" is not a number'],
    ['name: { column: B, number: true, suffix: " kg", shift: 1 }', '5', 'column "B": "5 kg" is not a number'],
    ['name: { column: B, number: true, map: { "5": "9,99" }, times: { value: 2 } }', '5', '"9,99" is not a number'],
    ['name: { value: "9,99", plus: B }', '5', 'value "9,99": "9,99" is not a number'],
  ])('%s of %s refuses the record once', async (field, cell, reason) => {
    const { problems } = await readMapped(fields(field), `sku;B\nA;${cell}\n`);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(reason)]);
  });

  it('a date may be made of what is calculated', async () => {
    const map = 'fields: { sku: sku, stock: { column: B, shift: -3, round: 0, date: unix } }';
    const { items } = await readMapped(map, 'sku;B\nA;1764403200123\n');
    expect(items).toEqual([{ sku: 'A', stock: 1764403200 }]);
  });
});

describe('a word that would have no effect is refused', () => {
  it.each([
    [
      'price: { column: VK, times: { value: 1.19 }, round: 2, number: { decimal: "," } }',
      'fields.price.number: a number is read before it is calculated with; write number: before times:.',
    ],
    [
      'status: { when: [{ if: { of: B, over: 0 }, then: activated }], else: suspended }',
      'fields.status.else: "else" belongs to map or lookup; write it as a branch of its own, the last one: { else: suspended }.',
    ],
    ['price: { column: VK, else: 5 }', '"else" belongs to map or lookup; for an empty value write default:'],
    ['name: { column: B, match: x, else: none }', 'fields.name.else'],
    ['name: { first: [B], else: none }', 'fields.name.else'],
    ['stock: { column: B, zone: Europe/Berlin }', '"zone" belongs to date; write date: as well'],
    ['name: { column: B, drop: 1 }', '"drop" belongs to path; write path: as well'],
    ['name: { column: B, name: full }', 'fields.name.name'],
    ['name: { column: B, names: last }', 'fields.name.names'],
    [
      'name: { value: B, optional: true }',
      '"optional" belongs to column, columns, first, template or json; write it next to one of these, or leave it out',
    ],
    ['price: { first: [{ from: VK }, { from: B }] }', 'fields.price.first[0].from: "from" gives the currency'],
    ['price: { when: [{ else: { from: VK } }] }', 'fields.price.when[0].else.from: "from" gives the currency'],
    ['name: { first: [{ from: VK }, B], round: 2 }', 'fields.name.first[0].from: "from" gives the currency'],
    ['grades: { entry: { grade: B, price: { first: [{ from: VK }] } } }', 'fields.grades.entry.price.first[0].from'],
  ])('%s', async (field, told) => {
    await expect(readMapped(fields(field), feed)).rejects.toThrow(told);
  });

  it('in a table, and in a branch', async () => {
    await expect(readMapped(table('{ from: VK }'), feed)).rejects.toThrow(
      'fields.price.lookup: column "p" of the table t gives the currency next to an amount, by "from"; for an amount write column: there.',
    );
    const both = fields('status: { when: [{ if: { of: B, over: 0 }, then: draft, else: activated }] }');
    expect(() => readMapped(both, feed)).toThrow(
      'fields.status.when[0].else: is next to if: and then:; write it as a branch of its own, the last one: { else: activated }.',
    );
  });

  it.each([
    ['{ column: B, aggregate: sum, round: 0 }', 'fields.price.round: steps run for each row, before aggregate:'],
    ['{ aggregate: sum, column: B, plus: { value: 1 } }', 'write plus: before aggregate:'],
  ])('behind aggregate: %s', async (price, told) => {
    const map = `${comma}rows: sku\nfields: { sku: sku, price: ${price} }`;
    await expect(readMapped(map, feed)).rejects.toThrow(told);
  });
});

describe('a currency', () => {
  it.each([
    ['that a condition compares', 'price: { when: [{ if: { of: { from: VK }, is: EUR }, then: { column: B } }] }'],
    ['that gives a rate', 'price: { column: B, times: { from: VK, map: { EUR: 1, USD: 0.9 } } }'],
    ['that a table gives', 'price: B, currency: { column: sku, lookup: { table: c, column: c } }'],
  ])('%s is none of a number', async (_, more) => {
    const map = `${comma}tables: { c: { key: sku, columns: { c: { from: VK } } } }\nfields: { sku: sku, ${more} }`;
    const { items, problems } = await readMapped(map, 'sku;VK;B\nA;5 EUR;1,5\n');
    expect(problems).toEqual([]);
    expect(items).toMatchObject([{ price: '1.5' }]);
  });
});

it.each([
  ['none', 'none'],
  ['empty', undefined],
  ['keep', 'A'],
])('else: %s of a key that a table lacks gives %s', async (otherwise, name) => {
  const map = `tables: { t: { key: B, columns: { p: VK } } }\nfields: { sku: sku, name: { column: sku, lookup: { table: t, column: p }, else: ${otherwise} } }`;
  const { items } = await readMapped(map, feed);
  expect(items).toEqual([{ sku: 'A', ...(name && { name }) }]);
});
