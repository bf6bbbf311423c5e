// Rows that are sent while the plan that saved them goes on: from 500 rows on, between two of its batches.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProduct, type ProductRow, productTable } from '../../../src/core/resources/product-table.js';
import type { Draft } from '../../../src/core/rows/snapshot.js';
import { numberIn } from '../../../src/store/identifiers.js';
import { openPostgres } from '../../../src/store/postgres/open-postgres.js';
import type { Plan, Store } from '../../../src/store/store.js';
import { missing, newTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { memoryStore } from '../memory-store.js';

/** More than are sent at once. */
const many = 600;

function create(draft: Draft, sku: string, slug = sku): void {
  const row = { ...newProduct(sku, draft.newId(productTable), 1), slug, currency: 'EUR' };
  draft.save(productTable, row, null);
  draft.endItem(true);
}

/** Creates products `A0`, `A1`, … in one batch. */
function* createMany(draft: Draft, count = many): Generator<void> {
  for (let i = 0; i < count; i++) draft.find(productTable, 'sku', `A${i}`);
  yield;
  for (let i = 0; i < count; i++) create(draft, `A${i}`);
  draft.mark();
  yield;
}

function change(draft: Draft, sku: string, next: Partial<ProductRow>): void {
  const before = draft.find(productTable, 'sku', sku) as ProductRow;
  draft.save(productTable, { ...before, ...next }, before);
}

const named = (name: string): Plan<void> =>
  // biome-ignore lint/correctness/useYield: it asks for nothing
  function* (draft) {
    create(draft, name);
  };

describe.skipIf(missing !== undefined)(`rows that are sent early${missing === undefined ? '' : `: ${missing}`}`, () => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await newTestDatabase();
    store = await openPostgres({
      address: database.address('early'),
      ...{ lockTimeout: 10_000, create: true, patience: 0 },
    });
  });
  afterAll(async () => {
    await store.close();
    await database.close();
  });

  const skus = async (): Promise<string[]> => (await store.readAll(productTable)).map(({ sku }) => sku);

  it('may be found and changed by what follows, and are stored as by a store that writes them at the end', async () => {
    const plan: Plan<readonly unknown[]> = function* (draft) {
      yield* createMany(draft);
      for (let i = 0; i < many; i += 2) change(draft, `A${i}`, { price: i });
      change(draft, 'A1', { slug: 'released' });
      change(draft, 'A2', { slug: 'A1' });
      draft.mark();
      yield;
      change(draft, 'A3', { slug: 'A2' });
      const found = (slug: string) => draft.find(productTable, 'slug', slug)?.sku;
      const asked = [found('A1'), found('A2'), found('A3'), found('released')];
      if (!draft.hasPending()) return asked;
      yield;
      create(draft, 'last');
      return [found('A1'), found('A2'), found('A3'), found('released')];
    };
    const model = memoryStore();
    for (const each of [model, store]) await each.write(named('first'));
    const expected = await model.write(plan);
    expect(expected).toEqual(['A2', 'A3', undefined, 'A1']);
    expect(await store.write(plan)).toEqual(expected);
    const rows = async (of: Store) =>
      (await of.readAll(productTable)).map(({ id: _, ...row }) => row).sort((a, b) => (a.sku < b.sku ? -1 : 1));
    expect(await rows(store)).toEqual(await rows(model));
    const numbers = (await store.readAll(productTable)).map(({ id }) => numberIn(id)).sort((a, b) => a - b);
    expect(numbers).toEqual([...numbers.keys()].map((i) => i + 1));
    await database.empty('early');
  });

  it('are refused while the plan goes on: its next look-up fails, and nothing is stored', async () => {
    let wentOn = false;
    const plan: Plan<void> = function* (draft) {
      create(draft, 'B', 'A1');
      yield* createMany(draft);
      draft.find(productTable, 'sku', 'C');
      yield;
      wentOn = true;
    };
    await expect(store.write(plan)).rejects.toThrow(/product_slug_key/);
    expect(wentOn).toBe(false);
    const toItsEnd: Plan<void> = function* (draft) {
      create(draft, 'B', 'A1');
      yield* createMany(draft);
      // The answer comes while it goes on.
      for (const until = performance.now() + 50; performance.now() < until; ) yield;
    };
    await expect(store.write(toItsEnd)).rejects.toThrow(/product_slug_key/);
    expect(await skus()).toEqual([]);
  });

  it('are taken back where the plan fails after them', async () => {
    const failing: Plan<void> = function* (draft) {
      yield* createMany(draft);
      throw new Error('the plan failed');
    };
    await expect(store.write(failing)).rejects.toThrow('the plan failed');
    expect(await skus()).toEqual([]);
    // One that shares the transaction of others is no harm to them.
    const ends = await Promise.allSettled([store.write(named('X')), store.write(failing), store.write(named('Y'))]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await skus()).sort()).toEqual(['X', 'Y']);
    await database.empty('early');
  });

  it('are sent no earlier where they are few, and never before a batch has ended', async () => {
    const reached = new Set<string>();
    const few: Plan<void> = function* (draft) {
      create(draft, 'B', 'A1');
      yield* createMany(draft, 100);
      draft.find(productTable, 'sku', 'C');
      yield;
      reached.add('the look-up after few rows');
    };
    await expect(store.write(few)).rejects.toThrow(/product_slug_key/);
    const within: Plan<void> = function* (draft) {
      draft.mark();
      for (let i = 0; i < many; i++) create(draft, `A${i}`);
      yield;
      draft.rollback();
    };
    await store.write(within);
    expect([...reached]).toEqual(['the look-up after few rows']);
    expect(await skus()).toEqual([]);
  });
});
