// Around each test file: a folder of its own for what it writes, and a check that nothing of it is left: no process, no
// file, nothing that keeps a loop running (a socket, a timer, a thread), no setting of the process. The processes of a test
// end with the test. A replaced clock or function does not stay for the next file of the worker either.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, expect, vi } from 'vitest';
import { endFile } from './at-file-end.js';
import { endChildren } from './child.js';
import './equal-bytes.js';
import { limitOf, patience } from './limits.js';
import { endProcesses, processesLeft } from './processes.js';
import { runFolder, sharedFolders } from './run-folder.js';
import { until } from './until.js';

/** How long what ends by itself may take: sockets that close, the children of a process that was ended. */
const grace = 10_000 * patience;

/** Of this worker, which runs one file after the other. */
const folder = join(runFolder(), `w${process.pid}`);
mkdirSync(folder, { recursive: true });
process.env['TMPDIR'] = folder;
// A home of its own, too: what an import into a remote keeps for the next one is found by the address of the remote, and
// ports come again. npm and Chromium write to it as well, and curl and PostgreSQL read settings there.
process.env['HOME'] = join(folder, 'home');
mkdirSync(process.env['HOME'], { recursive: true });

const limit = limitOf(relative(import.meta.dirname, expect.getState().testPath ?? ''));
vi.setConfig({ testTimeout: limit, hookTimeout: limit });

const threads = new Set<Worker>();
const keep = (thread: Worker): void => {
  threads.add(thread.once('exit', () => threads.delete(thread)));
};
process.on('worker', keep);
const before = process.getActiveResourcesInfo();
const settingsBefore = settings();

afterEach(({ task }) => endChildren(task));

afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  await endFile();
  await endChildren();
  process.off('worker', keep);
  try {
    await until('the end of what this file started', () => left().length === 0, { within: grace, instead: left });
  } catch (error) {
    endProcesses(folder);
    throw error;
  } finally {
    for (const thread of threads) await thread.terminate();
    removeFiles();
  }
  expect(settings()).toEqual(settingsBefore);
});

/** What a file could leave otherwise for the next one of this worker. */
function settings(): object {
  const { env, exitCode } = process;
  return { env: { ...env }, exitCode, folder: process.cwd(), mask: process.umask() };
}

/** What was not there before this file. */
function left(): readonly string[] {
  const known = [...before];
  const resources = process.getActiveResourcesInfo().filter((name) => {
    const at = known.indexOf(name);
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
  return [...processesLeft(folder), ...[...threads].map(({ threadId }) => `thread ${threadId}`), ...resources];
}

/** Folders that modules share among files are emptied, and stay. */
function removeFiles(): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const paths = name.startsWith(sharedFolders) ? readdirSync(path).map((one) => join(path, one)) : [path];
    for (const one of paths) rmSync(one, { recursive: true, force: true, maxRetries: 3 });
  }
}
