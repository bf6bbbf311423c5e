// The rows a batch refers to. A look-up of something that was never loaded answers "not there" and becomes pending;
// whoever drives the plan loads what is pending and has the batch decided again. So decisions are plain synchronous
// code on any store, and rows arrive in bulk. What was decided earlier in the transaction is seen too.
import type { Row, Table } from './table.js';

/** What a store is asked to load: rows by the keys of a look-up, children by their parents, whether a table has rows. */
export interface Pending {
  readonly rows: Map<Table, Map<string, Set<string>>>;
  readonly children: Map<Table, Set<string>>;
  readonly some: Set<Table>;
}

/** What a store knows of a look-up without loading: a negative answer for some keys. */
export interface NegativeLookup {
  /** Whether surely no row has this key. */
  isAbsent(key: string): boolean;
  /** Whether nearly every key that no row has gets that answer, so that asking for keys in advance gains nothing. */
  readonly coversMost: boolean;
}

/** The negative look-up of a table's look-up; undefined where the store has none. */
export type NegativeLookups = (table: Table, lookup: string) => NegativeLookup | undefined;

/** What a decision reads. */
export interface Snapshot {
  /** Whether to ask in advance for keys that are likely new; else hardly any of them has to be loaded. */
  paysToPrefetch(table: Table, lookup: string): boolean;
  /** The row that a look-up of the table finds by this value, and by a second one where it goes by two columns. */
  find<R extends Row>(table: Table<R>, lookup: string, value: string, second?: string): R | undefined;
  /** The row with this identifier and those above it (`Table.above`), from below; its driver loads them all at once. */
  ancestry<R extends Row>(table: Table<R>, id: string): readonly R[];
  /** The rows of a table that were saved in this transaction, as they are now. */
  written<R extends Row>(table: Table<R>): Iterable<R>;
  /** The rows of a table that belong to a parent, in no promised order. */
  children<R extends Row>(table: Table<R>, parent: string): readonly R[];
  /** Whether there is a row in the table. */
  some(table: Table): boolean;
  /** An identifier for a new row of the table. A batch that is decided again gets the same ones. */
  newId(table: Table): string;
}

/** Composite keys are joined by NUL, which no stored text can hold. */
export const keySeparator = '\0';

/** The parts of a key as `Pending` lists it. */
export function keyParts(key: string): string[] {
  return key.split(keySeparator);
}

/** Takes in what a store loads. */
export interface RowSink {
  /** Says that there are no rows with these keys, but for those that are `loaded` afterwards. */
  missing(table: Table, lookup: string, keys: ReadonlySet<string>): void;
  /** Gives a row that was asked for. */
  loaded(table: Table, lookup: string, key: string, row: Row): void;
  loadedChildren(table: Table, parent: string, rows: Row[]): void;
  loadedSome(table: Table, some: boolean): void;
}

/** A snapshot with what was decided on top of it. */
export interface Draft extends Snapshot, RowSink {
  /** Whether something was asked for that is not loaded. */
  hasPending(): boolean;
  /** What was asked for and is not loaded, or undefined. Asking drains it: the caller loads it. */
  drainPending(): Pending | undefined;
  /**
   * Ends an item: identifiers that a refused one was given go to the next.
   * @param accepted whether what it would have saved is saved
   */
  endItem(accepted: boolean): void;
  /**
   * Saves a row; later look-ups see it.
   * @param before the row it takes the place of, as the draft gave it; null where it is known that the store has none of
   *   its identity, undefined where that is not known
   */
  save(table: Table, row: Row, before: Row | null | undefined): void;
  /** What `rollback` returns to. */
  mark(): void;
  /** Forgets every save since the mark. */
  rollback(): void;
  /** What was saved, by table; tables of which nothing was are left out. */
  saved(): ReadonlyMap<Table, SavedRows>;
}

/** The rows of a table that were saved, each as it was saved last. */
export interface SavedRows {
  /**
   * Those that are new to the store. A list: with a map the main thread of an import of items with attributes has 4 % more
   * to do.
   */
  readonly created: readonly Row[];
  /** All others, and what the store has in their place. */
  readonly changed: ReadonlyMap<Row, Origin>;
}

/** What the store has in the place of a row that was saved: a row, or nobody looked. */
export type Origin = 'unknown' | Row;
