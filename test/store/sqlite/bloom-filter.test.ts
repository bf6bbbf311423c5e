// What a filter of hashed keys promises: it never forgets one, and hardly ever claims one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { productTable } from '../../../src/core/resources/product-table.js';
import { bloomFilter } from '../../../src/store/sqlite/rows/bloom-filter.js';
import { type HashedLookup, layoutOf } from '../../../src/store/sqlite/rows/layout.js';

const slugLookup = layoutOf(productTable).hashed['slug'] as HashedLookup;

const hash32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

describe('a filter of hashed keys', () => {
  it('has every hash that was added', () => {
    fc.assert(
      fc.property(fc.array(hash32, { maxLength: 200 }), (hashes) => {
        const filter = bloomFilter();
        for (const hash of hashes) filter.add(hash);
        expect(hashes.every((hash) => filter.mayHave(hash))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('has none while it is empty', () => {
    const filter = bloomFilter();
    fc.assert(fc.property(hash32, (hash) => !filter.mayHave(hash)));
  });

  it('has at most one false positive in ten thousand beside 200,000 slugs that differ in their last digits', () => {
    const filter = bloomFilter();
    for (let i = 0; i < 200_000; i++) filter.add(slugLookup.hash(`garden-chair-${i}`));
    let claimed = 0;
    for (let i = 200_000; i < 300_000; i++) if (filter.mayHave(slugLookup.hash(`garden-chair-${i}`))) claimed++;
    expect(claimed).toBeLessThanOrEqual(10);
  });
});
