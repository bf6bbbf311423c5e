// A lookup table of a mapping, as expressions see it.
import type { Problem } from '../../../core/diagnostics/refusal-codes.js';
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import type { RowPlace } from '../../file-place.js';
import { WrittenNumber } from '../../json/written-number.js';
import { type Aggregate, combinedAll, ofNumbers, type RowValue } from '../rows/aggregate.js';
import { knownNumber, type OneValue } from '../values/known-number.js';

export interface TableRow extends RowPlace {
  readonly cells: Readonly<Record<string, OneValue>>;
  /** The key of the row above it, in a tree. */
  readonly parent?: string;
}

/** A record that is not a row of a lookup table. */
export interface MissedRecord {
  readonly line: number;
  /** The number of the record where all of the table are on one line, else 0. */
  readonly record: number;
  readonly text: string;
  /** Why the mapping could not take it; undefined if it could not be read. */
  readonly problem?: Problem | undefined;
  /** Its key, if it could be read. */
  readonly key?: string;
}

/** A lookup table: the columns of its rows, and the rows by key. */
export interface LookupTable {
  readonly columns: readonly string[];
  readonly rows: ReadonlyMap<string, readonly TableRow[]>;
  /** The columns that give the currency next to an amount. */
  readonly currencies?: readonly string[];
  /** What several rows of a key give for a column. */
  readonly aggregates?: Readonly<Record<string, Aggregate | undefined>>;
  /** A record that could not be read or mapped and may have this key. */
  readonly missed?: (key: string) => MissedRecord | undefined;
  /** The columns that may be missing in its file, and are. */
  readonly absent?: readonly string[];
}

/** The cell of a key in a column; undefined if no row has the key. @param refuse is given why its rows disagree */
export function cellOfKey(
  { rows, aggregates = {} }: LookupTable,
  key: string,
  column: string,
  refuse: (first: RowValue, second: RowValue) => void,
): OneValue | undefined {
  const found = rows.get(key);
  const [only, ...others] = found ?? [];
  if (found === undefined || only === undefined) return undefined;
  if (others.length === 0) return only.cells[column];
  const values = found.map(({ cells, line, number }) => ({ value: cells[column] ?? '', line, number }));
  const how = aggregates[column];
  const value = combinedAll(values, how, refuse) ?? '';
  if (value instanceof WrittenNumber) return value;
  return ofNumbers.has(how) ? knownNumber(String(value)) : String(value);
}

/** Why an item is refused that looks up a key which a missed record may have. */
export function missedProblem(
  { line, record, problem }: MissedRecord,
  looked: { readonly source: string; readonly key: string; readonly table: string },
  field = '',
): Problem {
  if (problem === undefined) return sourceProblem('damaged_table_row', { ...looked, line, record }, field);
  const row = record === 0 ? `line ${line}` : `record ${record}`;
  return { ...problem, field, message: `table ${looked.table}, ${row}: ${problem.message}` };
}
