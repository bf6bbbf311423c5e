// Copies a catalog while others serve and import into it: SQLite's online backup, of one moment, checked before it is
// moved to its path.
import { existsSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogError } from '../../../core/errors.js';
import { replaceFileBy } from '../../../files/durable-file.js';
import { realPathOf } from '../../../files/same-file.js';
import { openDatabase, withLock } from '../database.js';
import { type Database, isSqliteError, openSqlite } from '../driver.js';
import { resetAnchor } from './log-anchor.js';
import { applicationId, versionOf } from './recognize-catalog.js';

/** All pages in one step: with several, each commit of another process in between would restart the copy. */
const allPages = 0x7fffffff;

/**
 * Writes a copy of a catalog. It is at its path, complete and on disk, when this resolves.
 * @param lockTimeout milliseconds to wait for another process's lock
 * @returns the bytes of the copy
 * @throws CatalogError `catalog_unusable` if the catalog cannot be read, `usage` if the copy cannot be written
 */
export async function backUp(file: string, copy: string, lockTimeout = 30_000): Promise<number> {
  refuseRemains(copy);
  const database = openDatabase(file, true);
  try {
    await withLock(file, lockTimeout, () => refuseOthers(database, file));
    await replaceFileBy(copy, (temporary) => copyWhole(database, temporary, { file, lockTimeout })).catch(
      (cause: unknown) => {
        throw notWritten(`The backup ${copy}`, cause);
      },
    );
    return statSync(copy).size;
  } finally {
    database.close();
  }
}

/** A log that another file left at the target path would be applied to the copy. */
function refuseRemains(copy: string): void {
  const remains = ['-wal', '-shm', '-journal']
    .map((suffix) => realPathOf(copy) + suffix)
    .filter((path) => existsSync(path));
  if (remains.length === 0) return;
  throw new CatalogError(
    'usage',
    `${remains.join(' and ')} would be taken for the log of the backup; remove it, or name another file.`,
  );
}

function refuseOthers(database: Database, file: string): void {
  if (database.pragma('application_id', { simple: true }) === applicationId && versionOf(database) > 0) return;
  throw new CatalogError('catalog_unusable', `${file} holds no catalog; there is nothing to back up`);
}

/** Copies a catalog as it is at one moment to a temporary file, checks the copy, and has it belong to no log. */
export async function copyWhole(
  database: Database,
  temporary: string,
  { file, lockTimeout }: { readonly file: string; readonly lockTimeout: number },
): Promise<void> {
  const deadline = performance.now() + lockTimeout;
  for (;;) {
    await database.backup(temporary, { progress: () => allPages });
    // For a source that is locked at first, the library reports that all of zero pages are copied.
    if (isWhole(temporary)) {
      separateFromLogs(temporary);
      return;
    }
    if (performance.now() > deadline)
      throw new CatalogError(
        'catalog_locked',
        `${file} is locked by another process for more than ${Math.round(lockTimeout / 1000)} s. Try again later`,
      );
    await sleep(20);
  }
}

/** Whether the copy is a catalog whose pages fit each other. @throws CatalogError where it is one that is damaged */
function isWhole(copy: string): boolean {
  if (statSync(copy).size === 0) return false;
  const database = openSqlite(copy, { readonly: true });
  try {
    const found = database.prepare('PRAGMA quick_check(1)').pluck().get();
    if (found === 'ok') return database.pragma('application_id', { simple: true }) === applicationId;
    throw new CatalogError('catalog_unusable', `The catalog is damaged, and was not backed up: ${String(found)}`);
  } finally {
    database.close();
  }
}

/** A log of the catalog that stays next to the path of a restored backup would be taken for the backup's own. */
function separateFromLogs(copy: string): void {
  const database = openSqlite(copy, {});
  try {
    database.exec(resetAnchor);
  } finally {
    database.close();
  }
}

/** @param what the file that could not be written: `The backup x.db` */
export function notWritten(what: string, cause: unknown): unknown {
  if (cause instanceof CatalogError) return cause;
  const { code } = cause as NodeJS.ErrnoException;
  if (!isSqliteError(cause) && code === undefined) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CatalogError('usage', `${what} cannot be written (${why}). Make room, or name another file.`, {
    cause,
  });
}
