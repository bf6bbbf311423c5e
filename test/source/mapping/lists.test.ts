// A path that meets a list refuses its record: one of several entries would be a guess. Wherever a mapping reads a column.
import { describe, expect, it } from 'vitest';
import { fileOf } from '../given.js';
import { readMapped } from './given.js';

const one = { sku: 'A', name: 'Phone', offer: { price: 9.5 }, img: 'f1', kind: 'simple', qty: 3 };
const two = {
  sku: 'B',
  name: 'Case',
  offer: [{ price: 1 }, { price: 2 }],
  img: ['f1', 'f2'],
  kind: ['simple', 'x'],
  qty: [3, 4],
};
const ndjson = [one, two].map((record) => JSON.stringify(record)).join('\n');
const xml = `<shop>
<row><sku>A</sku><name>Phone</name><offer><price>9.5</price></offer><img>f1</img><kind>simple</kind><qty>3</qty></row>
<row><sku>B</sku><name>Case</name><offer><price>1</price></offer><offer><price>2</price></offer><img>f1</img><img>f2</img><kind>simple</kind><kind>x</kind><qty>3</qty><qty>4</qty></row>
</shop>`;

const both = (map: string) =>
  Promise.all([
    readMapped(map, ndjson, { name: 'feed.ndjson' }),
    readMapped(`read: { record: row }\n${map}`, xml, { name: 'feed.xml' }),
  ]);

