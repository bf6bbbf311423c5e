// What undoing needs to know, and what it makes of a record.
import type { Resource } from '../resource.js';
import type { Row } from '../rows/table.js';
import type { ChangeLog } from './change-log.js';
import type { KeptField } from './kept-field.js';
import type { RecordState, StateRow } from './record-timeline.js';
import type { ChangeOfRun } from './recorded-change.js';

/** A record with all its changes that an undo needs, in the order of the ledger. */
export interface RecordHistory {
  readonly id: string;
  readonly changes: readonly ChangeOfRun[];
}

/** What feeds list by the runs that count. */
export interface UndoneListings {
  /** Whether one of them read a record after another run. */
  isListed(resource: Resource, record: Row, after: number): boolean;
  /**
   * Whether a run suspends a record that is shown, as its feed lists it no longer, and no other does.
   * @returns undefined if that is not known
   */
  suspends(resource: Resource, record: Row, run: number): boolean | undefined;
  /** The runs that do. */
  suspending(resource: Resource, record: Row): readonly number[];
}

/** What undoing needs beside the changes. */
export interface UndoContext {
  readonly resource: Resource;
  readonly now: number;
  readonly log: ChangeLog;
  /** The identifier of the undoing run. */
  readonly run: string;
  /** Whether a run counts once the undo is done. */
  readonly counts: (run: number) => boolean;
  /** Whether the undo is about a run: takes it back, or brings it back. */
  readonly concerns: (run: number) => boolean;
  readonly listings: UndoneListings;
}

/** What becomes of a record. */
export interface Undoing {
  readonly id: string;
  readonly stored: StateRow;
  readonly today: RecordState;
  /** What rows become, by their keys. */
  readonly next: Map<string, StateRow>;
  readonly kept: KeptField[];
  isSuspended: boolean;
}

/** The row of the record itself, as it is to be saved. */
export function rootOf({ stored, next }: Undoing): Row {
  for (const { table, row } of next.values()) if (table === stored.table) return row;
  return stored.row;
}
