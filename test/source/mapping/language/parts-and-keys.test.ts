// What is made of the parts of a record, of lists next to each other, and of several columns.
import { describe, expect, it } from 'vitest';
import { readMapped } from '../given.js';

const table = async (mapping: string, header: string, ...rows: readonly string[]) => {
  const { items, problems } = await readMapped(mapping, `${[header, ...rows].join('\n')}\n`);
  return { items, reasons: problems.map(({ field, message }) => `${field}: ${message}`) };
};
const json = async (mapping: string, record: Readonly<Record<string, unknown>>) => {
  const { items, problems } = await readMapped(mapping, JSON.stringify([record]), { name: 'feed.json' });
  return { items, reasons: problems.map(({ field, message }) => `${field}: ${message}`) };
};

describe('the parts of a record', () => {
  it('are at most ten thousand', async () => {
    const parts = (count: number) => `"${Array.from({ length: count }, (_, i) => `A${i}`).join(',')}"`;
    const { items, reasons } = await table('each: { split: a, by: "," }\nfields: { sku: $value }', 'a', parts(10_001));
    expect([items.length, reasons]).toEqual([1, [expect.stringMatching(/10,?000/)]]);
  });

  it.each([
    ['each: { pairs: a, by: ",", equals: "=" }\nfields: { sku: $name }', { a: ['x=1', 'y=2'] }, /list/],
    ['each: { split: a, by: "," }\nfields: { sku: $value }', { a: { de: 'x' } }, /a\.de/],
    ['each: { parallel: { name: a } }\nfields: { sku: $name }', { a: [{ n: 1 }, { n: 2 }] }, /a\[\]\.n/],
  ])('are no lists or objects: %s', async (mapping, record, reason) => {
    expect((await json(mapping, record)).reasons).toEqual([expect.stringMatching(reason)]);
  });

  it('are in columns with numbers to 199, some of which may be missing', async () => {
    const each = 'each: { repeated: { name: "A {n}" } }\nfields: { sku: $name }';
    const { items } = await table(each, 'A 1,A 199,A 200', 'x,y,z');
    expect(items).toEqual([{ sku: 'x' }, { sku: 'y' }]);
    const optional =
      'each: { repeated: { name: "A {n}", value: "B {n}" }, optional: true }\nfields: { sku: $name, name: $value }';
    expect((await table(optional, 'A 1,B 1,A 2', 'x,1,y')).items).toEqual([{ sku: 'x', name: '1' }, { sku: 'y' }]);
  });

  it('are taken from the first of several lists that has them', async () => {
    const mapping = 'each: { parallel: { name: { first: [a, b] }, value: c } }\nfields: { sku: $name, name: $value }';
    const { items } = await json(mapping, { a: ['x', '', 'z'], b: ['1', '2', '3'], c: ['C', 'D', 'E'] });
    expect(items).toEqual([
      { sku: 'x', name: 'C' },
      { sku: '2', name: 'D' },
      { sku: 'z', name: 'E' },
    ]);
    const { reasons } = await json(mapping, { a: ['x', 'y'], b: { de: 1 }, c: ['C', 'D'] });
    expect(reasons).toEqual([]);
  });
});

describe('a number', () => {
  const comma = 'read: { decimal: "," }\n';

  it.each<[string, Readonly<Record<string, unknown>>, unknown]>([
    [`${comma}fields: { sku: sku, price: { template: "{a}" } }`, { a: [12.5] }, { price: '12.5' }],
    [`${comma}fields: { sku: sku, price: { template: "{a}" } }`, { a: 12.5 }, { price: '12.5' }],
    [`${comma}fields: { sku: sku, name: { template: "{a} l" } }`, { a: 12.5 }, { name: '12.5 l' }],
    ['fields: { sku: sku, name: { columns: [a, b] } }', { a: 12.5, b: 13.5 }, { name: '12.5, 13.5' }],
    [
      `${comma}fields: { sku: sku, price: { when: [{ if: { of: b, is: x }, then: { column: a } }] } }`,
      { a: '12,50', b: 'x' },
      { price: '12.50' },
    ],
  ])('of %s is read by its sign: %j', async (mapping, record, made) => {
    expect(await json(mapping, { sku: 'A', ...record })).toEqual({
      items: [{ sku: 'A', ...(made as object) }],
      reasons: [],
    });
  });

  it('that a step makes too long is refused, and one that is refused has no other reason', async () => {
    const times = (cell: string) =>
      table('fields: { sku: sku, price: { column: a, times: { value: "0.333" } } }', 'sku,a', `A,${cell}`);
    expect(await times('10')).toMatchObject({ items: [{ price: '3.33' }], reasons: [] });
    expect((await times('10.01')).reasons).toEqual([expect.stringMatching(/^price: /)]);
    const refused = async (steps: string) =>
      (await table(`fields: { sku: sku, price: { column: a, ${steps} } }`, 'sku,a,b', 'A,abc,5')).reasons;
    expect(await refused('plus: { column: b }, round: 2')).toEqual(await refused('round: 2'));
  });
});

describe('a key of several parts', () => {
  const each = 'each: { repeated: { size: "S{n}", colour: "C{n}" } }\n';
  const key = 'fields: { sku: { template: "{sku}-{$size}-{$colour}" } }';

  it('is refused without one of its variables', async () => {
    const { items, reasons } = await table(`${each}${key}`, 'sku,S1,C1,S2,C2', 'A,L,red,M,');
    expect(items).toEqual([{ sku: 'A-L-red' }, expect.stringMatching('^!')]);
    expect(reasons).toEqual([expect.stringContaining('$colour')]);
  });

  it('that could not be read is refused for that alone', async () => {
    const { reasons } = await json(`${each}${key}`, { sku: { de: 'x' }, S1: 'L', C1: '' });
    expect(reasons).toEqual([expect.stringMatching(/^(?!.*\$colour).*sku\.de/s)]);
  });

  it('may lack a column after the first one', async () => {
    const columns = 'fields: { sku: { columns: [{ column: a }, { column: b }], join: "-" } }';
    expect((await table(columns, 'a,b', 'X,Y', 'C,', ',D')).items).toEqual([
      { sku: 'X-Y' },
      { sku: 'C' },
      expect.stringMatching('^!'),
    ]);
  });
});

it.each([
  ['name: X', 'fields.name: column "X" not found'],
  ['name: { column: X }', 'fields.name.column: column "X" not found'],
  ['price: { column: a, aggregate: sum }', 'once: first takes no other than aggregate: first'],
])('a mapping that cannot be used names the place: %s', async (field, message) => {
  await expect(table(`fields: { sku: sku, ${field} }`, 'sku,a', 'A,1')).rejects.toThrow(message);
});
