// Rows that give one value have to agree, unless the mapping says which one counts: nothing is taken only because it came first.
import { describe, expect, it } from 'vitest';
import { characteristic } from '../given.js';
import { readMapped } from './given.js';

const codesOf = (items: readonly unknown[]) => items.filter((item) => typeof item === 'string');

describe('rows of one item (rows:)', () => {
  const map = (price: string) => `rows: sku\nfields: { sku: sku, name: name, price: ${price}, stock: qty }`;
  const feed = 'sku,name,price,qty\nA,Phone,9.50,5\nA,,9.5,\nB,Case,2,1\nB,Case,3,\nC,,1,\nC,Cup,,7\n';

  it('are refused with both lines where they differ; empty cells and other writings of a number are no difference', async () => {
    const { items, problems } = await readMapped(map('price'), feed);
    expect(items).toEqual([
      { sku: 'A', name: 'Phone', price: '9.50', stock: 5 },
      '!mapping_rows_disagree',
      { sku: 'C', name: 'Cup', price: '1', stock: 7 },
    ]);
    expect(problems[0]).toMatchObject({ externalId: 'B', field: 'price' });
    expect(problems[0]?.message).toMatch(
      /^price is "2" on line 4 and "3" on line 5; .*aggregate: first, last, min, max or sum$/,
    );
  });

  it.each([
    ['first', '2'],
    ['last', '3'],
    ['min', '2'],
    ['max', '3'],
    ['sum', '5'],
  ])('aggregate: %s', async (how, price) => {
    const { items } = await readMapped(map(`{ column: price, aggregate: ${how} }`), feed);
    expect(items[1]).toEqual({ sku: 'B', name: 'Case', price, stock: 1 });
  });

  it('texts are joined in their order', async () => {
    const joined = 'rows: sku\nfields: { sku: sku, name: { column: name, aggregate: { join: " " } } }';
    expect((await readMapped(joined, 'sku,name\nA,red\nA,\nA,phone\n')).items).toEqual([
      { sku: 'A', name: 'red phone' },
    ]);
  });

  it('the largest is found among numbers, not texts', async () => {
    const largest = 'read: { decimal: "," }\nrows: sku\nfields: { sku: sku, name: { column: price, aggregate: max } }';
    const { items } = await readMapped(largest, 'sku;price\nA;9,5\nA;1.000\nA;80\n');
    expect(items).toEqual([{ sku: 'A', name: '1000' }]);
  });
});

it.each([
  [
    'each next to rows',
    'rows: sku\neach: { split: name, by: "|" }\nfields: { sku: sku, name: $value }',
    /each: makes several items of one record, and rows: one item of several; use one of them/,
  ],
  [
    'aggregate in an entry of rows',
    'rows: sku\nfields: { sku: sku, grades: { entry: { grade: name, stock: { column: qty, aggregate: sum } } } }',
    /entry\.stock\.aggregate: the entries of several rows are made one only by once: merge/,
  ],
])('%s is refused before the first row, as it would do nothing', async (_, map, message) => {
  await expect(async () => readMapped(map, 'sku,name,qty\nA,new,1\n')).rejects.toThrow(message);
});

describe('rows of one key (once: merge)', () => {
  const map = (hex: string) =>
    `once: merge\nfields: { name: group, kind: kind, values: { entry: { label: label, hex: ${hex} } } }`;
  const feed =
    'group,kind,label,hex\nColour,colour,Red,#ff0000\nColour,,Blue,\nColour,colour,red,#FF0000\nColour,,Blue,#0000ff\n';
  const read = (written: string, content: string) => readMapped(written, content, { fields: characteristic });

  it('make one record where they agree, and fill what others lack', async () => {
    expect((await read(map('hex'), feed)).items).toEqual([
      {
        name: 'Colour',
        kind: 'colour',
        values: [
          { label: 'Red', hex: '#ff0000' },
          { label: 'Blue', hex: '#0000ff' },
        ],
      },
    ]);
  });

  it.each([
    ['an entry', 'Colour,,Red,#ee0000\n', /^values\[\]\.hex is "#ff0000" on line 2 and "#ee0000" on line 6/],
    ['a field', 'Colour,custom,Red,\n', /^kind is "colour" on line 2 and "custom" on line 6/],
  ])('are refused where they differ in %s', async (_, row, message) => {
    const { items, problems } = await read(map('hex'), feed + row);
    expect(items).toEqual(['!mapping_rows_disagree']);
    expect(problems[0]?.externalId).toBe('Colour');
    expect(problems[0]?.message).toMatch(message);
  });

  it('the mapping says which entry counts', async () => {
    const { items } = await read(map('{ column: hex, aggregate: last }'), `${feed}Colour,,Red,#ee0000\n`);
    expect(items).toMatchObject([{ values: [{ label: 'Red', hex: '#ee0000' }, { label: 'Blue' }] }]);
  });

  it('amounts are summed, and several values of one characteristic are kept', async () => {
    const product = `once: merge
fields:
  sku: sku
  stock: { column: qty, aggregate: sum }
  attributes: { entry: { type: { value: Colour }, value: colour } }`;
    expect((await readMapped(product, 'sku,qty,colour\nA,5,red\nB,1,red\nA,7,blue\nA,5,red\n')).items).toEqual([
      {
        sku: 'A',
        stock: 17,
        attributes: [
          { type: 'Colour', value: 'red' },
          { type: 'Colour', value: 'blue' },
        ],
      },
      { sku: 'B', stock: 1, attributes: [{ type: 'Colour', value: 'red' }] },
    ]);
  });
});

