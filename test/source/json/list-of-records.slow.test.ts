// JSON documents whose records are a list inside another member: named, or found where there is one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listFinder } from '../../../src/source/json/locate-list.js';
import { repetitions } from '../../tier.js';
import { fileOf, readAll } from '../given.js';
import { cutRecords } from './given.js';

const records = [{ sku: 'A', name: 'Tea' }, { sku: 'B' }];
const read = (document: unknown, options = {}) => readAll(fileOf(JSON.stringify(document, null, 1), 'f.json'), options);

describe('the list of the records', () => {
  it('is found if it is the only list of objects, with a note', async () => {
    const { items, lines, notes } = await read({
      total: 2,
      data: { page: 1, products: records, tags: ['x'] },
      meta: {},
    });
    expect(items).toEqual(records);
    expect(lines).toEqual([6, 10]);
    expect(notes).toEqual([
      'records are the list "data.products"; --items names another',
      'skipped, since only "data.products" is imported: "total", "meta"',
    ]);
  });

  it('is named where there are several', async () => {
    const document = { tags: [{ sku: 'T' }], data: { products: records } };
    await expect(read(document)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(
        /several lists could hold the records: tags \(1\), data\.products \(2\)\. Name one with --items/,
      ),
    });
    expect((await read(document, { items: 'data.products' })).items).toEqual(records);
    expect((await read(document, { items: 'tags' })).items).toEqual([{ sku: 'T' }]);
  });

  it('may be one record, or the document itself', async () => {
    expect((await read({ data: { sku: 'A', stock: '5' } }, { items: 'data' })).items).toEqual([{ sku: 'A', stock: 5 }]);
    expect((await read({ variants: [{ x: 1 }], sku: 'A' }, { items: '.' })).items).toEqual([{ sku: 'A' }]);
    expect((await read({ items: [{ x: 1 }], sku: 'A' }, { items: '.' })).items).toEqual([{ sku: 'A' }]);
    // A document that names a field is a record by itself.
    expect((await read({ sku: 'A', attributes: [{ type: 'Colour', value: 'red' }] })).items).toEqual([
      { sku: 'A', attributes: [{ type: 'Colour', value: 'red' }] },
    ]);
  });

  it('that is not there, or there twice, is an error', async () => {
    expect((await read({ data: 1 }, { items: 'data.products' })).failure).toMatch(/list "data.products" not found/);
    const twice = fileOf('{"a":[{"sku":"A"}],\n"a":[{"sku":"B"}]}', 'f.json');
    const { items, failure } = await readAll(twice, { items: 'a' });
    expect(items).toEqual([{ sku: 'A' }]);
    expect(failure).toMatch(/line 2, column 5: the document has a second "a"/);
  });

  it('has members of any size before and after it', async () => {
    const blob = 'x\\"'.repeat(100_000) + 'x'.repeat(2_000_000);
    const list = JSON.stringify(Array.from({ length: 3_000 }, (_, i) => ({ i, text: 'a longer text'.repeat(20) })));
    for (const name of ['items', 'products']) {
      const text = `{"blob":"${blob}","numbers":[${'1,'.repeat(100_000)}1],"${name}":${JSON.stringify(records)},"more":{"list":[${list}]},"end":"${blob}"}`;
      const options = name === 'items' ? {} : { items: name };
      expect(await readAll(fileOf(text, 'f.json'), options), name).toMatchObject({
        items: records,
        failure: undefined,
      });
    }
  });

  it.each([
    ['{"data":{"products":[{"sku":"A"}]', /the file ends before the JSON/],
    ['{"data":{"products":[{"sku":"A"}]}}}', /line 1, column 36: this is not valid JSON/],
    ['{"data":{"products":[{"sku":"A"}],}}', /this is not valid JSON: "}" is not expected here/],
    ['{"x":tru,"data":{"products":[{"sku":"A"}]}}', /this is not valid JSON/],
    ['{"data":{"products":[{"sku":"A"} {"sku":"B"}]}}', /this is not valid JSON/],
    ['{"data":{"products":[{"sku":"A"},\n{"sku":}]}}', /line 2, column 8: this is not valid JSON/],
    [`{"data":{"products":[{"sku":"A"}]},"x":${'['.repeat(100_000)}`, /nested deeper than 64 levels|nested/],
  ])('with %s around it is an error at its place', async (text, words) => {
    const { failure } = await readAll(fileOf(text, 'f.json'), { items: 'data.products' });
    expect(failure).toMatch(words);
  });

  it('is read alike in chunks of any size', () => {
    const member = fc.tuple(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(
        fc.array(member),
        fc.array(member),
        fc.array(fc.jsonValue()),
        fc.integer({ min: 1, max: 9 }),
        (before, behind, list, size) => {
          const own = ([name]: readonly [string, unknown]) => name !== 'a' && name !== 'b';
          const inner = Object.fromEntries([...before.filter(own), ['b', list], ...behind.filter(own)]);
          const text = JSON.stringify(Object.fromEntries([...before.filter(own), ['a', inner], ...behind.filter(own)]));
          expect(cutRecords(text, ['a', 'b'], size).values).toEqual(JSON.parse(JSON.stringify(list)));
        },
      ),
      { numRuns: repetitions('JSON_LISTS', { fast: 20, moderate: 40, full: 2000 }) },
    );
  });

  it('with one wrong character in the document is refused at the same position, in chunks of any size', () => {
    const list = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }), { maxLength: 3 });
    const character = fc.constantFrom('', ...'{}[],:"\\ 0-.etn\n\u0000');
    const messageOf = (text: string, path: readonly string[], size?: number): string => {
      try {
        return JSON.stringify(cutRecords(text, path, size).values);
      } catch (cause) {
        // Read character by character, the invalid character may not be read yet when the error is raised.
        return (cause as Error).message.replace(/: "[^"]*" is not expected here/, '');
      }
    };
    fc.assert(
      fc.property(
        list,
        fc.jsonValue(),
        fc.nat(),
        character,
        fc.constantFrom('list', 'keys'),
        fc.integer({ min: 1, max: 30 }),
        (records, other, at, put, kind, size) => {
          const b = kind === 'list' ? records : Object.fromEntries(records.map((record, i) => [`k${i}`, record]));
          const whole = JSON.stringify({ x: other, a: { b, y: other }, z: [other] }, null, 1);
          const index = at % whole.length;
          const text = whole.slice(0, index) + put + whole.slice(index + 1);
          const path = kind === 'list' ? ['a', 'b'] : ['a', 'b', '*'];
          const message = messageOf(text, path);
          expect(messageOf(text, path, size)).toBe(message);
          expect(messageOf(text, path, 1)).toBe(message);
          // Valid documents are read, or have no records at the path; invalid ones never end as if they were whole.
          let isValid = true;
          try {
            JSON.parse(text);
          } catch {
            isValid = false;
          }
          if (isValid) expect(message).toMatch(/^\[|list "[^"]*" not found|is not an object|has a second/);
          else expect(message).toMatch(/line \d+, column \d+|is not an object/);
        },
      ),
      { numRuns: repetitions('JSON_LISTS', { fast: 40, moderate: 75, full: 5000 }) },
    );
  });

  it('is found in chunks of any size', () => {
    const text = JSON.stringify({
      'a"b\\': 1,
      data: { 'x[{': '[{', products: [{ v: [{}] }, {}], other: [[{}]] },
      last: [1],
    });
    for (const size of [1, 2, 3, 7, 1000]) {
      const finder = listFinder(() => false);
      for (let at = 0; at < text.length; at += size) finder.take(text.slice(at, at + size));
      expect(finder.lists).toEqual([{ path: ['data', 'products'], count: 2 }]);
    }
  });
});

describe('a document with several lists', () => {
  const records = [{ sku: 'A' }, { sku: 'B' }];

  it('of JSON:API has its records in data, and what they refer to in included', async () => {
    const { items, notes } = await read({ data: records, included: [{ type: 'brands', id: '1' }] });
    expect(items).toEqual(records);
    expect(notes.join('\n')).toContain('included');
  });

  it('of one name in the members of an object has these members for records', async () => {
    const products = { A: { stock: 1, prices: [{ value: 1 }] }, B: { stock: 2, prices: [{ value: 2 }] } };
    const { items, notes } = await read({ products });
    expect(items).toMatchObject([{ stock: 1 }, { stock: 2 }]);
    expect(notes.join('\n')).toContain('products.*');
  });

  it('with an empty list items and another one of this name has its records in that', async () => {
    expect((await read({ items: [], data: { items: records } })).items).toEqual(records);
    expect((await read({ items: [], facets: [{ sku: 'F' }] })).items).toEqual([]);
  });
});