describe('a list that is met refuses the record, in JSON and XML', () => {
  it.each([
    ['a field', 'fields: { sku: sku, price: offer.price }', { sku: 'A', price: '9.5' }],
    ['a last member', 'fields: { sku: sku, name: img }', { sku: 'A', name: 'f1' }],
    ['a template', 'fields: { sku: sku, name: { template: "x {img}" } }', { sku: 'A', name: 'x f1' }],
    ['first', 'fields: { sku: sku, name: { first: [img, name] } }', { sku: 'A', name: 'f1' }],
    ['columns', 'fields: { sku: sku, name: { columns: [img, name] } }', { sku: 'A', name: 'f1, Phone' }],
    [
      'an operand',
      'fields: { sku: sku, price: { value: 1, number: true, plus: offer.price } }',
      { sku: 'A', price: '10.5' },
    ],
    [
      'an operand beside a list that is read on purpose',
      'fields: { sku: sku, price: { column: qty, take: first, plus: qty } }',
      { sku: 'A', price: '6' },
    ],
    ['a currency', 'fields: { sku: sku, name: { first: [{ from: offer.price }, name] } }', { sku: 'A', name: 'Phone' }],
    ['keep', 'keep: { of: kind, is: simple }\nfields: { sku: sku }', { sku: 'A' }],
    ['skip', 'skip: { of: offer.price, is: "1" }\nfields: { sku: sku }', { sku: 'A' }],
    ['keep by begins', 'keep: { of: kind, begins: sim }\nfields: { sku: sku }', { sku: 'A' }],
    // It may be of the record beside it, which is refused with it.
    ['rows', 'rows: kind\nfields: { sku: sku }', '!record_incomplete'],
    ['each', 'each: { split: offer.price, by: "|" }\nfields: { sku: sku, price: $value }', { sku: 'A', price: '9.5' }],
    ['an entry', 'fields: { sku: sku, media: { entry: { file: img } } }', { sku: 'A', media: [{ file: 'f1' }] }],
    [
      'columns of each',
      'fields: { sku: sku, media: { each: { columns: { img: Photo } }, entry: { file: $value } } }',
      { sku: 'A', media: [{ file: 'f1' }] },
    ],
  ])('%s', async (_, map, item) => {
    for (const { items, problems } of await both(map)) {
      expect(items).toEqual([item, '!mapping_list_unexpected']);
      expect(problems.at(-1)?.message).toMatch(/is a list of 2 here; use \{column: "/);
    }
  });

  it('the reason names the list, its entries and the form that reads it', async () => {
    const [{ problems }] = await both('fields: { sku: sku, price: offer.price }');
    expect(problems[0]).toMatchObject({ field: 'price', externalId: 'B' });
    expect(problems[0]?.message).toBe(
      'column "offer.price": "offer" is a list of 2 here; use {column: "offer[].price", take: first}, or join: ", ", or each',
    );
  });

  it('a list inside the entries of another one is met, too', async () => {
    const feed = '{"sku":"A","a":[{"b":[{"c":1},{"c":2}]}]}\n';
    const { items, problems } = await readMapped(
      'fields: { sku: sku, name: { column: "a[].b.c", take: first } }',
      feed,
      {
        name: 'feed.ndjson',
      },
    );
    expect(items).toEqual(['!mapping_list_unexpected']);
    expect(problems[0]?.message).toContain('use {column: "a[].b[].c", take: first}');
  });
});

it('what reads a list on purpose takes it', async () => {
  const map = `fields:
  sku: sku
  price: { column: "offer[].price", take: first }
  name: { column: img, join: "/" }
  media: { each: { split: img, by: "|" }, entry: { file: $value } }
skip: [{ of: img, empty: true }, { of: kind, contains: none }]`;
  for (const { items } of await both(map))
    expect(items).toEqual([
      { sku: 'A', price: '9.5', name: 'f1', media: [{ file: 'f1' }] },
      { sku: 'B', price: '1', name: 'f1/f2', media: [{ file: 'f1' }, { file: 'f2' }] },
    ]);
});

it('a list that several rows of a record fill has the entries of all of them, each once', async () => {
  const feed = 'sku,img\nA,f1\nA,f2|f1\nA,\nB,f3\nC,\n';
  const { items } = await readMapped('rows: sku\nfields: { sku: sku, media: img }', feed);
  expect(items).toEqual([
    { sku: 'A', media: [{ file: 'f1' }, { file: 'f2' }] },
    { sku: 'B', media: [{ file: 'f3' }] },
    { sku: 'C' },
  ]);
});

it('a key that is joined of several columns takes no list in one of them, and a list of its own on purpose', async () => {
  for (const { items, problems } of await both('fields: { sku: { columns: [sku, img], join: "-" }, name: name }')) {
    expect(items).toEqual([{ sku: 'A-f1', name: 'Phone' }, '!mapping_list_unexpected']);
    expect(problems[0]?.message).toContain('column "img": "img" is a list of 2 here');
  }
  const map =
    'fields: { sku: { columns: [sku, { column: img, join: "+" }], join: "-" }, name: { columns: [name, img], join: "-" } }';
  for (const { items } of await both(map))
    expect(items).toEqual([
      { sku: 'A-f1', name: 'Phone-f1' },
      { sku: 'B-f1+f2', name: 'Case-f1-f2' },
    ]);
});

it.each([
  '{ column: img, case: upper }',
  '{ first: [img, name] }',
  '{ columns: [img] }',
  '{ when: [{ if: { of: sku, empty: false }, then: { column: img } }] }',
])('a joined key takes no list in %s either', async (part) => {
  const map = `fields: { sku: { columns: [sku, ${part}], join: "-" }, name: name }`;
  for (const { items } of await both(map))
    expect(items).toEqual([{ sku: expect.stringMatching(/^A-f1$/i), name: 'Phone' }, '!mapping_list_unexpected']);
});

it('an invalid key is not reported, also if another field has the first problem', async () => {
  const fields = 'name: kind, sku: { columns: [sku, img], join: "-" }';
  for (const { problems } of await both(`fields: { ${fields} }`)) {
    expect(problems).toMatchObject([{ externalId: '', field: 'name' }]);
    expect(problems[0]?.message).toContain('; also sku: column "img"');
  }
  const [{ problems }] = await both('fields: { name: kind, sku: sku }');
  expect(problems).toMatchObject([{ externalId: 'B', field: 'name' }]);
});

it('nor does the joined key of a lookup table: its row could have any key, so every lookup is refused', async () => {
  const map = `
tables: { shown: { key: { columns: [sku, img], join: "-" }, columns: { name: name } } }
fields: { sku: sku, name: { column: sku, map: { A: "A-f1", B: "B-f1-f2" }, lookup: { table: shown, column: name } } }`;
  for (const { items, problems } of await both(map)) {
    expect(items).toEqual(['!mapping_list_unexpected', '!mapping_list_unexpected']);
    expect(problems[0]?.message).toMatch(/^table shown, line \d: column "img": "img" is a list of 2 here/);
  }
});

it('split divides each entry of a list', async () => {
  const feed = '{"sku":"A","tags":["a|b","c"]}\n';
  const map = 'fields: { sku: sku, name: { column: tags, split: "|", join: "+" } }';
  expect((await readMapped(map, feed, { name: 'feed.ndjson' })).items).toEqual([{ sku: 'A', name: 'a+b+c' }]);
});

it('columns of a table that have one name are a list where two are filled', async () => {
  const { items } = await readMapped('fields: { sku: sku, name: name }', 'sku,name,name\nA,Phone,\nB,Phone,Case\n');
  expect(items).toEqual([{ sku: 'A', name: 'Phone' }, '!mapping_list_unexpected']);
});

describe('in a table', () => {
  const looking = (table: string) => `tables: { t: { ${table} } }
fields: { sku: sku, name: { column: sku, lookup: { table: t, column: v }, else: empty } }`;
  it.each([
    ['a column', 'key: sku, columns: { v: offer.price }'],
    ['a filter', 'keep: { of: kind, is: simple }, key: sku, columns: { v: name }'],
    ['each', 'each: { parallel: { x: offer.price } }, key: sku, columns: { v: $x }'],
  ])('%s refuses the items that look the record up', async (_, table) => {
    const [{ items, problems }] = await both(looking(table));
    expect(items).toEqual([{ sku: 'A', name: expect.any(String) }, '!mapping_list_unexpected']);
    expect(problems[0]?.message).toMatch(/^table t, line 2: column ".*is a list of 2 here/);
  });

  it('names the line of a record that is the only one of its file', async () => {
    const path = fileOf('no,name\nA,Tea,x\n', 'only.csv').split('/').at(-1);
    const map = `tables: { t: { file: ${path}, key: no, columns: { v: name } } }
fields: { sku: no, name: { column: no, lookup: { table: t, column: v } } }`;
    const { problems } = await readMapped(map, 'no\nA\n');
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('may be line 2, which')]);
  });

  it('of another file as well', async () => {
    const path = fileOf(ndjson, 'other.ndjson').split('/').at(-1);
    const map = `tables: { t: { file: ${path}, key: sku, columns: { v: offer.price } } }
fields: { sku: no, name: { column: no, lookup: { table: t, column: v } } }`;
    expect((await readMapped(map, 'no\nA\nB\n')).items).toEqual([
      { sku: 'A', name: '9.5' },
      '!mapping_list_unexpected',
    ]);
  });
});
