// Reserves output files: none may be an input, the catalog or its log, or another output, so that a mistyped option
// overwrites neither the feed nor the catalog.

import { CatalogError } from '../../../core/errors.js';
import { isSameFile, probeReplaceable, realPathOf } from '../../../files/durable-file.js';
import { foundAt } from '../../../files/found-file.js';
import { withWriteErrors } from '../../../files/write-text-file.js';

/** Files that must not be overwritten. */
export interface Outputs {
  /**
   * Reserves a file for an option.
   * @throws CatalogError `usage` if it is an input, the catalog, or reserved already, under any name or link
   */
  claim(option: string, path: string): void;
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
  return {
    claim(option, path) {
      if (isDevice(path)) return;
      const same = taken.find((one) => isSameFile(one.path, path));
      if (same !== undefined)
        throw new CatalogError('usage', `${option} ${path} would overwrite ${same.what}; name another file.`);
      if (foundAt(path)?.isFile() === true)
        withWriteErrors(`${option} ${path}`, () => probeReplaceable(path), '; close it in the other program');
      taken.push({ path, what: `the file of ${option}` });
    },
  };
}

/** A device or a pipe, such as /dev/null, has no content to lose. */
function isDevice(path: string): boolean {
  const found = foundAt(path);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}
