// Puts a backup in the place of a catalog: checked first, whole or not at all, and with no log of the replaced catalog next to it.
import { chmodSync, rmSync, statSync } from 'node:fs';
import { CatalogError } from '../../../core/errors.js';
import { replaceFileBy } from '../../../files/durable-file.js';
import { foundAt } from '../../../files/found-file.js';
import { realPathOf } from '../../../files/same-file.js';
import { openDatabase } from '../database.js';
import { isSqliteError } from '../driver.js';
import { copyWhole, notWritten } from './backup.js';
import { checkCatalogFile } from './check-catalog.js';

/** Milliseconds to wait for another process's lock on the backup. */
const lockTimeout = 30_000;

/**
 * Copies a backup to the path of a catalog.
 * @returns the bytes of the catalog
 * @throws CatalogError `catalog_unusable` where the backup is damaged or holds no catalog, `catalog_locked` where another
 *   process has the catalog open that is replaced, `usage` where the catalog cannot be written
 */
export async function restoreFrom(backup: string, catalog: string): Promise<number> {
  await refuseDamaged(backup);
  const database = openDatabase(backup, true);
  try {
    await replaceFileBy(catalog, async (temporary) => {
      await copyWhole(database, temporary, { file: backup, lockTimeout });
      const replaced = foundAt(realPathOf(catalog));
      if (replaced !== undefined) chmodSync(temporary, replaced.mode & 0o777);
      releaseReplaced(catalog);
    }).catch((cause: unknown) => {
      throw notWritten(`The catalog ${catalog}`, cause);
    });
    return statSync(catalog).size;
  } finally {
    database.close();
  }
}

async function refuseDamaged(backup: string): Promise<void> {
  const [first] = await faultsOf(backup);
  if (first === undefined) return;
  throw new CatalogError('catalog_unusable', `${backup} is not a sound backup, and nothing was replaced: ${first}`);
}

async function faultsOf(backup: string): Promise<readonly string[]> {
  try {
    const problems = (await checkCatalogFile(backup, lockTimeout)).filter(({ level }) => level === 'problem');
    return problems.flatMap(({ details }) => details);
  } catch (error) {
    // The usual message advises another --db. Here the backup is wrong.
    if (hasSqliteCode(error, 'SQLITE_NOTADB')) return ['it is not a SQLite database; name a file that backup wrote'];
    throw error;
  }
}

function hasSqliteCode(error: unknown, code: string): boolean {
  return error instanceof CatalogError && isSqliteError(error.cause) && error.cause.code === code;
}

/** Copies the log of the replaced catalog back and removes it: next to the backup it would be taken for the backup's own. */
function releaseReplaced(catalog: string): void {
  if (foundAt(catalog) !== undefined) leaveLog(catalog);
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(realPathOf(catalog) + suffix, { force: true });
}

function leaveLog(catalog: string): void {
  try {
    const database = openDatabase(catalog, true);
    try {
      // Succeeds only where no other connection has the catalog open.
      database.pragma('journal_mode = DELETE', { simple: true });
    } finally {
      database.close();
    }
  } catch (error) {
    if (isSqliteError(error) && error.code.startsWith('SQLITE_BUSY'))
      throw new CatalogError(
        'catalog_locked',
        `${catalog} is in use by another process, and was not replaced. Stop the server and the imports, then try again.`,
      );
    // A catalog that is damaged is what a backup is for.
    if (!isSqliteError(error) && !(error instanceof CatalogError)) throw error;
  }
}
