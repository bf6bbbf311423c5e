// Checked items that travel between threads come out as they went in.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isChecked } from '../../src/core/sound-item.js';
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
/** An item without what it and its entries are made of. */
const plain = (one: unknown): unknown => structuredClone(one);
/** Up to 600 items: more than go in one list. */
const chunk = fc
  .tuple(fc.array(fc.tuple(item, fc.boolean()), { maxLength: 12 }), fc.constantFrom(1, 1, 50))
  .map(([items, times]) => Array.from({ length: times }, () => items).flat());

it('a chunk is the same after its journey, whatever fields its items have and whichever of them were checked', () => {
  const [pack, unpack] = [packer(), unpacker()];
  fc.assert(
    fc.property(chunk, (sent) => {
      const items: unknown[] = sent.map(([fields]) => ({ ...fields }));
      const places = sent.flatMap(([, sound], i) => (sound ? [i] : []));
      const packed = pack(items, places);
      // Nothing but checked items is taken out, and with the first of them at least one.
      expect(packed?.at[0]).toBe(places[0]);
      for (const place of packed?.at ?? []) expect(places).toContain(place);
      const arrived = structuredClone({ items, packed });
      if (arrived.packed !== undefined) unpack(arrived.packed, arrived.items);
      expect(arrived.items.map(plain)).toStrictEqual(sent.map(([fields]) => ({ ...fields })));
      expect(arrived.items.map(isChecked)).toEqual(sent.map((_, i) => packed?.at.includes(i) ?? false));
    }),
  );
});

it('more items than go in one list arrive in their places', () => {
  const sent = Array.from({ length: 450 }, (_, i) => ({ sku: `S-${i}`, stock: i, tag: i % 3 === 0 ? null : 'x' }));
  const items: unknown[] = [...sent];
  const places = sent.map((_, i) => i).filter((i) => i !== 7);
  const packed = packer()(items, places);
  expect(items.filter((item) => item !== undefined)).toEqual([sent[7]]);
  if (packed !== undefined) unpacker()(structuredClone(packed), items);
  expect(items.map(plain)).toStrictEqual(sent);
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
  const items: unknown[] = [...sent];
  const pack = packer();
  const places = sent.map((_, i) => i);
  const packed = pack(items, places);
  const travelled = packed?.values.flat() ?? [];
  const times = (text: string): number => travelled.filter((one) => one === text).length;
  expect(['Brand 3', 'Colour', 'Size', 'XL', 'S-3', 'red 3'].map(times)).toEqual([1, 1, 1, 1, 1, 1]);
  // What repeats is decided once: in a chunk where each brand comes once, those that are known are numbers all the same.
  const later = sent.map((item, i) => ({ ...item, brand: `Brand ${i}` }));
  const after = pack([...later], places)?.values.flat() ?? [];
  expect(after.includes('Brand 3')).toBe(false);
  expect(after.includes('Brand 33')).toBe(true);
  if (packed !== undefined) unpacker()(structuredClone(packed), items);
  expect(items.map(plain)).toStrictEqual(sent);
});

it('items of every shape share the room for texts that repeat', () => {
  const pack = packer();
  const places = Array.from({ length: 1600 }, (_, i) => i);
  let numbered = 0;
  for (let shape = 0; shape < 30; shape++) {
    const items = places.map((i) => ({ sku: `S-${i}`, [`field ${shape}`]: `word ${i % 800}` }));
    const codes = pack(items, places)?.values.flat() ?? [];
    numbered += codes.filter((code) => typeof code === 'number').length;
  }
  expect(numbered).toBe(20_000);
});
