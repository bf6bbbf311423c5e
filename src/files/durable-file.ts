// Durable files: written under a temporary name, synced, renamed into place, and the folder synced, since
// a rename or a new name is only on the disk once its folder is. Reports, files of refused records and journals all go
// through here.
import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/** A file under way. It is at its place, whole and on the disk, once `commit` returns. */
export interface DurableFile {
  write(bytes: Buffer): void;
  /** @param elsewhere another place in the same folder; what is at the first one stays then */
  commit(elsewhere?: string): void;
  /** Leaves nothing behind; does nothing after `commit`. */
  discard(): void;
}

/** What reports may hold of customers is for their owner only; an existing file keeps the mode it has. */
const ownerOnly = 0o600;

/**
 * Begins a file that replaces what is at `path` when it is committed. A device or a pipe is written directly: it must
 * not be replaced by a file.
 * @param mode the rights of a new file, less those that the umask takes
 * @throws the system's error where it cannot be made
 */
export function replaceFile(path: string, mode = ownerOnly): DurableFile {
  const place = placeOf(path);
  const earlier = statSync(place, { throwIfNoEntry: false });
  if (earlier !== undefined && !earlier.isFile()) return writeInPlace(path);
  removeAbandoned(place);
  const written = temporaryName(place);
  rmSync(written, { force: true });
  const descriptor = openSync(written, 'wx', mode);
  if (earlier !== undefined) fchmodSync(descriptor, earlier.mode & 0o777);
  return under(descriptor, {
    settle(elsewhere) {
      renameSync(written, elsewhere === undefined ? place : placeOf(elsewhere));
      syncFolder(dirname(place));
    },
    abandon: () => rmSync(written, { force: true }),
  });
}

/**
 * Begins a file that grows at its place, for those who follow it; what was there is gone.
 * @throws the system's error where it cannot be opened
 */
export function writeInPlace(path: string): DurableFile {
  const descriptor = openSync(path, 'w', ownerOnly);
  return under(descriptor, { settle: () => syncFolder(dirname(resolve(path))), abandon: () => undefined });
}

/**
 * Replaces what is at `path` by a file that `make` writes under another name in the same folder.
 * @param make fills the file, which is there and empty; it may keep others beside it that begin with its name
 * @throws what `make` throws, and the system's error where the file cannot be made; nothing is left behind then
 */
export async function replaceFileBy(path: string, make: (temporary: string) => Promise<void>): Promise<void> {
  const place = placeOf(path);
  removeAbandoned(place);
  const temporary = temporaryName(place);
  const removeAll = (): void => {
    for (const suffix of ['', ...besideDatabases]) rmSync(temporary + suffix, { force: true });
  };
  removeAll();
  closeSync(openSync(temporary, 'wx', ownerOnly));
  try {
    await make(temporary);
    syncFile(temporary);
    renameSync(temporary, place);
    syncFolder(dirname(place));
  } finally {
    removeAll();
  }
}

/** What a database keeps beside its file while it is written. */
const besideDatabases = ['-journal', '-wal', '-shm'];

function under(
  descriptor: number,
  { settle, abandon }: { readonly settle: (elsewhere?: string) => void; readonly abandon: () => void },
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
        if (isFile) settle(elsewhere);
      } catch (error) {
        if (open) end();
        abandon();
        throw error;
      }
    },
    discard() {
      if (!open) return;
      end();
      abandon();
    },
  };
}

/** Removes a file for good; nothing where there is none, or where it is a device. */
export function removeFile(path: string): void {
  if (statOf(path)?.isFile() !== true) return;
  rmSync(path);
  syncFolder(dirname(resolve(path)));
}

/** Makes a folder with those above it, on the disk once it returns. */
export function makeFolder(path: string, mode = 0o777): void {
  const first = mkdirSync(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let folder = resolve(path); folder.length >= first.length; folder = dirname(folder)) syncFolder(dirname(folder));
}

/** Answers of file systems that cannot sync a folder, or where this user may not open it: there is nothing to wait for. */
const withoutFolderSync: ReadonlySet<string | undefined> = new Set([
  'EINVAL',
  'ENOTSUP',
  'EPERM',
  'EISDIR',
  'EACCES',
  'EBADF',
]);

/** Brings the names in a folder to the disk. */
export function syncFolder(folder: string): void {
  syncPath(folder, withoutFolderSync);
}

/** Brings what was written to a file to the disk, by whichever process. @throws the system's error where that fails */
export function syncFile(file: string): void {
  syncPath(file, new Set());
}

function syncPath(path: string, forgiven: ReadonlySet<string | undefined>): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    fsyncSync(descriptor);
  } catch (error) {
    if (!forgiven.has((error as NodeJS.ErrnoException).code)) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Writes all of some bytes; a disk that is nearly full may take a part of them. */
export function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** This machine in a name: processes of another one that shares the folder cannot be asked whether they still run. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 6);

function temporaryName(path: string): string {
  return `${path}.${machine}-${process.pid}.tmp`;
}

/** Removes what processes that died left of a file they had not committed. */
export function removeAbandoned(path: string): void {
  const place = placeOf(path);
  const [folder, before] = [dirname(place), `${basename(place)}.${machine}-`];
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(before)) continue;
    const pid = /^(\d+)\.tmp(?:-journal|-wal|-shm)?$/.exec(name.slice(before.length))?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether two paths are one file: also by another name, or by a link. What is not there yet is compared by its name. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [statOf(one), statOf(other)];
  if (a !== undefined && b !== undefined) return a.dev === b.dev && a.ino === b.ino;
  return a === undefined && b === undefined && placeOf(one) === placeOf(other);
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true });
  } catch {
    return undefined;
  }
}

/** A path whose folder is written without links. */
export function placeOf(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    try {
      return join(realpathSync(dirname(whole)), basename(whole));
    } catch {
      return whole;
    }
  }
}
