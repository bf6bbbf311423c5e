// How the transactions of several writers find out about each other. Each one that changes anything increments
// `catalog.changes`, and stores its write set while other writers are active. Later transactions validate against these sets.
import { epochId, epochTable, movesEpoch } from '../../core/rows/reference-epoch.js';
import type { SavedRows } from '../../core/rows/snapshot.js';
import type { Table } from '../../core/rows/table.js';
import { packHashes, writeSetOf } from './read-and-write-sets.js';
import { quoted } from './schema.js';
import type { Statement } from './session.js';

/** How many write sets are kept: those of the latest transactions. */
const slots = 64;

/** Milliseconds for which another writer counts as active after it was noticed. */
const longestSilence = 5000;

/** The saved rows of the plans of a transaction, by table. */
export type Saved = readonly ReadonlyMap<Table, SavedRows>[];

/** A transaction whose write set is kept. */
export interface RecentChange {
  readonly number: number;
  readonly hashes: string;
}

export interface ChangeJournal {
  /** Whether other writers are active. */
  hasCompany(): boolean;
  /** Notes the count of changes found under the lock. */
  found(count: number): void;
  /** Notes the count that a transaction of this writer is about to store, and whether it was decided under the lock. */
  leaving(count: number, isUnderLock: boolean): void;
  /** Notes that the count is higher than this: other writers are active, unless a transaction of this writer did it. */
  movedBeyond(count: number): void;
  /** The statement that stores the write set of a transaction; none where no other writer is active. */
  leave(count: number, saved: Saved): Statement[];
  /** The statement that loads the write sets stored since a count. */
  since(count: number, into: RecentChange[]): Statement;
}

/** The journal of a writer in a schema. */
export function changeJournal(schema: string): ChangeJournal {
  const table = `${quoted(schema)}.recent_change`;
  // The highest counts that transactions of this writer stored, or were about to.
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
      const hashes = hasCompany() ? writeSetOf(saved, movedEpoch(saved)) : undefined;
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

/** The epoch is incremented by a statement, and is not among the saved rows. */
function movedEpoch(saved: Saved): { readonly table: Table; readonly key: string }[] {
  return saved.some(movesEpoch) ? [{ table: epochTable, key: epochId }] : [];
}
