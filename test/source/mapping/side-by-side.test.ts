// `parallel` reads lists side by side: what an entry lacks keeps its place, so that no value comes to another entry.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMapped } from './given.js';

const json = (map: string, record: object) => readMapped(map, JSON.stringify([record]), { name: 'feed.json' });
const xml = (map: string, record: string) =>
  readMapped(`read: { record: p }\n${map}`, `<c><p>${record}</p></c>`, { name: 'feed.xml' });

const net = (a: number) => ({ t: 'net', a });
const gross = (a: number) => ({ t: 'gross', a });
const prices = `each: { parallel: { s: "v[].sku", p: { column: "v[].prices[t=net].a", optional: true } } }\nfields: { sku: $s, price: $p }`;

describe('entries keep their places', () => {
  it('where the condition of a path chooses nothing, or there is no list', async () => {
    const v = [{ sku: 'A', prices: [gross(7)] }, { sku: 'B', prices: [gross(4), net(3)] }, { sku: 'C' }];
    expect((await json(prices, { v })).items).toEqual([{ sku: 'A' }, { sku: 'B', price: '3' }, { sku: 'C' }]);
    const map = `each: { parallel: { s: "v[].@s", p: "v[].pr[@t=net]" } }\nfields: { sku: $s, price: $p }`;
    const { items } = await xml(map, '<v s="A"><pr t="gross">7</pr></v><v s="B"><pr t="net">3</pr></v>');
    expect(items).toEqual([{ sku: 'A' }, { sku: 'B', price: '3' }]);
  });

  it('in lists of lists that are the same for all', async () => {
    const v = [{ w: [{ x: 'A', y: 'red' }, { x: 'B' }] }, {}, { w: [] }, { w: [{ x: 'C', y: 'blue' }] }];
    const map = `each: { parallel: { x: "v[].w[].x", y: "v[].w[].y" } }\nfields: { sku: $x, description: $y }`;
    expect((await json(map, { v })).items).toEqual([
      { sku: 'A', description: 'red' },
      { sku: 'B' },
      { sku: 'C', description: 'blue' },
    ]);
  });

  it.each([
    ['the first', '<param name="A" unit="kg">5</param><param name="B">6</param>', ['kg', undefined]],
    ['the second', '<param name="A">5</param><param name="B" unit="kg">6</param>', [undefined, 'kg']],
    ['none', '<param name="A">5</param><param name="B">6</param>', [undefined, undefined]],
  ])('where %s element has an attribute', async (_, params, units) => {
    const map = `fields: { sku: id, attributes: { each: { parallel: { n: "param@name", v: param, u: { column: "param@unit", optional: true } } }, entry: { type: $n, value: $v, unit: $u } } }`;
    const attributes = ['A', 'B'].map((type, i) => ({ type, value: `${5 + i}`, ...(units[i] && { unit: units[i] }) }));
    expect((await xml(map, `<id>1</id>${params}`)).items).toEqual([{ sku: '1', attributes }]);
  });

  it('for first and default, which fill each of them', async () => {
    const map = `each: { parallel: { s: "v[].sku", p: { first: ["v[].sale", "v[].price", { value: 9 }] }, q: { column: "v[].qty", default: 0 } } }
fields: { sku: $s, price: $p, stock: $q }`;
    const v = [{ sku: 'A', price: 5, qty: 3 }, { sku: 'B', price: 4, sale: 3 }, { sku: 'C' }];
    expect((await json(map, { v })).items).toEqual([
      { sku: 'A', price: '5', stock: 3 },
      { sku: 'B', price: '3', stock: 0 },
      { sku: 'C', price: '9', stock: 0 },
    ]);
    const none = v.map(({ sale: _, ...one }) => one);
    const first = map.replace('"v[].sale"', '{ column: "v[].sale", optional: true }');
    expect((await json(first, { v: none })).items).toMatchObject([{ price: '5' }, { price: '4' }, { price: '9' }]);
  });

  it('where the parts of a text are empty', async () => {
    const map = `each: { parallel: { s: { column: s, split: "|" }, p: { column: p, split: "|" } } }\nfields: { sku: $s, price: $p }`;
    const { items, problems } = await readMapped(map, 's,p\nA|B|C,1||3\nD|E|,|5|\n');
    expect(items).toEqual([
      { sku: 'A', price: '1' },
      { sku: 'B' },
      { sku: 'C', price: '3' },
      { sku: 'D' },
      { sku: 'E', price: '5' },
    ]);
    expect(problems).toEqual([]);
  });

  it('whatever each entry has: its own value, or a refusal', async () => {
    const price = fc.record({ t: fc.constantFrom('net', 'gross'), a: fc.nat(99) });
    const lists = fc.array(fc.array(price, { maxLength: 2 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lists, async (entries) => {
        const { items } = await json(prices, { v: entries.map((list, i) => ({ sku: `S${i}`, prices: list })) });
        const chosen = entries.map((list) => list.filter(({ t }) => t === 'net'));
        const isRefused = chosen.some((list) => list.length > 1);
        const made = chosen.map(([one], i) => ({ sku: `S${i}`, ...(one && { price: `${one.a}` }) }));
        expect(items).toEqual(isRefused ? ['!mapping_list_unexpected'] : made);
      }),
      { numRuns: 40 },
    );
  });
});

describe('an entry with several values refuses the record', () => {
  it.each([
    ['that a condition chooses', 'v[].prices[t=net].a', ''],
    ['of a list without entries in another one', 'v[].imgs', ''],
    ['of a list that is written as one', 'v[].imgs[]', ''],
    ['below a list', 'v[].w.x', ': "v[].w"'],
  ])('%s', async (_, path, list) => {
    const v = [
      { sku: 'A', prices: [net(1), net(0.9)], imgs: ['a', 'b'], w: [{ x: 1 }, { x: 2 }] },
      { sku: 'B', prices: [gross(7)], imgs: [], w: [] },
    ];
    const map = `each: { parallel: { s: "v[].sku", i: "${path}" } }\nfields: { sku: $s, description: $i }`;
    const { items, problems } = await json(map, { v });
    expect(items).toEqual(['!mapping_list_unexpected']);
    expect(problems[0]?.message).toBe(
      `column "${path}"${list} has 2 values in one entry, and parallel takes one of each entry; ` +
        'choose it by a condition in the path, such as prices[type=net][pieces=1].amount, or leave the column out',
    );
  });

  it('unless several conditions choose one', async () => {
    const v = [
      {
        sku: 'A',
        prices: [
          { ...net(1), q: 1 },
          { ...net(0.9), q: 10 },
        ],
      },
      { sku: 'B', prices: [gross(7)] },
    ];
    const map = `each: { parallel: { s: "v[].sku", p: "v[].prices[t=net][q=10].a" } }\nfields: { sku: $s, price: $p }`;
    expect((await json(map, { v })).items).toEqual([{ sku: 'A', price: '0.9' }, { sku: 'B' }]);
    const attributes = map.replace('v[].sku', 'v[].@s').replace('v[].prices[t=net][q=10].a', 'v[].pr[@t=net][@q=10]');
    const { items } = await xml(
      attributes,
      '<v s="A"><pr t="net" q="1">1</pr><pr t="net" q="10">0.9</pr></v><v s="B"><pr t="x">7</pr></v>',
    );
    expect(items).toEqual([{ sku: 'A', price: '0.9' }, { sku: 'B' }]);
  });

  it('in XML as well', async () => {
    const map = `each: { parallel: { s: "v[].@s", p: "v[].pr[@t=net]" } }\nfields: { sku: $s, price: $p }`;
    const { items } = await xml(map, '<v s="A"><pr t="net">1</pr><pr t="net">0.9</pr></v><v s="B"/>');
    expect(items).toEqual(['!mapping_list_unexpected']);
  });

  it('where the lists begin differently, too', async () => {
    const map = `each: { parallel: { s: "skus[]", i: "v[].imgs" } }\nfields: { sku: $s, description: $i }`;
    expect((await json(map, { skus: ['A', 'B'], v: [{ imgs: ['a', 'b'] }, { imgs: [] }] })).items).toEqual([
      '!mapping_list_unexpected',
    ]);
    const both = { skus: ['A', 'B'], v: [{ imgs: ['a'] }, { imgs: 'b' }] };
    expect((await json(map, both)).items).toEqual([
      { sku: 'A', description: 'a' },
      { sku: 'B', description: 'b' },
    ]);
  });

  it('that the parts of its text are', async () => {
    const map = `each: { parallel: { s: "v[].sku", i: { column: "v[].imgs", split: "|" } } }\nfields: { sku: $s, description: $i }`;
    const { items } = await json(map, {
      v: [
        { sku: 'A', imgs: 'a|b' },
        { sku: 'B', imgs: '' },
      ],
    });
    expect(items).toEqual(['!mapping_list_unexpected']);
  });
});

it('a list that stands alone, or gives one value, is read whole', async () => {
  const v = [
    { sku: 'A', imgs: ['a', 'b'] },
    { sku: 'B', imgs: ['c'] },
  ];
  const map = `fields: { sku: id, name: { column: "v[].imgs", join: "/" }, description: { column: "v[].imgs", take: last }, media: { each: { parallel: { f: "v[].imgs" } }, entry: { file: $f } } }`;
  const media = ['a', 'b', 'c'].map((file) => ({ file }));
  expect((await json(map, { id: '1', v })).items).toEqual([{ sku: '1', name: 'a/b/c', description: 'c', media }]);
  const one = `each: { parallel: { s: "v[].sku", i: { column: "v[].imgs", take: first } } }\nfields: { sku: $s, description: $i }`;
  expect((await json(one, { v: v.slice(0, 1) })).items).toEqual([{ sku: 'A', description: 'a' }]);
});

it('an attribute of each element of a list is read by [] as well', async () => {
  const map = `fields: { sku: id, name: { column: "ns:prop[]@key", join: "," }, attributes: { each: { parallel: { n: "v[].a[]@n", t: "v[].a[]" } }, entry: { type: $n, value: $t } } }`;
  const { items } = await xml(
    map,
    '<id>1</id><ns:prop key="x">5</ns:prop><ns:prop key="y">6</ns:prop><v><a n="A">1</a><a n="C">2</a></v><v><a n="B">3</a><b/></v>',
  );
  const attributes = [
    { type: 'A', value: '1' },
    { type: 'C', value: '2' },
    { type: 'B', value: '3' },
  ];
  expect(items).toEqual([{ sku: '1', name: 'x,y', attributes }]);
});
