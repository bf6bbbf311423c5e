// The store port on SQLite: plans run in transactions, immediate ones where they write.
import { channel } from 'node:diagnostics_channel';
import { newDraft } from '../../core/rows/draft.js';
import { provisionalIds } from '../../core/rows/provisional-id.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Row, Table } from '../../core/rows/table.js';
import { stepChannel, type TimedStep } from '../../core/timed-step.js';
import { timeBeyondQuery } from '../expiry.js';
import { type IdSeries, newIdSeries } from '../identifiers.js';
import { oneByOne } from '../large-rows.js';
import { ofUnknownOrigin, type PageRequest, type Plan, type Store } from '../store.js';
import {
  countChanges,
  drivePlan,
  inView,
  newConnection,
  type SqliteConnection,
  type SqliteStoreOptions,
} from './connection.js';
import { withLock } from './database.js';
import { type Database, isSqliteError } from './driver.js';
import { newReadSingle, type ReadSingle } from './single-read.js';
import { enqueue, type QueuedWork, type WriteQueue } from './write-queue.js';

const steps = channel(stepChannel);

/** A store on an open database, which it closes. */
export function sqliteStore(database: Database, options: SqliteStoreOptions): Store {
  const { file, lockTimeout, presence } = options;
  const connection = newConnection(database, options);
  const { statements, counter } = connection;
  let ids: IdSeries | undefined;
  const prepare = async (): Promise<void> => {
    ids ??= newIdSeries();
  };
  const queue: WriteQueue = { connection, prepare, waiting: [], isCommitting: false };
  const locked = <T>(work: () => T): Promise<T> => withLock(file, lockTimeout, work);

  const readSingle = newReadSingle(connection);
  const largeReads = oneByOne();
  return {
    async read(plan) {
      const found = await locked(() => runShortRead(connection, readSingle, plan));
      if (typeof found === 'object') return found.value;
      const again = () => locked(() => runView(connection, plan));
      return found === 'large' ? largeReads(again) : again();
    },
    dryRun: (plan) => locked(() => runView(connection, plan)),
    async scan<R extends Row, T>(
      table: Table<R>,
      page: PageRequest,
      plan: (rows: readonly R[], draft: Draft) => Generator<void, T>,
    ) {
      return largeReads(() =>
        locked(() => {
          presence?.checkNowAndThen();
          return inView(connection, () => {
            const rows = statements.page(table, page);
            return drivePlan(connection, (draft) => plan(rows, draft), newDraft({ newId: provisionalIds() }));
          });
        }),
      );
    },
    load: (pending, sink) => locked(() => inView(connection, () => statements.load(pending, sink))),
    save: (saved) =>
      enqueue(queue, (resolve) => {
        statements.save(new Map([...saved].map(([table, rows]) => [table, ofUnknownOrigin(rows)])));
        return () => resolve(undefined);
      }),
    write: <T>(plan: Plan<T>) =>
      enqueue<T>(queue, (resolve, reject) => runWrite(connection, ids as IdSeries, plan, { resolve, reject })),
    readAll: (table) => locked(() => statements.all(table)),
    deleteExpired: (table, time) =>
      locked(() => {
        database.prepare(`DELETE FROM ${table.name} WHERE created_at <= ?`).run(time);
        counter.committed();
      }),
    timeBeyond: (table, { column, rows, bytes }) =>
      locked(() => {
        const time = database
          .prepare(timeBeyondQuery(table.name, column, '?'))
          .pluck()
          .get(rows, bytes);
        return typeof time === 'number' ? time : undefined;
      }),
    changeCount: () => countChanges(connection),
    async close() {
      database.close();
    },
  };
}

/** Reads by one statement where that is enough. */
function runShortRead<T>(
  connection: SqliteConnection,
  readSingle: ReadSingle,
  plan: Plan<T>,
): ReturnType<typeof readSingle<T>> {
  connection.options.presence?.checkNowAndThen();
  connection.statements.begin();
  return readSingle(plan);
}

/** Reads in a view of its own. */
function runView<T>(connection: SqliteConnection, plan: Plan<T>): T {
  connection.options.presence?.checkNowAndThen();
  return inView(connection, () => {
    const draft = newDraft({ newId: provisionalIds() });
    return drivePlan(connection, plan, draft);
  });
}

/**
 * Runs a plan within the open transaction. An error of the plan itself is thrown to its caller only: nothing of it was
 * saved. An error while saving may have left a part, and rolls the whole transaction back.
 * @returns a function to call when the transaction is committed
 */
function runWrite<T>(
  connection: SqliteConnection,
  ids: IdSeries,
  plan: Plan<T>,
  { resolve, reject }: { resolve: Parameters<QueuedWork<T>>[0]; reject: Parameters<QueuedWork<T>>[1] },
): () => void {
  const { statements, database } = connection;
  const draft = newDraft({
    newId: statements.newIds(ids(Date.now())),
  });
  const started = performance.now();
  let value: T;
  try {
    value = drivePlan(connection, plan, draft);
  } catch (error) {
    if (isSqliteError(error)) throw error;
    return () => reject(error);
  }
  const decided = performance.now();
  for (const { name } of draft.cleared()) database.exec(`DELETE FROM ${name}`);
  statements.save(draft.saved());
  statements.keep(draft.kept());
  if (steps.hasSubscribers) {
    steps.publish({ name: 'decide', milliseconds: decided - started } satisfies TimedStep);
    steps.publish({ name: 'save', milliseconds: performance.now() - decided } satisfies TimedStep);
  }
  return () => resolve(value);
}
