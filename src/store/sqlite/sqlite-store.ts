// The store port on SQLite: plans run in transactions, immediate ones where they write.

import { CatalogError } from '../../core/errors.js';
import { newDraft } from '../../core/rows/draft.js';
import { provisionalIds } from '../../core/rows/provisional-id.js';
import type { Draft, SavedRows } from '../../core/rows/snapshot.js';
import type { Row, Table } from '../../core/rows/table.js';
import { timeBeyondQuery } from '../expiry.js';
import { failpoint } from '../failpoint.js';
import { type IdSeries, loadIdSeries } from '../identifiers.js';
import type { PageRequest, Plan, Store } from '../store.js';
import { changeCounter } from './change-counter.js';
import { type Database, withLock } from './database.js';
import { isSqliteError } from './driver.js';
import type { FilePresence } from './file-presence.js';
import type { Adoption } from './row-numbers.js';
import { rowStatements } from './row-statements.js';

export interface SqliteStoreOptions {
  /** The path, for messages. */
  readonly file: string;
  /** Milliseconds to wait for another process's lock. */
  readonly lockTimeout: number;
  /** Whose identifiers it takes: `all` is the scratch store of a dry run, `products` the target of a copy. Its own only if not given. */
  readonly adoption?: Adoption;
  /** The version of the catalog's tables that the program knows. */
  readonly version: number;
  /** Watches over the catalog's file. A scratch copy has none. */
  readonly presence?: FilePresence;
}

/** A change that waits for its transaction. */
interface QueuedWrite {
  run(): () => void;
  reject(error: unknown): void;
}

/** Whether another process holds the lock: then trying one by one would only take longer. */
function isLocked(error: unknown): boolean {
  return error instanceof CatalogError && error.code === 'catalog_locked';
}

/** How long deciding several changes may take, in milliseconds, before those left wait: reads of a server wait as long. */
const longest = 10;

