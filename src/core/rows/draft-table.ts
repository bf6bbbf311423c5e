// What a draft holds of one table.
import { keySeparator, type NegativeLookup, type Origin, type SavedRows } from './snapshot.js';
import type { Row, Table } from './table.js';

/** A way rows are looked up, once it was asked for: most tables have more ways than an import asks for. */
export interface Lookup {
  readonly columns: readonly string[];
  /** Rows by key; null where it is known that there is none. */
  readonly rows: Map<string, Row | null>;
  readonly negative: NegativeLookup | undefined;
}

export interface TableState extends SavedRows {
  readonly table: Table;
  readonly lookups: Map<string, Lookup>;
  /** Rows by parent, once these were asked for: an import of new records never does, and they are many. */
  readonly families: Map<'children', Map<string, readonly Row[]>>;
  readonly created: Row[];
  createdAtMark: number;
  /** Where the first of them stand, once one was corrected: as far as they were looked through. */
  readonly places: Map<Row, number>;
  /** By the row itself, and not by its key: the keys of children are long, and nothing else needs them. */
  readonly changed: Map<Row, Origin>;
  /** Rows of which those above are asked for as well, by identifier. */
  readonly climbed: Set<string>;
  some: boolean | undefined;
  /** The identifiers that were given out, and how many of them are in use: now, at the mark, and before the item. */
  readonly ids: string[];
  issued: number;
  issuedAtMark: number;
  issuedBefore: number;
}

/** The key of a row by these columns, as `Pending` lists it. */
export function rowKey(columns: readonly string[], row: Row): string {
  const first = columns[0];
  const second = columns[1];
  if (first === undefined || second === undefined) return String(row[first ?? '']);
  if (columns.length === 2) return `${row[first]}${keySeparator}${row[second]}`;
  return columns.map((name) => row[name]).join(keySeparator);
}

/** Nothing of a table yet. */
export function newTableState(table: Table): TableState {
  return {
    table,
    lookups: new Map(),
    families: new Map(),
    created: [],
    createdAtMark: 0,
    places: new Map(),
    changed: new Map(),
    climbed: new Set(),
    some: undefined,
    ids: [],
    issued: 0,
    issuedAtMark: 0,
    issuedBefore: -1,
  };
}
