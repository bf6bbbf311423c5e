// Suspends a record that its feed no longer lists, or whose creation is undone: it is never deleted, and regains its status
// when it is listed again. A record that a person suspended or the shop deleted stays as it is.
import type { Draft } from '../rows/snapshot.js';
import type { Row, RowOf } from '../rows/table.js';
import type { ChangedRow } from './change-log.js';
import { suspensionTable } from './run-tables.js';

/** The status that hides a record from customers; undefined for data without a status. */
export function suspendedStatus(row: Row): string | undefined {
  if (typeof row['status'] !== 'string') return undefined;
  return 'rating' in row ? 'rejected' : 'suspended';
}

/** Whether customers of the shop see a record with this status. */
export function isShown(status: unknown): boolean {
  return status === 'activated' || status === 'published';
}

export function isSuspended(row: Row): boolean {
  const { status } = row;
  return status === 'suspended' || (status === 'rejected' && 'rating' in row);
}

/**
 * Suspends a record.
 * @param row the version of the record to be saved, which is changed
 * @param run the identifier of the suspending run
 * @returns the saved row about the suspension; undefined if the record is suspended or deleted already
 */
export function suspendRecord(row: Row, run: string, draft: Draft): ChangedRow | undefined {
  const status = suspendedStatus(row);
  if (status === undefined || isSuspended(row) || row['status'] === 'deleted') return undefined;
  const id = String(row['id']);
  const before = draft.find(suspensionTable, 'id', id);
  const next = { id, status: String(row['status']), run };
  draft.save(suspensionTable, next, before ?? null);
  row['status'] = status;
  return { table: suspensionTable, before, next };
}

export type Suspension = RowOf<typeof suspensionTable>;

/** A suspension that is over. @param isGiven whether an item gave the record a status, and it did not just regain the former one */
export function endedSuspension(suspension: Suspension, isGiven: boolean): Suspension {
  return { ...suspension, status: '', run: isGiven ? suspension.run : '' };
}

const undone = 'undo ';

/** The `run` of a suspension of a record whose creation was undone. */
export function byUndo(run: string): string {
  return undone + run;
}

/** Whether what lists a record creates it: it is not there, or its creation was undone. */
export function isToBeCreated(record: Row | undefined, draft: Draft): boolean {
  if (record === undefined) return true;
  if (!isSuspended(record) || !draft.some(suspensionTable)) return false;
  const suspension = draft.find(suspensionTable, 'id', String(record['id']));
  return suspension !== undefined && isTakenBack(suspension);
}

/** Whether a suspension is that of a record whose creation was undone. */
export function isTakenBack({ status, run }: Suspension): boolean {
  return status !== '' && run.startsWith(undone);
}
