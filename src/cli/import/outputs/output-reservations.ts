// Reserves output files: none may be an input, the catalog or its log, or another output, so that a mistyped option
// overwrites neither the feed nor the catalog.

import { dirname } from 'node:path';
import { CatalogError } from '../../../core/errors.js';
import { claimFile, type ReleaseFile } from '../../../files/claimed-file.js';
import { probeReplaceable } from '../../../files/durable-file.js';
import { refusePlanted } from '../../../files/foreign-files.js';
import { foundAt } from '../../../files/found-file.js';
import { isSameFile, realPathOf } from '../../../files/same-file.js';
import { withWriteErrors } from '../../../files/write-text-file.js';

/** Files that must not be overwritten. */
export interface Outputs {
  /** Refuses a file that is an input, the catalog or another output, under any name or link. @throws CatalogError `usage` */
  reserve(option: string, path: string): void;
  /**
   * Reserves a file, and claims it for this process until all are released.
   * @param part what is written of a file that several processes share
   * @throws CatalogError `usage` as above; `try_again` if another process writes it
   */
  claim(option: string, path: string, part?: string): void;
  release(): void;
}

interface Taken {
  readonly path: string;
  readonly what: string;
}

/** Files that SQLite keeps next to a catalog: its log with an index, or a rollback journal. */
const databaseSuffixes = ['-wal', '-shm', '-journal'];

/**
 * Starts with the input files reserved.
 * @param catalog the path of the local catalog, if there is one
 * @param inputs the files that are read; `-` and undefined are skipped
 */
export function outputReservations(catalog: string | undefined, inputs: readonly (string | undefined)[]): Outputs {
  const taken: Taken[] = inputs.flatMap((path) => (path === undefined || path === '-' ? [] : [{ path, what: path }]));
  if (catalog !== undefined) {
    taken.push({ path: catalog, what: `the catalog ${catalog}` });
    // Next to the target of a link, if the catalog's path is one.
    for (const suffix of databaseSuffixes)
      taken.push({ path: realPathOf(catalog) + suffix, what: `${suffix.slice(1)} of the catalog` });
  }
  const claims: ReleaseFile[] = [];
  function reserve(option: string, path: string): void {
    withWriteErrors(`${option} ${path}`, () => refusePlanted(path), '; remove it, or name another file');
    if (isDevice(path)) return;
    const same = taken.find((one) => isSameFile(one.path, path));
    if (same !== undefined)
      throw new CatalogError('usage', `${option} ${path} would overwrite ${same.what}; name another file.`);
    if (foundAt(path)?.isFile() === true)
      withWriteErrors(`${option} ${path}`, () => probeReplaceable(path), '; close it in the other program');
    taken.push({ path, what: `the file of ${option}` });
  }
  return {
    reserve,
    claim(option, path, part) {
      reserve(option, path);
      // A missing folder is another failure, or made later.
      if (isDevice(path) || foundAt(dirname(path)) === undefined) return;
      const release = withWriteErrors(`${option} ${path}`, () => claimFile(path, { part }));
      if (release === undefined)
        throw new CatalogError(
          'try_again',
          `${option} ${path} is being written by another run. Try again when it has ended, or name another file.`,
        );
      claims.push(release);
    },
    release: () => {
      for (const release of claims.splice(0)) release();
    },
  };
}

/** A device or a pipe, such as /dev/null, has no content to lose. */
function isDevice(path: string): boolean {
  const found = foundAt(path);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}
