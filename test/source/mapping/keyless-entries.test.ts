// An entry of a list without its key is left out, unless a value of the record would be lost with it.
import { describe, expect, it } from 'vitest';
import { attributeRecord } from '../../../src/core/resources/product-attributes.js';
import { product } from '../given.js';
import { readMapped } from './given.js';

const repeated = 'each: { repeated: { g: "g{n}", p: "p{n}", s: "s{n}" } }';
const tiers = (more = '') =>
  `fields: { sku: nr, grades: { ${repeated}, entry: { grade: $g, price: $p, stock: $s }${more} } }`;
const feed = 'nr,g1,p1,s1,g2,p2,s2\n1,new,10.00,1,good,5.00,2\n2,new,10.00,1,,5.00,2\n3,,,,,,2\n4,new,1.00,,,,\n';
const refused = '!field_required';

describe('a value without its key refuses the record', () => {
  it('with the list, the value and what leaves it out', async () => {
    const { items, problems } = await readMapped(tiers(), feed);
    expect(items.map((item) => (typeof item === 'string' ? item : (item as { sku: string }).sku))).toEqual([
      '1',
      refused,
      refused,
      '4',
    ]);
    expect(problems[0]).toMatchObject({ externalId: '2', field: 'grades[].grade' });
    expect(problems[0]?.message).toBe(
      'the entry of grades with price "5.00" has no grade. Add it, or leave such entries out: skip: {of: $g, empty: true} next to entry:',
    );
    expect(problems[1]?.message).toContain('with stock "2" has no grade');
  });

  it.each(['next to entry', 'in each'])('unless skip %s leaves it out', async (where) => {
    const skip = ', skip: { of: $g, empty: true }';
    const map = where === 'in each' ? tiers().replace('"s{n}" } }', `"s{n}" }${skip} }`) : tiers(skip);
    const { items, problems } = await readMapped(map, feed);
    expect([items.length, problems]).toEqual([4, []]);
  });

  it.each([
    ['of a row', 'grades: { entry: { grade: g, price: p } }', 'skip: {of: g, empty: true}'],
    ['of a template', 'grades: { entry: { grade: { template: "{g}" }, price: p } }', 'skip: {of: g, empty: true}'],
    [
      'of a column that may be missing',
      'grades: { entry: { grade: { column: no, optional: true }, price: p } }',
      ': no,',
    ],
    [
      'of a value by condition',
      'grades: { entry: { grade: g, price: { when: [{ if: { of: h, empty: true }, then: { column: p } }] } } }',
      'skip: {of: g, empty: true}',
    ],
    [
      'of one of several columns',
      'grades: { entry: { grade: { first: [g, h] }, price: p } }',
      'skip: {of: "…", empty: true}',
    ],
  ])('%s', async (_, field, remedy) => {
    const { items, problems } = await readMapped(`fields: { sku: nr, ${field} }`, 'nr,g,h,p\n1,,,5.00\n2,,,\n');
    expect(items).toEqual([refused, { sku: '2' }]);
    expect(problems[0]?.message).toContain(remedy);
  });
});

it.each(['{ "a": 5 }', '["5", "6"]', '5'])('the value %s of a JSON record refuses it, too', async (value) => {
  const map = 'fields: { sku: nr, grades: { entry: { grade: { column: g, optional: true }, price: p } } }';
  const { items } = await readMapped(map, `[{ "nr": "1", "p": ${value} }]`, { name: 'feed.json' });
  expect(items).toEqual([refused]);
});

