// The source of a command that reads one, and imports nothing.
import type { FilePlace, Spool } from '../../source/file-place.js';
import { listenForInterruption } from '../import/interruption.js';
import type { AddressFlags } from './address-options.js';
import { isPipe, spoolPipe } from './source-spools.js';
import { type SpoolFolder, spoolFolder } from './spool-folder.js';
import type { TypedSource } from './typed-source.js';

/** Where it is read, and the encoding that its server states. */
type ReadablePlace = FilePlace & { readonly encoding?: string };

/** Gives what an argument names to `use`; what was spooled for that is removed at its end, and at a signal. */
export async function withSource<T>(
  source: TypedSource,
  { flags, process }: { readonly flags: AddressFlags; readonly process: NodeJS.Process },
  use: (place: ReadablePlace) => Promise<T>,
): Promise<T> {
  const { file, address } = source;
  if (address === undefined && !isPipe(file)) return use({ file });
  const folder = spoolFolder();
  const stopped = new AbortController();
  let isSpooled = false;
  const interruption = listenForInterruption(
    process,
    (signal) => {
      stopped.abort(signal);
      if (!isSpooled) return;
      folder.discard();
      interruption.done();
      process.kill(process.pid, signal);
    },
    folder.discard,
  );
  try {
    const spool = await spoolOf(source, { flags, process, folder, signal: stopped.signal });
    isSpooled = true;
    const { encoding } = spool;
    return await use({ file, spool, ...(encoding !== undefined && { encoding }) });
  } finally {
    interruption.done();
    folder.discard();
  }
}

async function spoolOf(
  { file, address }: TypedSource,
  {
    flags,
    process,
    ...into
  }: {
    readonly flags: AddressFlags;
    readonly process: NodeJS.Process;
    readonly folder: SpoolFolder;
    readonly signal: AbortSignal;
  },
): Promise<Spool> {
  if (address === undefined) return spoolPipe(file, { stdin: process.stdin, ...into });
  const { fetchedSpool } = await import('./fetched-spool.js');
  return fetchedSpool(file, address, { flags, env: process.env, ...into });
}
