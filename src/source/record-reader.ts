// The port of the record readers (CSV, JSON, XML): chunks of entries with their line numbers. Each reader has a file of
// its own, because it is loaded together with its parser.

import type { FileNote } from '../core/diagnostics/file-notes.js';
import { sourceProblem } from '../core/diagnostics/source-problems.js';
import type { Warning } from '../core/diagnostics/warning-codes.js';
import { type Entry, type UnreadableEntry, unreadableEntry } from '../core/entry.js';
import type { RecordKey } from '../core/fields/record-key.js';
import type { Decoder } from './bytes/decoder.js';
import type { ValueSyntax } from './cells/coerce-value.js';
import type { ColumnOptions, SourceColumn } from './column-targets.js';
import type { NumberCell } from './csv/number-cells.js';
import type { HeaderRule } from './csv/preamble.js';
import type { RepeatedHeaders } from './csv/repeated-header.js';
import type { NamedMembers } from './named-members.js';

/** An item whose key occurred on an earlier line. */
export interface DuplicateEntry {
  /** Its index in the chunk. */
  readonly index: number;
  readonly id: string;
  readonly first: number;
}

/** Records in the order of their file. */
export interface Chunk {
  readonly entries: readonly Entry[];
  readonly lines: readonly number[];
  /** The raw text of each entry, if requested; '' for an entry without a text of its own. */
  readonly raws?: readonly string[];
  /** The number of the record of each entry in the file, from 1, with a mapping: it may make several items of one, or none. */
  readonly numbers?: readonly number[];
  /** Entries with a duplicate key, if requested. */
  readonly repeats?: readonly DuplicateEntry[];
  /** Whether a batch ends with its last entry, however few entries it has. */
  readonly endsBatch?: boolean;
  /** The blocks of text that were read for it: more than one where a record is longer than a block. */
  readonly blocks?: number;
}

/** A chunk that a reader fills. */
export interface OpenChunk {
  readonly entries: Entry[];
  readonly lines: number[];
  readonly raws?: string[];
  numbers?: number[];
}

/** An empty chunk. @param raws whether the text of each record is kept */
export function openChunk(raws: boolean): OpenChunk {
  return { entries: [], lines: [], ...(raws && { raws: [] }) };
}

/** Reads text, block by block. */
export interface RecordReader {
  /**
   * Adds the entries of the records that end in this block to `chunk`. Entries added before an error stay in it.
   * @throws CatalogError where the rest of the file cannot be read
   */
  read(block: string, last: boolean, chunk: OpenChunk): void;
  /** Whether the columns or members are bound to their fields yet. */
  readonly ready: boolean;
  unknown(): ReadonlyMap<string, number>;
  /** Columns with their targets, as in `Source.columns`. */
  targets(): readonly SourceColumn[];
  /** Records read that a mapping filtered out. */
  leftOut?(): number;
  /** The names of the columns once they are known; undefined for JSON. */
  columns?(): readonly string[] | undefined;
  rowText?(cells: readonly unknown[]): string;
  /** The names that lead to the list of the records in a JSON document. */
  path?(): readonly string[] | undefined;
  /** The header line, unchanged. */
  header?(): string | undefined;
  /** The line of the header, or the last one that is skipped above rows without one. */
  headerAt?(): number | undefined;
  /** Repeated header rows found so far. */
  headersAgain?(): RepeatedHeaders | undefined;
  /** Notices for the user: decisions made and rows skipped. */
  notes?(): readonly FileNote[];
  warnings?(): readonly Warning[];
}

/** What a reader needs to know about its file. */
export interface ReaderContext {
  readonly file: string;
  readonly key: RecordKey;
  readonly given: ColumnOptions;
  readonly writing: ValueSyntax;
  readonly decoder: Decoder;
  /** Whether any undecodable bytes were seen so far; records are only searched for them if so. */
  readonly damaged: () => boolean;
  /** Count the values of each column. */
  readonly countsValues?: boolean;
  /** Is given every record as it was read, for a contract. */
  readonly watch?: (record: unknown, line: number) => void;
  /** The members of --rename, for records that are objects. */
  readonly named?: NamedMembers;
  /** Pass records on unmapped, for a mapping: the cells of a row, the members of an object. */
  readonly asRead?: boolean;
  /** Numbers keep their type and the form in which they are written. */
  readonly isMapped?: boolean;
  /** The cells of a row of a workbook that are numbers with a fraction, or with a currency; each row is asked for once. */
  readonly numbers?: (row: number) => readonly NumberCell[] | undefined;
  /**
   * How repeated header rows are treated. By default they are skipped, and one in another order ends the reading.
   * `report`: skipped in any order (inspection). `keep`: they are ordinary rows (lookup tables).
   */
  readonly headers?: 'report' | 'keep';
  /** Where the records are in a document: the XML element, and whether its name is certain. */
  readonly recordPath?: { readonly name: string; readonly isNamed: boolean };
  /** How to find the header row, if it is not the first row. */
  readonly head?: HeaderRule;
  /** The column that takes the text of section rows (rows with a single filled cell) for the rows below them. */
  readonly sections?: string;
  /** First words of rows to skip. */
  readonly leaveOut?: readonly string[];
  /** The names of the columns of a file without a header. */
  readonly columns?: readonly string[];
  /** Rows may have fewer cells than there are columns: missing ones count as empty. */
  readonly shortRows?: boolean;
}

/** A reader that fails, before it gives a record, where its first records lack a name. */
export function requiringNames(inner: RecordReader, named: NamedMembers): RecordReader {
  let records = 0;
  let characters = 0;
  return {
    ...inner,
    get ready() {
      return inner.ready && named.isChecked;
    },
    read(block, last, chunk) {
      const before = chunk.entries.length;
      let isWhole = true;
      try {
        inner.read(block, last, chunk);
        isWhole = last;
      } finally {
        records += chunk.entries.length - before;
        characters += block.length;
        named.check({ records, isAnyKept: true, characters, isWhole });
      }
    },
  };
}

/** The entry of a record with undecodable bytes; undefined if it has none. */
export function damagedRecord(
  reading: ReaderContext,
  raw: string,
  line: number,
  externalId: () => string,
): UnreadableEntry | undefined {
  const damage = reading.decoder.damageIn(raw);
  if (damage === undefined) return undefined;
  if (damage.encoding !== undefined) {
    const where = { line: line + damage.linesBefore, encoding: damage.encoding };
    return unreadableEntry(sourceProblem('encoding_switch', where), externalId());
  }
  const problem = sourceProblem('undecodable_byte', {
    byte: damage.byte ?? '',
    line: line + damage.linesBefore,
    encoding: reading.decoder.encoding,
  });
  const id = externalId();
  return unreadableEntry(problem, reading.decoder.damageIn(id) === undefined ? id : '');
}
