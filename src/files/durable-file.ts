// Durable files: written under a temporary name, synced, renamed into place, and the folder synced, since
// a rename or a new name is only on the disk once its folder is. Reports, files of refused records and journals all go
// through here.
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { isForeign, refusePlanted } from './foreign-files.js';
import { foundAt, mayAccess } from './found-file.js';
import { realPathOf, statOf } from './same-file.js';

/** A file that is being written. When `commit` returns, it is at its path, complete and on disk. */
export interface DurableFile {
  write(bytes: Buffer): void;
  /** @param elsewhere another path in the same folder; the file at the first path is then kept */
  commit(elsewhere?: string): void;
  /** Removes the incomplete file; does nothing after `commit`. */
  discard(): void;
}

/** Reports may contain data of customers: only the owner may read them. An existing file keeps its mode. */
const ownerOnly = 0o600;

/**
 * Creates a file that replaces the one at `path` when it is committed. A device or a pipe is written directly: it must not be
 * replaced by a file.
 * @param options `mode`: that of a new file, before the umask; `keepsMode`: whether it keeps that of a file it replaces
 * @throws the system's error where it cannot be made
 */
export function replaceFile(
  path: string,
  { mode = ownerOnly, keepsMode = true }: { readonly mode?: number; readonly keepsMode?: boolean } = {},
): DurableFile {
  refusePlanted(path);
  const realPath = realPathOf(path);
  const earlier = statSync(realPath, { throwIfNoEntry: false });
  if (earlier !== undefined && !earlier.isFile()) return writeInPlace(path);
  removeAbandoned(realPath);
  const written = temporaryName(realPath);
  rmSync(written, { force: true });
  const descriptor = openSync(written, 'wx', mode);
  if (earlier !== undefined && keepsMode && !isForeign(earlier)) fchmodSync(descriptor, earlier.mode & 0o777);
  return under(descriptor, {
    commit(elsewhere) {
      moveInto(written, elsewhere === undefined ? realPath : realPathOf(elsewhere));
      syncFolder(dirname(realPath));
    },
    discard: () => rmSync(written, { force: true }),
  });
}

/**
 * Creates a file at its final path, so that others can read it while it grows; an existing file is truncated. One of another
 * user, who could read what is written into it, is replaced, and so is one with other names, under which others may write it.
 * @throws the system's error if it cannot be opened
 */
export function writeInPlace(path: string): DurableFile {
  refusePlanted(path);
  const earlier = statSync(path, { throwIfNoEntry: false });
  if (earlier?.isFile() === true && (isForeign(earlier) || earlier.nlink > 1)) return replaceFile(path);
  const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined;
  const descriptor = openSync(path, isNew ? 'wx' : 'w', ownerOnly);
  return under(descriptor, { commit: () => syncFolder(dirname(resolve(path))), discard: () => undefined });
}

/**
 * Replaces the file at `path` by one that `make` writes under another name in the same folder.
 * @param make fills the file, which exists and is empty; it may create others next to it whose names begin with its name
 * @throws what `make` throws, and the system's error if the file cannot be created; nothing is left behind then
 */
export async function replaceFileBy(path: string, make: (temporary: string) => Promise<void>): Promise<void> {
  refusePlanted(path);
  const realPath = realPathOf(path);
  removeAbandoned(realPath);
  const temporary = temporaryName(realPath);
  const removeAll = (): void => {
    for (const suffix of ['', ...databaseSuffixes]) rmSync(temporary + suffix, { force: true });
  };
  removeAll();
  closeSync(openSync(temporary, 'wx', ownerOnly));
  try {
    await make(temporary);
    syncFile(temporary);
    moveInto(temporary, realPath);
    syncFolder(dirname(realPath));
  } finally {
    removeAll();
  }
}

/** What a rename over a file that another program holds open ends with, on Windows and on some network drives. */
const heldCodes: ReadonlySet<string | undefined> = new Set(['EPERM', 'EBUSY', 'EACCES']);

/** How long a rename is tried again in milliseconds: virus scanners and indexers hold a file for less. */
const heldAtMost = 2_000;

