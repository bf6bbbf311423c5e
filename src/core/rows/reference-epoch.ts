// How far the records have come that others refer to: a count that every change of theirs moves on, in the transaction of that
// change. What was decided of an item under a count holds for as long as the count stays the same (applied-items.ts).
import type { SavedRows } from './snapshot.js';
import { column, defineTable, type Row, type RowOf, type Table } from './table.js';

/** One row. A store that has none keeps no fingerprints. */
export const epochTable = defineTable(
  'reference_epoch',
  {
    /** `epochId` */
    id: column.text,
    /** The key of the catalog's fingerprints, 32 bits each with a sign: nobody can make two items of one fingerprint. */
    key_high: column.integer,
    key_low: column.integer,
    /** From 1. */
    count: column.integer,
    /** When it was moved on last, in Unix seconds. */
    moved_at: column.integer,
  },
  { id: ['id'] },
);

export type EpochRow = RowOf<typeof epochTable>;

export const epochId = 'references';

/** Whether saving these rows moves the epoch on. New records do not: nothing that was accepted can refer to them. */
export function movesEpoch(saved: ReadonlyMap<Table, SavedRows>): boolean {
  for (const [{ isReferredTo }, { changed }] of saved) if (isReferredTo === true && changed.size > 0) return true;
  return false;
}

/** Marks a row as one that no item was applied to, where whoever changed it named no item (`Table.fingerprint`). */
export function dropFingerprint(table: Table, row: Row, before: Row): void {
  const { fingerprint } = table;
  if (fingerprint === undefined || fingerprint.some((name) => row[name] !== before[name])) return;
  for (const name of fingerprint) row[name] = 0;
}
