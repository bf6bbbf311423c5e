// Whether the file of an open catalog is still the one at its path. SQLite goes on with a file that was removed, and
// everything written to it is gone with the last process that has it open.
import { statSync } from 'node:fs';
import { CatalogError } from '../../../core/errors.js';

export interface FilePresence {
  /** Before a change. Throws `catalog_unavailable` where the file or its log was removed or replaced. */
  check(): void;
  /** Before a read: as `check`, but looks only twice a second. */
  checkNowAndThen(): void;
}

/** Milliseconds for which a look counts for reads. */
const trustTime = 500;

/** A file's identity; undefined if there is none at the path, or it cannot be reached. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/**
 * Watches over the file of an open catalog. To be called once it is open: what is at the path then is the catalog.
 * @param file its absolute or relative path; relative ones are looked up in the current folder each time
 */
export function filePresence(file: string): FilePresence {
  const log = `${file}-wal`;
  const identity = identityOf(file);
  // SQLite makes the log with the first transaction, and removes it when the last connection closes.
  let logIdentity = identityOf(log);
  let looked = performance.now();

  function check(): void {
    const logNow = identityOf(log);
    logIdentity ??= logNow;
    const isThere = identityOf(file) === identity && logNow === logIdentity;
    looked = isThere ? performance.now() : Number.NEGATIVE_INFINITY;
    if (isThere) return;
    throw new CatalogError(
      'catalog_unavailable',
      `${file} or ${log} was removed or replaced while it was open, so nothing more is stored. Put both back, or start again with the catalog that is there now.`,
    );
  }

  return {
    check,
    checkNowAndThen() {
      if (performance.now() - looked > trustTime) check();
    },
  };
}
