// Plans of several writers at once: the result is that of one serial order.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSeries } from '../../../src/core/ledger/run-tables.js';
import { idempotencyTable } from '../../../src/core/planning/idempotency-records.js';
import { gradeTable } from '../../../src/core/resources/product-grades.js';
import { newProduct, productTable } from '../../../src/core/resources/product-table.js';
import type { Draft } from '../../../src/core/rows/snapshot.js';
import { stepChannel, type TimedStep } from '../../../src/core/timed-step.js';
import { storeCatalog } from '../../../src/store/catalog.js';
import { openPostgres } from '../../../src/store/postgres/open-postgres.js';
import type { Plan, Store } from '../../../src/store/store.js';
import { missing, newTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { randomFrom } from '../../random.js';
import { imported } from '../given.js';

/** A plan that is decided again until everything it looks up is loaded. */
function deciding<T>(decide: (draft: Draft) => T): Plan<T> {
  return function* (draft) {
    for (;;) {
      draft.mark();
      const value = decide(draft);
      if (!draft.hasPending()) return value;
      draft.rollback();
      yield;
    }
  };
}

const lastOf = (draft: Draft, id: string): number => draft.find(runSeries, 'id', id)?.last ?? 0;

function set(draft: Draft, id: string, last: number): void {
  draft.save(runSeries, { id, last }, draft.find(runSeries, 'id', id) ?? null);
}

/** Counts a row up; gives the number that it got. */
const countUp = (id: string): Plan<number> =>
  deciding((draft) => {
    const next = lastOf(draft, id) + 1;
    set(draft, id, next);
    return next;
  });

/** Counts one of two rows up while their sum is below 10: each plan reads what the other writes. */
const countOneOf = (one: string, other: string): Plan<boolean> =>
  deciding((draft) => {
    if (lastOf(draft, one) + lastOf(draft, other) >= 10) return false;
    set(draft, one, lastOf(draft, one) + 1);
    return true;
  });

const createProduct = (sku: string): Plan<string> =>
  deciding((draft) => {
    const known = draft.find(productTable, 'sku', sku);
    if (known !== undefined) return known.id;
    const row = { ...newProduct(sku, draft.newId(productTable), 1), slug: sku, currency: 'EUR' };
    draft.save(productTable, row, null);
    draft.endItem(true);
    return row.id;
  });

describe.skipIf(missing !== undefined)(`plans of several writers${missing === undefined ? '' : `: ${missing}`}`, () => {
  let database: TestDatabase;
  const stores: Store[] = [];
  const others: Store[] = [];
  beforeAll(async () => {
    database = await newTestDatabase();
    for (let i = 0; i < 3; i++)
      stores.push(
        await openPostgres({ address: database.address('writers'), lockTimeout: 300_000, create: true, patience: 0 }),
      );
  });
  afterAll(async () => {
    for (const store of [...stores, ...others]) await store.close();
    await database.close();
  });

  function write<T>(writer: number, plan: Plan<T>): Promise<T> {
    const store = stores[writer % stores.length] as Store;
    return store.write(plan);
  }

  it('of one writer see what those before them save: rows, released keys, children', async () => {
    const ids = [write(0, createProduct('A')), write(0, createProduct('A'))];
    const moved = write(
      0,
      deciding((draft) => {
        const row = draft.find(productTable, 'sku', 'A');
        if (row === undefined) return;
        draft.save(productTable, { ...row, slug: 'other' }, row);
        const grade = {
          product: row.id,
          grade: 'new',
          price: 5,
          stock: 1,
          status: 'activated',
          listed: 1,
          position: 0,
        };
        draft.save(gradeTable, grade, null);
      }),
    );
    const seen = write(
      0,
      deciding((draft) => {
        const row = draft.find(productTable, 'slug', 'other');
        const grades = row === undefined ? [] : draft.children(gradeTable, row.id);
        return [row?.sku, draft.find(productTable, 'slug', 'A'), grades.map(({ price }) => price)];
      }),
    );
    expect(await seen).toEqual(['A', undefined, [5]]);
    await moved;
    const [first, second] = await Promise.all(ids);
    expect(second).toBe(first);
  });

  it('of one writer may be more than there are connections', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, i) => write(1, createProduct(`many-${i >> 1}`))));
    expect(new Set(ids).size).toBe(6);
    for (let i = 0; i < 12; i += 2) expect(ids[i + 1]).toBe(ids[i]);
  });

  it('tell their steps: deciding, saving and committing', async () => {
    const told = new Set<string>();
    const listen = (step: unknown): void => void told.add((step as TimedStep).name);
    subscribe(stepChannel, listen);
    await imported(storeCatalog(stores[0] as Store), 'products', [{ sku: 'TOLD', currency: 'EUR' }]);
    unsubscribe(stepChannel, listen);
    expect([...told].sort()).toEqual(['commit', 'decide', 'read', 'save']);
  });

  it('recognize an item by what those before them applied to its record', async () => {
    const version = (price: number) =>
      Array.from({ length: 40 }, (_, i) => ({ sku: `VERSION-${i}`, currency: 'EUR', price }));
    const actions = async () => {
      const items = [1, 2, 1, 1, 3, 3, 1].flatMap(version);
      const reports = await imported(storeCatalog(stores[0] as Store), 'products', items);
      return reports.map(({ data }) => [...new Set(data.map(({ action }) => action))].join());
    };
    const rest = ['updated', 'updated', 'unchanged', 'updated', 'unchanged', 'updated'];
    expect(await actions()).toEqual(['created', ...rest]);
    expect(await actions()).toEqual(['unchanged', ...rest]);
  });

  it('of several writers lose no update and use no stale row', async () => {
    const random = randomFrom(7);
    const counted = new Map<string, Promise<number>[]>();
    const pairs: Promise<boolean>[] = [];
    for (let round = 0; round < 25; round++) {
      const under: Promise<unknown>[] = [];
      for (let n = 0; n < 6; n++) {
        const id = `counter ${Math.floor(random() * 4)}`;
        const next = write(n, countUp(id));
        counted.set(id, [...(counted.get(id) ?? []), next]);
        under.push(next);
      }
      if (round % 2 === 0)
        for (let n = 0; n < 3; n++) {
          const side = write(n, n % 2 === 0 ? countOneOf('left', 'right') : countOneOf('right', 'left'));
          pairs.push(side);
          under.push(side);
        }
      await Promise.all(under);
    }
    for (const numbers of counted.values()) {
      const sorted = (await Promise.all(numbers)).sort((a, b) => a - b);
      expect(sorted).toEqual(sorted.map((_, i) => i + 1));
    }
    expect((await Promise.all(pairs)).filter(Boolean)).toHaveLength(10);
    const [sum] = await database.query(
      "SELECT sum(last)::int AS n FROM writers.run_series WHERE id IN ('left', 'right')",
    );
    expect(sum).toEqual({ n: 10 });
  });

  /** What of this test's own store waits for the lock. */
  const isWaiting = "wait_event_type = 'Lock'";
  const connections = async (schema: string, condition: string): Promise<number> => {
    const rows = await database.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = '${schema}' AND ${condition}`,
    );
    return rows.length;
  };

  /** A store of its own, and another writer that holds the lock until `commit` is called. */
  async function besideHolder(schema: string): Promise<{
    readonly store: Store;
    readonly holder: pg.Client;
    readonly commit: () => Promise<void>;
  }> {
    const address = `${database.address(schema)}&application_name=${schema}`;
    const store = await openPostgres({ address, lockTimeout: 10_000, create: true, patience: 0 });
    others.push(store);
    const holder = new pg.Client(address.replace(/\?.*/, ''));
    await holder.connect();
    await holder.query(`BEGIN; SELECT 1 FROM ${schema}.catalog FOR UPDATE`);
    const commit = async () => {
      await holder.query('COMMIT');
      await holder.end();
    };
    return { store, holder, commit };
  }

  it('are refused where a newer program migrated the tables while they waited', async () => {
    const { store, holder, commit } = await besideHolder('migrated');
    const counted = store.write(countUp('late'));
    await expect.poll(() => connections('migrated', isWaiting)).toBe(1);
    await holder.query('UPDATE migrated.catalog SET version = 99');
    const refused = expect(counted).rejects.toThrow('brought up to date by a newer version');
    await commit();
    await refused;
    expect(await database.query('SELECT 1 FROM migrated.run_series')).toEqual([]);
  });

  it('of a store wait for each other where expired rows are deleted: one of them may be about to be renewed', async () => {
    const { store, commit } = await besideHolder('expiring');
    const deleted = store.deleteExpired(idempotencyTable, 0);
    await expect.poll(() => connections('expiring', isWaiting)).toBe(1);
    await commit();
    await deleted;
  });

  it('read what was committed while they waited, whatever isolation is the default of the server', async () => {
    const [{ current_database: name }] = (await database.query('SELECT current_database()')) as [
      Record<string, unknown>,
    ];
    await database.query(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
    try {
      const { store, commit } = await besideHolder('isolated');
      let runs = 0;
      const counted = store.write(function* (draft) {
        runs++;
        return yield* countUp('once')(draft);
      });
      await expect.poll(() => connections('isolated', isWaiting)).toBe(1);
      await commit();
      expect(await counted).toBe(1);
      expect(runs).toBe(1);
    } finally {
      await database.query(`ALTER DATABASE ${name} RESET default_transaction_isolation`);
    }
  });
});
