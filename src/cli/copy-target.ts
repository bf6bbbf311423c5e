// Where a copy of a catalog is written: a new file, or one that is replaced on purpose.
import { CatalogError } from '../core/errors.js';
import { foundAt } from '../files/found-file.js';
import { refuseMissingFolder } from './missing-folder.js';

/** The file of a copy, and how messages name it. */
export interface CopyTarget {
  readonly path: string;
  /** As it was typed: `backup keep.db`, `--db new.db`. */
  readonly typed: string;
  /** Another place for it: `name another file`. */
  readonly remedy: string;
  readonly force: boolean;
}

/** @throws CatalogError `usage` where it is no file, is there already and not to be replaced, or has no folder */
export function refuseCopyTarget({ path, typed, remedy, force }: CopyTarget): void {
  const found = foundAt(path);
  if (found !== undefined && !found.isFile()) throw new CatalogError('usage', `${path} is not a file; name one.`);
  if (found !== undefined && !force)
    throw new CatalogError('usage', `${path} is there already; ${remedy}, or replace it with --force.`);
  refuseMissingFolder(typed, path);
}
