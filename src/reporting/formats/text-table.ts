// Tables of text: as wide as they are where that fits, else with their cells wrapped between words, and where the longest words of a
// row do not fit next to each other, one cell below the other.

import { breakWideWords, displayWidth, padToWidth } from './display-width.js';

const gap = '  ';

/** What is not broken: a word, or a time with its offset. */
const word = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d|\S+/g;

const wordsOf = (text: string): readonly string[] => text.match(word) ?? [''];

/** A table whose first line is its head. @param width columns that it may have; undefined for as many as it needs */
export function textTable(lines: readonly (readonly string[])[], width: number | undefined): string {
  const { head, rows } = tableLayout(lines, width);
  return head + rows(lines.slice(1));
}

/** How a table is written, page by page. */
export interface TableLayout {
  readonly head: string;
  rows(rows: readonly (readonly string[])[]): string;
}

/** The layout that fits the head and the first rows of a table. */
export function tableLayout(lines: readonly (readonly string[])[], width: number | undefined): TableLayout {
  const [head = []] = lines;
  const natural = naturalWidths(lines);
  const room = (width ?? Number.POSITIVE_INFINITY) - gap.length * (natural.length - 1);
  const words = wordWidths(lines);
  if (sum(natural) > room && sum(words) > room)
    return { head: '', rows: (rows) => rows.map((row) => `${block(head, row, width ?? 0)}\n`).join('') };
  const widths = sum(natural) <= room ? natural : sharedWidths(natural, words, room);
  const line = sum(natural) <= room ? joined : wrappedRow;
  return { head: text([line(head, widths)]), rows: (rows) => text(rows.map((row) => line(row, widths))) };
}

/** A row as a block: the name of each cell, and its value wrapped next to it. */
function block(head: readonly string[], row: readonly string[], width: number): string {
  return labelled(
    head.map((name, i) => [name, row[i] ?? '']),
    width,
  );
}

/** Values next to their names, wrapped: two cells a line. */
export function labelled(lines: readonly (readonly string[])[], width = Number.POSITIVE_INFINITY): string {
  const [names = 0] = naturalWidths(lines);
  const widths = [names, Math.max(1, width - names - gap.length)];
  return text(lines.map((line) => wrappedRow(line, widths)));
}

/** A row as many lines high as its longest cell has. */
export function wrappedRow(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, i) => wrapped(cell, widths[i] ?? 0).split('\n'));
  const height = Math.max(...cells.map((lines) => lines.length));
  const line = (at: number): string[] => cells.map((lines) => lines[at] ?? '');
  return Array.from({ length: height }, (_, at) => joined(line(at), widths)).join('\n');
}

/**
 * The widths of columns: each has room for its longest word, and what is left goes in equal shares to those that need more. Where
 * not even the words fit, they stay whole.
 */
export function sharedWidths(natural: readonly number[], words: readonly number[], width: number): number[] {
  const given = [...words];
  const need = (i: number): number => (natural[i] ?? 0) - (given[i] ?? 0);
  let open = natural.map((_, i) => i).filter((i) => need(i) > 0);
  for (let left = width - sum(given); open.length > 0 && left >= open.length; ) {
    const share = Math.floor(left / open.length);
    // What needs less leaves more to the others.
    const fitting = open.filter((i) => need(i) <= share);
    for (const i of fitting.length > 0 ? fitting : open) {
      const more = Math.min(share, need(i));
      given[i] = (given[i] ?? 0) + more;
      left -= more;
    }
    open = open.filter((i) => need(i) > 0);
  }
  return given;
}

/** Breaks a text between words, where it is too wide. A word that is longer than the width stays whole, but for one in Chinese. */
export function wrapped(words: string, width: number): string {
  if (!words.includes('\n') && displayWidth(words) <= width) return words;
  const lines: string[] = [];
  for (const word of wordsOf(words).flatMap((one) =>
    /\p{Script=Han}/u.test(one) ? breakWideWords(one, width).split('\n') : [one],
  )) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(last) + 1 + displayWidth(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

/** The widths of the columns of a table. */
export function naturalWidths(lines: readonly (readonly string[])[]): number[] {
  return widthsBy(lines, displayWidth);
}

/** The widths of the longest words in the columns of a table. */
export function wordWidths(lines: readonly (readonly string[])[]): number[] {
  return widthsBy(lines, (cell) => Math.max(...wordsOf(cell).map(displayWidth)));
}

function widthsBy(lines: readonly (readonly string[])[], widthOf: (cell: string) => number): number[] {
  return (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => widthOf(line[i] ?? ''))));
}

function joined(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, i) => (i === cells.length - 1 ? cell : padToWidth(cell, widths[i] ?? 0)))
    .join(gap)
    .trimEnd();
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
