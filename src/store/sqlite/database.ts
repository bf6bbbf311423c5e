// A SQLite file as a catalog: opens and checks it, sets pragmas, and runs migrations.
import { constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogError } from '../../core/errors.js';
import { foundAt, mayAccess } from '../../files/found-file.js';
import { realPathOf } from '../../files/same-file.js';
import { type Database, driverRemedy, isSqliteError, openSqlite } from './driver.js';
import { makeForOwner, openLiterally } from './file/catalog-file.js';
import { refuseForeignLog } from './file/log-anchor.js';
import { isOpenHere } from './file/open-files.js';
import { needsCopy, readableCopy } from './file/readable-copy.js';
import { refuseCutOff, refuseForeign, refuseOddLog, refuseSchemaFaults, versionOf } from './file/recognize-catalog.js';
import { refuseLargeSchema } from './file/schema-size.js';
import { faultsIn, lastVersion, migrate, stepNames } from './migrate.js';
import { asCatalogError } from './sqlite-error.js';

/**
 * SQLite 3.7.0 to 3.51.2 can lose committed data when two connections write and checkpoint at once; a catalog is
 * written by several processes, so it is never opened with one of those.
 */
const oldestSqlite = [3, 51, 3] as const;

/**
 * Bytes in a page of a new catalog; older ones keep the 4096 they were made with. Larger pages are fewer to write, but a
 * change of one row writes the whole of its page. Compared with 4096, for 200,000 products:
 *
 *                                                          8192     16,384
 *   new ones                                               -3 %      -6 %
 *   other prices for all, in the order they came in         0 %      -4 %
 *   unchanged ones, in another order                        +4 %      +8 %
 *   other prices for all, in another order                 +31 %     +73 %
 *   a million new ones whose SKUs come in no order          +4 %      +6 %
 */
const pageSize = 8192;

/**
 * The page cache, in KiB as SQLite takes it. Half of the library's default: nothing gets slower, and an import takes 8
 * MB less. Each open file has one: a dry run of new rows takes 24 MB less.
 */
const cacheSize = -8000;

/**
 * Log size in bytes from which its pages are copied back: with 4 MB, pages that change repeatedly were written 30 %
 * more.
 */
const longestLog = 32_000_000;

/**
 * Opens a database file by its absolute path, or a private temporary one for ''. Sets only options of this connection.
 */
export function openDatabase(file: string, mustExist: boolean): Database {
  // better-sqlite3 checks this itself, but with an error that is not a SQLite error.
  if (file !== '' && !existsSync(dirname(file))) {
    throw new CatalogError(
      'catalog_unusable',
      `${file} cannot be opened: there is no folder ${dirname(file)}; make it, or name another catalog with --db`,
    );
  }
  if (mustExist && !existsSync(file)) {
    const why = mayAccess(dirname(file), constants.X_OK)
      ? `there is no catalog at ${file}; import into it first, or name another with --db`
      : `${file} cannot be opened: this user may not look into the folder ${dirname(file)}; run the command as another user`;
    throw new CatalogError('catalog_unusable', why);
  }
  if (file !== '') refuseOddLog(file);
  if (file !== '') refuseCutOff(file);
  // It was looked into when it was opened first.
  const isChecked = file === '' || isOpenHere(file);
  if (!isChecked) refuseForeignLog(file);
  if (!isChecked) refuseLargeSchema(file);
  if (!isChecked && undoesJournal(file)) refuseLargeSchema(file);
  if (file !== '') makeForOwner(file);
  try {
    // No busy time-out: SQLite would wait synchronously and block the event loop. `withLock` waits instead. For the
    // same reason nothing is read from the file here: even reading its version may find it locked.
    const copy = mustExist && needsCopy(file) ? readableCopy(file) : undefined;
    const database = openLiterally(copy ?? file, (path) => openSqlite(path, { timeout: 0 }));
    if (copy !== undefined) copies.add(database);
    return database;
  } catch (error) {
    throw asCatalogError(file, error);
  }
}

/** Has SQLite undo what an interrupted transaction left in a journal: it may hold another schema. False where there is none. */
function undoesJournal(file: string): boolean {
  if (foundAt(`${realPathOf(file)}-journal`) === undefined) return false;
  let database: Database | undefined;
  try {
    database = openLiterally(file, (path) => openSqlite(path, { timeout: 0, fileMustExist: true }));
    // The one query that does not read the schema.
    versionOf(database);
  } catch {
    // It says so again when the catalog is opened.
  } finally {
    database?.close();
  }
  return true;
}

/** Private copies of catalogs that this user may only read. */
const copies = new WeakSet<Database>();

/**
 * Sets a pragma. Its result is not made an object, since better-sqlite3 13 compiles code from text for that, which may
 * be forbidden.
 */
function setPragma(database: Database, pragma: string): unknown {
  return database.pragma(pragma, { simple: true });
}

/**
 * @throws CatalogError on a file system without memory that processes can share: SQLite then keeps another journal mode
 */
function useWriteAheadLog(database: Database, file: string): void {
  const mode = setPragma(database, 'journal_mode = WAL');
  if (mode === 'wal') return;
  throw new CatalogError(
    'catalog_unusable',
    `${file} cannot be a catalog: its file system cannot keep a write-ahead log (journal_mode ${String(mode)}). Put it on a disk of this machine.`,
  );
}

