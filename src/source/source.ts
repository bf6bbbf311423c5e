// What an open file is to those who read it, and what they say when they open it.

import type { Format } from './bytes/detect-format.js';
import type { Compression, ReadProgress } from './bytes/open-bytes.js';
import type { MappingSection } from './mapping/mapping.js';
import type { Chunk } from './record-reader.js';

/** What a file is called and how it is written, where that is not to be found out. */
export interface SourceOptions {
  /** A path, or `-` for stdin. */
  readonly file: string;
  readonly format?: Format;
  /** An encoding as iconv-lite knows it; by default what the byte order mark says, else UTF-8. */
  readonly encoding?: string;
  /** What separates cells; by default the most frequent of `,` `;` tab `|` in the header line. */
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
  /** What an empty cell is: a field not sent, or '' for text, reference and decimal fields. */
  readonly empty?: 'skip' | 'clear';
  /** Column → the header it stands for. */
  readonly rename?: ReadonlyMap<string, string>;
  /** Header → the cell that every record has there. */
  readonly set?: ReadonlyMap<string, string>;
  /** Stop after this many records. */
  readonly limit?: number;
  /** The sheet of a workbook, or the file of an archive. */
  readonly sheet?: string;
  /** Lines above the header of a table. */
  readonly skip?: number;
  /** Find them by the shape of the rows below, where nobody says how many they are. */
  readonly findsHeader?: boolean;
  /** The element of an XML file that is a record; by default what its format says, or what stands there again. */
  readonly record?: string;
  /** The list of a JSON document that holds the records: `data.products`. */
  readonly items?: string;
  /** How the columns become fields, where a mapping says so. */
  readonly mapped?: MappingSection;
  /** Items that pass the check of their fields may come checked, with the mark of it: for a catalog on this machine. */
  readonly mayCheck?: boolean;
  /** Watch the first so many keys, and tell which items repeat one. */
  readonly watchKeys?: number;
  /** Keep the text of each record beside its item. */
  readonly raws?: boolean;
}

/** How a file turned out to be written. */
export interface SourceDescription {
  readonly format: Format;
  readonly encoding: string;
  readonly delimiter: string | undefined;
  readonly compression: Compression | undefined;
  /** Lines above the header of a table, where there are any. */
  readonly skip?: number;
}

/** How a file is written, for who writes records of it back. */
export interface SourceForm {
  readonly format: Format;
  readonly delimiter: string | undefined;
  readonly newline: '\n' | '\r';
  readonly encoding: string;
  /** The header line as it is, and for XML what stands around the records; undefined for JSON, and where there is none. */
  readonly header: string | undefined;
  /** Text as bytes in the encoding of the file; `first` begins it, with its mark where it had one. */
  encode(text: string, first: boolean): Buffer;
}

/** An open file. */
export interface Source {
  readonly found: SourceDescription;
  /** Items and lines in the order of the file. A failure of the file is thrown behind the chunks before it. */
  readonly chunks: AsyncIterable<Chunk>;
  /** Where it reads beside what is done with its chunks: whether more of them are read already, and only to be taken. */
  isAhead?(): boolean;
  /** How much of the file is read, packed where it is packed; the size where it is known. */
  progress(): ReadProgress;
  /** Columns and members that fill no field, each with the number of records so far. */
  unknown(): ReadonlyMap<string, number>;
  /** Records that were read, and that a mapping made no item of. */
  leftOut(): number;
  /** How it is written; only where `raws` was asked for. */
  readonly form?: SourceForm;
  /** Whether the file has more keys than were to be watched. */
  overflowed(): boolean;
  /** What was decided or left out on the way, worth saying once; complete at the end. */
  notes(): readonly string[];
  close(): Promise<void>;
}
