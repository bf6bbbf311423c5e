// Writers that wait for the lock of the catalog: who asks for what changed since its last look misses none of their changes.
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { storeCatalog } from '../../src/store/catalog.js';
import type { Store } from '../../src/store/store.js';
import { resourceCalled } from '../given.js';
import { imported } from './given.js';

/** A store, and another writer beside it. */
interface Beside {
  readonly store: Store;
  /** Takes the lock. */
  hold(): Promise<void>;
  /** Resolves once a change of the store waits for the lock. */
  isWaitedFor(): Promise<unknown>;
  /** Gives the lock back. */
  release(): Promise<void>;
  close(): Promise<void>;
}

const products = resourceCalled('products');

/** A change of some products, which waits for the lock for so many seconds; then so many pass before the next one. */
const change = fc.record({
  skus: fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D'), { minLength: 1, maxLength: 3 }),
  waits: fc.constantFrom(0, 0, 1, 4, 100),
  pause: fc.constantFrom(0, 1, 7),
});

/** @param runs sequences that are tried */
export function slowWritersContract(name: string, open: () => Promise<Beside>, runs: number): void {
  it(`a client that asks for changes since its last look sees those of writers that waited for the lock: ${name}`, async () => {
    const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
      const beside = await open();
      const catalog = storeCatalog(beside.store);
      const nowInSeconds = () => Math.floor(Date.now() / 1000);
      try {
        for (const [n, { skus, waits, pause }] of changes.entries()) {
          await beside.hold();
          const items = skus.map((sku) => ({ sku, currency: 'EUR', note: `change ${n}` }));
          const written = imported(catalog, 'products', items);
          await beside.isWaitedFor();
          vi.setSystemTime(Date.now() + 1000 * waits);
          const looked = nowInSeconds();
          await beside.release();
          await written;
          vi.setSystemTime(Date.now() + 1000 * pause);
          const { records } = await catalog.list(products, { limit: 10, updatedSince: looked });
          expect(records.map(({ sku }) => sku).sort()).toEqual(expect.arrayContaining([...skus].sort()));
        }
      } finally {
        vi.useRealTimers();
        await beside.close();
      }
    });
    await fc.assert(property, { numRuns: runs, endOnFailure: true });
  });
}
