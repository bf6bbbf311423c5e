// Text of a known format → items with their lines. Here CSV and JSON come together: both hand on an item a record, or a
// refused row where the record could not be read.
import { CatalogError } from '../core/errors.js';
import type { RefusalCode } from '../core/messages.js';
import { refusedRow } from '../core/refused-row.js';
import { csvCutter, type Dialect } from './csv.js';
import type { Decoder } from './decode.js';
import { type Given, shown, targetOf } from './header.js';
import { jsonCutter, ndjsonCutter } from './json.js';
import { type KeyOf, type RowMapper, recordMapper, rowMapper } from './map.js';
import type { Writing } from './type-value.js';

/** Items and the physical lines they begin on. */
export interface Chunk {
  readonly items: unknown[];
  readonly lines: number[];
  /** The text of each record, where it was asked for; '' where an item has none of its own. */
  readonly raws?: string[];
}

/** Reads text, block by block. */
export interface RecordReader {
  /**
   * The items of the records that end in this block are added to `chunk`. What was added before it throws stands.
   * @throws CatalogError where the file cannot be read on
   */
  read(block: string, last: boolean, chunk: Chunk): void;
  /** True once it is known what the names of the file's columns or members fill. */
  readonly ready: boolean;
  unknown(): ReadonlyMap<string, number>;
  /** The names of the columns once they are known; undefined for JSON. */
  columns?(): readonly string[] | undefined;
  /** What was decided or left out on the way. */
  notes?(): readonly string[];
}

/** What a reader must know of its file. */
export interface Reading {
  readonly file: string;
  readonly key: KeyOf;
  readonly given: Given;
  readonly writing: Writing;
  readonly decoder: Decoder;
  /** Says whether any damage was seen so far: only then is a record searched for it. */
  readonly damaged: () => boolean;
  /** Hand on the records as they are read, for a mapping: cells of a row, members of an object. */
  readonly asRead?: boolean;
  /** The names of the columns of a file without a header. */
  readonly columns?: readonly string[];
}

