// Checks whether the file of an open catalog is still the one at its path. SQLite continues to use a removed file, and
// everything written to it is lost with the last process that has it open.
import { statSync } from 'node:fs';
import { CatalogError } from '../../../core/errors.js';

export interface FilePresence {
  /** Before a change. Throws `catalog_unavailable` if the file or its log was removed or replaced. */
  check(): void;
  /** Before a read: like `check`, but at most twice a second. */
  checkNowAndThen(): void;
}

/** Milliseconds for which a check is valid for reads. */
const trustTime = 500;

/** A file's identity; undefined if it does not exist, or cannot be reached. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/**
 * Watches the file of an open catalog. To be called when it is open: the file at the path then is the catalog.
 * @param file its absolute or relative path; relative ones are resolved in the current folder each time
 */
export function filePresence(file: string): FilePresence {
  const log = `${file}-wal`;
  const identity = identityOf(file);
  // SQLite creates the log with the first transaction, and removes it when the last connection closes.
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