describe('an entry without its key is left out', () => {
  it.each([
    [
      'where the mapping gives the rest',
      'grades: { entry: { grade: g, price: { value: 1 }, stock: { column: s, default: 0 } } }',
    ],
    ['where another field takes the rest', 'price: p, grades: { entry: { grade: g, price: p } }'],
    [
      'where the mapping empties the key',
      'grades: { entry: { grade: { column: h, map: { x: new }, else: empty }, price: p } }',
    ],
    ['where the rest is a place or a mark', 'media: { entry: { file: g, position: o, is_main: m } }'],
  ])('%s', async (_, field) => {
    const { items } = await readMapped(`fields: { sku: nr, ${field} }`, 'nr,g,h,p,s,o,m\n1,,y,5.00,,1,true\n');
    expect(items).toEqual([expect.not.objectContaining({ grades: expect.anything(), media: expect.anything() })]);
    expect(items[0]).toMatchObject({ sku: '1' });
  });

  it.each([
    ['where the mapping gives no key', 'grades: { entry: { grade: { value: "" }, price: p } }', 'p\n5.00\n'],
    [
      'where the mapping empties a key of which one column is filled',
      'grades: { entry: { grade: { first: [g, h], map: { x: new }, else: empty }, price: p } }',
      'g,h,p\ny,,5.00\n',
    ],
    ['where the rest is the line', 'grades: { entry: { grade: g, stock: $line } }', 'g\n""\n'],
    ['where the rest is the number of the record', 'grades: { entry: { grade: g, stock: $record } }', 'g\n""\n'],
  ])('%s', async (_, field, content) => {
    const [header, row] = content.split('\n');
    expect((await readMapped(`fields: { sku: nr, ${field} }`, `nr,${header}\n1,${row}\n`)).items).toEqual([
      { sku: '1' },
    ]);
  });

  it('where the rest is a word of the mapping that is called like a member', async () => {
    const value = '{ when: [{ if: { of: k, is: a }, then: red }, { else: blue }] }';
    const map = `fields: { sku: nr, attributes: { entry: { type: { column: g, optional: true }, value: ${value} } } }`;
    const feed = '[{ "nr": "1", "k": "a", "red": "2", "blue": "3" }]';
    expect((await readMapped(map, feed, { name: 'feed.json' })).items).toEqual([{ sku: '1' }]);
  });

  it('where another field takes the part of the record', async () => {
    const map = 'each: { split: s, by: "/" }\nfields: { sku: $value, grades: { entry: { grade: g, price: $value } } }';
    expect((await readMapped(map, 's,g\n5/7,\n')).items).toEqual([{ sku: '5' }, { sku: '7' }]);
  });

  it('where the mapping empties a key that is a list', async () => {
    const key = '{ column: h, join: "/", map: { x: new }, else: empty }';
    const map = `fields: { sku: nr, grades: { entry: { grade: ${key}, price: p } } }`;
    const feed = '[{ "nr": "1", "h": ["y", "z"], "p": "5.00" }, { "nr": "2", "h": [], "p": "5.00" }]';
    expect((await readMapped(map, feed, { name: 'feed.json' })).items).toEqual([{ sku: '1' }, refused]);
  });

  it('where it has no value either, and a name without a value is none', async () => {
    const attributes = {
      ...product['attributes'],
      kind: 'list',
      entry: attributeRecord.fields,
      entryKey: 'type',
      note: '',
      required: false,
    } as const;
    const map = 'fields: { sku: nr, attributes: { entry: { type: t, value: v, unit: u } } }';
    const { items, problems } = await readMapped(map, 'nr,t,v,u\n1,Size,,cm\n2,,,cm\n3,,5,\n', {
      fields: { ...product, attributes },
    });
    expect(items).toEqual([{ sku: '1' }, { sku: '2' }, refused]);
    expect(problems[0]?.message).toContain('the entry of attributes with value "5" has no type');
    const fixed = map.replace('value: v', 'value: { value: 5 }');
    const given = await readMapped(fixed, 'nr,t,u\n2,,cm\n3,,\n', { fields: { ...product, attributes } });
    expect(given.items).toEqual([refused, { sku: '3' }]);
    const either = map.replace('value: v', 'value: { first: [v, w] }');
    const one = await readMapped(either, 'nr,t,v,w,u\n2,,,5,cm\n3,,,,cm\n', { fields: { ...product, attributes } });
    expect(one.items).toEqual([refused, { sku: '3' }]);
  });
});
