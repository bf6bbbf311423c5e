// Where a row is, in words, and the problems of items that are made of several rows.
import type { Problem } from './refusal-codes.js';

/** Where a row is: its line, or the number of its record where the line does not tell it from others. */
export const rowPhrase = (line: number | string, record: number | string | undefined = 0): string =>
  Number(record) === 0 ? `line ${line}` : `record ${record}`;

/**
 * A problem of an item that is made of several rows, with the row it is in: the line of the item is that of its first one.
 * @param first the first row of the item
 */
export function problemOfRow(problem: Problem, row: RowOfItem, first: RowOfItem): Problem {
  const { code, message, params = {} } = problem;
  // Rows that disagree are named both.
  const isTold = code === 'mapping_rows_disagree' || Object.hasOwn(params, 'row');
  if (isTold || row.number === first.number) return problem;
  const place = rowPhrase(row.line, row.line === first.line ? row.number : 0);
  return { ...problem, message: `${place}: ${message}`, params: { ...params, row: row.number } };
}

/** A row of an item: its line, which others may share, and the number of its record. */
interface RowOfItem {
  readonly line: number;
  readonly number: number;
}
