// What undoing needs to know.
import type { Resource } from '../resource.js';
import type { Row } from '../rows/table.js';
import type { ChangeLog } from './change-log.js';
import type { ChangeOfRun } from './recorded-change.js';

/** A record with all its changes that an undo needs, in the order of the ledger. */
export interface RecordHistory {
  readonly id: string;
  /** The time from which all its changes in the ledger are included. */
  readonly since: number;
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
  /** Whether the undo changes which runs of feeds suspend a record. */
  readonly isSuspendedOtherwise: (resource: Resource, record: Row) => boolean;
  /** The feed of a run; '' for none. */
  readonly feedOf: (run: number) => string;
}
