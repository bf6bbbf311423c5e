// Writes files that a command creates next to its catalog.
import { CatalogError } from '../core/errors.js';
import { replaceFile } from './durable-file.js';

/**
 * Runs an operation that writes a file.
 * @param what the name of the file in a message: `--write-map m.yaml`
 * @param remedy the remedy, if the system's error does not suggest one
 * @throws CatalogError `usage` with the system's error if it fails
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
 * Writes a small file atomically: it is at its path and on disk when this returns.
 * @param what the name of the file in a message: `--write-map m.yaml`
 * @throws CatalogError `usage` if it cannot be written
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
