// Opens the file of acknowledged items, and recreates a damaged one.
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { CatalogError } from '../../../core/errors.js';
import { makeFolder } from '../../../files/durable-file.js';
import { isSqliteError, openSqlite } from '../driver.js';
import { makeForOwner } from '../file/catalog-file.js';

/** Where the file is, and whether it is only read. */
interface AcknowledgedPlace {
  readonly file: string;
  readonly dryRun: boolean;
}

/** Identifies this program and the form of the table in the header of the file: "ack2". */
const applicationId = 0x61636b32;

const schema = `
  CREATE TABLE acknowledged (
    key BLOB PRIMARY KEY,
    item BLOB,
    run INTEGER NOT NULL,
    state INTEGER NOT NULL,
    source INTEGER NOT NULL,
    seen INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${applicationId};
`;

/** An open file. */
export interface AcknowledgedDatabase {
  readonly database: Sqlite.Database;
  readonly statements: ReturnType<typeof prepareStatements>;
  /** Whether the previous content could not be read, so that the file was recreated. */
  readonly damaged: boolean;
}

/** Opens the file; for a dry run without one, an empty database in memory. */
function openFile({ file, dryRun }: AcknowledgedPlace): Sqlite.Database {
  if (dryRun && !existsSync(file)) {
    const database = openSqlite(':memory:', {});
    database.exec(schema);
    return database;
  }
  makeFolder(dirname(file), 0o700);
  makeForOwner(file);
  const database = openSqlite(file, { timeout: 10_000 });
  try {
    database.pragma('cache_size = -16000', { simple: true });
    if (!dryRun) {
      // Keys come in no order: each changes a page of its own, which goes to the log as a whole.
      database.pragma('page_size = 1024', { simple: true });
      database.pragma('journal_mode = WAL', { simple: true });
      database.pragma('wal_autocheckpoint = 16000', { simple: true });
      database.exec('BEGIN IMMEDIATE');
    }
    const found = database.pragma('application_id', { simple: true });
    const isEmpty = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
    if (isEmpty) database.exec(schema);
    else if (found !== applicationId) throw new NotOurs();
    if (database.inTransaction) database.exec('COMMIT');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The file is a database of another program, or of another version of this program. */
class NotOurs extends Error {}

/** Whether an error says that the content of the file cannot be read. */
export function isDamage(error: unknown): boolean {
  return error instanceof NotOurs || (isSqliteError(error) && /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(error.code));
}

/**
 * Opens the file; a damaged or foreign one is replaced by a new one.
 * @throws CatalogError `catalog_unusable`
 */
export function openAcknowledgedFile(place: AcknowledgedPlace): AcknowledgedDatabase {
  try {
    return prepared(openFile(place), false);
  } catch (error) {
    if (!isDamage(error)) throw unusableFile(place.file, error);
  }
  return renewAcknowledgedFile(place);
}

/**
 * Replaces a damaged file by an empty one.
 * @throws CatalogError `catalog_unusable`
 */
export function renewAcknowledgedFile(place: AcknowledgedPlace): AcknowledgedDatabase {
  try {
    for (const suffix of ['', '-wal', '-shm']) rmSync(place.file + suffix, { force: true });
    return prepared(openFile(place), true);
  } catch (error) {
    throw unusableFile(place.file, error);
  }
}

function prepared(database: Sqlite.Database, damaged: boolean): AcknowledgedDatabase {
  return { database, statements: prepareStatements(database), damaged };
}

function prepareStatements(database: Sqlite.Database) {
  database.exec('CREATE TEMP TABLE begun (key BLOB PRIMARY KEY) WITHOUT ROWID');
  return {
    find: database.prepare('SELECT item, run, state, seen, source FROM acknowledged WHERE key = ?').raw(),
    begin: database.prepare(
      `INSERT INTO acknowledged (key, item, run, state, source, seen) VALUES (@key, NULL, @run, 1, @source, @now)
       ON CONFLICT DO UPDATE SET item = NULL, run = @run, source = @source, seen = @now, state = CASE
         WHEN state = 0 OR seen < @old THEN 1 WHEN state = 1 AND run = @run THEN 1 ELSE 2 END`,
    ),
    acknowledge: database.prepare(
      'UPDATE acknowledged SET item = @item, state = 0 WHERE key = @key AND run = @run AND state = 1',
    ),
    forgetAll: database.prepare('UPDATE acknowledged SET item = NULL'),
    removeOld: database.prepare('DELETE FROM acknowledged WHERE seen < ?'),
    mark: database.prepare('UPDATE acknowledged SET seen = ? WHERE key = ?'),
    markBegun: database.prepare('INSERT OR IGNORE INTO begun VALUES (?)'),
    isBegun: database.prepare('SELECT 1 FROM begun WHERE key = ?').raw(),
  };
}

/** The failure of a call on the file, with the remedy. */
export function unusableFile(file: string, error: unknown): unknown {
  if (error instanceof CatalogError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new CatalogError(
    'catalog_unusable',
    `${file}, which keeps what the remote acknowledged, cannot be used (${why}). Make room or correct its rights, or ` +
      'remove it: then everything is sent again, once.',
    { cause: error },
  );
}
