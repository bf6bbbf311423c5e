// The temporary files of a command's sources: in a folder of their own that only this user may read.
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { CatalogError } from '../../core/errors.js';
import { writeWhole } from '../../files/durable-file.js';
import { type PrivateFolder, privateFolder } from '../../files/private-folder.js';
import type { FetchedFile } from '../../http/source/fetch-source.js';

export interface SpoolFolder {
  /**
   * Makes a file.
   * @param what what it holds, for messages
   */
  open(what: string): FetchedFile;
  /** Removes the folder; a later file makes a new one. */
  discard(): void;
}

/** The folder is made with its first file. */
export function spoolFolder(): SpoolFolder {
  let folder: PrivateFolder | undefined;
  let files = 0;
  return {
    open(what) {
      const writing = <T>(work: () => T): T => orUnspooled(what, work);
      folder ??= writing(privateFolder);
      const path = join(folder.path, String(files++));
      const descriptor = writing(() => openSync(path, 'wx', 0o600));
      return {
        path,
        write: (bytes) => writing(() => writeWhole(descriptor, bytes)),
        close: () => closeSync(descriptor),
      };
    },
    discard() {
      folder?.discard();
      folder = undefined;
    },
  };
}

function orUnspooled<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError(
      'input_unreadable',
      `${what} could not be kept in a temporary file (${why}); nothing was imported. Make room there, or name another folder by the variable TMPDIR.`,
      { cause },
    );
  }
}
