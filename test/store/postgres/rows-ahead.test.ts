// New rows that are written before their transaction takes the lock: they count only with what validates it, and hold up nobody.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSeries } from '../../../src/core/ledger/run-tables.js';
import { readAddress } from '../../../src/store/postgres/address.js';
import { connect } from '../../../src/store/postgres/connect.js';
import { copyMessages } from '../../../src/store/postgres/copy-text.js';
import { MustLock } from '../../../src/store/postgres/must-lock.js';
import { openPostgres } from '../../../src/store/postgres/open-postgres.js';
import { writeAhead } from '../../../src/store/postgres/rows-ahead.js';
import { type SessionPool, sessionPool } from '../../../src/store/postgres/session-pool.js';
import type { Plan, Store } from '../../../src/store/store.js';
import { missing, newTestDatabase, type TestDatabase } from '../../postgres/test-database.js';

/** So many rows that they are written ahead. */
const many = 250;

/** Counts up many rows, each beginning with 1. */
const countUpAll = (names: (i: number) => string): Plan<void> =>
  function* (draft) {
    for (;;) {
      draft.mark();
      for (let i = 0; i < many; i++) {
        const known = draft.find(runSeries, 'id', names(i));
        draft.save(runSeries, { id: names(i), last: (known?.last ?? 0) + 1 }, known ?? null);
      }
      if (!draft.hasPending()) return;
      draft.rollback();
      yield;
    }
  };

describe.skipIf(missing !== undefined)(`rows written ahead${missing === undefined ? '' : `: ${missing}`}`, () => {
  let database: TestDatabase;
  let pool: SessionPool;
  const stores: Store[] = [];
  beforeAll(async () => {
    database = await newTestDatabase();
    for (let i = 0; i < 2; i++) stores.push(await newStore());
    pool = sessionPool(() => connect(readAddress(database.address('ahead'), {}), 'ahead', 10_000), 4);
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
    await pool.close();
    await database.close();
  });

  const newStore = (name = 'catalog-import') => {
    const address = `${database.address('ahead')}&application_name=${name}`;
    return openPostgres({ address, lockTimeout: 60_000, create: true, patience: 0 });
  };
  const write = (plan: Plan<void>, store = stores[0] as Store): Promise<void> =>
    (store.writeOptimistically ?? store.write)(plan);

  /** What is stored of rows whose names begin alike: how often each sum of counts. */
  async function sums(prefix: string): Promise<unknown> {
    return database.query(
      `SELECT last::int, count(*)::int AS n FROM ahead.run_series WHERE id LIKE '${prefix}%' GROUP BY last ORDER BY last`,
    );
  }

  const aheadOf = (...ids: string[]) =>
    writeAhead(pool, [
      {
        sql: 'COPY ahead.run_series (id, last) FROM STDIN',
        copy: copyMessages(
          ['id', 'last'],
          ids.map((id) => ({ id, last: 1 })),
        ),
      },
      { sql: "UPDATE ahead.run_series SET last = 2 WHERE id = 'single b'" },
    ]);

  it('are seen once the rest is written and committed', async () => {
    const rows = aheadOf('single a', 'single b');
    expect(rows.rest).toHaveLength(1);
    expect(await sums('single')).toEqual([]);
    await rows.end((session) => session.run([...rows.rest, { sql: 'COMMIT' }]));
    await rows.giveUp();
    expect(await sums('single')).toEqual([
      { last: 1, n: 1 },
      { last: 2, n: 1 },
    ]);
  });

  it('are gone where they are given up, and cannot be committed afterwards', async () => {
    const rows = aheadOf('gone');
    await rows.giveUp();
    await expect(rows.end(() => Promise.reject(new Error('not to be run')))).rejects.toThrow(MustLock);
    expect(await sums('gone')).toEqual([]);
  });

  it('wait for nobody for long, and leave the waits of later transactions as they were', async () => {
    const other = new pg.Client(database.address('ahead').replace(/\?.*/, ''));
    await other.connect();
    await other.query("BEGIN; INSERT INTO ahead.run_series VALUES ('taken', 5)");
    await expect(aheadOf('taken').end(() => Promise.resolve())).rejects.toMatchObject({ code: '55P03' });
    await other.query('COMMIT');
    await other.end();
    await pool.use((session) =>
      session.run([{ sql: 'SHOW lock_timeout', onRow: (cells) => expect(cells).toEqual(['10s']) }]),
    );
  });

  it('of many transactions of one writer all arrive, new and changed', async () => {
    const plans = Array.from({ length: 12 }, (_, n) => countUpAll((i) => `alone ${i + Math.floor(n / 3) * many}`));
    await Promise.all(plans.map((plan) => write(plan)));
    expect(await sums('alone')).toEqual([{ last: 3, n: 4 * many }]);
  });

  it('are not stored where a transaction before them fails, and keep no key', async () => {
    const before = write(countUpAll((i) => `before ${i}`));
    // biome-ignore lint/correctness/useYield: it fails before it asks for anything
    const failing = write(function* () {
      throw new Error('on purpose');
    });
    const behind = write(countUpAll((i) => `behind ${i}`));
    await before;
    await expect(failing).rejects.toThrow('on purpose');
    await expect(behind).rejects.toThrow('on purpose');
    expect(await sums('behind')).toEqual([]);
    await write(countUpAll((i) => `behind ${i}`));
    expect(await sums('be')).toEqual([{ last: 1, n: 2 * many }]);
  });

  it('do not hold up a writer that has the lock and wants their keys', async () => {
    // A store of its own knows of no other writer.
    const store = await newStore('held');
    stores.push(store);
    // It holds rows ahead, or has given them up and waits under the lock.
    const hasKeysOrGaveUp = () =>
      database.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'held'
          AND (state = 'idle in transaction' AND backend_xid IS NOT NULL OR query LIKE 'SELECT version, last_product%')`,
      );
    const holder = new pg.Client(database.address('ahead').replace(/\?.*/, ''));
    await holder.connect();
    await holder.query("BEGIN; SET LOCAL lock_timeout = '30s'; UPDATE ahead.catalog SET changes = changes + 1");
    const plans = [0, 1, 2, 3].map((n) =>
      write(
        countUpAll((i) => `held ${n} ${i}`),
        store,
      ),
    );
    await expect.poll(hasKeysOrGaveUp, { interval: 5 }).not.toEqual([]);
    for (let n = 3; n >= 0; n--) await holder.query(`INSERT INTO ahead.run_series VALUES ('held ${n} 7', 9)`);
    await holder.query('COMMIT');
    await holder.end();
    await Promise.all(plans);
    expect(await sums('held')).toEqual([
      { last: 1, n: 4 * (many - 1) },
      { last: 10, n: 4 },
    ]);
  });

  it('of several writers on the same keys lose no update', async () => {
    const plans = Array.from({ length: 8 }, (_, n) =>
      stores.slice(0, 2).map((store, w) =>
        write(
          countUpAll((i) => `shared ${(i + 50 * ((n + w) % 3)) % 400}`),
          store,
        ),
      ),
    );
    await Promise.all(plans.flat());
    const [all] = await database.query("SELECT sum(last)::int AS n FROM ahead.run_series WHERE id LIKE 'shared%'");
    expect(all).toEqual({ n: 16 * many });
  });
});