describe('later rows of a key (once: first)', () => {
  const map = 'once: first\nfields: { sku: sku, name: name, price: price }';
  const feed = 'sku,name,price\nA,Phone,9.50\nB,Case,1\nA,PHONE,9.5\nA,,\n';

  it('are left out where they say the same, or less', async () => {
    expect((await readMapped(map, feed)).items).toEqual([
      { sku: 'A', name: 'Phone', price: '9.50' },
      { sku: 'B', name: 'Case', price: '1' },
    ]);
  });

  it.each([
    ['another value', 'A,Phone,8\n', /^price is "9\.50" on line 2 and "8" on line 6/],
    ['a value that the first lacks', 'C,,\nC,Cup,\n', /^name is "" on line 6 and "Cup" on line 7/],
  ])('are refused with %s', async (_, rows, message) => {
    const { items, problems } = await readMapped(map, feed + rows);
    expect(codesOf(items)).toEqual(['!mapping_rows_disagree', '!mapping_rows_disagree']);
    for (const problem of problems) expect(problem.message).toMatch(message);
    for (const problem of problems)
      expect(problem.message).toMatch(/; correct one of them, or say that the first one counts: aggregate: first$/);
  });

  it('in a group (rows:), only the first may count, too', async () => {
    const groups = 'rows: sku\nonce: first\nfields: { sku: sku, name: name, price: price }';
    const { problems } = await readMapped(groups, 'sku,name,price\nA,Tea,1\nA,Tea,2\n');
    expect(problems[0]?.message).toMatch(/say that the first one counts: aggregate: first$/);
  });

  it('are not refused with those that say the same', async () => {
    const { items, problems } = await readMapped(map, 'sku,name,price\nA,Tea,5\nA,Tea,5\nA,Tea,6\nA,Tea,7\nB,Cup,1\n');
    expect(items).toHaveLength(4);
    expect(items).toContainEqual({ sku: 'B', name: 'Cup', price: '1' });
    expect(problems.map(({ externalId }) => externalId)).toEqual(['A', 'A', 'A']);
  });

  it.each([
    ['one that cannot be read, behind the first', 'A,Tea,5\nA,Tea,n/a\n', ['A', '!field_format']],
    [
      'one that differs from a first that cannot be read',
      'A,Tea,n/a\nA,Cup,5\n',
      ['!field_format', '!mapping_rows_disagree'],
    ],
    ['two that cannot be read', 'A,Tea,n/a\nA,Tea,none\n', ['!field_format', '!field_format']],
    ['not what a first that cannot be read says, too', 'A,Tea,n/a\nA,Tea,5\nA,Tea,n/a\n', ['!field_format']],
  ])('are not lost without a word: %s', async (_, rows, outcome) => {
    const numbers = map.replace('price: price', 'price: { column: price, number: true }');
    const { items } = await readMapped(numbers, `sku,name,price\n${rows}`);
    expect(items.map((item) => (typeof item === 'string' ? item : Object(item)['sku']))).toEqual(outcome);
  });

  it('come behind the first, so that a refused one is not the first of its key', async () => {
    const numbers = map.replace('price: price', 'price: { column: price, number: true }');
    const { items } = await readMapped(numbers, 'sku,name,price\nA,Tea,5\nB,Cup,1\nA,Tea,n/a\n');
    expect(codesOf(items)).toEqual(['!field_format']);
    expect(items.indexOf('!field_format')).toBe(1);
  });

  it('lists may lack entries, and have no others', async () => {
    const lists = 'once: first\nfields: { sku: sku, media: { each: { split: f, by: "|" }, entry: { file: $value } } }';
    const { items, problems } = await readMapped(lists, 'sku,f\nA,f1|f2\nA,f2\nA,f3\n');
    expect(codesOf(items)).toEqual(['!mapping_rows_disagree', '!mapping_rows_disagree']);
    expect(problems[0]?.message).toMatch(/on line 4; collect the entries of all rows with once: merge$/);
  });

  it('entries that are added are compared, too', async () => {
    const adding = 'once: first\nfields: { name: name, values: { add: { entry: { label: value, hex: hex } } } }';
    const rows = 'name,value,hex\nRed,a,#ff0000\nRed,a,#ff0000\nBlue,b,#0000ff\nBlue,b,#0000ee\n';
    const { items } = await readMapped(adding, rows, { fields: characteristic });
    expect(items).toEqual([
      expect.objectContaining({ name: 'Red' }),
      '!mapping_rows_disagree',
      '!mapping_rows_disagree',
    ]);
  });

  it('aggregate: first says that the first counts', async () => {
    const first = map.replace('price: price', 'price: { column: price, aggregate: first }');
    expect((await readMapped(first, `${feed}A,Phone,8\n`)).problems).toEqual([]);
  });
});

