// What undoing makes of a record.
import type { Row, Table } from '../rows/table.js';
import type { KeptField } from './kept-field.js';
import type { RankedHistory } from './ranked-history.js';
import { keyOf, type RecordState, type StateRow } from './record-timeline.js';
import { suspensionTable } from './run-tables.js';
import type { Suspension } from './suspension.js';

/** What becomes of a record. */
export interface Undoing {
  readonly id: string;
  readonly stored: StateRow;
  readonly today: RecordState;
  /** What rows become, by their keys. */
  readonly next: Map<string, StateRow>;
  readonly kept: KeptField[];
  /** What ranked feeds sent of it. */
  readonly ranked: RankedHistory | undefined;
  /** What feeds send of it that is to be applied by the rules of an import, by member of their offers. */
  readonly again: Map<string, unknown>;
  isSuspended: boolean;
}

/** The row of the record itself, as it is to be saved. */
export function rootOf({ stored, next }: Undoing): Row {
  for (const { table, row } of next.values()) if (table === stored.table) return row;
  return stored.row;
}

/** What is stored about the suspension of a record, in a state of it. */
export function suspensionOf(state: RecordState): Suspension | undefined {
  for (const { table, row } of state.values()) if (table.name === suspensionTable.name) return row as Suspension;
  return undefined;
}

/** Changes what is stored about the suspension of a record. */
export function noteSuspension({ id, next }: Undoing, status: string, run: string): void {
  next.set(keyOf(suspensionTable.name, [id]), { table: suspensionTable as Table, row: { id, status, run } });
}
