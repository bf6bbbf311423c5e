// A catalog's files on the disk: made for their owner only, opened by their literal name, the log synced before anything
// rests on it, and who locks whom out.
import { accessSync, closeSync, constants, mkdtempSync, openSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CatalogError } from '../../core/errors.js';
import { placeOf, syncFile, syncFolder } from '../../files/durable-file.js';

/** Makes an empty file that only its owner may read; SQLite gives the log beside it the same mode. */
export function makeForOwner(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch {
    // What is in the way is told when the database is opened.
  }
}

/**
 * Opens a database by a name that ends in white space, which the library would cut off: by a link that does not. SQLite
 * follows it and keeps the log beside the file itself.
 */
export function openLiterally<T>(file: string, open: (path: string) => T): T {
  if (file === file.trim()) return open(file);
  const folder = mkdtempSync(join(tmpdir(), 'catalog-'));
  try {
    const link = join(folder, 'catalog');
    symlinkSync(file, link);
    return open(link);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Bytes of the log beside a catalog; 0 where there is none. */
export function logSize(file: string): number {
  return statSync(`${placeOf(file)}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Syncs the log beside a catalog. A writer may have been killed between writing its commit and syncing it: who opens the
 * file next finds that commit, and would tell of it although a power cut could still take it. To be called after the first
 * read: from then on no commit shows that is not synced, as SQLite publishes each only after its sync.
 * @throws CatalogError `catalog_unusable` where the disk fails
 */
export function syncLog(file: string): void {
  if (logSize(file) === 0) return;
  const place = placeOf(file);
  try {
    syncFile(`${place}-wal`);
    // It may have been killed before the name of the log was on the disk, too.
    syncFolder(dirname(place));
  } catch (cause) {
    // Who closed the file as the last has moved all of its log to it, synced, and removed it.
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
 * What keeps this user from writing to the log of a catalog that is theirs to write: files that another one's read left.
 * @returns the fault with the command that mends it; undefined where there is none
 */
export function lockedOut(file: string): string | undefined {
  const place = placeOf(file);
  const owner = statSync(place, { throwIfNoEntry: false });
  if (owner === undefined || !mayWrite(place)) return undefined;
  const foreign = ['-wal', '-shm']
    .map((suffix) => place + suffix)
    .filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined && !mayWrite(path));
  const [first] = foreign;
  if (first === undefined) return undefined;
  const quoted = foreign.map((path) => `'${path.replaceAll("'", `'\\''`)}'`).join(' ');
  return (
    `cannot be written: ${foreign.join(' and ')} were left by another user (uid ${statSync(first).uid}) who read it. ` +
    `Give them to the owner of the catalog: sudo chown ${owner.uid}:${owner.gid} ${quoted}`
  );
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The folder where SQLite keeps what does not fit its memory, such as the scratch copy of a dry run: its own order. */
export function temporaryFolder(env: NodeJS.ProcessEnv = process.env): string {
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
