// Where the bytes of a file are. Its name for people, reports and the ledger is `file`; what was spooled is read elsewhere.
import { dirname } from 'node:path';

/** A file in a private temporary folder, with what was read from a pipe or fetched. */
export interface Spool {
  readonly path: string;
  /** The name that determines the format. */
  readonly name: string;
  /** The encoding that its server states. */
  readonly encoding?: string | undefined;
  /** When it was last modified, as its server states. */
  readonly modified?: string | undefined;
  /** It is the copy of an earlier run: its server has nothing newer. */
  readonly isNotModified?: boolean;
}

export interface FilePlace {
  /** A path, `-` for the standard input, or an address as it may be shown. */
  readonly file: string;
  /** Set for what was spooled; always for an address. */
  readonly spool?: Spool;
}

/** The path of its bytes; `-` for standard input that is read as it comes. */
export function bytesPath({ file, spool }: FilePlace): string {
  return spool?.path ?? file;
}

/** Whether it can be read only once. */
export function isReadOnce(place: FilePlace): boolean {
  return bytesPath(place) === '-';
}

/** The folder of the files that a mapping names: for what came from elsewhere the working folder, never a part of an address. */
export function folderOf({ file, spool }: FilePlace): string {
  return file === '-' || spool !== undefined ? '.' : dirname(file);
}

/** The same options for a file that a mapping names. */
export function forFile<O extends FilePlace>(options: O, file: string): O {
  if (file === options.file) return options;
  const { spool: _, ...others } = options;
  return { ...others, file } as O;
}

/** Where a row or other record is in its file: the line it begins on, which several may share, and its number, from 1. */
export interface RowPlace {
  readonly line: number;
  readonly number: number;
}

/** Where an entry comes from. */
export interface RowOrigin {
  /** Its physical line. */
  readonly line: number;
  /** The lines of all its records. */
  readonly lines: readonly number[];
  /** The number of its first record in the file. */
  readonly number: number;
  /** The text of its record. */
  readonly raw: string;
}
