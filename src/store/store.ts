// The port of the rooms below: where rows are kept. SQLite keeps them in a file (sqlite-store.ts), memory-store.ts in maps,
// and dry-run-store.ts around another store what a dry run would change. All pass test/store/contract.ts.
import { CatalogError } from '../core/errors.js';
import type { Draft, HeadLookup, Pending, RowSink, SavedRows } from '../core/rows/snapshot.js';
import type { Row, Table } from '../core/rows/table.js';

/** A plan reads a draft and yields whenever something is pending; the store loads it and lets the plan go on. */
export type Plan<T> = (draft: Draft) => Generator<void, T>;

/** Rows of a table in the store's own order: the first ones, or those behind a row. */
export interface PageRequest {
  /** The identifier (`id`) of the row that the page begins behind. */
  readonly after?: string;
  readonly limit: number;
}

/** The failure of a scan that is to begin behind a row that never was. */
export function noSuchRow({ name }: Table, id: string): CatalogError {
  return new CatalogError('not_found', `There is no ${name} with the identifier ${id}.`);
}

/** How much an import puts into one transaction. */
export interface Pace {
  /** Items that a transaction waits for. */
  readonly mostItems: number;
  /** What it should take at most, in milliseconds. */
  readonly longest: number;
}

/** Most rows, and most bytes of their texts in one column. */
export interface RowBounds {
  readonly rows: number;
  readonly column: string;
  readonly bytes: number;
}

/**
 * A store runs the decision, never the other way round: it loads in bulk what a plan asks for, and keeps what the plan
 * saved in its draft, all in one transaction. Every verb throws a `CatalogError` when the store cannot serve; nothing
 * of the plan is kept then.
 */
export interface Store {
  /** What an import puts into one transaction; a moderate amount when not given. */
  readonly pace?: Pace;
  /** Runs a plan on a consistent view and keeps nothing of it; takes no write lock. */
  read<T>(plan: Plan<T>): Promise<T>;
  /**
   * Runs a plan on a page of a table's rows, on a consistent view, and keeps nothing of it. The table has a column `id`.
   * The order is the store's own and does not change: page after page gives every row that is there all along exactly
   * once, and fewer rows than the limit only at the end. Throws `not_found` where no row has the identifier `after`.
   */
  scan<R extends Row, T>(
    table: Table<R>,
    page: PageRequest,
    plan: (rows: readonly R[], draft: Draft) => Generator<void, T>,
  ): Promise<T>;
  /** Loads what is pending elsewhere, on a consistent view: what a store around this one asks it. */
  load(pending: Pending, sink: RowSink): Promise<void>;
  /** `Snapshot.heads` of the rows that are stored, for a store around this one. */
  readonly heads?: HeadLookup;
  /** Keeps rows that were decided elsewhere, in one transaction; whether it has one of the changed ones is not known. */
  save(saved: ReadonlyMap<Table, SavedRows>): Promise<void>;
  /** Runs a plan in a write transaction; once this resolves, what the plan saved is durable. */
  write<T>(plan: Plan<T>): Promise<T>;
  /**
   * Runs the plan of a dry run: what it saves never reaches the catalog. New records get provisional identifiers. A store
   * around another one shows it to later plans, any other keeps nothing of it.
   */
  dryRun<T>(plan: Plan<T>): Promise<T>;
  /** Every row of a small table of bookkeeping. */
  readAll<R extends Row>(table: Table<R>): Promise<readonly R[]>;
  /** Deletes the rows of a table of bookkeeping (one with `created_at`) that were made at or before a time, in Unix seconds. */
  deleteExpired(table: Table, time: number): Promise<void>;
  /**
   * Up to which time the rows of such a table have to go so that the others keep within bounds; undefined where all do.
   */
  timeBeyond(table: Table, bounds: RowBounds): Promise<number | undefined>;
  /**
   * A number that is higher once anything was committed since it was asked for last, by whichever process: what was read
   * after asking stays true while it stays. Undefined, or no such method, where the store cannot tell at once: then every
   * read has to ask it.
   * @throws CatalogError `catalog_unavailable`
   */
  readonly changeCount?: () => number | undefined;
  close(): Promise<void>;
}
