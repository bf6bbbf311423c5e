// The source of a command that reads one, and imports nothing.
import type { FilePlace } from '../../source/file-place.js';
import { listenForInterruption } from '../import/interruption.js';
import { isPipe, spoolPipe } from './source-spools.js';
import { spoolFolder } from './spool-folder.js';

/** Gives what an argument names to `use`; what was spooled for that is removed at its end, and at a signal. */
export async function withSource<T>(
  file: string,
  process: NodeJS.Process,
  use: (place: FilePlace) => Promise<T>,
): Promise<T> {
  if (!isPipe(file)) return use({ file });
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
    const spool = await spoolPipe(file, { stdin: process.stdin, folder, signal: stopped.signal });
    isSpooled = true;
    return await use({ file, spool });
  } finally {
    interruption.done();
    folder.discard();
  }
}
