// One PostgreSQL server for a whole run of the tests, started by the first file that asks for it and ended with the run
// (global-setup.ts).
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import { processesOfRun } from '../processes.js';
import { until } from '../until.js';
import { careless, initialize, start } from './server-files.js';

/** What the first one to ask wrote down for the others. */
export interface Shared {
  readonly port?: number;
  readonly pid?: number;
  /** Why there is no server. */
  readonly missing?: string;
}

/** The process of the whole run, and the folder of the server, as global-setup.ts names them. */
export const runVariable = 'CATALOG_TEST_RUN';
export const folderVariable = 'CATALOG_TEST_POSTGRES_FOLDER';

async function startShared(folder: string): Promise<Shared> {
  const files = initialize(join(folder, 'server'));
  if ('missing' in files) return files;
  const port = await freePort();
  const pid = await start(files, port, careless);
  // Where the run is killed nobody else ends it.
  const watch = `while kill -0 ${process.env[runVariable]}; do sleep 1; done; kill -INT ${pid}`;
  const watching = spawn('sh', ['-c', watch], { detached: true, stdio: 'ignore' });
  watching.unref();
  for (const one of [pid, watching.pid]) if (one !== undefined) processesOfRun.add(one);
  return { port, pid };
}

/** Starts the server, or waits for the one who does. */
export async function sharedServer(): Promise<Shared> {
  const folder = process.env[folderVariable];
  if (folder === undefined) throw new Error('the tests were started without test/postgres/global-setup.ts');
  const told = join(folder, 'shared.json');
  if (!existsSync(told)) {
    let isFirst = false;
    try {
      mkdirSync(join(folder, 'claimed'));
      isFirst = true;
    } catch {
      // Another file was first.
    }
    if (isFirst) {
      const shared = await startShared(folder).catch((error: Error): Shared => ({ missing: error.message }));
      writeFileSync(`${told}.new`, JSON.stringify(shared));
      renameSync(`${told}.new`, told);
    }
  }
  await until('the PostgreSQL server of this run', () => existsSync(told));
  return JSON.parse(readFileSync(told, 'utf8')) as Shared;
}
