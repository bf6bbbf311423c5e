// Lines of a request's items, on their way in a header.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLines, encodeLines } from '../../src/http/line-ranges.js';

describe('lines in a header', () => {
  it('round-trip', () => {
    const lines = fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1, maxLength: 250 });
    fc.assert(
      fc.property(lines, (given) => {
        expect(decodeLines(encodeLines(given) ?? '', given.length)).toEqual(given);
      }),
    );
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 250 }), (from, count) => {
        const run = Array.from({ length: count }, (_, i) => from + 1 + i);
        expect(encodeLines(run)).toBe(count === 1 ? String(from + 1) : `${from + 1}-${from + count}`);
      }),
    );
  });

  it('are left out where one is not known', () => {
    expect(encodeLines([1, undefined, 3])).toBeUndefined();
    expect(encodeLines([0])).toBeUndefined();
    expect(encodeLines([])).toBeUndefined();
  });

  it('no header yields more lines than there are items', () => {
    for (const text of ['1-9000000000', '5-2', '1,2', '1-2,3', '0', '-1', '1-', 'x', `${'1,'.repeat(3000)}1`])
      expect(decodeLines(text, 1), text).toBeUndefined();
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789,-') }), fc.nat(50), (text, items) => {
        expect([undefined, items]).toContain(decodeLines(text, items)?.length);
      }),
    );
  });
});
