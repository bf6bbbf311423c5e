// The one place where the name of a catalog becomes the path of its file. The database library trims names and gives
// some of them a meaning ('' and ':memory:' are databases that vanish when they are closed), so it only ever gets
// absolute paths from here.
import { isAbsolute, resolve, sep } from 'node:path';
import { CatalogError } from '../core/errors.js';

/**
 * Takes a name literally, as an absolute path.
 * @param from what it was given with, for the message: `--db`
 * @throws CatalogError `usage` where it is blank, `:memory:`, or ends as a folder's
 */
export function catalogPath(name: string, from: string): string {
  if (name.trim() === '')
    throw new CatalogError('usage', `${from} is blank; name the catalog's file, such as catalog.db, or leave it out.`);
  if (name.trim() === ':memory:')
    throw new CatalogError('usage', `${from} :memory: would keep nothing; name a file, such as catalog.db.`);
  if (name.endsWith('/') || name.endsWith(sep))
    throw new CatalogError(
      'usage',
      `${from} ${name} is a folder's name; name a file in it, such as ${name}catalog.db.`,
    );
  return isAbsolute(name) ? name : resolve(name);
}
