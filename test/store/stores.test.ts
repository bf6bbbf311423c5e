// Every store keeps the same promises: in memory, in SQLite, and that of a dry run around either, with or without rows in it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Resource } from '../../src/core/resource.js';
import { newProduct, productTable } from '../../src/core/resources/product-table.js';
import { storeCatalog } from '../../src/store/catalog.js';
import { dryRunStore } from '../../src/store/dry-run-store.js';
import { openDatabase, prepareScratch } from '../../src/store/sqlite/database.js';
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { isLastPage, type Store } from '../../src/store/store.js';
import { catalogContract } from '../contract.js';
import { resourceCalled } from '../given.js';
import { repetitions } from '../tier.js';
import { storeContract } from './contract.js';
import { folder, newDatabase } from './given.js';
import { ledgerContract } from './ledger-contract.js';
import { memoryStore } from './memory-store.js';
import { onlyContract } from './only-contract.js';
import { plansContract } from './plans-contract.js';
import { priceContract } from './price-contract.js';
import { recognitionContract } from './recognition-contract.js';
import { repeatedPriceContract } from './repeated-price-contract.js';
import { undoContract } from './undo-contract.js';
import { undoneRunsContract } from './undone-runs-contract.js';

let count = 0;

async function inSqlite(): Promise<Store> {
  const { file, database, version } = await newDatabase(`store-${++count}.db`);
  const store = sqliteStore(database, { file, lockTimeout: 1000, version });
  return {
    ...store,
    async close() {
      await store.close();
      // Hundreds of files would take a hundred megabytes of memory.
      for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    },
  };
}

function scratchInSqlite(): Store {
  const database = openDatabase('', false);
  const version = prepareScratch(database);
  return sqliteStore(database, { file: join(folder, 'scratch'), lockTimeout: 1000, version, adoption: 'all' });
}

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  'in memory': async () => memoryStore(),
  'in SQLite': inSqlite,
  'a dry run around memory': async () => dryRunStore(memoryStore(), memoryStore()),
  'a dry run around SQLite': async () => dryRunStore(await inSqlite(), scratchInSqlite()),
  'a dry run around nothing': async () => dryRunStore(undefined, scratchInSqlite()),
  'a dry run around a dry run': async () =>
    dryRunStore(dryRunStore(await inSqlite(), memoryStore()), scratchInSqlite()),
};

// biome-ignore lint/correctness/useYield: nothing is asked for
function* rowsAlone<R>(rows: readonly R[]): Generator<void, readonly R[]> {
  return rows;
}

for (const [name, open] of Object.entries(stores)) storeContract(name, open);

ledgerContract(
  'in memory',
  async () => memoryStore(),
  repetitions('FEED_ORDERS', { fast: 2, moderate: 3, full: 1000 }),
);
ledgerContract('in SQLite', inSqlite, 2);

undoneRunsContract('in memory', async () => memoryStore(), repetitions('UNDOS', { fast: 3, moderate: 4, full: 2000 }));
undoneRunsContract('in SQLite', inSqlite, 3);

undoContract('in memory', async () => memoryStore(), repetitions('UNDONE', { fast: 2, moderate: 2, full: 3000 }));
undoContract('in SQLite', inSqlite, repetitions('UNDONE_IN_SQLITE', { fast: 1, moderate: 1, full: 500 }));

plansContract('in memory', async () => memoryStore(), repetitions('PLANS', { fast: 2, moderate: 3, full: 2000 }));
plansContract('in SQLite', inSqlite, 3);
recognitionContract(
  'in memory',
  async () => memoryStore(),
  repetitions('RECOGNITIONS', { fast: 2, moderate: 3, full: 5000 }),
);
recognitionContract(
  'a dry run around SQLite',
  async () => dryRunStore(await inSqlite(), scratchInSqlite()),
  repetitions('RECOGNITIONS_DRY', { fast: 1, moderate: 1, full: 200 }),
);
recognitionContract('in SQLite', inSqlite, repetitions('RECOGNITIONS_ON_SQLITE', { fast: 1, moderate: 1, full: 200 }));

priceContract('in memory', async () => memoryStore(), repetitions('PRICES', { fast: 5, moderate: 6, full: 5000 }));
priceContract('in SQLite', inSqlite, repetitions('PRICES_IN_SQLITE', { fast: 1, moderate: 1, full: 500 }));
repeatedPriceContract(
  'in memory',
  async () => memoryStore(),
  repetitions('REPEATED_PRICES', { fast: 6, moderate: 6, full: 5000 }),
);
repeatedPriceContract(
  'in SQLite',
  inSqlite,
  repetitions('REPEATED_PRICES_IN_SQLITE', { fast: 1, moderate: 1, full: 500 }),
);

onlyContract('in memory', async () => memoryStore(), repetitions('ONLY', { fast: 3, moderate: 3, full: 3000 }));
onlyContract('in SQLite', inSqlite, repetitions('ONLY_IN_SQLITE', { fast: 1, moderate: 2, full: 300 }));

catalogContract('on a store in memory', async () => {
  const catalog = storeCatalog(memoryStore());
  return { catalog, local: catalog, close: () => catalog.close() };
});

