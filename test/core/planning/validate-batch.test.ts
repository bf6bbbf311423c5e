// What a remote target asks before it sends anything. That its lines are those of a catalog, the contract suite shows.
import { describe, expect, it } from 'vitest';
import { rawEntry, validatedEntry } from '../../../src/core/entry.js';
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
