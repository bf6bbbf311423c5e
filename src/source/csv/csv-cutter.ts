// Cuts CSV text into rows of cells with their physical line. Reads RFC 4180 and its common variants: any of four delimiters,
// CRLF, LF or CR, line breaks and doubled quotes inside quotes, stray quotes inside unquoted cells. The home of csv-parse.
//
// csv-parse reads the rows whose quotes are not plain, all of a block in one call; lines without any, and cells that are
// quoted from end to end, are cut where they are found. What csv-parse does not do is done around it: finding where a row
// ends, so that lines are known, an unclosed quote is bounded and a misplaced one costs its own row only (csv-parse stops
// there, or with relax_quotes takes it for text).
// Measured on 48 MB, 200,000 rows, every seventh quoted over two lines, rows alone: 0.16 s, and 0.5 s with every cell
// quoted; with csv-parse for every row that has a quote 0.33 s and 2.0 s; csv-parse alone, which looks at every byte in
// JavaScript, 1.3 s and 1.1 s (2.4 s as a stream).
// The tests hold the rows against csv-parse alone on generated documents.

import { parse } from 'csv-parse/sync';
import type { Problem } from '../../core/diagnostics/refusal-codes.js';
import { sourceProblem } from '../../core/diagnostics/source-problems.js';
import { CatalogError } from '../../core/errors.js';
import type { CsvDialect } from './csv-dialect.js';

/** The longest record, in characters: an unclosed quote is given up there and does not swallow the file. */
export const longestRow = 1024 * 1024;

/** Receives a row. `raw` is its text, `fault` describes a problem with its quotes. */
type OnRow = (cells: string[], line: number, raw: string, fault?: Problem) => void;

/** A row that was found; its cells may not be parsed yet. */
interface CutRow {
  cells: string[];
  readonly line: number;
  /** Its text, without what ends the line. */
  readonly raw: string;
  /** The input of csv-parse for a row with irregular quotes: its text without white space after closing quotes. */
  readonly quoted: string | undefined;
  readonly fault: Problem | undefined;
}

/** Cuts a file into rows, block by block. */
export interface CsvCutter {
  /**
   * Takes the next block and emits the complete rows. Blank lines are counted and not emitted.
   * @throws CatalogError `input_unreadable` for a record that does not end, after the rows before it
   */
  cut(block: string, last: boolean, onRow: OnRow): void;
}

/**
 * Makes the cutter of one file.
 * @param file the file's name, for messages
 */
export function csvCutter(file: string, dialect: CsvDialect): CsvCutter {
  let carry = '';
  let line = 1;
  // A record that spans blocks is scanned again only when it has grown by half: otherwise time would be quadratic.
  let due = 0;

  /** Cuts the rows of a text; returns the rest, or the fault. */
  function find(text: string, last: boolean, rows: CutRow[]): string | CatalogError {
    const { newline, delimiter } = dialect;
    let at = 0;
    let quote = -1;
    while (at < text.length) {
      if (quote < at) quote = indexFrom(text, '"', at);
      const end = indexFrom(text, newline, at);
      if (quote <= end && quote < text.length) {
        const row = quotedRow(text, at, dialect, last);
        if (row === undefined) break;
        if (row.end - at > longestRow) return endless(file, line, true);
        const { cells, raw, quoted, fault } = row;
        rows.push({ cells, line, raw, quoted, fault });
        line += dialect.isSheet === true ? 1 : row.lines;
        at = row.end;
        continue;
      }
      if (end === text.length && !last) break;
      if (end - at > longestRow) return endless(file, line, true);
      const raw = text.slice(at, newline === '\n' && end > at && text.charCodeAt(end - 1) === 13 ? end - 1 : end);
      if (raw !== '') rows.push({ cells: raw.split(delimiter), line, raw, quoted: undefined, fault: undefined });
      line++;
      at = end + 1;
    }
    const left = at < text.length ? text.slice(at) : '';
    const long = left.length > longestRow;
    return long || (last && left !== '') ? endless(file, line, long) : left;
  }

  return {
    cut(block, last, onRow) {
      const text = carry === '' ? block : carry + block;
      if (text.length < due && !last) {
        carry = text;
        return;
      }
      const rows: CutRow[] = [];
      const left = find(text, last, rows);
      readQuoted(rows, dialect);
      for (const { cells, line, raw, fault } of rows) onRow(cells, line, raw, fault);
      if (typeof left !== 'string') throw left;
      carry = left;
      due = carry.length > 65_536 ? carry.length * 1.5 : 0;
    },
  };
}

/** Parses with csv-parse the rows that contain quotes. */
function readQuoted(rows: readonly CutRow[], { delimiter, newline }: CsvDialect): void {
  const quoted = rows.filter((row) => row.quoted !== undefined);
  if (quoted.length === 0) return;
  const text = quoted.map((row) => row.quoted).join(newline);
  // csv-parse works on UTF-8 bytes, in which an unpaired surrogate is lost.
  const read = parse(text.isWellFormed() ? text : withoutHalves(text), {
    delimiter,
    record_delimiter: newline,
    relax_quotes: true,
    relax_column_count: true,
  });
  if (read.length !== quoted.length) throw new Error(`csv-parse made ${read.length} rows of ${quoted.length}.`);
  quoted.forEach((row, i) => {
    const cells = (read[i] ?? []).map(textOf);
    row.cells = row.raw.isWellFormed() ? cells : cells.map(withHalves);
  });
}

