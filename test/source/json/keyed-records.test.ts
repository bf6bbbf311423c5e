// JSON objects whose members are the records: the member's name is the column `@key`.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMapped } from '../mapping/given.js';
import { cutRecords } from './given.js';

const cut = (text: string, size?: number) => cutRecords(text, ['*'], size);

const map = (items: string) => `read: {items: "${items}"}\nfields: {sku: "@key", name: title, price: price}`;

/** Values without numbers that a double writes otherwise. */
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie('any'), { maxKeys: 2 }),
  ),
})).any;

describe('an object keyed by SKU', () => {
  it('is the document, or a member of it', async () => {
    const feed = { 'A-1': { title: 'Lamp', price: '12.50' }, 'A-2': { title: 'Shade' } };
    const items = [
      { sku: 'A-1', name: 'Lamp', price: '12.50' },
      { sku: 'A-2', name: 'Shade' },
    ];
    expect((await readMapped(map('*'), JSON.stringify(feed), { name: 'f.json' })).items).toEqual(items);
    const inner = JSON.stringify({ updated: 'today', data: { products: feed } }, null, 1);
    expect((await readMapped(map('data.products.*'), inner, { name: 'f.json' })).items).toEqual(items);
  });

  it('a list at the same place is read as a list, as refused records come back', async () => {
    const back = JSON.stringify({ data: { products: [{ '@key': 'A-1', title: 'Lamp', price: 2 }] } });
    expect((await readMapped(map('data.products.*'), back, { name: 'f.json' })).items).toEqual([
      { sku: 'A-1', name: 'Lamp', price: '2' },
    ]);
  });

  it('reports members that are not records', async () => {
    const { failure } = await readMapped(map('*'), '{"ok": true, "A": {}}', { name: 'f.json' });
    expect(failure).toMatch(
      /the member "ok" is not an object; name the object whose members are the records, such as --items "products\.\*"/,
    );
  });

  it('gives lines, empty records, and names with escapes', () => {
    expect(cut('{\n "A": {},\n "q\\"{": {"x": [{"y": "}"}]},\n\n "C": {"@key": 1}\n}')).toEqual({
      values: [{ '@key': 'A' }, { '@key': 'q"{', x: [{ y: '}' }] }, { '@key': 1 }],
      lines: [2, 3, 5],
    });
    expect(cut('{}').values).toEqual([]);
  });

  it('refuses invalid JSON', () => {
    for (const text of ['{"A": {}', '{"A": {} "B": {}}', '{"A": {"x": }}', '{"A" {}}', '{"A": {}}}'])
      expect(() => cut(text), text).toThrow();
  });

  it('reads any records in chunks of any size', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.dictionary(fc.string({ minLength: 1 }), value, { maxKeys: 3 }), {
          maxKeys: 5,
        }),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(undefined, 1),
        (feed, length, space) => {
          const plain = JSON.parse(JSON.stringify(feed)) as Record<string, Record<string, unknown>>;
          const expected = Object.entries(plain).map(([key, record]) => ({ '@key': key, ...record }));
          const { values } = cut(JSON.stringify(plain, null, space), length);
          expect(JSON.parse(JSON.stringify(values))).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });
});
