// The rows a batch refers to. A look-up of something that was never loaded answers "not there" and is written down;
// whoever drives the plan loads what was written down and has the batch decided again. So decisions are plain
// synchronous code on any store, and rows arrive in bulk. What was decided earlier in the transaction is seen too.
import type { Row, Table } from './table.js';

/** What a parent is known by to the rows that belong to it: its identifier, or its number. */
export type Parent = string | number;

/**
 * What a store is asked to load: rows by a look-up's keys, children by their parents, whether a table is empty, the
 * highest number of a table's rows.
 */
export interface Needs {
  readonly rows: Map<Table, Map<string, Set<string>>>;
  readonly children: Map<Table, Set<Parent>>;
  readonly some: Set<Table>;
  readonly numbers: Set<Table>;
}

/** What a store knows of a look-up before it loads anything. */
export interface Absent {
  /** Whether surely no row is found by this key. */
  lacks(key: string): boolean;
  /** Whether that is said of nearly every key that no row has. */
  readonly most: boolean;
}

/** What a store knows of a table's look-up; undefined where that takes loading. */
export type Foreknowledge = (table: Table, lookup: string) => Absent | undefined;

/** What a decision reads. */
export interface Snapshot {
  /** Whether to ask for keys that are likely new before they are decided on; else hardly any has to be loaded. */
  isWorthAsking(table: Table, lookup: string): boolean;
  /** The row that a look-up of the table finds by this value, and by a second one where it goes by two columns. */
  find<R extends Row>(table: Table<R>, lookup: string, value: string, second?: string): R | undefined;
  /** The rows of a table that belong to a parent, in no promised order. */
  children<R extends Row>(table: Table<R>, parent: Parent): readonly R[];
  /** Whether there is a row in the table. */
  some(table: Table): boolean;
  /** The highest number of the table's rows: a new one gets the next. */
  lastNumber(table: Table): number;
}

/** Composite keys are joined by NUL, which no stored text can hold. */
export const separator = '\0';

/** The parts of a key as `Needs` lists it. */
export function keyParts(key: string): string[] {
  return key.split(separator);
}

/** A snapshot with what was decided on top of it. */
export interface Draft extends Snapshot {
  /** Whether something was asked for that is not loaded. */
  lacks(): boolean;
  /** What was asked for and is not loaded, or undefined. Asking takes it: the caller loads it. */
  takeNeeds(): Needs | undefined;
  /** Says that there are no rows with these keys, but for those that are `loaded` afterwards. */
  missing(table: Table, lookup: string, keys: ReadonlySet<string>): void;
  /** Gives a row that was asked for. */
  loaded(table: Table, lookup: string, key: string, row: Row): void;
  loadedChildren(table: Table, parent: Parent, rows: Row[]): void;
  loadedSome(table: Table, some: boolean): void;
  loadedNumber(table: Table, last: number): void;
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
  saved(): ReadonlyMap<Table, Saved>;
}

/** The rows of a table that were saved, each as it was saved last. */
export interface Saved {
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
