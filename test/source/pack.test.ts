// Checked items that travel between threads come out as they went in.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Entry, rawEntry, unreadableEntry, validatedEntry } from '../../src/core/entry.js';
import { packer, unpacker } from '../../src/source/pack.js';

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
const validated = (items: readonly Readonly<Record<string, unknown>>[]): Entry[] => items.map(validatedEntry);
/** Up to 600 items: more than go in one list. */
const chunk = fc
  .tuple(
    fc.array(fc.tuple(item, fc.constantFrom('raw', 'validated', 'unreadable')), { maxLength: 12 }),
    fc.constantFrom(1, 1, 50),
  )
  .map(([items, times]) => Array.from({ length: times }, () => items).flat());

const entryOf = ([fields, kind]: readonly [Record<string, unknown>, string]): Entry => {
  if (kind === 'unreadable') return unreadableEntry({ code: 'row_shape', field: '', message: 'torn' }, 'key');
  return kind === 'raw' ? rawEntry({ ...fields }) : validatedEntry({ ...fields });
};

it('a chunk is the same after its journey, whatever fields its items have and whichever of them were validated', () => {
  const [pack, unpack] = [packer(), unpacker()];
  fc.assert(
    fc.property(chunk, (sent) => {
      const entries = sent.map(entryOf);
      const travelling = pack(entries);
      // Nothing but validated items is packed, and with the first of them at least one.
      const first = entries.findIndex(({ kind }) => kind === 'validated');
      expect(travelling.packed?.at[0]).toBe(first === -1 ? undefined : first);
      for (const place of travelling.packed?.at ?? []) expect(entries[place]?.kind).toBe('validated');
      expect(plain(unpack(structuredClone(travelling)))).toStrictEqual(sent.map(entryOf));
      expect(entries, 'what is sent stays as it is').toStrictEqual(sent.map(entryOf));
    }),
  );
});

it('more items than go in one list arrive in their places', () => {
  const sent = Array.from({ length: 450 }, (_, i) => ({ sku: `S-${i}`, stock: i, tag: i % 3 === 0 ? null : 'x' }));
  const entries = sent.map((item, i) => (i === 7 ? rawEntry(item) : validatedEntry(item)));
  const travelling = packer()(entries);
  expect(travelling.entries.filter((entry) => entry !== undefined)).toEqual([rawEntry(sent[7])]);
  expect(plain(unpacker()(structuredClone(travelling)))).toStrictEqual(entries);
});

it('texts that repeat travel once, those of the entries of lists as well', () => {
  const sent = Array.from({ length: 100 }, (_, i) => ({
    sku: `S-${i}`,
    brand: `Brand ${i % 10}`,
    attributes: [
      { type: 'Colour', value: `red ${i}` },
      { type: 'Size', value: 'XL' },
    ],
  }));
  const pack = packer();
  const travelling = pack(validated(sent));
  const travelled = travelling.packed?.values.flat() ?? [];
  const times = (text: string): number => travelled.filter((one) => one === text).length;
  expect(['Brand 3', 'Colour', 'Size', 'XL', 'S-3', 'red 3'].map(times)).toEqual([1, 1, 1, 1, 1, 1]);
  // What repeats is decided once: in a chunk where each brand comes once, those that are known are numbers all the same.
  const later = sent.map((item, i) => ({ ...item, brand: `Brand ${i}` }));
  const after = pack(validated(later)).packed?.values.flat() ?? [];
  expect(after.includes('Brand 3')).toBe(false);
  expect(after.includes('Brand 33')).toBe(true);
  expect(plain(unpacker()(structuredClone(travelling)))).toStrictEqual(validated(sent));
});

it('items of every shape share the room for texts that repeat', () => {
  const pack = packer();
  const numbers = Array.from({ length: 1600 }, (_, i) => i);
  let numbered = 0;
  for (let shape = 0; shape < 30; shape++) {
    const items = numbers.map((i) => ({ sku: `S-${i}`, [`field ${shape}`]: `word ${i % 800}` }));
    const codes = pack(validated(items)).packed?.values.flat() ?? [];
    numbered += codes.filter((code) => typeof code === 'number').length;
  }
  expect(numbered).toBe(20_000);
});
