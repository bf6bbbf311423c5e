// The import thread of `serve`, seen from the thread that answers requests: it is started, replaced if it dies, and
// stopped.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Importer } from '../../http/server/imports/import-batch.js';
import { stopImports, threadImporter } from '../../http/server/imports/import-thread.js';

/** What the thread needs to start. */
export interface ImportThreadData {
  /** The path of the catalog. */
  readonly file: string;
}

export interface ServeImports {
  readonly importBatch: Importer;
  /** Makes the thread close its catalog and end. */
  stop(): Promise<void>;
}

const code = new URL('./import-thread.js', import.meta.url);

/** Milliseconds before a thread that died is replaced. */
const pause = 1000;

/**
 * MiB of the thread's old generation. A body of 32 MiB takes up to 150 once it is parsed, and only one is parsed at a time;
 * without a limit V8 keeps the garbage of several.
 */
const mostMemory = 384;

/**
 * Starts the thread, and resolves when it has opened the catalog.
 * @param onDeath called with the reason when a thread dies later; another one replaces it
 * @throws what ended it before
 */
export async function startImports(data: ImportThreadData, onDeath: (reason: string) => void): Promise<ServeImports> {
  const importer = threadImporter();
  let thread: Worker | undefined;
  let isReady = false;
  let stopped = false;

  function start(): Worker {
    const started = new Worker(code, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: mostMemory } });
    thread = started;
    let reason = 'it ended';
    started.once('error', (error) => {
      reason = error.message;
    });
    started.once('exit', () => {
      thread = undefined;
      importer.interrupt(stopped);
      if (stopped || !isReady) return;
      onDeath(reason);
      void sleep(pause, undefined, { ref: false }).then(() => (stopped ? undefined : start()));
    });
    importer.use(started);
    return started;
  }

  // Its first message says that it is ready.
  await once(start(), 'message');
  isReady = true;
  return {
    importBatch: importer.importBatch,
    async stop() {
      stopped = true;
      const ending = thread;
      if (ending === undefined) return;
      const ended = new Promise((resolve) => ending.once('exit', resolve));
      ending.postMessage(stopImports);
      await ended;
    },
  };
}
