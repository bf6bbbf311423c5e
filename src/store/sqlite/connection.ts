// One connection of the store: its statements, the transactions that plans run in, and the checks before each.
import type { Statement } from 'better-sqlite3';
import { CatalogError } from '../../core/errors.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Plan } from '../store.js';
import { type Database, isSqliteError } from './driver.js';
import { type ChangeCounter, changeCounter } from './file/change-counter.js';
import type { FilePresence } from './file/file-presence.js';
import { moveAnchor } from './file/log-anchor.js';
import type { Adoption } from './rows/row-numbers.js';
import { type RowStatements, rowStatements } from './rows/row-statements.js';

export interface SqliteStoreOptions {
  /** The path, for messages. */
  readonly file: string;
  /** Milliseconds to wait for another process's lock. */
  readonly lockTimeout: number;
  /**
   * Whose identifiers it accepts: `all` for the scratch store of a dry run, `products` for the target of a copy; only
   * its own if undefined.
   */
  readonly adoption?: Adoption;
  /** The table version that the program knows. */
  readonly version: number;
  /** Checks that the catalog's file is still in place. A scratch copy has none. */
  readonly presence?: FilePresence;
}

export interface SqliteConnection {
  readonly database: Database;
  readonly options: SqliteStoreOptions;
  readonly statements: RowStatements;
  readonly begin: Statement;
  readonly beginImmediate: Statement;
  readonly commit: Statement;
  readonly rollback: Statement;
  readonly userVersion: Statement;
  /** How many rows this connection has changed since it was opened. */
  readonly totalChanges: Statement;
  readonly moveAnchor: Statement;
  readonly counter: ChangeCounter;
  /** The count of changes when the table version was last checked. */
  countedChanges: number;
  /** For this turn of the event loop, the count of changes: if nothing changed, the version did not either. */
  isVersionChecked: boolean;
}

/** The statements of a connection, prepared once. */
export function newConnection(database: Database, options: SqliteStoreOptions): SqliteConnection {
  return {
    database,
    options,
    statements: rowStatements(database, options.adoption ?? 'none'),
    begin: database.prepare('BEGIN'),
    // Immediate: a deferred transaction fails at once if another one has written since it began, whatever the time-out.
    beginImmediate: database.prepare('BEGIN IMMEDIATE'),
    commit: database.prepare('COMMIT'),
    rollback: database.prepare('ROLLBACK'),
    totalChanges: database.prepare('SELECT total_changes()').pluck(),
    moveAnchor: database.prepare(moveAnchor),
    userVersion: database.prepare('PRAGMA user_version').pluck(),
    counter: changeCounter(database),
    countedChanges: Number.NaN,
    isVersionChecked: false,
  };
}

/** @throws CatalogError if a newer program has migrated the tables since this one opened them */
export function checkVersion({ userVersion, options }: SqliteConnection): void {
  if (userVersion.get() === options.version) return;
  throw new CatalogError(
    'catalog_unusable',
    `${options.file} was brought up to date by a newer version while this one had it open; start this again with that version`,
  );
}

/** Ends the transaction without a commit. A full disk or an I/O error may have ended it already. */
export function abandon({ database, rollback }: SqliteConnection): void {
  if (database.inTransaction) rollback.run();
}

/** Reads in a transaction, so that all reads see one state of the catalog. */
export function inView<T>(connection: SqliteConnection, work: () => T): T {
  connection.begin.run();
  try {
    connection.statements.begin();
    checkVersion(connection);
    return work();
  } finally {
    abandon(connection);
  }
}

/** Runs a plan to its end, loading what becomes pending. */
export function drivePlan<T>({ statements }: SqliteConnection, plan: Plan<T>, draft: Draft): T {
  const steps = plan(draft);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    // Loading may make more rows pending: the ancestors of a category.
    for (let pending = draft.drainPending(); pending !== undefined; pending = draft.drainPending())
      statements.load(pending, draft);
  }
}

/** `Store.changeCount` */
export function countChanges(connection: SqliteConnection): number | undefined {
  connection.options.presence?.checkNowAndThen();
  try {
    const count = connection.counter.count();
    if (count !== connection.countedChanges) checkVersion(connection);
    connection.countedChanges = count;
    if (!connection.isVersionChecked) {
      connection.isVersionChecked = true;
      queueMicrotask(() => {
        connection.isVersionChecked = false;
      });
    }
    return count;
  } catch (error) {
    // A read waits for the lock without blocking the event loop, and converts any other error.
    if (isSqliteError(error)) return undefined;
    throw error;
  }
}