describe('a dry run around a catalog', () => {
  const products: Resource = resourceCalled('products');

  async function linesOf(store: Store, items: readonly Record<string, unknown>[], dryRun: boolean): Promise<unknown[]> {
    const lines: unknown[] = [];
    const batch = items.map((item) => ({ kind: 'raw' as const, item }));
    for await (const { data } of storeCatalog(store).importBatches(products, [batch], { dryRun, diff: true }))
      lines.push(...data.map(({ action, changes, notice }) => ({ action, changes, notice })));
    return lines;
  }

  it.each(['in memory', 'in SQLite'])('leaves it as it was, and tells what it would do: %s', async (name) => {
    const base = (await stores[name]?.()) as Store;
    const first = [
      { sku: 'A', currency: 'EUR', name: 'Lamp', grades: [{ grade: 'new', price: 5, stock: 1 }] },
      { sku: 'B', currency: 'EUR', name: 'Lamp' },
    ];
    await linesOf(base, first, false);
    const second = [
      { sku: 'A', name: 'Lamp', slug: 'other', grades: [{ grade: 'good', price: 3, stock: 2 }] },
      { sku: 'B', slug: 'lamp' },
      { sku: 'C', currency: 'EUR', name: 'Lamp' },
      { sku: 'A', price: 3, grades: [{ grade: 'new', price: 4 }] },
    ];
    const dry = dryRunStore(base, scratchInSqlite());
    const told: unknown[] = [];
    // Item by item, so that each is decided on what the scratch store has of the ones before.
    for (const item of second) told.push(...(await linesOf(dry, [item], true)));
    const real: unknown[] = [];
    for (const item of second) real.push(...(await linesOf(base, [item], false)));
    expect(told).toEqual(real);
  });

  it('reads page by page what it changed, and asks the catalog a few times a page', async () => {
    const base = await inSqlite();
    const count = 230;
    const items = (note: string, from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => ({ sku: `A-${from + i}`, currency: 'EUR', name: `${note} ${i}` }));
    for (const at of [0, 100, 200]) await linesOf(base, items('Lamp', at, Math.min(count, at + 100)), false);
    let asked = 0;
    const counted: Store = {
      ...base,
      load(...args) {
        asked++;
        return base.load(...args);
      },
      scan(...args) {
        asked++;
        return base.scan(...args);
      },
    };
    const dry = dryRunStore(counted, scratchInSqlite());
    // Newer versions of all rows, and some rows of its own.
    for (const at of [0, 100, 200]) await linesOf(dry, items('Light', at, at + 100), true);
    for (const limit of [70, 231, 299, 300, 301]) {
      asked = 0;
      const names: string[] = [];
      let pages = 0;
      for (let after: string | undefined, isLast = false; !isLast; pages++) {
        const page = { limit, ...(after !== undefined && { after }) };
        const rows = await dry.scan(productTable, page, rowsAlone);
        names.push(...rows.map(({ sku, name }) => `${sku} ${name}`));
        isLast = isLastPage(productTable, rows, page);
        after = rows.at(-1)?.id;
      }
      const expected = [0, 100, 200].flatMap((at) => items('Light', at, at + 100));
      expect(names.sort()).toEqual(expected.map(({ sku, name }) => `${sku} ${name}`).sort());
      // The newer versions are read through once more behind the rows of the catalog.
      expect(asked).toBeLessThanOrEqual(4 * pages + Math.ceil(300 / limit));
    }
    await dry.close();
  });

  it('reads page by page records whose texts it made shorter', async () => {
    const base = await inSqlite();
    const items = (description: string) =>
      Array.from({ length: 9 }, (_, i) => ({ sku: `A-${i}`, currency: 'EUR', description }));
    for (const item of items('x'.repeat(500_000))) await linesOf(base, [item], false);
    const dry = dryRunStore(base, scratchInSqlite());
    await linesOf(dry, items('short'), true);
    for (const limit of [4, 20]) {
      const skus: string[] = [];
      for (let after: string | undefined, isLast = false; !isLast; ) {
        const page = { limit, ...(after !== undefined && { after }) };
        const rows = await dry.scan(productTable, page, rowsAlone);
        skus.push(...rows.map(({ sku }) => sku));
        isLast = isLastPage(productTable, rows, page);
        after = rows.at(-1)?.id;
      }
      expect(skus.sort()).toEqual(items('').map(({ sku }) => sku));
    }
    await dry.close();
  });

  it('gives provisional identifiers, which no catalog takes for one of its own', async () => {
    const base = await inSqlite();
    const dry = dryRunStore(base, scratchInSqlite());
    const plan = function* (draft: Parameters<Parameters<Store['write']>[0]>[0]) {
      const row = { ...newProduct('A', draft.newId(productTable), 1), slug: 'a' };
      draft.save(productTable, row, null);
      yield;
      return row.id;
    };
    const real = await base.write(plan);
    const made = await dry.write(plan);
    expect(real).toMatch(/^prod_[0-9a-z]{26}$/);
    expect(made).toMatch(/^prod_-\d+$/);
    await dry.close();
  });
});
