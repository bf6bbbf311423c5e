// What has to be in a file before an import begins: a pipe that is read more than once is spooled into a private temporary
// file. Whatever reads the source afterwards reads that file.
import { addAbortSignal, type Readable } from 'node:stream';
import { CatalogError } from '../../core/errors.js';
import { shownFile } from '../../core/text/shown-file.js';
import { foundAt } from '../../files/found-file.js';
import type { FileRequest } from '../../importing/request.js';
import { openStream } from '../../source/bytes/open-bytes.js';
import type { Spool } from '../../source/file-place.js';
import type { ImportTarget } from '../import/import-target.js';
import { needsRehearsal } from '../import/options/feed-options.js';
import type { ImportFlags } from '../import/options/import-options.js';
import { type SpoolFolder, spoolFolder } from './spool-folder.js';

/** The spooled sources of a command. */
export interface SourceSpools {
  /**
   * The same files, with what had to be spooled.
   * @throws CatalogError where it did not arrive whole
   */
  filled(files: readonly FileRequest[]): Promise<readonly FileRequest[]>;
  /** Removes the temporary files. */
  discard(): void;
}

/** The sources of an import. */
export function sourceSpools(
  flags: ImportFlags,
  process: NodeJS.Process,
  target: Pick<ImportTarget, 'signal' | 'listen'>,
): SourceSpools {
  const folder = spoolFolder();
  return {
    async filled(files) {
      const spools = new Map<string, Spool>();
      for (const { source, planned } of files) {
        const { file } = source;
        if (planned !== undefined || spools.has(file) || !readsTwice(flags) || !isPipe(file)) continue;
        target.listen();
        spools.set(file, await spoolPipe(file, { stdin: process.stdin, folder, signal: target.signal }));
      }
      return files.map((file) => {
        const spool = spools.get(file.source.file);
        return spool === undefined ? file : { ...file, source: { ...file.source, spool } };
      });
    },
    discard: folder.discard,
  };
}

/** Whether an import reads its files more than once: for its guards, for rows that repeat, or for a mapping. */
function readsTwice(flags: ImportFlags): boolean {
  const { map, onDuplicate } = flags;
  return map !== undefined || onDuplicate === 'keep-last' || onDuplicate === 'refuse' || needsRehearsal(flags);
}

/** Whether a file can be read once only: the standard input, a named pipe, or what a shell puts in place of `<(…)`. */
export function isPipe(file: string): boolean {
  const found = file === '-' ? undefined : foundAt(file);
  return file === '-' || (found !== undefined && !found.isFile() && !found.isDirectory());
}

/** Reads a pipe to its end, into a file. */
export async function spoolPipe(
  name: string,
  { stdin, folder, signal }: { readonly stdin: Readable; readonly folder: SpoolFolder; readonly signal: AbortSignal },
): Promise<Spool> {
  const file = folder.open(shownFile(name));
  try {
    const pipe = name === '-' ? stdin : await openStream(name);
    for await (const block of addAbortSignal(signal, pipe) as AsyncIterable<Buffer>) file.write(block);
  } catch (cause) {
    if (!signal.aborted) throw cause;
    throw new CatalogError('interrupted', `Interrupted while ${shownFile(name)} was read; nothing was imported.`, {
      cause: signal.reason,
    });
  } finally {
    file.close();
  }
  return { path: file.path, name };
}
