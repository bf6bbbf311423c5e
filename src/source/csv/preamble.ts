// The preamble of a table: lines above its header, such as titles, addresses and dates. Its length or the header's names
// are given, or it is detected by the shape of the rows below.
import { CatalogError } from '../../core/errors.js';
import { fold } from '../../core/text/text.js';
import { delimiters } from './csv-dialect.js';

export interface HeaderRule {
  /** Lines above it. */
  readonly skip?: number;
  /** Names in the header: the first row with all of them is the header. */
  readonly containing?: readonly string[];
}

export function isHeader({ skip = 0, containing = [] }: HeaderRule, cells: readonly string[], line: number): boolean {
  if (line <= skip) return false;
  if (containing.length === 0) return true;
  const names = new Set(cells.map((cell) => fold(cell.trim())));
  return containing.every((name) => names.has(fold(name.trim())));
}

/** No row matches the header rule. */
export function headless(file: string, { skip, containing }: HeaderRule): CatalogError {
  const names = containing?.map((name) => JSON.stringify(name)).join(', ');
  const what = names === undefined ? `has no row after line ${skip}` : `has no row with the columns ${names}`;
  return new CatalogError('usage', `${file}: ${what}; correct skip or header in the mapping's read, or --skip.`);
}

/** The beginning of a table from its header on, for detecting its delimiter. */
export function fromHeader(head: string, { skip = 0, containing = [] }: HeaderRule): string {
  let line = 0;
  for (let at = 0; at < head.length; ) {
    const end = lineEnd(head, at);
    const text = fold(head.slice(at, end));
    if (++line > skip && text.trim() !== '' && containing.every((name) => text.includes(fold(name.trim()))))
      return head.slice(at);
    at = end + (head.startsWith('\r\n', end) ? 2 : 1);
  }
  return head;
}

function lineEnd(text: string, at: number): number {
  const end = text.slice(at, at + 65_536).search(/[\r\n]/);
  return end === -1 ? text.length : at + end;
}

/** Rows that are examined, and how many of them must have the same number of delimiters. */
const looked = 200;
const fewest = 3;
const nearlyAll = 0.8;

/**
 * Counts the lines above the header by the rows below: nearly all of these have the same number of delimiters, and the
 * first lines have fewer.
 * @param isSheet whether a row of the table is one line, whatever its cells hold
 */
export function preambleLines(head: string, isSheet = false): number {
  const rows = rowsOf(head);
  const texts = rows.map(({ text }) => text);
  return rows
    .slice(0, preambleRows(texts, isSheet ? [','] : delimiters))
    .reduce((sum, { lines }) => sum + (isSheet ? 1 : lines), 0);
}

/** A row with the number of its lines: a quoted cell may contain line ends. */
interface HeadRow {
  readonly text: string;
  readonly lines: number;
}

/** Maximum lines that a quoted cell joins; a quote that is open for longer is a sign for inches. */
const mostJoined = 50;

function rowsOf(head: string): HeadRow[] {
  const lines = head.split(/\r\n|\r|\n/, looked + mostJoined);
  // The last one may be incomplete.
  if (lines.length > 1) lines.pop();
  const rows: HeadRow[] = [];
  for (let at = 0; at < lines.length && rows.length < looked; ) {
    let text = lines[at] ?? '';
    let count = 1;
    while (hasOpenQuote(text) && count < mostJoined && at + count < lines.length)
      text += ` ${lines[at + count++] ?? ''}`;
    if (hasOpenQuote(text)) [text, count] = [lines[at] ?? '', 1];
    rows.push({ text, lines: count });
    at += count;
  }
  return rows;
}

/** Whether a quoted cell, which begins a line or follows a delimiter, has no end in a text. */
function hasOpenQuote(text: string): boolean {
  // Blanks only, not \s: a run of tabs would be searched again from each of its tabs.
  return /(?:^|[,;\t|]) *"[^"]*$/.test(text.replace(/(^|[,;\t|]) *"(?:[^"]|"")*"(?= *(?:[,;\t|]|$))/g, '$1'));
}

function preambleRows(rows: readonly string[], candidates: readonly string[]): number {
  let best = { lines: 0, skip: 0 };
  for (const delimiter of candidates) {
    const lines = rows.map((row) => withoutQuoted(row, delimiter));
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const usual = mostFrequent(counts.filter((_, i) => (lines[i] ?? '').trim() !== ''));
    const first = counts.indexOf(usual);
    const below = counts.slice(first).filter((_, i) => (lines[first + i] ?? '').trim() !== '');
    const alike = below.filter((count) => count === usual).length;
    const above = counts.slice(0, first);
    const filled = filledIn(lines, delimiter);
    const most = Math.max(...filled.filter((count) => filled.filter((other) => other >= count).length >= fewest), 0);
    // Spreadsheets write as many delimiters after a title as in a row.
    // A header lacks the delimiter that rows end in, and has as many names as they have cells.
    let header = Math.min(first, most > 0 ? filled.findIndex((count) => count >= most) : first);
    while (header < lines.length - 1 && (filled[header] ?? 0) * 3 <= most) header++;
    header = lowestHeader(lines, delimiter, { header, filled, most });
    const isTable = usual > 0 && alike >= fewest && alike >= below.length * nearlyAll;
    if (isTable && above.every((count) => count < usual) && alike > best.lines) best = { lines: alike, skip: header };
  }
  return best.skip;
}

/** A line whose quoted cells are cut to their first letter: what is in them, such as JSON, has no delimiters. */
function withoutQuoted(line: string, delimiter: string): string {
  const between = delimiter === '|' ? '\\|' : delimiter;
  const quoted = new RegExp(`(^|${between}) *"((?:[^"]|"")*)"(?= *(?:${between}|$))`, 'g');
  return line.replace(quoted, (_, before: string, text: string) => `${before}${text.trimStart().charAt(0)}`);
}

/** Maximum lines of a header with several lines. */
const mostHeaders = 4;

/**
 * The last of several header lines, below a first line with fewer cells: `TemplateType=…`, then names for people, then
 * those for programs. Their cells begin with letters, and rows below contain numbers.
 */
function lowestHeader(
  lines: readonly string[],
  delimiter: string,
  { header, filled, most }: { readonly header: number; readonly filled: readonly number[]; readonly most: number },
): number {
  if ((filled[header] ?? 0) >= most) return header;
  const cellsOf = (line: string) => line.split(delimiter).filter((cell) => cell.trim() !== '');
  const isNames = (line: string) => cellsOf(line).every((cell) => /^[\s"]*\p{L}/u.test(cell));
  let last = header;
  for (let at = header + 1; at <= header + mostHeaders; at++)
    if ((filled[at] ?? 0) >= most && isNames(lines[at] ?? '')) last = at;
    else if (last > header) break;
  const below = lines.slice(last + 1).filter((line) => line.trim() !== '');
  const hasRecords = below.length >= fewest && below.every((line) => !isNames(line));
  return hasRecords ? last : header;
}

/** The number of cells with text in each line. */
function filledIn(lines: readonly string[], delimiter: string): number[] {
  return lines.map((line) => line.split(delimiter).filter((cell) => /[^\s"]/.test(cell)).length);
}

function mostFrequent(counts: readonly number[]): number {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  let usual = 0;
  for (const [count, often] of times) if (often > (times.get(usual) ?? 0)) usual = count;
  return usual;
}
