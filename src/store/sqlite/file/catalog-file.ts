// A catalog's files on disk: creates them for their owner only, opens them by their literal name, syncs the log before
// its content is used, and finds out who has locked the files.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { CatalogError } from '../../../core/errors.js';
import { syncFile, syncFolder } from '../../../files/durable-file.js';
import { foundAt, mayAccess } from '../../../files/found-file.js';
import { realPathOf } from '../../../files/same-file.js';

/**
 * Makes an empty file that only its owner may read, where there is none; SQLite gives the log next to it the same mode. One that is
 * there is not opened: this process may hold locks on it (open-files.ts).
 */
export function makeForOwner(file: string): void {
  try {
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  } catch {
    // Errors are reported when the database is opened.
  }
}

/**
 * Opens a database whose name begins or ends in white space, which the library would trim: by its whole path, and through a
 * link where that ends so. SQLite resolves the link and keeps the log next to the file itself. Windows trims the end, too.
 */
export function openLiterally<T>(name: string, open: (path: string) => T): T {
  const file = name === name.trim() ? name : resolve(name);
  if (file === file.trim() || process.platform === 'win32') return open(file);
  const folder = mkdtempSync(join(tmpdir(), 'catalog-'));
  try {
    const link = join(folder, 'catalog');
    symlinkSync(file, link);
    return open(link);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Bytes of the log next to a catalog; 0 if there is none. */
export function logSize(file: string): number {
  return foundAt(`${realPathOf(file)}-wal`)?.size ?? 0;
}

/**
 * Syncs the log next to a catalog. A writer may have been killed between writing its commit and syncing it: the next
 * process that opens the file finds that commit, and would report it although a power cut could still lose it. To be
 * called after the first read: from then on every visible commit is synced, since SQLite publishes each only after its
 * sync.
 * @throws CatalogError `catalog_unusable` if the disk fails
 */
export function syncLog(file: string): void {
  if (logSize(file) === 0) return;
  const place = realPathOf(file);
  try {
    syncFile(`${place}-wal`);
    // It may also have been killed before the log's directory entry was on disk.
    syncFolder(dirname(place));
  } catch (cause) {
    // The last process that closed the file has checkpointed, synced and removed the log.
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    throw new CatalogError(
      'catalog_unusable',
      `${place}-wal could not be synced (${message}); check the disk and run the same command again`,
      { cause },
    );
  }
}

/**
 * Why this user cannot write to the log of a catalog that they may write: another user's read left files there.
 * @returns the fault with the command that corrects it; undefined if there is none
 */
export function lockedOut(file: string): string | undefined {
  const place = realPathOf(file);
  const owner = foundAt(place);
  if (owner === undefined || !mayAccess(place, constants.W_OK)) return undefined;
  const foreign = ['-wal', '-shm']
    .map((suffix) => place + suffix)
    .filter((path) => foundAt(path) !== undefined && !mayAccess(path, constants.W_OK));
  const [first] = foreign;
  if (first === undefined) return undefined;
  const quoted = foreign.map((path) => `'${path.replaceAll("'", `'\\''`)}'`).join(' ');
  return (
    `cannot be written: ${foreign.join(' and ')} were left by another user (uid ${statSync(first).uid}) who read it. ` +
    `Give them to the owner of the catalog: sudo chown ${owner.uid}:${owner.gid} ${quoted}`
  );
}

/** The folder of SQLite's temporary files, such as the scratch store of a dry run, in SQLite's order of preference. */
export function temporaryFolder(): string {
  const { env } = process;
  const candidates = [env['SQLITE_TMPDIR'], env['TMPDIR'], '/var/tmp', '/usr/tmp', '/tmp'];
  const fits = (folder: string | undefined): folder is string => {
    if (folder === undefined) return false;
    try {
      accessSync(folder, constants.W_OK | constants.X_OK);
      return statSync(folder).isDirectory();
    } catch {
      return false;
    }
  };
  return candidates.find(fits) ?? '.';
}