function refuseOldSqlite(database: Database): void {
  const version = String(database.prepare('SELECT sqlite_version()').pluck().get());
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [oldMajor, oldMinor, oldPatch] = oldestSqlite;
  if (major * 1e6 + minor * 1e3 + patch < oldMajor * 1e6 + oldMinor * 1e3 + oldPatch) {
    throw new CatalogError(
      'catalog_unusable',
      `this is SQLite ${version}, which can lose committed data; at least ${oldestSqlite.join('.')} is needed. ${driverRemedy(process.versions.node)}`,
    );
  }
}

/**
 * Prepares a file as a catalog of the current version; a newer one, or a file that is not a catalog, is refused and not
 * changed.
 * @param mustExist refuse a file without a catalog
 * @returns the version
 */
export async function prepareCatalog(
  database: Database,
  file: string,
  { lockTimeout, mustExist = false }: { readonly lockTimeout: number; readonly mustExist?: boolean },
): Promise<number> {
  const steps = stepNames();
  const newest = lastVersion(steps);
  await withLock(file, lockTimeout, () => {
    refuseOldSqlite(database);
    refuseForeign(database, file, newest);
    if (mustExist && versionOf(database) === 0) {
      throw new CatalogError(
        'catalog_unusable',
        `${file} is empty: there is no catalog in it yet; import into it first, or name another with --db`,
      );
    }
  });
  const older = versionOf(database);
  if (older < newest) {
    if (older > 0) await withLock(file, lockTimeout, () => refuseSchemaFaults(file, faultsIn(database)));
    // Both are stored in the file, and cannot be set within a transaction; the page size only before the first.
    await withLock(file, lockTimeout, () => {
      setPragma(database, `page_size = ${pageSize}`);
      useWriteAheadLog(database, file);
    });
    await withLock(file, lockTimeout, () => migrate(database, steps));
  }
  await withLock(file, lockTimeout, () => refuseSchemaFaults(file, faultsIn(database)));
  // These read the schema, which another process that closes the file as its last may have locked just now.
  await withLock(file, lockTimeout, () => {
    // better-sqlite3 makes this NORMAL in WAL mode: a committed transaction could be lost in a power cut.
    setPragma(database, 'synchronous = FULL');
    // References are checked for many rows at once (reference-check.ts).
    setPragma(database, 'foreign_keys = OFF');
    setPragma(database, `cache_size = ${cacheSize}`);
    const ownPageSize = Number(database.pragma('page_size', { simple: true }));
    setPragma(database, `wal_autocheckpoint = ${Math.floor(longestLog / ownPageSize)}`);
    setPragma(database, 'journal_size_limit = 67108864');
    // What is written to a copy would be lost: it fails as it does for the catalog.
    if (copies.has(database)) setPragma(database, 'query_only = ON');
  });
  return newest;
}

/** Creates the tables of a catalog in a private database, for the changes of a dry run. It need not be durable. */
export function prepareScratch(database: Database): number {
  const steps = stepNames();
  refuseOldSqlite(database);
  setPragma(database, `page_size = ${pageSize}`);
  migrate(database, steps);
  setPragma(database, 'synchronous = OFF');
  setPragma(database, 'journal_mode = MEMORY');
  setPragma(database, `cache_size = ${cacheSize}`);
  // Attribute values refer to characteristics that are only in the catalog (row-numbers.ts). Without the index, each product of a dry run
  // would read all of product_id.
  database.exec(
    `CREATE TABLE characteristic_id (id TEXT PRIMARY KEY, seq INTEGER NOT NULL UNIQUE) STRICT, WITHOUT ROWID;
     CREATE UNIQUE INDEX product_id_seq ON product_id (seq)`,
  );
  return lastVersion(steps);
}

/**
 * Checks a catalog that is only read; changes nothing.
 * @returns its version; 0 for a file without a catalog
 */
export async function prepareReading(database: Database, file: string, lockTimeout: number): Promise<number> {
  const { version, newest } = await readVersions(database, file, lockTimeout);
  if (version === newest) await withLock(file, lockTimeout, () => refuseSchemaFaults(file, faultsIn(database)));
  if (version === newest || version === 0) return version;
  throw new CatalogError(
    'catalog_unusable',
    `${file} was made by an older version of this program, and a dry run does not change it. Bring it up to date with catalog-import db migrate --db ${file}.`,
  );
}

/**
 * Prepares a database for inspection, whatever the version of its tables.
 * @returns the version of its tables, 0 if it has none, and the current version
 * @throws CatalogError `catalog_unusable` if it is not a catalog, or one of a newer program
 */
export async function readVersions(
  database: Database,
  file: string,
  lockTimeout: number,
): Promise<{ readonly version: number; readonly newest: number }> {
  const newest = lastVersion(stepNames());
  return withLock(file, lockTimeout, () => {
    refuseOldSqlite(database);
    refuseForeign(database, file, newest);
    setPragma(database, `cache_size = ${cacheSize}`);
    return { version: versionOf(database), newest };
  });
}

/**
 * Runs `work` and tries again while another process holds the lock, without blocking the event loop in between. The
 * pauses are short and random: an importer that commits every 50 ms leaves gaps of about a millisecond.
 * @param timeout milliseconds before it fails with `catalog_locked`
 */
export async function withLock<T>(file: string, timeout: number, work: () => T): Promise<T> {
  const deadline = performance.now() + timeout;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw asCatalogError(file, error);
      if (performance.now() > deadline) {
        throw new CatalogError(
          'catalog_locked',
          `${file} is locked by another process for more than ${Math.round(timeout / 1000)} s. Try again later`,
          { cause: error },
        );
      }
    }
    await sleep(1 + Math.random() * 3);
  }
}

function isBusy(error: unknown): boolean {
  return isSqliteError(error) && error.code.startsWith('SQLITE_BUSY');
}
