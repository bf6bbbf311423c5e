// The line of a row in the file that it was refused in: a file of refused rows has it in `_line`.
import { refusalColumns } from '../../column-targets.js';

const isLine = /^\d{1,15}$/;

/**
 * Reads it; undefined for a record that does not come from a file of refused rows.
 * @param columns the file's columns; undefined for records that are objects
 */
export function originalLine(columns: readonly string[] | undefined): (record: unknown) => number | undefined {
  const [name = ''] = refusalColumns;
  const at = columns?.lastIndexOf(name) ?? -1;
  if (columns !== undefined && at === -1) return () => undefined;
  return (record) => {
    const written = columns === undefined ? Object(record)[name] : (record as readonly unknown[])[at];
    const line = String(written ?? '').trim();
    return isLine.test(line) ? Number(line) : undefined;
  };
}
