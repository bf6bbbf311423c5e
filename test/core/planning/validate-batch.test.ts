// What a remote target asks before it sends anything. That its lines are those of a catalog, the contract suite shows.
import { describe, expect, it } from 'vitest';
import { rawEntry, unreadableEntry, validatedEntry } from '../../../src/core/entry.js';
import { prevalidator } from '../../../src/core/fields/prevalidation.js';
import { validateBatch } from '../../../src/core/planning/validate-batch.js';
import { resourceCalled } from '../../given.js';

const environment = { now: 0, newId: () => '', isLanguage: () => true, slugify: (text: string) => text, rules: '' };
const context = { environment, mode: { dryRun: false, diff: false, comparesLists: true } };

describe('an item that was checked for a local catalog', () => {
  it('is never sent to a remote, which would read its cents as whole units', () => {
    const product = resourceCalled('products');
    const item = { sku: 'A', currency: 'EUR', price: '12.50' };
    const checked = prevalidator(product.fields)(item) ?? {};
    expect(checked).toMatchObject({ price: 1250 });
    expect(() => validateBatch(product, [validatedEntry(checked)], context)).toThrow('given to a remote one');
    expect(validateBatch(product, [rawEntry(item)], context)).toHaveLength(1);
  });
});

describe('of a batch', () => {
  const review = (key: string) => ({
    ...{ external_id: key, customer_external_id: 'c', product_sku: 'A', rating: 5, text: 'good' },
  });
  const broken = unreadableEntry({ code: 'row_shape', field: '', message: '7 cells; the header has 6' }, 'r1');

  it('an item with a notice has no line yet, one with a problem has', () => {
    const category = resourceCalled('categories');
    const [noted, refused] = validateBatch(category, [rawEntry({ name: 'A', colour: 1 }), rawEntry({})], context);
    expect(noted?.checked?.item).toEqual({ name: 'A' });
    expect(noted).not.toHaveProperty('line');
    expect(refused?.line).toMatchObject({ index: 1, action: 'refused', code: 'field_required', id: null });
  });

  it('an item that repeats a key is refused where its resource takes each record once, and names the first', () => {
    const batch = [review('r1'), review('r1'), review('r2')].map(rawEntry);
    const checks = validateBatch(resourceCalled('reviews'), batch, context);
    expect(checks.map(({ repeats, line }) => [repeats, line?.code])).toEqual([
      [undefined, undefined],
      [0, 'duplicate_in_batch'],
      [undefined, undefined],
    ]);
    const others = validateBatch(resourceCalled('categories'), [{ name: 'A' }, { name: 'A' }].map(rawEntry), context);
    expect(others.map(({ repeats, line }) => [repeats, line])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('a record that could not be read repeats none, and none repeats it', () => {
    const batch = [rawEntry(review('r1')), broken];
    for (const entries of [batch, batch.toReversed()]) {
      const checks = validateBatch(resourceCalled('reviews'), entries, context);
      expect(checks.map(({ repeats }) => repeats)).toEqual([undefined, undefined]);
      expect(checks.map(({ line }) => line?.code)).toEqual(
        entries.map(({ kind }) => (kind === 'unreadable' ? 'row_shape' : undefined)),
      );
    }
  });
});
