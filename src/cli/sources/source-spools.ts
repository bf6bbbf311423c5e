// What has to be in a file before an import begins: what is fetched from an address, and a pipe that is read more than once. It
// is spooled into a private temporary file, and whatever reads the source afterwards reads that one.
import { addAbortSignal, type Readable } from 'node:stream';
import { CatalogError } from '../../core/errors.js';
import { shownFile } from '../../core/text/sanitize.js';
import { foundAt } from '../../files/found-file.js';
import type { FileRequest } from '../../importing/request.js';
import { openStream } from '../../source/bytes/open-bytes.js';
import type { Spool } from '../../source/file-place.js';
import type { Job } from '../import/import-job.js';
import type { ImportTarget } from '../import/import-target.js';
import { needsRehearsal } from '../import/options/feed-options.js';
import type { ImportFlags } from '../import/options/import-options.js';
import type { FetchedSpool } from './fetched-spool.js';
import type { KeptSource } from './kept-source.js';
import { type SpoolFolder, spoolFolder } from './spool-folder.js';

export interface SourceSpools {
  /**
   * The same files, with what had to be spooled.
   * @throws CatalogError where it did not arrive whole
   */
  filled(files: readonly FileRequest[]): Promise<readonly FileRequest[]>;
  /**
   * Where no server has a newer file, the files of an earlier run are imported again: how many rows that run refused,
   * of which its exit code told. 0 if any file is new.
   */
  refusedBefore(): number;
  /** Keeps what was fetched for a feed, once its run is complete: the next one asks for what is newer. */
  keep(ended: Pick<KeptSource, 'run' | 'refused'>): Promise<void>;
  discard(): void;
}

export function sourceSpools(
  jobs: readonly Job[],
  flags: ImportFlags,
  process: NodeJS.Process,
  target: Pick<ImportTarget, 'signal' | 'listen' | 'log'>,
): SourceSpools {
  const folder = spoolFolder();
  const { signal, log } = target;
  const addresses = new Map(jobs.flatMap(({ file, address }) => (address === undefined ? [] : [[file, address]])));
  const fetched = new Map<string, FetchedSpool>();

  async function spoolOf(file: string): Promise<Spool | undefined> {
    const address = addresses.get(file);
    if (address === undefined && !(readsTwice(flags) && isPipe(file))) return undefined;
    target.listen();
    if (address === undefined) return spoolPipe(file, { stdin: process.stdin, folder, signal });
    const { fetchedSpool } = await import('./fetched-spool.js');
    const spool = await fetchedSpool(file, address, { flags, env: process.env, folder, signal, log });
    fetched.set(file, spool);
    return spool;
  }

  return {
    async filled(files) {
      if (flags.sourceAuthEnv !== undefined) refuseSeveralOrigins([...addresses.values()]);
      const spools = new Map<string, Spool | undefined>();
      for (const { source, planned } of files)
        if (planned === undefined && !spools.has(source.file)) spools.set(source.file, await spoolOf(source.file));
      return files.map((file) => withSpool(file, spools.get(file.source.file)));
    },
    refusedBefore() {
      const known = jobs.map(({ file }) => fetched.get(file)?.notModifiedSince);
      if (!known.every((one) => one !== undefined)) return 0;
      return known.reduce((one, other) => ((other.run ?? 0) > (one.run ?? 0) ? other : one)).refused ?? 0;
    },
    async keep(ended) {
      const { feed, dryRun } = flags;
      if (feed === undefined || dryRun === true) return;
      const { keepSource } = await import('./kept-source.js');
      for (const [file, { path, kept }] of fetched) {
        const address = addresses.get(file);
        if (address !== undefined && kept !== undefined)
          // Where it cannot be kept, it is fetched again.
          await keepSource({ feed, file, address }, path, { ...kept, ...ended }, process.env).catch(() => undefined);
      }
    },
    discard: folder.discard,
  };
}

/** The file with what was spooled; what was typed of its encoding, or is in its mapping, counts before what a server states. */
function withSpool(file: FileRequest, spool: Spool | undefined): FileRequest {
  if (spool === undefined) return file;
  const { encoding = spool.encoding } = file.source;
  return { ...file, source: { ...file.source, spool, ...(encoding !== undefined && { encoding }) } };
}

/** @throws CatalogError `usage`: credentials are for one origin */
function refuseSeveralOrigins(addresses: readonly URL[]): void {
  if (new Set(addresses.map(({ origin }) => origin)).size < 2) return;
  throw new CatalogError(
    'usage',
    '--source-auth-env has the credentials for one host, and the addresses are of several. Import them one by one, or use ~/.netrc.',
  );
}

/** Whether an import reads its files more than once: for its guards, for rows that repeat, or for a mapping. */
function readsTwice(flags: ImportFlags): boolean {
  const { map, onDuplicate, expect } = flags;
  return (
    expect !== undefined ||
    map !== undefined ||
    onDuplicate === 'keep-last' ||
    onDuplicate === 'refuse' ||
    needsRehearsal(flags)
  );
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