/** Reads rows: the first is the header. */
export function csvRecords(reading: Reading, dialect: Dialect): RecordReader {
  const { file, key } = reading;
  const cutter = csvCutter(file, dialect);
  let mapper: RowMapper | undefined;
  /** What a row becomes; known with the header. */
  let give: ((cells: string[]) => unknown) | undefined;
  let width = 0;
  let keyFirst = false;
  let begun = false;
  let columns: readonly string[] | undefined;
  if (reading.columns !== undefined) header([...reading.columns], '');

  function header(cells: string[], raw: string): void {
    refuseUnreadable(reading, cells, raw);
    width = cells.length;
    columns = cells;
    if (reading.asRead === true) {
      give = (read) => read;
      return;
    }
    const found = rowMapper(cells, key, reading.given, reading.writing);
    refuseKeyless(reading, cells, found, dialect);
    keyFirst = key.names.includes(found.targets[0]?.path ?? '');
    mapper = found;
    give = found.item;
  }

  function itemOf(cells: string[], line: number, raw: string, fault: string | undefined): unknown {
    // Only the first cell is surely in its column once the row is out of shape.
    const told = () => (keyFirst ? (cells[0] ?? '').trim() : '');
    if (reading.damaged()) {
      const refused = damagedRecord(reading, raw, line, told);
      if (refused !== undefined) return refused;
    }
    if (fault !== undefined) return refusal('row_shape', fault, told());
    if (cells.length === width) return give?.(cells);
    const count = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`;
    const remedy = `quote cells that contain ${JSON.stringify(dialect.delimiter)} or a line break`;
    return refusal('row_shape', `the row has ${count}, the header has ${width}; ${remedy}`, told());
  }

  return {
    get ready() {
      return give !== undefined;
    },
    read(block, last, chunk) {
      cutter.cut(block, last, (cells, line, raw, fault) => {
        if (give === undefined) {
          // `sep=;` before the header is a note of spreadsheets to themselves.
          if (begun || !/^sep=.$/.test(raw)) header(cells, raw);
          begun = true;
        } else if (cells.length > 1 || width === 1 || raw.trim() !== '') {
          chunk.items.push(itemOf(cells, line, raw, fault));
          chunk.lines.push(line);
          chunk.raws?.push(raw);
        }
      });
    },
    unknown: () => mapper?.unknown() ?? new Map(),
    columns: () => columns,
  };
}

/** Reads JSON records: one a line, or an array, an envelope or a single value. */
export function jsonRecords(reading: Reading, format: 'json' | 'ndjson'): RecordReader {
  const { file, key } = reading;
  const isField = (name: string) => Object.hasOwn(key.fields, name);
  const cutter = format === 'json' ? jsonCutter(file, isField) : ndjsonCutter(file);
  const mapper = recordMapper(key, reading.given, reading.writing);

  /** The record for a mapping: what is no object is left to be refused as such. */
  function asRead(raw: string, record: unknown): unknown {
    const inexact = format === 'ndjson' && /\d{16}|\d[eE]/.test(raw);
    return typeof record === 'object' && inexact ? JSON.parse(withNumbersAsWritten(raw)) : record;
  }

  function itemOf(raw: string, line: number, record: unknown): unknown {
    if (reading.damaged()) {
      const told = () => key.of(Object(record));
      const refused = damagedRecord(reading, raw, line, told);
      if (refused !== undefined) return refused;
    }
    if (reading.asRead === true) return asRead(raw, record);
    return mapper.item(record) ?? mapper.item(JSON.parse(withNumbersAsWritten(raw)));
  }

  function broken(raw: string, line: number, fault: number): unknown {
    const refused = reading.damaged() ? damagedRecord(reading, raw, line, () => '') : undefined;
    return refused ?? refusal('item_not_json', `no valid JSON at column ${fault + 1}`, '');
  }

  return {
    ready: true,
    read(block, last, chunk) {
      cutter.cut(block, last, (raw, line, record, fault) => {
        chunk.items.push(fault === undefined ? itemOf(raw, line, record) : broken(raw, line, fault));
        chunk.lines.push(line);
        chunk.raws?.push(raw);
      });
    },
    unknown: () => mapper.unknown(),
  };
}

/** Numbers that a double cannot hold become text, so that the check refuses what was written and not what is left. */
function withNumbersAsWritten(raw: string): string {
  return raw.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs, (part) => {
    if (part.startsWith('"') || Math.abs(Number(part)) <= Number.MAX_SAFE_INTEGER) return part;
    return JSON.stringify(part);
  });
}

function refusal(code: RefusalCode, message: string, externalId: string) {
  return refusedRow({ code, field: '', message }, externalId);
}

function damagedRecord(reading: Reading, raw: string, line: number, externalId: () => string) {
  const damage = reading.decoder.damageIn(raw);
  if (damage === undefined) return undefined;
  const what = damage.byte === undefined ? 'a byte' : `byte ${damage.byte}`;
  const where = `on line ${line + damage.linesBefore}`;
  const remedy = `is no ${reading.decoder.encoding}; name the encoding of the file with --encoding`;
  const id = externalId();
  return refusal('invalid_text', `${what} ${where} ${remedy}`, reading.decoder.damageIn(id) === undefined ? id : '');
}

/** A header that is not text in the encoding of the file names no column. */
function refuseUnreadable(reading: Reading, cells: readonly string[], raw: string): void {
  const { file, decoder } = reading;
  const damage = reading.damaged() ? decoder.damageIn(raw) : undefined;
  if (damage === undefined && !raw.includes('\0')) return;
  const what =
    damage === undefined ? 'holds NUL characters' : `holds byte ${damage.byte ?? ''} that is no ${decoder.encoding}`;
  const remedy = damage === undefined ? '--encoding utf-16le' : '--encoding windows-1252';
  throw new CatalogError(
    'input_unreadable',
    `${file}: the header ${what}. Name the encoding of the file, such as ${remedy}. Cells: ${shown(cells.map(printable))}.`,
  );
}

function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
  return text.replace(/[\0-\x1f\ud800-\udfff]/g, '?');
}

/** Without a column for the key every row would be refused; only a kind can stand for a name. */
function refuseKeyless(reading: Reading, cells: readonly string[], mapper: RowMapper, dialect: Dialect): void {
  const { file, key, given } = reading;
  const constants = [...given.set.keys()].map((header) => targetOf(header, key.fields));
  const filled = new Set([...mapper.targets, ...constants].map((target) => target?.path));
  if (key.names.some((name) => filled.has(name)) || filled.has('kind')) return;
  const wanted = key.names[0] ?? '';
  throw new CatalogError(
    'usage',
    `${file}: no column fills ${wanted}. Columns (${JSON.stringify(dialect.delimiter)} between them): ${shown(cells)}. ` +
      `Name the column with --rename "<column>=${wanted}", or correct --delimiter or --encoding.`,
  );
}
