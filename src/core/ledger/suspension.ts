// Suspends a record that its feed no longer lists, or whose run is undone: it is never deleted, and regains its status
// when it is listed again. A record that a person suspended or the shop deleted stays as it is.
import type { Draft } from '../rows/snapshot.js';
import type { Row } from '../rows/table.js';
import { suspensionTable } from './run-tables.js';

/** The status that hides a record from customers; undefined for data without a status. */
export function suspendedStatus(row: Row): string | undefined {
  if (typeof row['status'] !== 'string') return undefined;
  return 'rating' in row ? 'rejected' : 'suspended';
}

/** Whether a record is hidden, by anyone. */
export function isSuspended(row: Row): boolean {
  const { status } = row;
  return status === 'suspended' || (status === 'rejected' && 'rating' in row);
}

/**
 * Suspends a record.
 * @param row the version of the record to be saved, which is changed
 * @param run the identifier of the suspending run
 * @returns false if it is suspended or deleted already
 */
export function suspendRecord(row: Row, run: string, draft: Draft): boolean {
  const status = suspendedStatus(row);
  if (status === undefined || isSuspended(row) || row['status'] === 'deleted') return false;
  const id = String(row['id']);
  const known = draft.find(suspensionTable, 'id', id);
  draft.save(suspensionTable, { id, status: String(row['status']), run }, known ?? null);
  row['status'] = status;
  return true;
}

/** Removes the entry about a suspension when the record has another status again. */
export function forgetSuspension(row: Row, draft: Draft): void {
  const known = draft.find(suspensionTable, 'id', String(row['id']));
  if (known !== undefined && known.status !== '' && !isSuspended(row))
    draft.save(suspensionTable, { ...known, status: '' }, known);
}
