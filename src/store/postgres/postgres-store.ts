// The store port on PostgreSQL. `write` locks one row of the catalog from the look-ups to the commit (READ COMMITTED): four
// importers of the same keys wrote 13,000 items a second that way, against 7,000 where conflicts were decided again and 3,000 with
// SERIALIZABLE. Deciding ahead of the lock, three transactions at a time, took 1,100 lines more, and on one machine 5 % less time for
// new items, 11 % more for unchanged ones. Reads take no lock.
import { newDraft } from '../../core/rows/draft.js';
import { provisionalIds } from '../../core/rows/provisional-id.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Row, Table, Value } from '../../core/rows/table.js';
import { timeBeyondQuery } from '../expiry.js';
import { newIdSeries } from '../identifiers.js';
import { LargeRow, oneByOne } from '../large-rows.js';
import { noSuchRow, ofUnknownOrigin, type Pace, type PageRequest, type Plan, type Store } from '../store.js';
import { changeQueue } from './change-queue.js';
import { type RowLoader, rowLoader } from './load-rows.js';
import { rowSaver } from './save-rows.js';
import { quoted } from './schema.js';
import { asCatalogError, ConnectionLost, changedMeanwhile, type ServerName } from './server-error.js';
import type { Session, Statement } from './session.js';
import type { SessionPool } from './session-pool.js';
import { type IntegerColumns, qualified } from './sql-parts.js';

export interface PostgresStoreOptions {
  readonly pool: SessionPool;
  readonly server: ServerName;
  /** The version of the tables that this program knows. */
  readonly version: number;
  readonly integers: IntegerColumns;
  /** Milliseconds for which a change tries to reconnect after its connection was lost. */
  readonly patience: number;
}

/**
 * A transaction costs some round trips and a sync of the server's disk, and blocks no reader: it may take longer than a
 * transaction of SQLite. Texts are in memory several times until they are sent: 900 rows of 1 MB took 1,000 MB without a limit.
 */
const pace: Pace = { mostItems: 2000, longest: 600, isRemote: true, mostCharacters: 4 * 2 ** 20 };

/** Milliseconds for which reads rely on the version of the tables they found. */
const trustTime = 500;

type Load = (statements: readonly Statement[]) => Promise<void>;

