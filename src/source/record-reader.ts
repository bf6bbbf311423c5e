// What the readers of records have in common: items with their lines, and records that could not be read. A reader is
// loaded with its parser, so each has a file of its own.
import { type Entry, type UnreadableEntry, unreadableEntry } from '../core/entry.js';
import type { KeyOf } from '../core/key-of.js';
import type { RefusalCode } from '../core/messages.js';
import type { Decoder } from './bytes/decoder.js';
import type { ValueSyntax } from './coerce-value.js';
import type { ColumnOptions } from './column-targets.js';
import type { HeaderRule } from './csv/preamble.js';
import type { RepeatedHeaders } from './csv/repeated-header.js';

/** What stands between the texts of records that belong to one item; no text holds U+FFFF. */
const betweenTexts = '\0\uffff';
/** What stands between the line of such a record and its text. */
const behindLine = '\0\ufffe';

/** The text of one record of those that belong to an item. */
export interface RawPart {
  readonly text: string;
  /** Its own line, where it is not that of the item. */
  readonly line?: number;
  /** It makes no item: another one looks it up. */
  readonly isLookedUp?: boolean;
  /** Empty cells of it were filled from the rows above. */
  readonly isFilled?: boolean;
}

/** The texts of the records that belong to an item, as one. */
export function joinRaws(parts: readonly RawPart[]): string {
  return parts
    .map(({ text, line, isLookedUp = false, isFilled = false }) =>
      line === undefined ? text : `${line}${isLookedUp ? '?' : ''}${isFilled ? '+' : ''}${behindLine}${text}`,
    )
    .join(betweenTexts);
}

/** The texts that `joinRaws` made one of. */
export function splitRaws(raw: string): RawPart[] {
  return raw.split(betweenTexts).map((part) => {
    const at = part.indexOf(behindLine);
    if (at === -1) return { text: part };
    const before = part.slice(0, at);
    return {
      text: part.slice(at + behindLine.length),
      line: Number.parseInt(before, 10),
      isLookedUp: before.includes('?'),
      isFilled: before.endsWith('+'),
    };
  });
}

/** An item whose key a line before has. */
export interface DuplicateEntry {
  /** Where it stands in its chunk. */
  readonly index: number;
  readonly id: string;
  /** The line that had the key first. */
  readonly first: number;
}

/** A row that a later one of the same key supersedes: it is reported, and not applied. */
export interface SupersededRow {
  /** The entry of the chunk that it stands before. */
  readonly at: number;
  readonly line: number;
  readonly entry: Entry;
  readonly externalId: string;
  /** The identifier of the stored record of its key. */
  readonly id: string | null;
  /** The line that counts. */
  readonly by: number;
}

/** Records in the order of their file. */
export interface Chunk {
  readonly entries: readonly Entry[];
  /** The physical line that each begins on. */
  readonly lines: readonly number[];
  /** The text of each, where it was asked for; '' where an entry has none of its own. */
  readonly raws?: readonly string[];
  /** Those that repeat a key, where that was asked for. */
  readonly repeats?: readonly DuplicateEntry[];
  /** Rows between them that are not applied, in the order of the file. */
  readonly superseded?: readonly SupersededRow[];
}

/** A chunk that a reader fills. */
export interface OpenChunk {
  readonly entries: Entry[];
  readonly lines: number[];
  readonly raws?: string[];
}

/** An empty chunk. @param raws whether the text of each record is kept */
export function openChunk(raws: boolean): OpenChunk {
  return { entries: [], lines: [], ...(raws && { raws: [] }) };
}

/** Reads text, block by block. */
export interface RecordReader {
  /**
   * The entries of the records that end in this block are added to `chunk`. What was added before it throws stands.
   * @throws CatalogError where the file cannot be read on
   */
  read(block: string, last: boolean, chunk: OpenChunk): void;
  /** True once it is known what the names of the file's columns or members fill. */
  readonly ready: boolean;
  unknown(): ReadonlyMap<string, number>;
  /** Records that were read, and that a mapping made no item of. */
  leftOut?(): number;
  /** The names of the columns once they are known; undefined for JSON. */
  columns?(): readonly string[] | undefined;
  /** The text of a row of a table, as the file would have it. */
  rowText?(cells: readonly string[]): string;
  /** The header line as it is. */
  header?(): string | undefined;
  /** Where the header of a table stood again. */
  headersAgain?(): RepeatedHeaders | undefined;
  /** What was decided or left out on the way. */
  notes?(): readonly string[];
}

/** What a reader must know of its file. */
export interface ReaderContext {
  readonly file: string;
  readonly key: KeyOf;
  readonly given: ColumnOptions;
  readonly writing: ValueSyntax;
  readonly decoder: Decoder;
  /** Says whether any damage was seen so far: only then is a record searched for it. */
  readonly damaged: () => boolean;
  /** Hand on the records as they are read, for a mapping: cells of a row, members of an object. */
  readonly asRead?: boolean;
  /**
   * What becomes of the header of a table where it stands again: it is left out, and in another order ends the reading; or
   * it is told in any order, to find out what a file is; or kept as a row like any, of a table to look up in.
   */
  readonly headers?: 'told' | 'kept';
  /** Where the records are in a document: the element of XML, and whether its name is certain. */
  readonly place?: { readonly name: string; readonly isNamed: boolean };
  /** Where the header of a table is, where it is not the first row. */
  readonly head?: HeaderRule;
  /** The column that has the words of rows with a single filled cell, for the rows that follow them. */
  readonly sections?: string;
  /** The names of the columns of a file without a header. */
  readonly columns?: readonly string[];
}

/** The entry of a record that could not be read. */
export function refusal(code: RefusalCode, message: string, externalId: string): UnreadableEntry {
  return unreadableEntry({ code, field: '', message }, externalId);
}

/** The entry of a record whose text holds damage; undefined where it holds none. */
export function damagedRecord(
  reading: ReaderContext,
  raw: string,
  line: number,
  externalId: () => string,
): UnreadableEntry | undefined {
  const damage = reading.decoder.damageIn(raw);
  if (damage === undefined) return undefined;
  if (damage.encoding !== undefined) {
    const on = line + damage.linesBefore;
    const message = `the text on line ${on} switches to other letters as ${damage.encoding} does; name the encoding with --encoding ${damage.encoding}, or --encoding utf-8 where the text is meant literally`;
    return refusal('invalid_text', message, externalId());
  }
  const what = damage.byte === undefined ? 'a byte' : `byte ${damage.byte}`;
  const where = `on line ${line + damage.linesBefore}`;
  const { encoding } = reading.decoder;
  const likely = encoding === 'utf-8' ? ', such as --encoding windows-1252 (inspect finds it)' : ' with --encoding';
  const remedy = `is no ${encoding}; name the encoding of the file${likely}`;
  const id = externalId();
  return refusal('invalid_text', `${what} ${where} ${remedy}`, reading.decoder.damageIn(id) === undefined ? id : '');
}
