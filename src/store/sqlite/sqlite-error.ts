// What SQLite's errors mean for the call, and what to do.
import { CatalogError, type ErrorCode } from '../../core/errors.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import { networkDrive } from '../../files/network-drive.js';
import { isSqliteError } from './driver.js';
import { lockedOut } from './file/catalog-file.js';

/** SQLite's result codes as errors of a call: the longest matching prefix applies. */
const meanings: readonly (readonly [prefix: string, code: ErrorCode, words: string])[] = [
  ['SQLITE_BUSY', 'catalog_locked', 'is locked by another process. Try again later'],
  ['SQLITE_FULL', 'catalog_full', 'cannot grow: the disk is full; make room and run the same command again'],
  ['SQLITE_READONLY', 'catalog_unusable', 'is read-only; make it and its folder writable'],
  [
    'SQLITE_CANTOPEN',
    'catalog_unusable',
    'cannot be opened; check that it is a file, in a folder that may be written to',
  ],
  ['SQLITE_PERM', 'catalog_unusable', 'may not be opened; check its permissions'],
  ['SQLITE_AUTH', 'catalog_unusable', 'may not be opened; check its permissions'],
  ['SQLITE_NOTADB', 'catalog_unusable', 'is not a SQLite database; name a catalog, or a new file, with --db'],
  [
    'SQLITE_CORRUPT',
    'catalog_unusable',
    'is damaged; restore it from a backup with: catalog-import restore BACKUP --db FILE --force, or recover it with: sqlite3 FILE .recover',
  ],
  ['SQLITE_IOERR', 'catalog_unusable', 'could not be read or written; check the disk and run the same command again'],
];

/** What SQLite says of a file that another program, or a newer SQLite, made: its messages have no code of their own. */
const foreignForm = /^(?:unsupported file format|unknown function|no such (?:function|collation sequence|module))/;

/**
 * Converts an error of SQLite to an error of the call that names the file and a remedy; returns any other error as it
 * is.
 */
export function asCatalogError(file: string, error: unknown): unknown {
  if (!isSqliteError(error)) return error;
  if (foreignForm.test(error.message))
    return new CatalogError(
      'catalog_unusable',
      `${file} has a form that this SQLite does not read (${sanitizeText(error.message)}); name another catalog, or restore a backup`,
      { cause: error },
    );
  const meaning = meanings.find(([prefix]) => error.code.startsWith(prefix));
  if (meaning === undefined) return error;
  const words = (/READONLY|CANTOPEN|PERM/.test(error.code) ? lockedOut(file) : undefined) ?? meaning[2];
  const drive = /IOERR|BUSY|CORRUPT|PROTOCOL/.test(error.code) ? networkDrive(file) : undefined;
  const onDrive =
    drive === undefined
      ? ''
      : `. It is on a network drive (${drive}), on which SQLite is not safe: put it on a disk of this machine`;
  return new CatalogError(meaning[1], `${file} ${words} (${error.code})${onDrive}`, { cause: error });
}
