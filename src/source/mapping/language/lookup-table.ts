// A lookup table of a mapping, as expressions see it.
import type { Problem } from '../../../core/diagnostics/refusal-codes.js';
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';

/** A row of a lookup table. */
export type TableRow = Readonly<Record<string, string>>;

/** A record that is not a row of a lookup table. */
export interface MissedRecord {
  readonly line: number;
  readonly text: string;
  /** Why the mapping could not take it; undefined if it could not be read. */
  readonly problem?: Problem | undefined;
  /** Its key, if it could be read. */
  readonly key?: string;
}

/** A lookup table: the columns of its rows, and the rows by key. */
export interface LookupTable {
  readonly columns: readonly string[];
  readonly rows: { get(key: string): readonly TableRow[] | undefined };
  /** A record that could not be read or mapped and may have this key, as the first one or at all. */
  readonly missed?: (key: string, which: 'first' | 'any') => MissedRecord | undefined;
  /** The columns that may be missing in its file, and are. */
  readonly absent?: readonly string[];
}

/** Why an item is refused that looks up a key which a missed record may have. */
export function missedProblem(
  { line, problem }: MissedRecord,
  looked: { readonly source: string; readonly key: string; readonly table: string },
  field = '',
): Problem {
  if (problem === undefined) return sourceProblem('damaged_table_row', { ...looked, line }, field);
  return { ...problem, field, message: `table ${looked.table}, line ${line}: ${problem.message}` };
}
