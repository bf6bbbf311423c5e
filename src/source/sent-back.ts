// Recognizes a file of refused records by its text: their columns, or codes and reasons after the cells of rows without a
// header. The options and `read` words for the format of the source file do not apply to it.
import { refusals } from '../core/diagnostics/refusal-codes.js';
import { laterRowReason, linePattern, refusalColumns } from './column-targets.js';

/** What the text of a file of refused records shows. */
export interface SentBack {
  /** Whether the columns have names: they find the header. */
  readonly isNamed: boolean;
  /** The sign between the cells of a table. */
  readonly delimiter: string | undefined;
}

// A delimiter is several signs where the text was decoded by another encoding than its own.
const between = '"?([^\\w"\\r\\n .:]{1,3})"?';
const named = new RegExp(refusalColumns.join(between));
const codes = `(?:${Object.keys(refusals).join('|')})`;
const unnamed = new RegExp(`\\W${linePattern}${between}(?:${codes}(?:, ${codes})*(?:"|\\1)|"?\\1"?${laterRowReason})`);

/** What the beginning of a file shows of refused records that were written to it; undefined for any other file. */
export function sentBack(text: string): SentBack | undefined {
  if (refusalColumns.every((name) => text.includes(name))) return { isNamed: true, delimiter: named.exec(text)?.[1] };
  const row = unnamed.exec(text);
  return row === null ? undefined : { isNamed: false, delimiter: row[1] };
}
