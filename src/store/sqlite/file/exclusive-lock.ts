// A lock that one process holds at a time, by a file of SQLite without content: the operating system releases it with the
// process, however that ends, and processes of other machines see it where they share the folder.
import { CatalogError } from '../../../core/errors.js';
import { isSqliteError, openSqlite } from '../driver.js';
import { makeForOwner } from './catalog-file.js';

export type ReleaseLock = () => void;

/** Milliseconds between two attempts. */
const pause = 200;

/**
 * Takes a lock, after waiting for the process that holds it.
 * @param file is made where it is missing, and stays; its folder is there
 * @param wait maximum time in milliseconds
 * @param onWait called once where it has to be waited for
 * @returns undefined where another process still holds it then
 * @throws CatalogError `catalog_unusable` where the file cannot be locked
 */
export async function takeLock(file: string, wait: number, onWait: () => void): Promise<ReleaseLock | undefined> {
  const deadline = performance.now() + wait;
  let isSaid = false;
  for (;;) {
    const release = tryLock(file);
    if (release !== undefined || performance.now() > deadline) return release;
    if (!isSaid) onWait();
    isSaid = true;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function tryLock(file: string): ReleaseLock | undefined {
  try {
    makeForOwner(file);
    const database = openSqlite(file, { timeout: 0 });
    try {
      database.exec('BEGIN EXCLUSIVE');
      return () => database.close();
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    if (isSqliteError(error) && error.code.startsWith('SQLITE_BUSY')) return undefined;
    if (error instanceof CatalogError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new CatalogError('catalog_unusable', `${file} cannot be locked (${why}). Correct its rights, or remove it.`, {
      cause: error,
    });
  }
}
