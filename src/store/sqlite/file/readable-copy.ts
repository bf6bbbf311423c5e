// Reads a catalog that this user may read but not write. To read a database, SQLite makes files next to it, which it
// cannot do there: a private copy is read instead. It is opened for queries only, since what was written to it would be
// lost.
import { constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { foundAt, mayAccess } from '../../../files/found-file.js';
import { realPathOf } from '../../../files/same-file.js';
import { temporaryFolder } from './catalog-file.js';

/** Whether SQLite could not read a catalog at its place: it may not be written to, and no other process has it open. */
export function needsCopy(file: string): boolean {
  const place = realPathOf(file);
  const isWritable = mayAccess(place, constants.W_OK) && mayAccess(dirname(place), constants.W_OK);
  return !isWritable && mayAccess(place, constants.R_OK) && foundAt(`${place}-wal`) === undefined;
}

/**
 * Copies a catalog into a private temporary folder, which goes away with the process.
 * @returns the copy; undefined where the catalog is written to, so that a copy would hold parts of two versions
 */
export function readableCopy(file: string): string | undefined {
  const folder = mkdtempSync(join(temporaryFolder(), 'catalog-import-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const copy = join(folder, 'catalog.db');
  const before = foundAt(file);
  copyFileSync(file, copy, constants.COPYFILE_FICLONE);
  const after = foundAt(file);
  const isSame = before?.mtimeMs === after?.mtimeMs && before?.size === after?.size;
  return isSame && needsCopy(file) ? copy : undefined;
}