/** The store of a catalog in a schema of a database. Longer than a screen: the methods of the port, each of a few lines. */
export function postgresStore({ pool, server, version, integers, patience }: PostgresStoreOptions): Store {
  const { schema } = server;
  const loader = rowLoader(schema, integers, true);
  const shortLoader = rowLoader(schema, integers, false);
  const largeReads = oneByOne();
  const rowsOf = rowSaver(schema, integers);
  const changes = changeQueue({
    ...{ pool, server, version, rowsOf, patience },
    drive: (plan, draft, { load, settled }) => drive(plan, draft, load, loader, settled),
  });
  let checkedAt = Number.NEGATIVE_INFINITY;

  /**
   * Runs a plan to its end; the rows it asks for are loaded by groups of statements.
   * @param settled called between two of its batches
   */
  async function drive<T>(
    plan: Plan<T>,
    draft: Draft,
    load: Load,
    from = loader,
    settled?: () => Promise<void>,
  ): Promise<T> {
    const steps = plan(draft);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (!draft.hasPending()) await settled?.();
      // Loaded rows may ask for further ones: the ancestors of a category.
      for (let pending = draft.drainPending(); pending !== undefined; pending = draft.drainPending())
        await load(from.load(pending, draft));
    }
  }

  /** A newer program may have changed the tables since this one opened them. */
  function versionCheck(): Statement[] {
    const now = performance.now();
    if (now - checkedAt < trustTime) return [];
    return [
      {
        sql: `SELECT version FROM ${quoted(schema)}.catalog`,
        onRow([found]) {
          if (found !== version) throw changedMeanwhile(server);
          checkedAt = now;
        },
      },
    ];
  }

  /** Runs reads, and repeats them where an idle connection turns out to be closed. Failures become messages for users. */
  async function reading<T>(work: (session: Session) => Promise<T>): Promise<T> {
    for (;;) {
      let wasUsed = false;
      try {
        return await pool.use((session, isUsed) => {
          wasUsed = isUsed;
          return work(session);
        });
      } catch (error) {
        if (!(error instanceof ConnectionLost && wasUsed)) throw asCatalogError(server, error);
      }
    }
  }

  /**
   * Runs a read that takes no large rows. Where it meets one it is run again, when no other read has large rows: those of all
   * connections at once took 700 MB, and kept small reads waiting for a connection.
   */
  async function shortly<T>(read: (from: RowLoader) => Promise<T>): Promise<T> {
    try {
      return await read(shortLoader);
    } catch (error) {
      if (!(error instanceof LargeRow)) throw error;
      return largeReads(() => read(loader));
    }
  }

  /** Runs reads on one consistent view. */
  async function onOneView<T>(session: Session, work: (load: Load) => Promise<T>): Promise<T> {
    let before: Statement[] = [{ sql: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' }, ...versionCheck()];
    try {
      return await work(async (statements) => {
        const group = [...before, ...statements];
        before = [];
        await session.run(group);
      });
    } finally {
      if (before.length === 0 && session.isOpen()) await session.run([{ sql: 'ROLLBACK' }]);
    }
  }

  /** Runs a plan that needs a single statement, which is consistent by itself; `undefined` if it needs more. */
  async function driveByOne<T>(
    plan: Plan<T>,
    session: Session,
    from: RowLoader,
  ): Promise<{ readonly value: T } | undefined> {
    const draft = newDraft({ newId: provisionalIds() });
    const steps = plan(draft);
    for (let loaded = false; ; loaded = true) {
      const step = steps.next();
      if (step.done) return { value: step.value };
      const pending = draft.drainPending();
      if (pending === undefined) continue;
      const statements = from.load(pending, draft);
      if (loaded || statements.length > 1) return undefined;
      await session.run([...versionCheck(), ...statements]);
    }
  }

  function read<T>(plan: Plan<T>): Promise<T> {
    return shortly((from) =>
      reading(async (session) => {
        const one = await driveByOne(plan, session, from);
        if (one !== undefined) return one.value;
        return onOneView(session, (load) => drive(plan, newDraft({ newId: provisionalIds() }), load, from));
      }),
    );
  }

  function scan<R extends Row, T>(
    table: Table<R>,
    page: PageRequest,
    plan: (rows: readonly R[], draft: Draft) => Generator<void, T>,
  ): Promise<T> {
    // PostgreSQL refuses a text with a NUL character.
    if (page.after?.includes('\0') === true) return Promise.reject(noSuchRow(page.after));
    return shortly((from) =>
      reading((session) =>
        onOneView(session, async (load) => {
          const rows: Row[] = [];
          let found = page.after === undefined;
          await load(
            from.page(table, page, rows, () => {
              found = true;
            }),
          );
          if (!found) throw noSuchRow(page.after ?? '');
          return drive((draft) => plan(rows as R[], draft), newDraft({ newId: provisionalIds() }), load, from);
        }),
      ),
    );
  }

  async function write<T>(plan: Plan<T>): Promise<T> {
    const ids = newIdSeries();
    return changes.add({
      plan,
      newDraft(transaction) {
        const newId = ids(Date.now());
        const first = transaction.lastProduct + 1;
        return newDraft({
          newId: ({ name, prefix = '' }, nth) => (name === 'product' ? newId(prefix, first + nth) : newId(prefix)),
        });
      },
    });
  }

  return {
    pace,
    read,
    scan,
    dryRun: read,
    load: (pending, sink) => reading((session) => onOneView(session, (load) => load(loader.load(pending, sink)))),
    write,
    save: (saved) => changes.save(new Map([...saved].map(([table, rows]) => [table, ofUnknownOrigin(rows)]))),
    readAll: <R extends Row>(table: Table<R>) =>
      reading(async (session) => {
        const rows: Row[] = [];
        await session.run([...versionCheck(), loader.all(table, rows)]);
        return rows as R[];
      }),
    // Under the lock: a transaction may have loaded such a row, and be about to renew it.
    deleteExpired: (table, time) =>
      reading(async (session) => {
        const statements = [
          { sql: 'BEGIN' },
          { sql: `SELECT version FROM ${quoted(schema)}.catalog FOR UPDATE` },
          { sql: `DELETE FROM ${qualified(schema, table)} WHERE created_at <= $1`, values: [String(time)] },
          { sql: 'COMMIT' },
        ];
        try {
          await session.run(statements);
        } catch (error) {
          if (session.isOpen()) await session.run([{ sql: 'ROLLBACK' }]);
          throw error;
        }
      }),
    timeBeyond: (table, { rows, column, bytes }) =>
      reading(async (session) => {
        let time: number | undefined;
        const sql = timeBeyondQuery(qualified(schema, table), column, '$1::bigint', '$2::bigint');
        const values = [String(rows), String(bytes)];
        const onRow = ([value]: readonly Value[]): void => {
          time = typeof value === 'number' ? value : undefined;
        };
        await session.run([{ sql, values, onRow }]);
        return time;
      }),
    async close() {
      await changes.close();
      await pool.close();
    },
  };
}
