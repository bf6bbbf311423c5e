// What is wrong with the form of a row: another number of cells than the header, an amount cut by its decimal comma, rows
// within a quoted cell.
import type { Problem } from '../../core/diagnostics/refusal-codes.js';
import { sourceProblem } from '../../core/diagnostics/source-problems.js';
import type { Fields } from '../../core/fields/fields.js';
import { columnTarget, refusalColumns } from '../column-targets.js';
import { type CsvDialect, delimiters } from './csv-dialect.js';

/**
 * The remedy for a row with another number of cells. One that contains other line ends may be thousands of rows.
 * @param amount an amount whose comma may have made two cells of it
 */
export function wrongCellCount(
  { cells, columns, amount }: { readonly cells: number; readonly columns: number; readonly amount: string | undefined },
  raw: string,
  { delimiter, newline }: CsvDialect,
): Problem {
  if (raw.includes('\0')) return sourceProblem('cell_count_with_nul', { cells, columns });
  const [usual, lineEnd] = newline === '\n' ? ['LF', 'CR'] : ['CR', 'LF'];
  const lineEnds = raw.trim().split(lineEnd === 'CR' ? '\r' : '\n').length - 1;
  if (lineEnds > 0) return sourceProblem('cell_count_by_line_end', { cells, columns, lineEnds, lineEnd, usual });
  const fitting = delimiters.find((one) => one !== delimiter && columns > 1 && raw.split(one).length === columns);
  if (fitting !== undefined) return sourceProblem('cell_count_by_delimiter', { cells, columns, fitting });
  if (amount !== undefined) return sourceProblem('cell_count_by_amount', { cells, columns, amount });
  return sourceProblem('cell_count', { cells, columns, delimiter });
}

/** Which columns of a file with commas may hold amounts: those of decimal fields, and those that are called like no field. */
export function amountColumns(
  header: readonly string[],
  fields: Fields,
  { delimiter, isSheet }: CsvDialect,
): (column: number) => boolean {
  if (delimiter !== ',' || isSheet === true) return () => false;
  const may = header.map((name, i) => i > 0 && (columnTarget(name, fields)?.field.kind ?? 'decimal') === 'decimal');
  return (column) => may[column] === true;
}

/** Two cells that read as one amount with a decimal comma (12,50), or with a comma between thousands (1,234.50). */
const cutAmount = /^\p{Sc}? ?(?:(?:0|[1-9]\d{0,5}),\d{1,3}|[1-9]\d{0,2},\d{3}\.\d{2}) ?\p{Sc}?$/u;

/** Pairs of neighbouring cells without quotes that may be one amount. */
export function cutAmounts(cells: readonly string[], raw: string, isAmount: (column: number) => boolean): string[] {
  const found: string[] = [];
  for (let i = 0; i < cells.length - 1; i++) {
    const pair = `${cells[i]},${cells[i + 1]}`;
    if (!isAmount(i - found.length) || !cutAmount.test(pair.trim()) || !raw.includes(pair)) continue;
    found.push(pair.trim());
    i++;
  }
  return found;
}

/** The problem of a row, with the number of its lines where it has several: rows may be lost in it. */
export function withLines(problem: Problem, raw: string, dialect: CsvDialect): Problem {
  const lines = linesOf(raw, dialect).length;
  return lines < 2 ? problem : { ...problem, params: { ...problem.params, lines } };
}

/** The lines of a row that are not blank. */
function linesOf(raw: string, { newline, isSheet }: CsvDialect): string[] {
  if (isSheet === true || !raw.includes(newline)) return [raw];
  return raw.split(newline).filter((line) => line.trim() !== '');
}

/** How many of the lines between must have as many delimiters, and the fewest in a line. */
const nearlyAll = 0.8;
const fewest = 2;

/**
 * The problem of a row that has other rows in a quoted cell: a quote opened by mistake, and an inch mark (`19"`) closed it.
 * Its lines have as many delimiters as the header, and the first and the last one have numbers in the same columns.
 */
export function rowsInQuotes(raw: string, line: number, width: number, dialect: CsvDialect): Problem | undefined {
  const lines = linesOf(raw, dialect);
  if (lines.length < 2 || width <= fewest) return undefined;
  const least = Math.max(fewest + 1, width - 1 - refusalColumns.length);
  if ([lines[0], lines.at(-1)].some((text = '') => text.split(dialect.delimiter).length < least)) return undefined;
  const sign = `\\u${dialect.delimiter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const quoted = new RegExp(`(^|${sign})"(?:[^"]|"")*"(?=${sign}|\\r?$)`, 'g');
  // In prose a blank follows the delimiter.
  const between = new RegExp(`${sign}(?! )`);
  const rows = lines.map((text) => text.replace(quoted, (_, before: string) => `${before}x`).split(between));
  const [first = [], last = []] = [rows[0], rows.at(-1)];
  // A row that was refused before has its reasons at its end.
  const added = last.length - first.length;
  const isRow = first.length > fewest && first.length >= width - 1 - added && first.length <= width + 1;
  if (!isRow || (added !== 0 && added !== refusalColumns.length)) return undefined;
  const alike = rows.filter(({ length }) => length === first.length).length + (added === 0 ? 0 : 1);
  if (alike < rows.length * nearlyAll) return undefined;
  const kinds = first.map((cell, i) => [kindOf(cell), kindOf(last[i] ?? '')] as const);
  // The cell in which the quotes are may be a text here and a number there, where there are enough others to tell.
  const open = first.length > 3 || rows.length > 2 ? first.findIndex((cell) => cell.includes('"')) : -1;
  const isAlike = kinds.every(
    ([one, other], i) => i === 0 || i === open || one === other || one === '' || other === '',
  );
  const isKey = !/\S\s/.test(last[0] ?? '') || /\S\s/.test(first[0] ?? '');
  const hasNumber = kinds.some(([one, other], i) => i > 0 && one === 'number' && other === 'number');
  const isInches = /^(?:[^"]|"")*\d"(?!")/.test(lines.at(-1) ?? '');
  if (!isAlike || !isKey || !(hasNumber || isInches)) return undefined;
  return sourceProblem('rows_in_quotes', { count: lines.length, last: line + raw.split(dialect.newline).length - 1 });
}

function kindOf(cell: string): '' | 'number' | 'text' {
  if (cell.trim() === '') return '';
  return /\d/.test(cell) && !/\p{L}/u.test(cell) ? 'number' : 'text';
}
