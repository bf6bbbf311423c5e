// The thread of `serve` that imports (http/server/imports/import-thread.ts): its own connection to the catalog, and nobody else in this
// process writes to it.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { newImporter } from '../../http/server/imports/import-batch.js';
import { runImports } from '../../http/server/imports/import-thread.js';
import { openCatalog } from '../../store/open.js';
import { postedRuns } from './recorded-posts.js';
import type { ImportThreadData } from './serve-imports.js';

/** How often the reports kept under an Idempotency-Key are looked through for old ones, in milliseconds. */
const tidyingInterval = 3_600_000;

const { file } = workerData as ImportThreadData;
const port = parentPort as MessagePort;
const catalog = await openCatalog({ file, create: false });
const tidy = (): void => void catalog.forgetReceipts().catch(() => {});
const tidying = setInterval(tidy, tidyingInterval);

tidy();
await runImports(port, newImporter(postedRuns(catalog)));
clearInterval(tidying);
await catalog.close();
port.close();
