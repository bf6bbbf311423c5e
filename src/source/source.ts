// The port of the source: the options a file is opened with, and the open file as a stream of chunks.

import type { FileNote } from '../core/diagnostics/file-notes.js';
import type { Warning } from '../core/diagnostics/warning-codes.js';
import type { Fingerprint } from '../core/planning/recognition/fingerprint.js';
import type { Format } from './bytes/detect-format.js';
import type { Compression, ReadProgress } from './bytes/open-bytes.js';
import type { SourceColumn } from './column-targets.js';
import type { Expectation, ExpectedFigure } from './contract/contract.js';
import type { FilePlace } from './file-place.js';
import type { GivenFormOptions } from './form-options.js';
import type { MappingSection } from './mapping/mapping.js';
import type { Chunk } from './record-reader.js';

/** A file's name and syntax; undefined parts are detected. */
export interface SourceOptions extends FilePlace {
  readonly format?: Format;
  readonly opening?: AbortSignal;
  /** An encoding by its iconv-lite name; by default that of the byte order mark, else UTF-8. */
  readonly encoding?: string;
  /** The delimiter of cells; by default the most frequent of `,` `;` tab `|` in the header line. */
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
  /** The meaning of an empty cell: a field not sent, or '' for text, reference and decimal fields. */
  readonly empty?: 'skip' | 'clear';
  /** Column → the header that replaces its own. */
  readonly rename?: ReadonlyMap<string, string>;
  /** Header → the value that every record has. */
  readonly set?: ReadonlyMap<string, string>;
  /** Stop after this many records. */
  readonly limit?: number;
  /** The sheet of a workbook, or the file of an archive. */
  readonly sheet?: string;
  /** Lines above the header of a table. */
  readonly skip?: number;
  /** Detect the lines above the header by the shape of the rows below, unless `skip` is given. */
  readonly findsHeader?: boolean;
  /** The element of an XML file that is a record; by default that of a known format, else the first element that repeats. */
  readonly record?: string;
  /** The list of a JSON document that contains the records: `data.products`. */
  readonly items?: string;
  /** Options that were given for this file: they are refused where they mean nothing for a file of its form. */
  readonly mustFit?: GivenFormOptions;
  /** The section of a mapping that turns records into items. */
  readonly mapped?: MappingSection;
  /** What is expected of the file: judged while it is read (`Source.expected`). */
  readonly expect?: readonly Expectation[];
  /** Prevalidate: entries may be `validated` by the reading thread. For catalogs in this process only. */
  readonly mayCheck?: boolean;
  /** Detect duplicate keys among this many distinct keys. */
  readonly watchKeys?: number;
  readonly raws?: boolean;
  /** Count the values of each column (`Source.columns`). */
  readonly countsValues?: boolean;
}

export interface SourceDescription {
  readonly format: Format;
  readonly encoding: string;
  readonly delimiter: string | undefined;
  readonly compression: Compression | undefined;
  /** Set where it holds refused records of another file, which are a part of what that lists. */
  readonly isSentBack?: true;
  /** Lines above the header of a table, if any. */
  readonly skip?: number;
  /** The list of a JSON document or the XML element that contains the records, if it was detected or, for an inspection, named. */
  readonly recordPath?: string;
  /** The sheet of a workbook or the file of an archive, if it was named for an inspection. */
  readonly sheet?: string;
}

/** The syntax of a file, for writing some of its records back (refused records). */
export interface SourceForm {
  readonly format: Format;
  /** Whether an option or the mapping names the format, so that no extension counts. */
  readonly isNamed?: boolean;
  readonly delimiter: string | undefined;
  readonly newline: '\n' | '\r';
  readonly encoding: string;
  /** The header line, or for XML the text around the records; undefined for JSON and tables without a header. */
  readonly header: string | undefined;
  /** The names that lead to the list of records in a JSON document, unless the document itself is the list. */
  readonly path?: readonly string[] | undefined;
  /** Set where records are written as the items that a mapping made; `isOnce` if none of them share a key. */
  readonly items?: { readonly isOnce: boolean };
  /** The names of a table's columns, by position; undefined for records that are objects. */
  readonly columns?: readonly string[] | undefined;
  /** Encodes text in the encoding of the file; `first` adds the byte order mark the file had. */
  encode(text: string, first: boolean): Buffer;
}

/** An open file. */
export interface Source {
  readonly found: SourceDescription;
  /** Entries in file order. A read error is thrown after the chunks before it. */
  readonly chunks: AsyncIterable<Chunk>;
  /** With a reading thread: whether further chunks are already read and waiting. */
  isAhead?(): boolean;
  /** With a reading thread that validates items: hashes those that it reads from now on, with this key. */
  hashWith?(key: Readonly<Fingerprint>): void;
  /** Bytes of the file read so far (compressed bytes for a compressed file), and its size if known. */
  progress(): ReadProgress;
  /** Ignored columns and members, each with its number of values so far. */
  unknown(): ReadonlyMap<string, number>;
  /**
   * Columns with their targets. For JSON records the members seen so far; without `countsValues` none that have the
   * name of their field.
   */
  columns(): readonly SourceColumn[];
  leftOut(): number;
  /** Its syntax; only with the option `raws`. */
  readonly form?: SourceForm;
  /** Whether the file has more distinct keys than `watchKeys`. */
  overflowed(): boolean;
  /** Notices about the file, each to be shown once; complete at its end. */
  notes(): readonly FileNote[];
  /** What is wrong with the file as a whole; complete at its end. */
  warnings(): readonly Warning[];
  /** What was found of what is expected of it, at its end; nothing before. */
  expected?(): readonly ExpectedFigure[];
  close(): Promise<void>;
}

/** The sheet of a workbook, or the file of an archive, that is read: a section of a mapping may have its own. */
export function sheetOf({ sheet, mapped }: SourceOptions): string | undefined {
  return mapped?.section.sheet ?? sheet;
}
