// How the transactions of several writers learn of each other: each that changes anything moves a count on (catalog.changes), and
// leaves hashes of what it wrote while others are at work. Who decided ahead of the lock finds out there whether it still holds.
import { epochId, epochTable, movesEpoch } from '../../core/rows/reference-epoch.js';
import type { SavedRows } from '../../core/rows/snapshot.js';
import type { Table } from '../../core/rows/table.js';
import { hashesWritten, packHashes } from './key-hashes.js';
import { quoted } from './schema.js';
import type { Statement } from './session.js';

/** How many transactions leave their hashes. */
const slots = 64;

/** Milliseconds for which another writer that was noticed counts as at work. */
const longestSilence = 5000;

type Saved = readonly ReadonlyMap<Table, SavedRows>[];

/** A transaction whose hashes were kept. */
export interface RecentChange {
  readonly number: number;
  readonly hashes: string;
}

export interface ChangeJournal {
  /** Whether other writers were noticed lately. */
  hasCompany(): boolean;
  /** Takes in the count as it was found under the lock. */
  found(count: number): void;
  /** Takes in the count that a transaction of this writer is about to leave, and whether it was decided under the lock. */
  leaving(count: number, isUnderLock: boolean): void;
  /** Notes that the count moved beyond this one: others are at work, unless a transaction of this writer did it. */
  movedBeyond(count: number): void;
  /** The statement that leaves the hashes of a transaction: none without company. */
  leave(count: number, saved: Saved): Statement[];
  /** The statement that finds what was written since a count, except by transactions of which no hashes are kept. */
  since(count: number, into: RecentChange[]): Statement;
}

/** The journal of a writer in a schema. */
export function changeJournal(schema: string): ChangeJournal {
  const table = `${quoted(schema)}.recent_change`;
  // The highest counts that own transactions left, or were about to.
  let own: number | undefined;
  let ownUnderLock = 0;
  let noticedAt = Number.NEGATIVE_INFINITY;
  const noticed = (): void => {
    noticedAt = performance.now();
  };
  const hasCompany = (): boolean => performance.now() - noticedAt < longestSilence;
  return {
    hasCompany,
    found(count) {
      if (own !== undefined && count > own) noticed();
    },
    movedBeyond(count) {
      if (ownUnderLock <= count) noticed();
    },
    leaving(count, isUnderLock) {
      own = Math.max(own ?? 0, count);
      if (isUnderLock) ownUnderLock = count;
    },
    leave(count, saved) {
      const hashes = hasCompany() ? hashesWritten(saved, movedEpoch(saved)) : undefined;
      if (hashes === undefined) return [];
      const sql = `INSERT INTO ${table} VALUES ($1, $2, $3) ON CONFLICT (slot) DO UPDATE SET number = excluded.number, hashes = excluded.hashes`;
      return [{ sql, values: [String(count % slots), String(count), packHashes(hashes)] }];
    },
    since: (count, into) => ({
      sql: `SELECT number, hashes FROM ${table} WHERE number > $1`,
      values: [String(count)],
      onRow: ([number, hashes]) => void into.push({ number: Number(number), hashes: String(hashes) }),
    }),
  };
}

/** The count of the epoch is moved by a statement, not by a row that was saved. */
function movedEpoch(saved: Saved): { readonly table: Table; readonly key: string }[] {
  return saved.some(movesEpoch) ? [{ table: epochTable, key: epochId }] : [];
}
