// Files that a command writes beside its catalog.
import { writeSync } from 'node:fs';
import { CatalogError } from '../core/errors.js';

/**
 * Does something with a file that is written.
 * @param what how the file is called in a message: `--write-map m.yaml`
 * @param remedy what would help, where there is more to say than that
 * @throws CatalogError `usage` with what the system says where that fails
 */
export function writing<T>(what: string, work: () => T, remedy = ''): T {
  try {
    return work();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError('usage', `${what} cannot be written (${why})${remedy}.`, { cause });
  }
}

/** Writes all of some bytes; a disk that is nearly full may take a part of them. */
export function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}
