// Plans of several writers that are decided on snapshots: the result is that of one serial order.
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

describe.skipIf(missing !== undefined)(
  `plans decided on snapshots${missing === undefined ? '' : `: ${missing}`}`,
  () => {
    let database: TestDatabase;
    const stores: Store[] = [];
    const others: Store[] = [];
    beforeAll(async () => {
      database = await newTestDatabase();
      for (let i = 0; i < 3; i++)
        stores.push(
          await openPostgres({ address: database.address('ahead'), lockTimeout: 300_000, create: true, patience: 0 }),
        );
    });
    afterAll(async () => {
      for (const store of [...stores, ...others]) await store.close();
      await database.close();
    });

    function write<T>(writer: number, plan: Plan<T>): Promise<T> {
      const store = stores[writer % stores.length] as Store;
      return (store.writeOptimistically ?? store.write)(plan);
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

    it('may need further loads behind one that needed none, and see one state of the catalog', async () => {
      let loads = 0;
      const follow = deciding((draft) => {
        loads++;
        const first = lastOf(draft, 'first');
        return first === 0 ? [] : [first, lastOf(draft, `after ${first}`)];
      });
      await write(0, countUp('first'));
      await write(0, countUp('after 1'));
      expect(await write(0, follow)).toEqual([1, 1]);
      // Its first load was in vain: the snapshot had ended with it, as that of the plan before it did.
      expect(loads).toBe(5);
      expect(await write(0, follow)).toEqual([1, 1]);
      expect(loads).toBe(8);
    });

    it('give the same identifiers where a snapshot had ended too early', async () => {
      const ids: string[] = [];
      const follow = deciding((draft) => {
        ids.push(draft.newId(productTable));
        const first = lastOf(draft, 'first');
        return first === 0 ? 0 : lastOf(draft, `after ${first}`);
      });
      await write(0, createProduct('before'));
      await write(0, follow);
      expect(ids.length).toBe(5);
      expect(new Set(ids).size).toBe(1);
    });

    it('fail where one before them fails, and those after it go on', async () => {
      // biome-ignore lint/correctness/useYield: it fails before it asks for anything
      const failing = write(0, function* () {
        throw new Error('on purpose');
      });
      const behind = write(0, countUp('behind a failure'));
      await expect(failing).rejects.toThrow('on purpose');
      await expect(behind).rejects.toThrow('on purpose');
      expect(await write(0, countUp('behind a failure'))).toBe(1);
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
        "SELECT sum(last)::int AS n FROM ahead.run_series WHERE id IN ('left', 'right')",
      );
      expect(sum).toEqual({ n: 10 });
    });

    /** What of this test's own store waits for the lock, and what has a snapshot. */
    const isWaiting = "wait_event_type = 'Lock'";
    const hasSnapshot = "state = 'idle in transaction'";
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
      readonly optimistically: <T>(plan: Plan<T>) => Promise<T>;
    }> {
      const address = `${database.address(schema)}&application_name=${schema}`;
      const store = await openPostgres({ address, lockTimeout: 10_000, create: true, patience: 0 });
      others.push(store);
      const holder = new pg.Client(address.replace(/\?.*/, ''));
      await holder.connect();
      await holder.query(`BEGIN; UPDATE ${schema}.catalog SET changes = changes + 1`);
      const commit = async () => {
        await holder.query('COMMIT');
        await holder.end();
      };
      return { store, holder, commit, optimistically: store.writeOptimistically ?? store.write };
    }

    it('do not hold where one that they were decided on top of was decided otherwise, although the one between was not', async () => {
      const { holder, commit, optimistically } = await besideHolder('between');
      const unlessForbidden = optimistically(
        deciding((draft) => {
          if (lastOf(draft, 'forbidden') === 0) set(draft, 'first', 1);
        }),
      );
      // It cannot be decided before the first has ended: no numbers are reserved.
      const between = optimistically(createProduct('BETWEEN'));
      const copied = optimistically(deciding((draft) => set(draft, 'copy', 10 + lastOf(draft, 'first'))));
      await expect.poll(() => connections('between', isWaiting)).toBe(1);
      await expect.poll(() => connections('between', hasSnapshot)).toBe(1);
      await holder.query(
        "INSERT INTO between.run_series VALUES ('forbidden', 1); INSERT INTO between.recent_change VALUES (1, 1, '')",
      );
      await commit();
      await Promise.all([unlessForbidden, between, copied]);
      expect(await database.query('SELECT id, last::int FROM between.run_series ORDER BY id')).toEqual([
        { id: 'copy', last: 10 },
        { id: 'forbidden', last: 1 },
      ]);
    });

    it('are refused where a newer program migrated the tables after their snapshot', async () => {
      const { holder, commit, optimistically } = await besideHolder('migrated');
      const counted = optimistically(countUp('late'));
      await expect.poll(() => connections('migrated', isWaiting)).toBe(1);
      // A migration leaves the count as it was.
      await holder.query('UPDATE migrated.catalog SET version = 99, changes = changes - 1');
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

    it('of several writers with keys of their own are not decided again, once they know of each other', async () => {
      let runs = 0;
      const counting = (plan: Plan<string>): Plan<string> =>
        function* (draft) {
          runs++;
          return yield* plan(draft);
        };
      // Who notices others goes under the lock a few times first.
      for (let round = 0; round < 12; round++)
        await Promise.all(stores.map((_, n) => write(n, createProduct(`warm-${n}-${round}`))));
      for (let round = 0; round < 20; round++)
        await Promise.all(stores.map((_, n) => write(n, counting(createProduct(`own-${n}-${round}`)))));
      expect(runs).toBeLessThan(90);
      const [products] = await database.query(
        "SELECT count(*)::int AS n, count(DISTINCT id)::int AS ids FROM ahead.product WHERE sku LIKE 'own-%'",
      );
      expect(products).toEqual({ n: 60, ids: 60 });
    });
  },
);
