// Groups of batches with long texts: a transaction takes few of them.
import { expect, it } from 'vitest';
import { storeCatalog } from '../../src/store/catalog.js';
import type { Plan } from '../../src/store/store.js';
import { imported } from './given.js';
import { memoryStore } from './memory-store.js';

/** How many transactions an import of 400 products takes. */
async function transactions(descriptionLength: number): Promise<number> {
  const store = memoryStore();
  let all = 0;
  function write<T>(plan: Plan<T>): Promise<T> {
    all++;
    return store.write(plan);
  }
  const pace = { mostItems: 1000, longest: 300, mostCharacters: 100_000 };
  const items = Array.from({ length: 400 }, (_, i) => ({
    sku: `S-${i}`,
    currency: 'EUR',
    description: 'x'.repeat(descriptionLength),
  }));
  const reports = await imported(storeCatalog({ ...store, pace, write }), 'products', items);
  expect(reports.flatMap(({ data }) => data).filter(({ action }) => action === 'created')).toHaveLength(400);
  return all;
}

it('batches with long texts have a transaction each, others share one', async () => {
  expect(await transactions(2600)).toBe(10);
  expect(await transactions(10)).toBeLessThan(10);
});
