// A copy of a catalog has every row of it, parents before children, and can be continued; another catalog is not mixed into.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProduct, productTable } from '../../../src/core/resources/product-table.js';
import { keyStore } from '../../../src/store/api-keys/api-keys.js';
import { storeCatalog } from '../../../src/store/catalog.js';
import { copyCatalog } from '../../../src/store/copy/copy-catalog.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { openRaw } from '../../proof/dump.js';
import { failureOf, folder, imported, products } from '../given.js';
import { memoryStore } from '../memory-store.js';

/** Categories of five levels, six hundred of them at the top; the parents come last. */
const categories = [
  ...Array.from({ length: 600 }, (_, i) => ({ name: `Top ${i}` })),
  ...['A', 'B', 'C', 'D'].map((name, i, all) => ({ name, parent: i === 0 ? 'Top 7' : (all[i - 1] as string) })),
];

/** An open store for the length of a test. */
async function withStores(name: string, work: (from: Store, to: Store) => Promise<void>): Promise<void> {
  const from = await openStore({ file: join(folder, `${name}-from.db`), create: true });
  const to = await openStore({ file: join(folder, `${name}-to.db`), create: true, takesProducts: true });
  try {
    await work(from, to);
  } finally {
    await from.close();
    await to.close();
  }
}

describe('a copy', () => {
  it('has all rows, those of a tree on any level, and a second one finds them all there', async () => {
    await withStores('tree', async (from, to) => {
      const catalog = storeCatalog(from);
      await imported(catalog, 'categories', categories);
      await imported(catalog, 'products', products(0, 3));
      const copied = await copyCatalog(from, to, () => undefined);
      expect(copied).toMatchObject({ present: 0, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(copied.counts.get('category')).toBe(604);
      expect(copied.counts.get('product')).toBe(3);
      const rows = [...copied.counts.values()].reduce((sum, count) => sum + count);
      expect(await copyCatalog(from, to, () => undefined)).toEqual({ ...copied, present: rows });
      const again = await imported(storeCatalog(to), 'categories', categories);
      expect(again.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(604);
    });
  });

  it('goes on where an earlier one ended, with what the source got meanwhile', async () => {
    await withStores('continued', async (from, to) => {
      const catalog = storeCatalog(from);
      await imported(catalog, 'products', products(0, 3));
      const { counts } = await copyCatalog(from, to, () => undefined);
      const present = [...counts.values()].reduce((sum, count) => sum + count);
      await imported(catalog, 'groups', [{ name: 'Chairs' }]);
      const copied = await copyCatalog(from, to, () => undefined);
      expect(copied.present).toBeGreaterThan(0);
      expect(copied.present).toBeLessThanOrEqual(present);
      expect(copied.counts.get('product_group')).toBe(1);
    });
  });

  it('into a catalog with other records is refused before anything is written', async () => {
    await withStores('other', async (from, to) => {
      await imported(storeCatalog(from), 'products', products(0, 3));
      await imported(storeCatalog(to), 'categories', [{ name: 'Lamps' }]);
      const failure = await failureOf(() => copyCatalog(from, to, () => undefined));
      expect(failure.code).toBe('usage');
      expect(failure.message).toMatch(/^The catalog to copy into has other categories already, such as cate_/);
      expect(await imported(storeCatalog(to), 'products', products(0, 1))).toMatchObject([{ created: 1 }]);
    });
  });

  it('has products whose identifiers hold the same number, as those of another store may', async () => {
    const from = memoryStore();
    // biome-ignore lint/correctness/useYield: nothing is asked for
    await from.write(function* (draft) {
      for (const [sku, letter] of Object.entries({ A: 's', B: 't', C: 'v' })) {
        const row = newProduct(sku, `prod_01m8mgh7ztfbeamz43d${letter}000001`, 1_764_000_000);
        draft.save(productTable, { ...row, slug: sku.toLowerCase(), currency: 'EUR' }, null);
      }
    });
    const to = await openStore({ file: join(folder, 'numbers-to.db'), create: true, takesProducts: true });
    try {
      const { digest } = await copyCatalog(from, to, () => undefined);
      expect(await copyCatalog(from, to, () => undefined)).toMatchObject({ digest, present: 3 });
    } finally {
      await to.close();
    }
  });

  it('that another program changes meanwhile is said not to be equal', async () => {
    await withStores('changing', async (from, to) => {
      await imported(storeCatalog(from), 'products', products(0, 3));
      const other = openRaw(join(folder, 'changing-to.db'));
      const change = (): void => void other.exec(`UPDATE product SET name = 'changed'`);
      const failure = await failureOf(() => copyCatalog(from, to, change));
      expect(failure).toMatchObject({ code: 'catalog_unusable', message: expect.stringContaining('catalogs differ') });
      other.close();
    });
  });

  it('between any two stores has each table, categories below what they are saved under, and tells how far it is', async () => {
    const from = memoryStore();
    const catalog = storeCatalog(from);
    // The parents come last, and the last of them at the top.
    await imported(
      catalog,
      'categories',
      ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name })),
    );
    for (const [name, parent] of ['AB', 'BC', 'CE', 'DE']) await imported(catalog, 'categories', [{ name, parent }]);
    await imported(catalog, 'products', products(0, 3));
    await keyStore(from).create({ name: 'erp', scopes: ['product:read'], expiresAt: null });
    // biome-ignore lint/correctness/useYield: nothing is asked for
    await from.write(function* (draft) {
      for (let i = 0; i < 498; i++) {
        const row = { ...newProduct(`M-${i}`, `prod_m${i}`, 1), slug: `m-${i}`, currency: 'EUR' };
        draft.save(productTable, row, null);
      }
    });
    const target = memoryStore();
    const ids = new Set<unknown>([null]);
    const to: Store = {
      ...target,
      save(saved) {
        for (const [table, { created }] of saved)
          if (table.above !== undefined)
            for (const row of created) {
              expect(ids, String(row['name'])).toContain(row[table.above]);
              ids.add(row['id']);
            }
        return target.save(saved);
      },
    };
    const told: number[] = [];
    const copied = await copyCatalog(from, to, (rows) => void told.push(rows));
    expect(Object.fromEntries(copied.counts)).toEqual({
      ...{ category: 5, product: 501, product_grade: 6, api_key: 1 },
    });
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(513);
    expect(await copyCatalog(from, target, () => undefined)).toEqual({ ...copied, present: 513 });
    const other = memoryStore();
    await imported(storeCatalog(other), 'groups', [{ name: 'Chairs' }]);
    const failure = await failureOf(() => copyCatalog(other, target, () => undefined));
    expect(failure.message).toMatch(/^The catalog to copy into has other categories already, such as /);
  });

  it('in which a row differs, whichever it is, is said not to be equal', async () => {
    const from = memoryStore();
    await imported(storeCatalog(from), 'products', products(0, 2));
    const { digest } = await copyCatalog(from, memoryStore(), () => undefined);
    const to = memoryStore();
    await imported(storeCatalog(from), 'products', [{ sku: 'SKU-1', note: 'changed' }]);
    expect((await copyCatalog(from, to, () => undefined)).digest).not.toBe(digest);
    const target = memoryStore();
    const changing: Store = {
      ...target,
      save(saved) {
        const changed = [...saved].map(([table, rows]) => {
          const created = rows.created.map((row) => ('note' in row ? { ...row, note: 'other' } : row));
          return [table, { ...rows, created }] as const;
        });
        return target.save(new Map(changed));
      },
    };
    expect(await failureOf(() => copyCatalog(from, changing, () => undefined))).toMatchObject({
      code: 'catalog_unusable',
    });
  });
});
