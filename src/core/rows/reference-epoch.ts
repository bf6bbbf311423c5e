// A counter that every change to a record that others refer to increments, in the transaction of that change. A
// decision about an item that was made under one value is valid for as long as the value stays the same
// (recognize-items.ts).
import type { SavedRows } from './snapshot.js';
import { column, defineTable, type Row, type RowOf, type Table } from './table.js';

/** One row. A store without it keeps no fingerprints. */
export const epochTable = defineTable(
  'reference_epoch',
  {
    /** `epochId` */
    id: column.text,
    /**
     * The secret key of the catalog's fingerprints, two signed 32-bit numbers: nobody can construct two items with the
     * same fingerprint.
     */
    key_high: column.integer,
    key_low: column.integer,
    /** From 1. */
    count: column.integer,
    /** When it was last incremented, in Unix seconds. */
    moved_at: column.integer,
  },
  { id: ['id'] },
);

export type EpochRow = RowOf<typeof epochTable>;

export const epochId = 'references';

/**
 * Whether saving these rows increments the counter. New records do not: nothing that was accepted can refer to them.
 */
export function movesEpoch(saved: ReadonlyMap<Table, SavedRows>): boolean {
  for (const [{ isReferredTo }, { changed }] of saved) if (isReferredTo === true && changed.size > 0) return true;
  return false;
}

/** Removes the fingerprint from a row that something other than an item changed (`Table.fingerprint`). */
export function dropFingerprint(table: Table, row: Row, before: Row): void {
  const { fingerprint } = table;
  if (fingerprint === undefined || fingerprint.some((name) => row[name] !== before[name])) return;
  for (const name of fingerprint) row[name] = 0;
}
