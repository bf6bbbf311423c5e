// Keeps refused rows for a page within a limit: the first as they are, the others packed. Each is cut before it is
// kept, so that neither a cell of a megabyte nor a row of a thousand cells makes the page, or this process, large.
import { deflateRawSync } from 'node:zlib';
import type { RefusedRow } from '../refused-row.js';
import type { RefusedReport } from '../run-report.js';

/** Rows that are written as plain HTML, and the total of rows in the page. */
const mostPlain = 500;
const mostRows = 20_000;
/** Rows per packed part, which a page unpacks one at a time. */
const rowsPacked = 500;
/** Maximum size of the packed rows, in characters of base64. */
const mostPacked = 2_600_000;
/** Maximum characters of a cell and of a row, and cells of a row. */
const longestCell = 2_000;
const longestRow = 8_000;
const mostCells = 200;
/** Maximum characters of the names of columns, over all files. */
const longestHeads = 200_000;

export interface RefusedCollector {
  add(row: RefusedRow): void;
  /** Whether there is room for more. */
  readonly isFull: boolean;
  /** @param heads the names of the columns of each file */
  report(heads: readonly (readonly string[])[]): RefusedReport;
}

/** Keeps nothing yet. */
export function refusedCollector(): RefusedCollector {
  const first: RefusedRow[] = [];
  const packed: { text: string; rows: number }[] = [];
  let waiting: RefusedRow[] = [];
  let rows = 0;
  let size = 0;

  function pack(): void {
    if (waiting.length === 0) return;
    const text = deflateRawSync(JSON.stringify(waiting), { level: 9 }).toString('base64');
    if (size + text.length > mostPacked) rows = mostRows;
    else packed.push({ text, rows: waiting.length });
    size += text.length;
    waiting = [];
  }

  return {
    get isFull() {
      return rows >= mostRows;
    },
    add(row) {
      if (rows >= mostRows) return;
      rows++;
      const kept = cutRow(row);
      if (first.length < mostPlain) first.push(kept);
      waiting.push(kept);
      if (waiting.length === rowsPacked) pack();
    },
    report(heads) {
      pack();
      return { first, packed, heads: cutHeads(heads) };
    },
  };
}

/** The names of the columns, of as many files as fit. */
function cutHeads(heads: readonly (readonly string[])[]): string[][] {
  let left = longestHeads;
  return heads.map((names) => {
    const cut = names.slice(0, mostCells).map((name) => cutText(name.trim(), 200));
    left -= cut.reduce((sum, name) => sum + name.length, 0);
    return left < 0 ? [] : cut;
  });
}

/** A text cut to its first characters, with the number of missing ones. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not between the halves of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text[most - 1] ?? '') ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

function cutRow(row: RefusedRow): RefusedRow {
  const { cells, names, bad = [], more } = row;
  let left = longestRow;
  const cut = cells?.slice(0, mostCells).map((cell, i) => {
    // The faulty cell is what people look for: the others are cut first.
    const most = bad.includes(i) ? longestCell : Math.max(40, Math.min(longestCell, left));
    left -= Math.min(cell.length, most);
    return cutText(cell, most);
  });
  return {
    ...row,
    k: cutText(row.k, 200),
    reason: cutText(row.reason, 1_000),
    ...(more && { more: more.slice(0, 20).map((text) => cutText(text, 500)) }),
    ...(cut && { cells: cut }),
    ...(names && { names: names.slice(0, mostCells).map((name) => cutText(name, 100)) }),
  };
}
