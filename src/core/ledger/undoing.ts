// What undoing needs to know, and what it makes of a record.
import type { Resource } from '../resource.js';
import type { Row, Table } from '../rows/table.js';
import type { ChangeLog } from './change-log.js';
import type { KeptField } from './kept-field.js';
import type { RankedHistory } from './ranked-history.js';
import { keyOf, type RecordState, type StateRow } from './record-timeline.js';
import type { ChangeOfRun } from './recorded-change.js';
import { suspensionTable } from './run-tables.js';
import type { Suspension } from './suspension.js';

/** A record with all its changes that an undo needs, in the order of the ledger. */
export interface RecordHistory {
  readonly id: string;
  readonly changes: readonly ChangeOfRun[];
}

/** A complete run of a feed that is not undone, and its effect on a record: it lists the record, or suspends it as missing. */
export interface ListingRun {
  readonly feed: string;
  readonly run: number;
  readonly effect: 'lists' | 'suspends' | undefined;
}

/** What feeds did to a record by the runs that count and whose listings are kept, the earliest first. */
export type UndoneListings = (resource: Resource, record: Row) => readonly ListingRun[];

/** What undoing needs in addition to the changes. */
export interface UndoContext {
  readonly resource: Resource;
  readonly now: number;
  readonly log: ChangeLog;
  readonly run: string;
  readonly counts: (run: number) => boolean;
  /** Whether a run changes only what is there (`only: update`). */
  readonly onlyUpdates: (run: number) => boolean;
  /** Whether a run counted before another one began. */
  readonly countedBefore: (run: number, other: number) => boolean;
  /** The imports that the undo is about: it takes them back, or brings them back. */
  readonly concerned: ReadonlySet<number>;
  readonly listings: UndoneListings;
  /** The feed of a run; '' for none. */
  readonly feedOf: (run: number) => string;
}

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
