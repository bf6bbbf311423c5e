// Reimported records: the columns that a file of refused rows adds give the line of each row in its original file, and why
// it is in the file.
import { refusalColumns } from '../column-targets.js';

/** The origin of a reimported record. */
export interface RefusalOrigin {
  /** Its line in the original file. */
  readonly line: number;
  /** Not refused itself, but looked up by a refused record: it becomes no item. */
  readonly isLookedUp: boolean;
  /** Its empty cells were filled in the original file. Tables use the unfilled copy of the row. */
  readonly isFilled: boolean;
}

/**
 * Reads the origin of records; undefined for a record that was not refused before.
 * @param columns the file's columns; undefined for records that are objects
 */
export function refusalOrigin(columns: readonly string[] | undefined): (record: unknown) => RefusalOrigin | undefined {
  const [lineName = '', codeName = ''] = refusalColumns;
  if (columns === undefined) {
    return (record) => {
      if (typeof record !== 'object' || record === null || !Object.hasOwn(record, lineName)) return undefined;
      const { [lineName]: line, [codeName]: code } = record as Readonly<Record<string, unknown>>;
      return originFrom(String(line ?? ''), String(code ?? ''));
    };
  }
  const lineAt = columns.lastIndexOf(lineName);
  const codeAt = columns.lastIndexOf(codeName);
  if (lineAt === -1 || codeAt === -1) return () => undefined;
  return (record) => {
    const cells = record as readonly (string | undefined)[];
    return originFrom(cells[lineAt] ?? '', cells[codeAt] ?? '');
  };
}

function originFrom(line: string, code: string): RefusalOrigin | undefined {
  const match = /^(\d{1,15})( filled)?$/.exec(line.trim());
  if (match === null) return undefined;
  return { line: Number(match[1]), isLookedUp: code.trim() === '', isFilled: match[2] !== undefined };
}
