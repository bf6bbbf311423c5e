// Amounts of two columns, and the parts of a record: what is empty is not taken for something else.
import { describe, expect, it } from 'vitest';
import { characteristic } from '../given.js';
import { readMapped } from './given.js';

describe('an empty operand', () => {
  const feed = 'sku,a,b\nA,10,2.5\nB,,2.5\nC,10,\nD,,\n';

  it('of plus means the same on either side', async () => {
    const { items, problems } = await readMapped('fields: { sku: sku, price: { column: a, plus: b } }', feed);
    const refused = '!mapping_operand_empty';
    expect(items).toEqual([{ sku: 'A', price: '12.5' }, refused, refused, { sku: 'D' }]);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^column "a" is empty.*add default: 0 to it$/),
      expect.stringMatching(/^the value of plus: is empty, and column "a" is not; .*default/),
    ]);
  });

  it('of times is refused as a factor; without an amount there is nothing to multiply', async () => {
    const { items } = await readMapped('fields: { sku: sku, price: { column: a, times: b } }', feed);
    expect(items).toMatchObject([{ sku: 'A', price: '25' }, { sku: 'B' }, '!mapping_operand_empty', { sku: 'D' }]);
  });

  it('is none beside a constant', async () => {
    const { items } = await readMapped('fields: { sku: sku, price: { column: a, plus: { value: 1 } } }', feed);
    expect(items).toMatchObject([{ price: '11' }, { sku: 'B' }, { price: '11' }, { sku: 'D' }]);
  });

  it('default says what it stands for', async () => {
    const map = 'fields: { sku: sku, price: { column: a, default: 0, plus: { column: b, default: 0 } } }';
    const { items } = await readMapped(map, feed);
    expect(items.map((item) => (item as { price: string }).price)).toEqual(['12.5', '2.5', '10', '0']);
  });

  it('a text that is no number is reported as such, once', async () => {
    const { problems } = await readMapped('fields: { sku: sku, price: { column: a, plus: b } }', 'sku,a,b\nA,1,x\n');
    expect(problems[0]?.message).toMatch(/"x" is not a number/);
    expect(problems[0]?.message).not.toContain('also');
  });

  it.each([
    ['that is no number', '{ column: a, default: 0, plus: { column: b, default: 0 } }', 'x', /"x" is not a number/],
    ['that a map does not name', '{ column: a, map: { one: 1 }, plus: b }', 'two', /"two"/],
  ])('a first value %s is not called empty, too', async (_, price, value, words) => {
    const { problems } = await readMapped(`fields: { sku: sku, price: ${price} }`, `sku,a,b\nA,${value},2\n`);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(words)]);
  });
});