/** A store on an open database, which it closes. */
export function sqliteStore(database: Database, options: SqliteStoreOptions): Store {
  const { file, lockTimeout, adoption = 'none', presence } = options;
  const statements = rowStatements(database, adoption);
  const begin = database.prepare('BEGIN');
  // Immediate: a transaction that began deferred fails at once when another has written since, whatever the time-out.
  const beginChange = database.prepare('BEGIN IMMEDIATE');
  const versionNow = database.prepare('PRAGMA user_version').pluck();
  const counter = changeCounter(database);
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const waiting: QueuedWrite[] = [];
  let committing = false;
  let ids: IdSeries | undefined;
  let countedChanges = Number.NaN;
  // In this turn of the event loop, by the count of changes: where nothing changed, the version did not either.
  let isVersionChecked = false;

  function drive<T>(plan: Plan<T>, draft: Draft): T {
    const steps = plan(draft);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      // What is loaded may ask for more: the way up from a category.
      for (let pending = draft.drainPending(); pending !== undefined; pending = draft.drainPending())
        statements.load(pending, draft);
    }
  }

  /**
   * Most reads are of one row by one statement, which is consistent by itself: the transaction around it would cost
   * half as much again. `undefined` where the plan takes more than that.
   */
  function driveByOne<T>(plan: Plan<T>): { readonly value: T } | undefined {
    const draft = newDraft({ newId: provisionalIds() });
    const steps = plan(draft);
    for (let loaded = false; ; loaded = true) {
      const step = steps.next();
      if (step.done) return step;
      const pending = draft.drainPending();
      if (pending === undefined || loaded) return undefined;
      if (!isVersionChecked) checkVersion();
      if (!statements.loadOne(pending, draft)) return undefined;
    }
  }

  /** A newer program may have changed the tables since this one opened them. */
  function checkVersion(): void {
    if (versionNow.get() === options.version) return;
    throw new CatalogError(
      'catalog_unusable',
      `${file} was brought up to date by a newer version while this one had it open; start this again with that version`,
    );
  }

  /** A full disk or an I/O error may have ended the transaction already. */
  function abandon(): void {
    if (database.inTransaction) rollback.run();
  }

  /**
   * Runs a plan within the open transaction. What the plan itself throws is its caller's alone: nothing of it was saved.
   * What is thrown while saving may have left a half, and takes the whole transaction back.
   * @returns what to tell the caller once the transaction is committed
   */
  function runOne<T>(plan: Plan<T>, resolve: (value: T) => void, reject: (error: unknown) => void): () => void {
    const newId = statements.newIds((ids as IdSeries)(Date.now()));
    const draft = newDraft({ newId, negativeLookups: statements.negativeLookups() });
    let value: T;
    try {
      value = drive(plan, draft);
    } catch (error) {
      if (isSqliteError(error)) throw error;
      return () => reject(error);
    }
    statements.save(draft.saved());
    return () => resolve(value);
  }

  /** Commits as many of the waiting changes as fit the time, begin to commit without a pause. */
  function commitSome(changes: readonly QueuedWrite[]): (() => void)[] {
    presence?.check();
    beginChange.run();
    try {
      statements.begin();
      checkVersion();
      const started = performance.now();
      const tell: (() => void)[] = [];
      for (const { run } of changes) {
        tell.push(run());
        if (performance.now() - started > longest) break;
      }
      failpoint('before-commit');
      commit.run();
      counter.committed();
      failpoint('after-commit');
      return tell;
    } catch (error) {
      abandon();
      statements.forget();
      throw error;
    }
  }

  /**
   * Changes that wait at the same time share a transaction: syncing the disk takes longer than most of them, and a
   * server with many writers would do little else. Measured with 32 clients that send 40 new products each, on a disk
   * that syncs in 2.7 ms: 380 batches a second one by one, 670 together.
   */
  async function commitAll(): Promise<void> {
    committing = true;
    ids ??= await loadIdSeries();
    // After a failure each of those that shared it is tried alone: only the one at fault is to suffer.
    for (let alone = 0; waiting.length > 0; ) {
      const group = alone > 0 ? waiting.slice(0, 1) : waiting;
      try {
        const tell = await withLock(file, lockTimeout, () => commitSome(group));
        waiting.splice(0, tell.length);
        alone = Math.max(0, alone - 1);
        for (const told of tell) told();
      } catch (error) {
        if (alone === 0 && group.length > 1 && !isLocked(error)) alone = group.length;
        else {
          alone = Math.max(0, alone - 1);
          for (const { reject } of waiting.splice(0, group.length)) reject(error);
        }
      }
    }
    committing = false;
  }

  function read<T>(plan: Plan<T>): Promise<T> {
    return withLock(file, lockTimeout, () => {
      presence?.checkNowAndThen();
      statements.begin();
      const found = driveByOne(plan);
      if (found !== undefined) return found.value;
      begin.run();
      try {
        checkVersion();
        return drive(plan, newDraft({ newId: provisionalIds(), negativeLookups: statements.negativeLookups() }));
      } finally {
        abandon();
      }
    });
  }

  function scan<R extends Row, T>(
    table: Table<R>,
    page: PageRequest,
    plan: (rows: readonly R[], draft: Draft) => Generator<void, T>,
  ): Promise<T> {
    return withLock(file, lockTimeout, () => {
      presence?.checkNowAndThen();
      begin.run();
      try {
        statements.begin();
        checkVersion();
        const rows = statements.page(table, page);
        return drive((draft) => plan(rows, draft), newDraft({ newId: provisionalIds() }));
      } finally {
        abandon();
      }
    });
  }

  /** Has work done in the next transaction; it gives what to tell once that is committed. */
  function enqueue<T>(work: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void): Promise<T> {
    return new Promise((resolve, reject) => {
      waiting.push({ run: () => work(resolve, reject), reject });
      if (waiting.length === 1 && !committing) setImmediate(commitAll);
    });
  }

  return {
    read,
    scan,
    load: (pending, sink) =>
      withLock(file, lockTimeout, () => {
        begin.run();
        try {
          statements.begin();
          checkVersion();
          statements.load(pending, sink);
        } finally {
          abandon();
        }
      }),
    dryRun: read,
    save: (saved) =>
      enqueue((resolve) => {
        const all = new Map([...saved].map(([table, rows]) => [table, ofUnknownOrigin(rows)]));
        statements.save(all);
        return () => resolve(undefined);
      }),
    write: (plan) => enqueue((resolve, reject) => runOne(plan, resolve, reject)),
    readAll: (table) => withLock(file, lockTimeout, () => statements.all(table)),
    deleteExpired: (table, time) =>
      withLock(file, lockTimeout, () => {
        database.prepare(`DELETE FROM ${table.name} WHERE created_at <= ?`).run(time);
        counter.committed();
      }),
    timeBeyond: (table, bounds) =>
      withLock(file, lockTimeout, () => {
        const sql = timeBeyondQuery(table.name, bounds.column, '?');
        const time = database.prepare(sql).pluck().get(bounds.rows, bounds.bytes);
        return typeof time === 'number' ? time : undefined;
      }),
    changeCount() {
      presence?.checkNowAndThen();
      try {
        const count = counter.count();
        if (count !== countedChanges) checkVersion();
        countedChanges = count;
        if (!isVersionChecked) {
          isVersionChecked = true;
          queueMicrotask(() => {
            isVersionChecked = false;
          });
        }
        return count;
      } catch (error) {
        // A read waits for the lock without blocking the event loop, and tells what any other error means.
        if (isSqliteError(error)) return undefined;
        throw error;
      }
    },
    async close() {
      database.close();
    },
  };
}

/** Rows that another store changed: whether this one has them is not known. */
function ofUnknownOrigin({ created, changed }: SavedRows): SavedRows {
  return { created, changed: new Map([...changed.keys()].map((row) => [row, 'unknown'])) };
}
