// What becomes of a read and a change whose connection the server ends while they wait for a lock.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productTable } from '../../../src/core/resources/product-table.js';
import { storeCatalog } from '../../../src/store/catalog.js';
import { openPostgres } from '../../../src/store/postgres/open-postgres.js';
import type { Store } from '../../../src/store/store.js';
import { missing, newTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { imported } from '../given.js';

const waiting = "FROM pg_stat_activity WHERE application_name = 'to_lose' AND wait_event_type = 'Lock'";

describe.skipIf(missing !== undefined)(`a lost connection${missing === undefined ? '' : `: ${missing}`}`, () => {
  let database: TestDatabase;
  let locks: pg.Client;
  beforeAll(async () => {
    database = await newTestDatabase();
    locks = new pg.Client(database.address('lost').replace(/\?.*/, ''));
    await locks.connect();
  });
  afterAll(async () => {
    await locks.end();
    await database.close();
  });

  const openStore = (patience: number): Promise<Store> =>
    openPostgres({
      address: `${database.address('lost')}&application_name=to_lose`,
      ...{ lockTimeout: 10_000, create: true, patience },
    });
  const create = (store: Store, sku: string) =>
    imported(storeCatalog(store), 'products', [{ sku, currency: 'EUR' }]).then(([report]) => report?.created);
  const skus = async (store: Store) => (await store.readAll(productTable)).map(({ sku }) => sku).sort();

  /** Starts calls one after the other, ends their connections once all of them wait for a lock, and gives how they end. */
  async function losing(
    calls: readonly (() => Promise<unknown>)[],
    lock = 'LOCK TABLE lost.product; SELECT 1 FROM lost.catalog FOR UPDATE',
  ): Promise<readonly PromiseSettledResult<unknown>[]> {
    await locks.query(`BEGIN; ${lock}`);
    const running: Promise<unknown>[] = [];
    for (const call of calls) {
      running.push(call());
      await expect.poll(() => database.query(`SELECT 1 ${waiting}`)).toHaveLength(running.length);
    }
    const ended = Promise.allSettled(running);
    await database.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
    await locks.query('COMMIT');
    return ended;
  }

  it('that was used before is replaced by another one, for a read as for a change', async () => {
    const store = await openStore(0);
    expect(await create(store, 'A')).toBe(1);
    expect(await losing([() => skus(store)])).toEqual([{ status: 'fulfilled', value: ['A'] }]);
    expect(await losing([() => create(store, 'B')])).toEqual([{ status: 'fulfilled', value: 1 }]);
    expect(await skus(store)).toEqual(['A', 'B']);
    await store.close();
  });

  it('is replaced in the same way while rows are written and a plan goes on', async () => {
    const store = await openStore(0);
    await create(store, 'many');
    const items = Array.from({ length: 1200 }, (_, i) => ({ sku: `M${i}`, currency: 'EUR' }));
    const call = () => imported(storeCatalog(store), 'products', items);
    // Look-ups are let through, writes wait.
    const [change] = await losing([call], 'LOCK TABLE lost.product IN SHARE MODE');
    const reports = change?.status === 'fulfilled' ? (change.value as Awaited<ReturnType<typeof call>>) : [];
    expect(reports.reduce((sum, { created }) => sum + created, 0)).toBe(1200);
    expect(await skus(store)).toHaveLength(1203);
    await store.close();
  });

  it('that was made for the call fails it as an unavailable catalog, and the call is not applied', async () => {
    const store = await openStore(0);
    const before = await skus(store);
    const calls = [() => skus(store), () => skus(store), () => create(store, 'C')];
    const [first, ...others] = await losing(calls);
    expect(first).toEqual({ status: 'fulfilled', value: before });
    for (const other of others)
      expect(other).toMatchObject({ status: 'rejected', reason: { code: 'catalog_unavailable' } });
    expect(await skus(store)).toEqual(before);
    await store.close();
  });

  it('is waited for by a change as long as the store has patience', async () => {
    const store = await openStore(5000);
    const [, change] = await losing([() => skus(store), () => create(store, 'D')]);
    expect(change).toEqual({ status: 'fulfilled', value: 1 });
    expect(await skus(store)).toContain('D');
    await store.close();
  });
});
