import { describe, expect, it } from 'vitest';
import { newKeyHashSet } from '../../src/source/key-hash-set.js';

describe('a set of key hashes', () => {
  // So many that the table is enlarged twice, and as many again that repeat them.
  const count = 50_000;
  const keys = Array.from({ length: count }, (_, i) => `SKU-${i}`);

  it('knows the first and second line of each key, also of those from before its table was enlarged', () => {
    const set = newKeyHashSet(1_000_000);
    const firsts = keys.map((key, i) => set.before(key, i + 2));
    expect(firsts.every((first) => first === undefined)).toBe(true);
    expect(set.linesOf('SKU-7')).toEqual({ first: 9, second: 0 });
    for (const again of [1, 2]) {
      const repeats = keys.map((key, i) => set.before(key, again * count + i + 2));
      expect(repeats).toEqual(keys.map((_, i) => i + 2));
    }
    for (const i of [0, 9_999, 10_000, 39_999, 40_000, count - 1]) {
      expect(set.linesOf(`SKU-${i}`)).toEqual({ first: i + 2, second: count + i + 2 });
    }
    expect(set.linesOf('SKU-x')).toBeUndefined();
    expect(set.full()).toBe(false);
  });

  it('tells keys on one line apart', () => {
    const set = newKeyHashSet(100);
    for (const key of ['A', 'B', 'A', 'C']) set.before(key, 1);
    expect(['A', 'B', 'C'].map((key) => set.linesOf(key))).toEqual([
      { first: 1, second: 1 },
      { first: 1, second: 0 },
      { first: 1, second: 0 },
    ]);
  });

  it.each([1, 7, 9_999, 10_000, 10_001, 11_000, 40_000, 45_000])(
    'keeps at most %d keys, and tells that it is full',
    (most) => {
      const set = newKeyHashSet(most);
      for (let i = 0; i < most; i++) set.before(`SKU-${i}`, i + 2);
      expect(set.full()).toBe(false);
      expect(set.before('SKU-0', count)).toBe(2);
      expect(set.full()).toBe(false);
      expect(set.before('one more', count)).toBeUndefined();
      expect([set.full(), set.linesOf('one more')]).toEqual([true, undefined]);
      expect(set.before(`SKU-${most - 1}`, count)).toBe(most + 1);
    },
  );
});
