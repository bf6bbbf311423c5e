// The store port: where rows are kept. SQLite keeps them in a file (sqlite-store.ts), PostgreSQL in a database
// (postgres-store.ts), test/store/memory-store.ts in maps; dry-run-store.ts is a store around another one for the changes of a dry
// run. All pass test/store/contract.ts.
import { CatalogError } from '../core/errors.js';
import type { Draft, Pending, RowSink, SavedRows } from '../core/rows/snapshot.js';
import type { Row, Table } from '../core/rows/table.js';

/** A plan reads a draft and yields whenever something is pending; the store loads it and resumes the plan. */
export type Plan<T> = (draft: Draft) => Generator<void, T>;

/** Rows of a table in the store's own order: the first ones, or those after a row. */
export interface PageRequest {
  /** The identifier (`id`) of the row before the page. */
  readonly after?: string;
  readonly limit: number;
}

/** Bytes of long texts with which a page ends, at whatever row: with its limit alone, 500 rows may hold gigabytes. */
export const pageBytes = 1024 * 1024;

/**
 * The bytes of a row's long texts; from `pageBytes` on only at least so many, since counting the bytes of a large row took a
 * fifth of the time that it takes to read it.
 */
export function longBytes({ longTexts }: Table, row: Row): number {
  let bytes = 0;
  for (const name of longTexts) {
    const text = String(row[name]);
    bytes += bytes + text.length > pageBytes ? text.length : Buffer.byteLength(text);
  }
  return bytes;
}

/** Whether no row follows a page of a scan. */
export function isLastPage(table: Table, rows: readonly Row[], { limit }: PageRequest): boolean {
  return rows.length < limit && rows.reduce((bytes, row) => bytes + longBytes(table, row), 0) <= pageBytes;
}

/** The error of a scan that is to begin after an unknown row. */
export function noSuchRow(id: string): CatalogError {
  return new CatalogError('not_found', `Record ${id} not found; read the list from its beginning.`);
}

/** The size of an import's transactions. */
export interface Pace {
  /** Items that a transaction waits for. */
  readonly mostItems: number;
  /** Its maximum duration, in milliseconds. */
  readonly longest: number;
  /** Whether it waits for another process, while the next items can be read. */
  readonly isRemote?: true;
  /** Characters of its texts from which on it takes no further batch; no limit if undefined. */
  readonly mostCharacters?: number;
}

/** Maximum rows, and maximum bytes of their texts in one column. */
export interface RowBounds {
  readonly rows: number;
  readonly column: string;
  readonly bytes: number;
}

/**
 * A store runs the decision, never the other way round: it loads in bulk what a plan makes pending, and saves what the
 * plan saved in its draft, all in one transaction. Every method throws a `CatalogError` if the store cannot serve;
 * nothing of the plan is saved then.
 */
export interface Store {
  /** The size of an import's transactions; a moderate one if undefined. */
  readonly pace?: Pace;
  /** Runs a plan on a consistent view and saves nothing; takes no write lock. */
  read<T>(plan: Plan<T>): Promise<T>;
  /**
   * Runs a plan on a page of a table's rows, on a consistent view, and saves nothing. The table has a column `id`. The
   * order is the store's own and does not change: page after page returns every row that exists throughout exactly
   * once. A page ends with its limit, or with the row whose long texts exceed `pageBytes` (`isLastPage`). Throws `not_found` for an unknown identifier `after`.
   */
  scan<R extends Row, T>(
    table: Table<R>,
    page: PageRequest,
    plan: (rows: readonly R[], draft: Draft) => Generator<void, T>,
  ): Promise<T>;
  /** Loads pending rows on a consistent view, for a store around this one. */
  load(pending: Pending, sink: RowSink): Promise<void>;
  /** Saves rows that were decided elsewhere, in one transaction; it is unknown which of them are stored already. */
  save(saved: ReadonlyMap<Table, SavedRows>): Promise<void>;
  /**
   * Runs a plan in a write transaction, which holds the lock of the catalog before the plan is called; when this resolves, what the
   * plan saved is durable.
   */
  write<T>(plan: Plan<T>): Promise<T>;
  /**
   * Runs the plan of a dry run: what it saves never reaches the catalog. New records get provisional identifiers. A
   * store around another one shows it to later plans; any other discards it.
   */
  dryRun<T>(plan: Plan<T>): Promise<T>;
  /** Every row of a small bookkeeping table. */
  readAll<R extends Row>(table: Table<R>): Promise<readonly R[]>;
  /**
   * Deletes the rows of a bookkeeping table (one with `created_at`) that were created at or before a time, in Unix
   * seconds.
   */
  deleteExpired(table: Table, time: number): Promise<void>;
  /**
   * The time up to which rows of such a table have to be deleted to keep the others within bounds; undefined if none
   * have to.
   */
  timeBeyond(table: Table, bounds: RowBounds): Promise<number | undefined>;
  /**
   * A number that increases when any process has committed since the last call: what was read after a call is valid
   * until the number changes. Undefined, or left out, where the store cannot tell at once: then every read has
   * to query it.
   * @throws CatalogError `catalog_unavailable`
   */
  readonly changeCount?: () => number | undefined;
  close(): Promise<void>;
}

/** Marks rows that another store changed: it is unknown whether this one has them. */
export function ofUnknownOrigin({ created, changed }: SavedRows): SavedRows {
  return { created, changed: new Map([...changed.keys()].map((row) => [row, 'unknown'])) };
}
