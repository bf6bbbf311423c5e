// Files that are written at the end of a command fail at its beginning where their folder is not there.
import { dirname } from 'node:path';
import { CatalogError } from '../core/errors.js';
import { foundAt } from '../files/found-file.js';

/**
 * @param what the file in the message: `--status-file erp.prom`
 * @throws CatalogError `usage` where its folder does not exist
 */
export function refuseMissingFolder(what: string, path: string): void {
  const folder = dirname(path);
  if (foundAt(folder)?.isDirectory() === true) return;
  throw new CatalogError('usage', `${what}: the folder ${folder} does not exist. Make it, or name another file.`);
}
