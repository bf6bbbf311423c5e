// The stored rows a batch refers to. A look-up of something that was never loaded returns nothing and becomes pending;
// the driver of the plan loads it, and the batch is decided again. So decisions are plain synchronous code on any
// store, and rows are loaded in bulk. It includes what was decided earlier in the transaction.
import type { Row, Table } from './table.js';

/** The look-ups that a store is to load: rows by key, children by parent, whether a table has rows. */
export interface Pending {
  readonly rows: Map<Table, Map<string, Set<string>>>;
  readonly children: Map<Table, Set<string>>;
  readonly some: Set<Table>;
  heads?: HeadRequest;
}

/** The fingerprint columns of the records with these keys in a column, to be loaded at once. */
export interface HeadRequest {
  readonly table: Table;
  readonly column: string;
  readonly keys: readonly string[];
}

/** The fingerprint columns of records, as parallel lists with one entry for each key that has a record. */
export interface Heads {
  /** The index of the record's key among the requested ones. */
  readonly indexes: readonly number[];
  readonly ids: readonly string[];
  /** By the columns of `Table.fingerprint`, in their order. */
  readonly fingerprints: readonly (readonly number[])[];
}

/** What a decision reads. */
export interface Snapshot {
  /** The row that a look-up of the table finds by this value, and by a second one if the look-up has two columns. */
  find<R extends Row>(table: Table<R>, lookup: string, value: string, second?: string): R | undefined;
  /** The row with this identifier and its ancestors (`Table.above`), from the bottom; the driver loads them all at once. */
  ancestry<R extends Row>(table: Table<R>, id: string): readonly R[];
  /**
   * A row as the store has it, before earlier items of the transaction changed it, and with what other columns are derived from as it
   * was before earlier transactions of the run; undefined for one that they created.
   */
  origin<R extends Row>(table: Table<R>, row: R): R | undefined;
  /** The rows of a table that were saved in this transaction, as they are now. */
  written<R extends Row>(table: Table<R>): Iterable<R>;
  /** The rows of a table that belong to a parent, in no particular order. */
  children<R extends Row>(table: Table<R>, parent: string): readonly R[];
  /** Makes the fingerprint columns of records pending. */
  askHeads(request: HeadRequest): void;
  /** Those asked for last; undefined until they are loaded. */
  loadedHeads(): Heads | undefined;
  some(table: Table): boolean;
  /** An identifier for a new row of the table. A batch that is decided again gets the same identifiers. */
  newId(table: Table): string;
}

/** Composite keys are joined by NUL, which no stored text contains. */
export const keySeparator = '\0';

/** The parts of a key as `Pending` lists it. */
export function keyParts(key: string): string[] {
  return key.split(keySeparator);
}

/** Receives what a store loads. */
export interface RowSink {
  /**
   * A row was read; the next one is read after it.
   * @throws CatalogError `batch_too_large` (`Draft.limitTexts`)
   */
  received?(row: Row): void;
  /** No rows have these keys, except those that are `loaded` afterwards. */
  missing(table: Table, lookup: string, keys: Iterable<string>): void;
  /** A row that was pending. */
  loaded(table: Table, lookup: string, key: string, row: Row): void;
  loadedChildren(table: Table, parent: string, rows: Row[]): void;
  loadedSome(table: Table, some: boolean): void;
  /** The answer to `Pending.heads`. */
  addHeads(heads: Heads): void;
}

export interface Draft extends Snapshot, RowSink {
  /** Names the run that the transaction is a part of, if it may have others. */
  belongTo(run: string): void;
  /** Characters of stored texts that may be loaded; without a limit before. */
  limitTexts(most: number): void;
  hasPending(): boolean;
  /** Returns the pending look-ups and clears them: the caller loads them. Undefined if there are none. */
  drainPending(): Pending | undefined;
  /**
   * Ends an item: identifiers issued to a refused one are reused by the next.
   * @param accepted whether its rows are saved
   */
  endItem(accepted: boolean): void;
  /**
   * Saves a row; later look-ups see it.
   * @param before the row it replaces, as the draft returned it; null if the store is known to have none with its identity,
   *   undefined if that is not known
   */
  save(table: Table, row: Row, before: Row | null | undefined): void;
  /**
   * Saves a row next to a record: written with the transaction, but not a change of the record. Later look-ups do not
   * see it.
   * @param before the stored row, which nothing else in the transaction changes
   */
  keep(table: Table, row: Row, before: Row): void;
  /** The rows saved by `keep`, by table. */
  kept(): ReadonlyMap<Table, SavedRows>;
  /** Deletes every row of a bookkeeping table with the transaction. The plan neither reads nor saves rows of it. */
  clear(table: Table): void;
  /** The tables given to `clear`. */
  cleared(): Iterable<Table>;
  /** The point that `rollback` returns to. */
  mark(): void;
  /** Drops every save since the mark. */
  rollback(): void;
  /** What was saved, without what was taken. */
  saved(): ReadonlyMap<Table, SavedRows>;
  /** Whether anything was saved, taken or not. */
  hasSaved(): boolean;
  /**
   * Takes what was saved before the mark, which counts as stored from now on, as if it were of a transaction before.
   * @param least rows; undefined if there are fewer, or if others were saved since the mark
   */
  takeSaved(least: number): ReadonlyMap<Table, SavedRows> | undefined;
}

/** The saved rows of a table, each in its last version. */
export interface SavedRows {
  /**
   * Those that are new in the store. A list: with a map the main thread of an import of items with attributes has 4 %
   * more work.
   */
  readonly created: readonly Row[];
  /** All others, with their stored versions. */
  readonly changed: ReadonlyMap<Row, Origin>;
}

/** The stored version of a saved row, or `unknown` if it was not loaded. */
export type Origin = 'unknown' | Row;