/**
 * Renames a finished file to its path. Where another program holds the file that is there, it is tried again for two
 * seconds; then the finished file is kept under a name of its own, which the error names.
 */
function moveInto(written: string, path: string): void {
  const deadline = performance.now() + heldAtMost;
  for (;;) {
    try {
      return renameSync(written, path);
    } catch (cause) {
      if (!heldCodes.has((cause as NodeJS.ErrnoException).code)) throw cause;
      if (performance.now() >= deadline) throw keptFile(written, path, cause);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

function keptFile(written: string, path: string, cause: unknown): Error {
  const extension = extname(path);
  const kept = `${path.slice(0, path.length - extension.length)}.new-${process.pid}${extension}`;
  // Unlike the temporary name, this one is not removed by the next run.
  renameSync(written, kept);
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Error(`${why}; another program may have it open. The complete new file is ${kept}`, { cause });
}

/**
 * Fails where another program holds a file so that it can be neither written nor replaced, as spreadsheets do on Windows.
 * @throws the system's error
 */
export function probeReplaceable(path: string): void {
  try {
    closeSync(openSync(path, 'r+'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') throw error;
  }
}

/** Files that SQLite keeps next to a database while it is written. */
const databaseSuffixes = ['-journal', '-wal', '-shm'];

function under(
  descriptor: number,
  { commit, discard }: { readonly commit: (elsewhere?: string) => void; readonly discard: () => void },
): DurableFile {
  let open = true;
  const end = (): void => {
    open = false;
    closeSync(descriptor);
  };
  return {
    write(bytes) {
      if (open) writeWhole(descriptor, bytes);
    },
    commit(elsewhere) {
      if (!open) return;
      try {
        const isFile = fstatSync(descriptor).isFile();
        if (isFile) fsyncSync(descriptor);
        end();
        if (isFile) commit(elsewhere);
      } catch (error) {
        if (open) end();
        discard();
        throw error;
      }
    },
    discard() {
      if (!open) return;
      end();
      discard();
    },
  };
}

/** Removes a file durably; does nothing if there is none, or if it is a device. */
export function removeFile(path: string): void {
  if (statOf(path)?.isFile() !== true) return;
  rmSync(path);
  syncFolder(dirname(resolve(path)));
}

/** Makes a folder and its parents; they are on disk when this returns. */
export function makeFolder(path: string, mode = 0o777): void {
  const folder = resolve(path);
  const parent = dirname(folder);
  if (parent === folder || foundAt(folder)?.isDirectory() === true) return;
  makeFolder(parent, mode);
  mkdirSync(folder, { recursive: true, mode });
  syncFolder(parent);
}

/** Errors of file systems that cannot sync a folder, or where this user may not open it: ignored. */
const withoutFolderSync: ReadonlySet<string | undefined> = new Set([
  'EINVAL',
  'ENOTSUP',
  'EPERM',
  'EISDIR',
  'EACCES',
  'EBADF',
]);

export function syncFolder(folder: string): void {
  try {
    syncOpened(folder, 'r');
  } catch (error) {
    if (!withoutFolderSync.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

/** Syncs what was written to a file, by any process. @throws the system's error where that fails */
export function syncFile(file: string): void {
  // Windows syncs only what is open for writing; elsewhere a file that may only be read can be synced, too.
  syncOpened(file, mayAccess(file, constants.W_OK) ? 'r+' : 'r');
}

function syncOpened(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes all bytes; a disk that is nearly full may accept only some of them. */
export function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/**
 * The name of this machine in file names, since it cannot be checked whether processes of other machines that share the
 * folder still run.
 */
export const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 6);

function temporaryName(path: string): string {
  return `${path}.${machine}-${process.pid}.tmp`;
}

/** Removes uncommitted files of processes that died, and their marks (claimed-file.ts). */
export function removeAbandoned(path: string): void {
  const realPath = realPathOf(path);
  const [folder, before] = [dirname(realPath), `${basename(realPath)}.${machine}-`];
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(before)) continue;
    const pid = /^(\d+)\.(?:lock|new|tmp(?:-journal|-wal|-shm)?)$/.exec(name.slice(before.length))?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
