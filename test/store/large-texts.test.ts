// Groups of batches with long texts: a transaction takes few of them, and runs alone.
import { expect, it } from 'vitest';
import { storeCatalog } from '../../src/store/catalog.js';
import { memoryStore } from '../../src/store/memory-store.js';
import type { Plan } from '../../src/store/store.js';
import { imported } from './given.js';

/** How many transactions an import of 400 products took, and how many were under way at once. */
async function transactions(descriptionLength: number): Promise<{ readonly all: number; readonly most: number }> {
  const store = memoryStore();
  let [all, now, most] = [0, 0, 0];
  async function writeOptimistically<T>(plan: Plan<T>): Promise<T> {
    all++;
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return store.write(plan).finally(() => now--);
  }
  const pace = { mostItems: 1000, longest: 300, mostCharacters: 100_000 };
  const items = Array.from({ length: 400 }, (_, i) => ({
    sku: `S-${i}`,
    currency: 'EUR',
    description: 'x'.repeat(descriptionLength),
  }));
  const reports = await imported(storeCatalog({ ...store, pace, writeOptimistically }), 'products', items);
  expect(reports.flatMap(({ data }) => data).filter(({ action }) => action === 'created')).toHaveLength(400);
  return { all, most };
}

it('batches with long texts go one at a time, others together and side by side', async () => {
  expect(await transactions(2600)).toEqual({ all: 10, most: 1 });
  const short = await transactions(10);
  expect(short.all).toBeLessThan(10);
  expect(short.most).toBeGreaterThan(1);
});
