// Checked items that travel between threads come out as they went in.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Entry, rawEntry, unreadableEntry, validatedEntry } from '../../../src/core/entry.js';
import { itemDecoder, itemEncoder } from '../../../src/source/worker/item-codec.js';
import { itemLayout } from '../../../src/source/worker/item-layout.js';

const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.constantFrom(undefined, null, '', '\u0001', 0, true),
  fc.array(fc.record({ type: fc.string(), value: fc.nat() }, { requiredKeys: ['type'], noNullPrototype: true }), {
    maxLength: 3,
  }),
  fc.array(fc.constantFrom(0, null, {}, [0], { type: 'x' }), { maxLength: 2 }),
);
const full = fc.record({ sku: value, name: value, price: value, 'it"s': value });
const item = fc.oneof({ weight: 5, arbitrary: full }, fc.dictionary(fc.constantFrom('sku', 'name', 'tag'), value));
/** Entries without what their items are made of. */
const plain = (entries: readonly Entry[]): unknown => structuredClone(entries);
/** Up to 600 items: more than go in one list. */
const chunk = fc
  .tuple(
    fc.array(fc.tuple(item, fc.constantFrom('raw', 'validated', 'unreadable')), { maxLength: 12 }),
    fc.constantFrom(1, 1, 50),
  )
  .map(([items, times]) => Array.from({ length: times }, () => items).flat());

const entryOf = ([fields, kind]: readonly [Record<string, unknown>, string]): Entry => {
  if (kind === 'unreadable') return unreadableEntry({ code: 'row_shape', field: '', message: 'torn' }, 'key');
  return kind === 'raw' ? rawEntry({ ...fields }) : validatedEntry({ ...fields }, 7, -7);
};

it('a chunk is unchanged by encoding and decoding, whatever fields its items have and whichever were validated', () => {
  const [pack, unpack] = [itemEncoder(), itemDecoder()];
  fc.assert(
    fc.property(chunk, (sent) => {
      const entries = sent.map(entryOf);
      const travelling = pack(entries);
      // Nothing but validated items is packed, and with the first of them at least one.
      const first = entries.findIndex(({ kind }) => kind === 'validated');
      expect(travelling.encoded?.at[0]).toBe(first === -1 ? undefined : first);
      for (const place of travelling.encoded?.at ?? []) expect(entries[place]?.kind).toBe('validated');
      expect(plain(unpack(structuredClone(travelling)))).toStrictEqual(sent.map(entryOf));
      expect(entries, 'what is sent stays as it is').toStrictEqual(sent.map(entryOf));
    }),
  );
});

it('more items than fit into one list keep their positions', () => {
  const sent = Array.from({ length: 450 }, (_, i) => ({ sku: `S-${i}`, stock: i, tag: i % 3 === 0 ? null : 'x' }));
  const entries = sent.map((item, i) => (i === 7 ? rawEntry(item) : validatedEntry(item, i, 1 - i)));
  const travelling = itemEncoder()(entries);
  expect(travelling.entries.filter((entry) => entry !== undefined)).toEqual([rawEntry(sent[7])]);
  expect(plain(itemDecoder()(structuredClone(travelling)))).toStrictEqual(entries);
});

it('the compiled codec gives back what it took', () => {
  const shape = {
    names: ['sku', 'tag', 'media'],
    entries: [undefined, undefined, ['file', 'is_main']],
  };
  const text = fc.oneof(fc.constantFrom('a', 'b', ''), fc.string(), fc.constant(null));
  const list = fc.array(fc.record({ file: text, is_main: fc.boolean() }, { noNullPrototype: true }), { maxLength: 3 });
  const items = fc.array(fc.record({ sku: text, tag: text, media: fc.oneof(list, text) }, { noNullPrototype: true }));
  fc.assert(
    fc.property(items, (sent) => {
      const layout = itemLayout(shape);
      for (const item of sent) {
        const values: unknown[] = [];
        layout.take(item, values);
        expect({ ...layout.make({ values, at: 0 }) }).toEqual(item);
      }
    }),
  );
});
