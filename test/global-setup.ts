// A folder for all files that a run of the tests makes. It goes away with the run, so that folders which several test
// files share need no owner among them. And an environment without the settings of whoever runs them.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFolderVariable } from './run-folder.js';

const memoryDisk = '/dev/shm';
const enough = 6 * 2 ** 30;

/**
 * A disk in memory where there is one with room: tests make thousands of small catalogs, and each of their commits waits for
 * the disk otherwise. What a power cut leaves is proven from the calls that the program makes (proof/power-cut.ts).
 * CATALOG_TEST_FOLDER names another place.
 */
function place(): string {
  const named = process.env['CATALOG_TEST_FOLDER'];
  if (named !== undefined) return named;
  if (!existsSync(memoryDisk)) return tmpdir();
  const { bavail, bsize } = statfsSync(memoryDisk);
  return bavail * bsize > enough && freemem() > enough ? memoryDisk : tmpdir();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Removes what runs left that were killed: their folders hold memory. */
function removeLeft(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^catalog-tests-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // A disk that a test had mounted there stays, and keeps no later run from starting.
    }
  }
}

/** Variables that the program, its libraries and npm read. Tests set what they need of them. */
const settings =
  /^(CATALOG_(?!TEST_).*|PG[A-Z]+|XDG_.*|npm_config_.*|(https?|all|no)_proxy|(NO|FORCE)_COLOR|COLUMNS|LINES|PAGER|SQLITE_TMPDIR|NODE_EXTRA_CA_CERTS)$/i;

export default function setup(): () => void {
  for (const name of Object.keys(process.env)) if (settings.test(name)) delete process.env[name];
  process.umask(0o022);
  const parent = place();
  removeLeft(parent);
  const folder = mkdtempSync(join(parent, `catalog-tests-${process.pid}-`));
  // The PostgreSQL server runs as another user.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  process.env[runFolderVariable] = folder;
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // Ctrl-C ends a run without the teardown.
  process.once('exit', remove);
  return remove;
}