describe('rows of a table', () => {
  const map = (column: string) => `tables: { t: { key: sku, columns: { v: ${column} } } }
once: first
fields: { sku: sku, price: { column: sku, lookup: { table: t, column: v } } }`;
  const feed = 'sku,v\nA,9.50\nB,1\nA,9.5\nB,2\n';

  it('refuse what looks them up where they differ', async () => {
    const { items, problems } = await readMapped(map('v'), feed);
    expect(items).toEqual([{ sku: 'A', price: '9.50' }, '!mapping_rows_disagree']);
    expect(problems[0]?.message).toMatch(/^v of "B" in the table t is "1" on line 3 and "2" on line 5/);
  });

  it('texts are first, last or joined', async () => {
    const { problems } = await readMapped(map('v'), 'sku,v\nA,red\nA,blue\n');
    expect(problems[0]?.message).toMatch(/aggregate: first, last or \{join: " "\}$/);
  });

  it('of a tree: the mapping says which name counts; the parent is corrected', async () => {
    const tree = (name: string) => `tables: { t: { key: id, parent: up, columns: { name: ${name} } } }
once: first
fields: { sku: id, name: { column: id, lookup: { table: t, column: name } } }`;
    const rows = 'id,up,title\n1,,Tea\n1,,Teas\n2,1,Green\n';
    expect((await readMapped(tree('title'), rows)).problems[0]?.message).toMatch(/aggregate: first, last or/);
    const { items } = await readMapped(tree('{ column: title, aggregate: last }'), rows);
    expect(items[0]).toEqual({ sku: '1', name: 'Teas' });
    const moved = 'id,up,title\n1,,Tea\n2,1,Green\n2,3,Green\n3,,Cups\n';
    expect((await readMapped(tree('title'), moved)).problems[0]?.message).toMatch(
      /: parent is "1" on line 3 and "3" on line 4; correct one of them$/,
    );
  });

  it.each([
    ['first', '1'],
    ['sum', '3'],
    ['max', '2'],
  ])('aggregate: %s', async (how, price) => {
    const { items } = await readMapped(map(`{ column: v, aggregate: ${how} }`), feed);
    expect(items[1]).toEqual({ sku: 'B', price });
  });

  it('a row of the key that cannot be mapped is part of what is not known', async () => {
    const { items } = await readMapped(map('{ column: v, number: true, aggregate: sum }'), `${feed}B,many\n`);
    expect(items).toEqual([{ sku: 'A', price: '19.00' }, '!field_format']);
  });
});

describe('aggregate where nothing is aggregated', () => {
  it.each([
    ['a section of single rows', 'fields: { sku: sku, price: { column: v, aggregate: sum } }'],
    ['a condition', 'rows: sku\nkeep: { of: { column: v, aggregate: sum }, is: "1" }\nfields: { sku: sku }'],
    ['an operand', 'rows: sku\nfields: { sku: sku, price: { column: v, plus: { column: v, aggregate: sum } } }'],
    ['once: first', 'once: first\nfields: { sku: sku, price: { column: v, aggregate: sum } }'],
  ])('%s', async (_, map) => {
    await expect(readMapped(map, 'sku,v\nA,1\n')).rejects.toThrow(
      /aggregate: aggregate is for rows that give one value/,
    );
  });
});

it('entries of several rows are made one by once: merge, also where rows belong together', async () => {
  const entry = 'entry: { label: v, hex: { column: h, aggregate: last } }';
  const map = (more: string) => `rows: n\n${more}fields: { name: n, values: { ${entry} } }`;
  const feed = 'n,v,h\nA,red,#f00\nA,red,#e00\n';
  const { items } = await readMapped(map('once: merge\n'), feed, { fields: characteristic });
  expect(items).toEqual([{ name: 'A', values: [{ label: 'red', hex: '#e00' }] }]);
  await expect(readMapped(map(''), feed, { fields: characteristic })).rejects.toThrow(
    'values.entry.hex.aggregate: the entries of several rows are made one only by once: merge',
  );
});
