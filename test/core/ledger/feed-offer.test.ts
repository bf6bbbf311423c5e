// How an offer is stored: by the number of its shape where there is one, and as earlier versions did.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  heldOffer,
  isHeld,
  isNumbered,
  lineOfOffer,
  notKept,
  offerOf,
  offerText,
  packOffer,
  unpackOffer,
} from '../../../src/core/ledger/feed-offer.js';

const member = fc.oneof(
  fc.constantFrom('price', 'currency', 'stock', 'grades', 'status'),
  fc
    .string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('a', '=', '\n', '"', '[', 'é') })
    .map((name) => `attributes[${name}]`),
);
const value = fc.oneof(fc.constant(notKept), fc.jsonValue());
const offers = fc.array(fc.tuple(member, value), { minLength: 1, maxLength: 12 }).map((pairs) => new Map(pairs));

describe('an offer', () => {
  it('comes back as it was stored, but for the values that are not kept, with and without a number for its shape', () => {
    fc.assert(
      fc.property(offers, fc.nat(3), fc.boolean(), (offer, number, keepsPrices) => {
        const isKept = (name: string): boolean => keepsPrices || name !== 'price';
        const packed = packOffer(offer, isKept);
        const shapes = Array.from({ length: number + 1 }, () => packed.shape);
        const expected = [...offer]
          .map(([name, own]) => [name, isKept(name) ? own : notKept] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1));
        const plain = (value: unknown) => (value === notKept ? 'not kept' : JSON.stringify(value));
        for (const text of [offerText(packed, number), offerText(packed, undefined)]) {
          const back = [...unpackOffer(text, shapes)].map(([name, own]) => [name, plain(own)]);
          expect(back).toEqual(expected.map(([name, own]) => [name, plain(own)]));
        }
      }),
    );
  });

  it('without members is nothing, and a shape that is not there is an error, never another offer', () => {
    const packed = packOffer(new Map(), () => true);
    expect(offerText(packed, undefined)).toBe('');
    expect(unpackOffer('', []).size).toBe(0);
    expect(() => unpackOffer('#3[1]', ['["=price"]'])).toThrow('unknown shape');
  });

  it('has a number only while there are few shapes, and its own is short', () => {
    const many = Array.from({ length: 200 }, (_, i) => `a${i}`);
    expect(isNumbered(many.slice(1), 'price')).toBe(true);
    expect(isNumbered(many, 'price')).toBe(false);
    expect(isNumbered([], 'x'.repeat(2000))).toBe(true);
    expect(isNumbered([], 'x'.repeat(2001))).toBe(false);
  });

  it('is packed with its own values where another one has the same members, of which one is not kept', () => {
    const layouts = new Map();
    const pack = (price: unknown) =>
      unpackOffer(
        offerText(
          packOffer(new Map([['price', price]]), () => true, layouts),
          undefined,
        ),
        [],
      );
    for (const price of [5, notKept, 6]) expect(pack(price)).toEqual(new Map([['price', price]]));
  });

  it('has the fields that an item sends, but for those that identify the record', () => {
    const item = { sku: 'A', name: 'Lamp', price: undefined } as never;
    expect([...offerOf(item, new Set(['sku']), {} as never)]).toEqual([['name', 'Lamp']]);
  });

  it.each([0, 1, 7])('that a run did not make keeps its line: %i', (line) => {
    const offer = { id: 'erp/product/A', record: '1', run: '1', line, fields: '', created_at: 0 };
    const held = heldOffer(offer, '2');
    expect([isHeld(offer), lineOfOffer(offer)]).toEqual([false, line]);
    expect([isHeld(held), lineOfOffer(held), lineOfOffer(heldOffer(held, '3'))]).toEqual([true, line, line]);
  });
});
