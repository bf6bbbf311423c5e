// Splits the original text of a refused row into cells.
import type { SourceForm } from '../../../source/source.js';

/** The cells of a record; with `names` if it has names of its own. */
export interface RawCells {
  readonly cells: readonly string[];
  readonly names?: readonly string[];
}

/** Splits the text of a record by the syntax of its file. Text that cannot be split is one cell. */
export function rawCells(raw: string, { format, delimiter = ',' }: Pick<SourceForm, 'format' | 'delimiter'>): RawCells {
  if (format === 'csv' || format === 'tsv') return { cells: lastRow(raw, delimiter) };
  return format === 'xml' ? whole(raw) : members(raw);
}

function whole(text: string): RawCells {
  return { cells: [text], names: ['record'] };
}

/** The members of a JSON record, lists and objects as JSON. */
function members(text: string): RawCells {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return whole(text);
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return whole(text);
  const entries = Object.entries(record);
  return {
    names: entries.map(([name]) => name),
    cells: entries.map(([, value]) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))),
  };
}

/** The cells of a row. A title row may precede it: the last row is used. */
function lastRow(text: string, delimiter: string): string[] {
  let cells: string[] = [];
  let at = 0;
  for (;;) {
    const quoted = text[at] === '"';
    const { cell, end } = quoted ? quotedCell(text, at + 1, delimiter) : plainCell(text, at, delimiter);
    cells.push(cell);
    if (end >= text.length) return cells;
    at = end + 1;
    const isLineEnd = text[end] !== delimiter;
    if (isLineEnd && text[end] === '\r' && text[at] === '\n') at++;
    if (isLineEnd && at < text.length) cells = [];
    else if (isLineEnd) return cells;
  }
}

interface SplitCell {
  readonly cell: string;
  readonly end: number;
}

function plainCell(text: string, from: number, delimiter: string): SplitCell {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end++;
  return { cell: text.slice(from, end), end };
}

/** A quoted cell. Text after its closing quote (a damaged cell) belongs to it. */
function quotedCell(text: string, from: number, delimiter: string): SplitCell {
  let cell = '';
  let at = from;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { cell: cell + text.slice(at), end: text.length };
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      const { cell: rest, end } = plainCell(text, quote + 1, delimiter);
      return { cell: cell + rest, end };
    }
    cell += '"';
    at = quote + 2;
  }
}
