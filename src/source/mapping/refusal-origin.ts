// Records that came back in a file of refused rows: what is told behind them says where they stood in the file they are
// from, and what they are here for.
import { refusalColumns } from '../column-targets.js';

/** Where a record came from. */
export interface RefusalOrigin {
  /** Its line in the file it was refused from. */
  readonly line: number;
  /** It was not refused itself: another one looks it up, and no item is made of it. */
  readonly isLookedUp: boolean;
  /** Its empty cells were filled there; tables, which take rows as they are, have the one that was not. */
  readonly isFilled: boolean;
}

/**
 * Tells the origin of records; undefined for one that is here for the first time.
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
