// Files that a command writes beside its catalog.
import { CatalogError } from '../core/errors.js';
import { replaceFile } from './durable-file.js';

/**
 * Runs an operation on a file that is written.
 * @param what how the file is called in a message: `--write-map m.yaml`
 * @param remedy the remedy, if the system's error is not enough
 * @throws CatalogError `usage` with what the system says where that fails
 */
export function withWriteErrors<T>(what: string, work: () => T, remedy = ''): T {
  try {
    return work();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError('usage', `${what} cannot be written (${why})${remedy}.`, { cause });
  }
}

/**
 * Writes a small file whole: it is at its place and on the disk once this returns.
 * @param what how the file is called in a message: `--write-map m.yaml`
 * @throws CatalogError `usage` where it cannot be written
 */
export function writeTextFile(what: string, path: string, text: string): void {
  withWriteErrors(what, () => {
    const file = replaceFile(path);
    try {
      file.write(Buffer.from(text));
      file.commit();
    } finally {
      file.discard();
    }
  });
}