describe('parts of each', () => {
  const columns = '{ parallel: { name: { columns: [n1, n2, n3] }, value: { columns: [v1, v2, v3] } }';
  const feed = 'sku,n1,v1,n2,v2,n3,v3\nA,Height,5,,,Colour,red\nB,,,,,,\n';

  it('columns beside each other keep their places, and empty parts are left out', async () => {
    const map = `fields: { sku: sku, attributes: { each: ${columns} }, entry: { type: $name, value: $value } } }`;
    expect((await readMapped(map, feed)).items).toEqual([
      {
        sku: 'A',
        attributes: [
          { type: 'Height', value: '5' },
          { type: 'Colour', value: 'red' },
        ],
      },
      { sku: 'B' },
    ]);
  });

  it('steps keep the places, too', async () => {
    const map = `fields: { sku: sku, attributes: { each: { parallel: { name: { columns: [n1, n2, n3] }, value: { columns: [v1, v2, v3], replace: { "5": "" } } } }, entry: { type: $name, value: $value } } }`;
    expect((await readMapped(map, feed)).items[0]).toEqual({
      sku: 'A',
      attributes: [{ type: 'Height' }, { type: 'Colour', value: 'red' }],
    });
  });

  it('of a section are filtered, in a list of them and in a table as well', async () => {
    const section = `each: ${columns}, keep: { of: $name, not: Colour } }\nfields: { name: $name }`;
    expect((await readMapped(section, feed, { fields: characteristic })).items).toEqual([{ name: 'Height' }]);
    const nested = `each: [{ split: a, by: "|", skip: [{ of: $value, is: x }] }, { split: b, by: "|" }]\nfields: { name: { template: "{$value}" } }`;
    expect((await readMapped(nested, 'a,b\nx|y,1|2\n', { fields: characteristic })).items).toHaveLength(2);
    const table = `tables: { t: { each: { split: a, by: "|", keep: { of: $value, begins: y } }, key: $value, columns: { v: b } } }
fields: { sku: a, name: { column: b, lookup: { table: t, column: v }, else: empty } }`;
    expect((await readMapped(table, 'a,b\nx|y,y\n')).items).toEqual([{ sku: 'x|y', name: 'y' }]);
  });

  it.each([
    ['a template', '{ template: "{sku}-{$size}" }'],
    ['joined columns', '{ columns: [sku, $size], join: "-" }'],
    ['the first of several', '{ first: [{ template: "{sku}-{$size}" }, sku] }'],
  ])('that are empty make no key of %s', async (_, sku) => {
    const each = (more = '') => `each: { parallel: { size: sizes, stock: stocks }, by: "|"${more} }`;
    const csv = 'sku,sizes,stocks\nA,S|L,1|2\nD,,5\nE,S||L,1|2|3\nF,,\n';
    const { items, problems } = await readMapped(`${each()}\nfields: { sku: ${sku}, stock: $stock }`, csv);
    const refused = '!field_required';
    expect(items.map((item) => (typeof item === 'string' ? item : (item as { sku: string }).sku))).toEqual([
      'A-S',
      'A-L',
      refused,
      'E-S',
      refused,
      'E-L',
    ]);
    expect(problems[0]?.message).toContain(
      '$size is empty, and the key is made of it; leave such parts out with skip:',
    );
    const kept = await readMapped(`${each(', skip: { of: $size, empty: true }')}\nfields: { sku: ${sku} }`, csv);
    expect(kept.items).toEqual(['A-S', 'A-L', 'E-S', 'E-L'].map((key) => ({ sku: key })));
  });

  it('that are empty may stand for something in a key', async () => {
    const map = `each: { split: sizes, by: "|" }\nfields: { sku: { columns: [sku, { column: $value, default: one }], join: "-" } }`;
    expect((await readMapped(map, 'sku,sizes\nA,S|L\n')).items).toEqual([{ sku: 'A-S' }, { sku: 'A-L' }]);
    const parallel = `each: { parallel: { size: sizes, stock: stocks }, by: "|" }\nfields: { sku: { columns: [sku, { column: $size, default: one }], join: "-" } }`;
    expect((await readMapped(parallel, 'sku,sizes,stocks\nD,,5\n')).items).toEqual([{ sku: 'D-one' }]);
  });

  it.each([
    ['in an expression', '{ columns: [sku, { column: $size, case: lower }], join: "-" }'],
    ['in a template', '{ columns: [sku, { template: "{$size}" }], join: "-" }'],
    ['as the first of several', '{ columns: [sku, { first: [$size, $colour] }], join: "-" }'],
    ['in a branch', '{ columns: [sku, { when: [{ if: { of: sku, not: X }, then: { column: $size } }] }], join: "-" }'],
    ['in front', '{ columns: [{ column: $size, prefix: "s" }, sku], join: "-" }'],
    ['emptied by a step', '{ columns: [sku, { column: $stock, after: "5" }], join: "-" }'],
  ])('that are empty make no key, %s', async (_, sku) => {
    const map = `each: { parallel: { size: sizes, colour: colours, stock: stocks } }\nfields: { sku: ${sku} }`;
    const { items, problems } = await readMapped(map, 'sku,sizes,colours,stocks\nB,,,5\n');
    expect(items).toEqual(['!field_required']);
    expect(problems[0]?.message).toMatch(/^\$(size|stock) is empty, and the key is made of it/);
  });

  it('a condition may leave a part out of a key', async () => {
    const map = `each: { split: sizes, by: "|" }
fields: { sku: { columns: [sku, { column: $value, when: { of: $value, not: one } }], join: "-" } }`;
    expect((await readMapped(map, 'sku,sizes\nA,one|L\n')).items).toEqual([{ sku: 'A' }, { sku: 'A-L' }]);
  });

  it('a key that is joined of several columns is refused where the first of them is empty', async () => {
    const csv = 'sku,size,name\nA,L,Shirt\n,L,Cap\nB,,Sock\n,,Tie\n';
    const joined = async (columns: string, more = '') =>
      (await readMapped(`fields: { sku: { columns: ${columns}, join: "-"${more} }, name: name }`, csv)).items;
    const [shirt, sock] = [
      { sku: 'A-L', name: 'Shirt' },
      { sku: 'B', name: 'Sock' },
    ];
    expect(await joined('[sku, size]')).toEqual([shirt, '!field_required', sock, { name: 'Tie' }]);
    expect(await joined('[{ column: sku, case: upper }, size]')).toEqual([
      shirt,
      '!field_required',
      sock,
      { name: 'Tie' },
    ]);
    expect(await joined('[{ column: sku, default: none }, size]')).toContainEqual({ sku: 'none-L', name: 'Cap' });
    // Other fields may begin with any of their columns.
    const names = await readMapped('fields: { sku: name, name: { columns: [sku, size], join: "-" } }', csv);
    expect(names.items).toContainEqual({ sku: 'Cap', name: 'L' });
    const { problems } = await readMapped('fields: { sku: { columns: [sku, size], join: "-" } }', csv);
    expect(problems).toMatchObject([
      { externalId: '', field: 'sku', message: expect.stringMatching(/^column "sku" is empty/) },
    ]);
  });

  it('of the rows of an item, aggregate may choose one that has all parts of the key', async () => {
    const csv = 'handle,vendor,name\nh,Acme,Shirt\nh,,\n';
    const map =
      'rows: handle\nfields: { sku: { columns: [vendor, handle], join: "-", aggregate: first }, name: { column: name, aggregate: first } }';
    expect((await readMapped(map, csv)).items).toEqual([{ sku: 'Acme-h', name: 'Shirt' }]);
  });

  it('a condition on parts outside of each says where it belongs', async () => {
    const map = `each: ${columns} }\nskip: { of: $name, empty: true }\nfields: { name: $name }`;
    await expect(readMapped(map, feed, { fields: characteristic })).rejects.toThrow(
      /\$name is not defined here; .*written in it: each: \{…, keep: …\}/,
    );
  });
});
