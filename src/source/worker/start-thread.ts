// Starts the reading thread for large files. It may be started before its task is known: starting takes as long as
// parsing the command line and opening the catalog, which happen at the same time.
import { existsSync, statSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { bytesPath, type FilePlace } from '../file-place.js';

/**
 * The size in bytes from which a file is read in a thread of its own. Measured on 48 MB, 200,000 rows: reading and
 * checking takes 850 ms of this thread, receiving the items from another 170 ms; starting the other 60 ms, so that at 4
 * MB both ways keep this thread busy for 70 ms.
 */
const worthThread = 4 * 1024 * 1024;

/**
 * MiB that the thread allocates between two collections: its results are posted and garbage. Without a limit the
 * process takes 15 MB more; 16 MiB are no better, and 32 hardly help.
 */
const youngest = 24;

/** MiB of each half to begin with: growing is switched off for the process by then, or will be (cli/import/heap-limit.ts). */
const firstHalf = 4;

/**
 * In a build the thread's file is next to this one. When run from its sources, everything is read in the caller's
 * thread.
 */
const code = new URL('./reader-thread.js', import.meta.url);

let started: Worker | undefined;

/** Whether a file is read in a thread of its own. The code that opens a file reports if it is missing. */
export function isWorthThread(place: FilePlace): boolean {
  const path = bytesPath(place);
  if (path === '-' || !existsSync(path) || !existsSync(code)) return false;
  // Compressed text is about an eighth of its content.
  const text = statSync(path).size * ((place.spool?.name ?? path).toLowerCase().endsWith('.gz') ? 8 : 1);
  return text >= worthThread;
}

/** Starts the thread if the file is large enough. Unused, it ends with the process and does not delay it. */
export function startThreadFor(file: string): void {
  if (started !== undefined || !isWorthThread({ file })) return;
  started = start();
  started.unref();
}

/** The thread that was started, or a new one. It waits for its task. */
export function takeThread(): Worker {
  const worker = started ?? start();
  started = undefined;
  worker.ref();
  return worker;
}

function start(): Worker {
  setFlagsFromString(`--min-semi-space-size=${firstHalf}`);
  return new Worker(code, { resourceLimits: { maxYoungGenerationSizeMb: youngest } });
}
