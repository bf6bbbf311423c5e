// Identifiers, for any clock and any random numbers.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idsFrom, newSuffix, numberIn } from '../../src/store/identifiers.js';

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const suffix = fc.string({ unit: fc.constantFrom(...digits), minLength: 26, maxLength: 26 });
const form = /^prod_[0-9a-hjkmnp-tv-z]{26}$/;

/** As time goes on the drawn ones grow, as those of a UUIDv7 do. */
function drawing(drawn: string): () => string {
  let draws = 0;
  return () => String(++draws).padStart(10, '0') + drawn.slice(10);
}

/** Milliseconds that pass between one transaction and the next; a clock may be set back. */
const pauses = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 40 });

describe('the suffix of a TypeID', () => {
  it.each([
    // Known answers of the TypeID specification.
    ['0188bac7-4afa-78aa-bc3b-bd1eef28d881', '01h2xcejqtf2nbrexx3vqjhp41'],
    ['00000000-0000-7000-8000-000000000000', '0000000000e008000000000000'],
    ['ffffffff-ffff-7fff-bfff-ffffffffffff', '7zzzzzzzzzfzzvzzzzzzzzzzzz'],
  ])('of the UUID %s is %s', (uuid, suffix) => {
    const hex = uuid.replaceAll('-', '');
    // The bits of version and variant are not random: whatever is there is replaced.
    expect(newSuffix(Number.parseInt(hex.slice(0, 12), 16), Buffer.from(hex.slice(12), 'hex'))).toBe(suffix);
  });
});

describe('identifiers', () => {
  it('that are incremented are unique, in order and of constant length, whatever the clock does', () => {
    fc.assert(
      fc.property(suffix, pauses, (drawn, waits) => {
        const newIds = idsFrom(drawing(drawn));
        let now = 1000;
        const ids = waits.flatMap((wait) => {
          now += wait;
          const newId = newIds(now);
          return Array.from({ length: 30 }, () => newId('prod_'));
        });
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual([...ids].sort());
        for (const id of ids) expect(id).toMatch(form);
      }),
    );
  });

  it('that are made with a number contain it, and are ordered as their numbers are', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 30 - 1 }), { minLength: 2, maxLength: 200 });
    fc.assert(
      fc.property(suffix, pauses, numbers, (drawn, waits, some) => {
        const newIds = idsFrom(drawing(drawn));
        const sorted = some.sort((a, b) => a - b);
        let now = 1000;
        const ids = sorted.map((number, i) => {
          now += waits[i % waits.length] as number;
          const newId = newIds(now);
          // Others in between are no hindrance.
          newId('atvl_');
          return newId('prod_', number);
        });
        expect(ids.map(numberIn)).toEqual(sorted);
        expect(ids).toEqual([...ids].sort());
        for (const id of ids) expect(id).toMatch(form);
      }),
    );
  });

  it('are counted up from one that is drawn anew after ten milliseconds', () => {
    let draws = 0;
    const newIds = idsFrom(() => `${++draws}`.padStart(26, '0'));
    const series = [1000, 1005, 1010, 1011, 1021, 1022].map((now) => newIds(now)('prod_').slice(0, -6));
    expect(new Set(series.slice(0, 3)).size).toBe(1);
    expect(new Set(series.slice(3, 5)).size).toBe(1);
    expect(draws).toBe(3);
  });

  it('of any other form contain no number that could be mistaken for one', () => {
    expect(numberIn('')).toBeNaN();
    expect(numberIn('prod_')).toBeNaN();
    expect(numberIn('abc')).toBeNaN();
    expect(numberIn('000001')).toBe(1);
  });
});