/** The text of a cell, which some programs write as a formula so that spreadsheets keep its zeros: `="0012"`. */
function textOf(cell: string): string {
  const formula = cell.startsWith('="') ? /^="((?:[^"]|"")*)"$/.exec(cell)?.[1] : undefined;
  return formula?.replaceAll('""', '"') ?? cell;
}

/** Unpaired surrogates, which mark damage, are mapped to the last private-use plane while csv-parse runs. */
function withoutHalves(text: string): string {
  return text.replace(/\p{Surrogate}/gu, (half) => String.fromCodePoint(0x100000 + half.charCodeAt(0)));
}

function withHalves(text: string): string {
  return text.replace(/[\u{10d800}-\u{10dfff}]/gu, (mark) =>
    String.fromCharCode((mark.codePointAt(0) ?? 0) - 0x100000),
  );
}

interface QuotedRow extends Omit<CutRow, 'line'> {
  /** The start of the next row. */
  readonly end: number;
  /** The number of its line breaks. */
  readonly lines: number;
}

/** Finds the end of the row at `at`, which has a quote; undefined if it is incomplete. */
function quotedRow(text: string, at: number, dialect: CsvDialect, last: boolean): QuotedRow | undefined {
  const { delimiter, newline } = dialect;
  let fault: Problem | undefined;
  let nextDelimiter = -1;
  let lines = 1;
  // The cells, while each is either quoted as a whole or without quotes.
  let plain = true;
  const cells: string[] = [];
  // The text without padding so far, and the position of the rest.
  let quoted = '';
  let from = at;
  for (let cell = at; ; ) {
    let open = cell;
    let value: string | undefined;
    if (isQuote(text, cell)) {
      const close = closingQuote(text, cell + 1);
      // A quote at the very end may be the first half of a doubled one.
      if (close === -1 || (close + 1 >= text.length && !last)) return undefined;
      value = text.slice(cell + 1, close);
      lines += breaks(value, newline);
      open = close + 1;
    }
    if (nextDelimiter < open) nextDelimiter = indexFrom(text, delimiter, open);
    const end = indexFrom(text, newline, open);
    if (end === text.length && nextDelimiter === end && !last) return undefined;
    const crlf = newline === '\n' && end > open && text.charCodeAt(end - 1) === 13;
    const rowEnd = crlf ? end - 1 : end;
    const cellEnd = Math.min(nextDelimiter, rowEnd);
    if (value !== undefined && cellEnd === open)
      cells.push(value.includes('"') ? textOf(value.replaceAll('""', '"')) : value);
    else if (value !== undefined) {
      plain = false;
      if (text.slice(open, cellEnd).trim() !== '') fault ??= sourceProblem('cell_after_quote', {});
      else {
        // Padding around quotes is allowed: exports with aligned columns have it.
        quoted += text.slice(from, open);
        from = cellEnd;
      }
    } else {
      const bare = text.slice(cell, cellEnd);
      plain &&= !bare.includes('"');
      cells.push(bare);
    }
    if (cellEnd === rowEnd) {
      const rest = plain ? undefined : quoted + text.slice(from, rowEnd);
      return { cells, raw: text.slice(at, rowEnd), quoted: rest, end: end + 1, lines, fault };
    }
    cell = cellEnd + 1;
  }
}

/** Called only within the text: a read beyond its end deoptimizes the function for good. */
function isQuote(text: string, at: number): boolean {
  return at < text.length && text.charCodeAt(at) === 34;
}

/** The quote that closes a cell: the first that is not doubled. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && isQuote(text, at + 1)) at = text.indexOf('"', at + 2);
  return at;
}

/** Line breaks inside a quoted cell; a file whose lines end in CR may have LF inside its cells. */
function breaks(value: string, newline: CsvDialect['newline']): number {
  if (newline === '\r') return (value.match(/\r\n?|\n/g) ?? []).length;
  let count = 0;
  for (let at = value.indexOf('\n'); at !== -1; at = value.indexOf('\n', at + 1)) count++;
  return count;
}

/** The position of a text; the length of the whole text if it is not found. */
function indexFrom(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from);
  return at === -1 ? text.length : at;
}

function endless(file: string, line: number, long: boolean): CatalogError {
  const what = long ? `does not end within ${longestRow} characters` : 'opens a quote that is never closed';
  const remedy = long ? 'Shorten it, close or double its quotes' : 'Close or double its quotes';
  return new CatalogError(
    'input_unreadable',
    `${file}: the record that begins on line ${line} ${what}. ${remedy}, or correct --delimiter and --encoding.`,
  );
}
