// What a catalog holds, in a few numbers.
import { expect, it } from 'vitest';
import { newProduct, productTable } from '../../src/core/resources/product-table.js';
import { summarizeCatalog } from '../../src/store/catalog-summary.js';
import { countedRows, tableWords } from '../../src/store/table-words.js';
import { resourceCalled } from '../given.js';
import { memoryStore } from './memory-store.js';

it('has the records of each resource by status, the most frequent first, and the time of the last change', async () => {
  const [products, groups] = [resourceCalled('products'), resourceCalled('groups')];
  const store = memoryStore();
  const statuses = ['draft', 'activated', 'suspended', 'activated', 'suspended', 'activated'];
  const times = [7, 9, 8, 3, 5, 4];
  // biome-ignore lint/correctness/useYield: nothing is asked for
  await store.write(function* (draft) {
    for (const [i, status] of statuses.entries()) {
      const row = { ...newProduct(`P${i}`, `prod_${i}`, 1), slug: `p${i}`, currency: 'EUR', status };
      draft.save(productTable, { ...row, updated_at: times[i] as number }, null);
    }
  });
  const [first, second] = await summarizeCatalog(store, [products, groups]);
  expect(first).toEqual({
    resource: products,
    ...{ count: 6, byStatus: { activated: 3, suspended: 2, draft: 1 }, lastChange: 9 },
  });
  expect(Object.keys(first?.byStatus ?? {})).toEqual(['activated', 'suspended', 'draft']);
  expect(second).toEqual({ resource: groups, count: 0, byStatus: {}, lastChange: undefined });
});

it.each([
  [1, 'shop_order', '1 order'],
  [2, 'product', '2 products'],
  [206, 'product_media', '206 photos of products'],
  [1, 'category', '1 category'],
])('%d rows of a table are told as %s: %s', (count, table, words) => {
  expect(countedRows(count, table)).toBe(words);
  expect(tableWords(table)).toBe(
    words
      .replace(/^\d+ /, '')
      .replace(/^order$/, 'orders')
      .replace(/^category$/, 'categories'),
  );
});
