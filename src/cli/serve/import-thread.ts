// The import thread of `serve` (http/server/imports/import-thread.ts): it has a connection of its own to the catalog,
// and is the only writer in this process.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { newImporter } from '../../http/server/imports/import-batch.js';
import { runImports } from '../../http/server/imports/import-thread.js';
import { openCatalog } from '../../store/open.js';
import { postedRuns } from './recorded-posts.js';
import type { ImportThreadData } from './serve-imports.js';

/** Milliseconds between deletions of expired reports that are kept under an Idempotency-Key. */
const tidyingInterval = 3_600_000;

const { file } = workerData as ImportThreadData;
const port = parentPort as MessagePort;
const catalog = await openCatalog({ file, create: false });
const tidy = (): void => void catalog.forgetReceipts().catch(() => {});
const tidying = setInterval(tidy, tidyingInterval);

tidy();
port.postMessage('ready');
await runImports(port, newImporter(postedRuns(catalog)));
clearInterval(tidying);
await catalog.close();
port.close();
