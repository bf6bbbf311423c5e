// The state of a draft: the rows of each table that were loaded and saved, by look-up and parent, and what is pending.
import { type Heads, keySeparator, type Origin, type Pending, type SavedRows } from './snapshot.js';
import type { Row, Table } from './table.js';
import { setEntry, type UndoLog } from './undo-log.js';

/** What a store provides to a draft in addition to rows. */
export interface DraftSource {
  /** The identifier of the n-th new row of a table, counted from 0 in each draft. */
  readonly newId: (table: Table, nth: number) => string;
}

/** An index of rows by a look-up, built on first use: most tables have more look-ups than an import uses. */
export interface Lookup {
  readonly columns: readonly string[];
  /** Rows by key; null if it is known that no row has the key. */
  readonly rows: Map<string, Row | null>;
}

/**
 * The children of one record: a list as it was loaded, or by key once one of them was saved, so that a record that is sent
 * again and again with long lists costs each time what is sent.
 */
export type Family = readonly Row[] | Map<string, Row>;

/** The rows of one table in a draft. */
export interface TableState extends SavedRows {
  readonly table: Table;
  readonly lookups: Map<string, Lookup>;
  /** Rows by parent, built on first use: an import of new records never uses it, and they are many. */
  readonly families: Map<'children', Map<string, Family>>;
  created: Row[];
  createdAtMark: number;
  /** The indexes of rows in `created`, filled as far as they were searched. */
  readonly indexes: Map<Row, number>;
  /** By the row object, not by its key: the keys of children are long, and nothing else needs them. */
  changed: Map<Row, Origin>;
  /** Those that were taken, in any version. */
  readonly taken: Row[];
  /** Rows whose ancestors are needed too, by identifier. */
  readonly ancestorsWanted: Set<string>;
  some: boolean | undefined;
  /** The issued identifiers, and how many of them are in use: now, at the mark, and before the current item. */
  readonly ids: string[];
  issued: number;
  issuedAtMark: number;
  issuedBefore: number;
}

export interface DraftState {
  readonly source: DraftSource;
  /** `Draft.belongTo` */
  run: string | undefined;
  /** Characters of texts that may still be loaded. */
  textsLeft: number;
  readonly tables: Map<Table, TableState>;
  /** The table of the last access, which is nearly always that of the next one. */
  latest: TableState | undefined;
  /** Look-ups that are not loaded. */
  pending: Pending | undefined;
  /** What was loaded for `Pending.heads`. */
  loadedHeads: Heads | undefined;
  /** Tables in which the current item got identifiers. */
  readonly issuing: TableState[];
  readonly undo: UndoLog;
  /** The rows given to `Draft.keep`, and their number at the mark. */
  readonly kept: { readonly table: Table; readonly row: Row; readonly before: Row }[];
  keptAtMark: number;
  /** The tables given to `Draft.clear`. */
  readonly cleared: Set<Table>;
}

/** The key of a row by these columns, as `Pending` lists it. */
export function rowKey(columns: readonly string[], row: Row): string {
  const first = columns[0];
  const second = columns[1];
  if (first === undefined || second === undefined) return String(row[first ?? '']);
  if (columns.length === 2) return `${row[first]}${keySeparator}${row[second]}`;
  return columns.map((name) => row[name]).join(keySeparator);
}

function newTableState(table: Table): TableState {
  return {
    table,
    lookups: new Map(),
    families: new Map(),
    created: [],
    createdAtMark: 0,
    indexes: new Map(),
    changed: new Map(),
    taken: [],
    ancestorsWanted: new Set(),
    some: undefined,
    ids: [],
    issued: 0,
    issuedAtMark: 0,
    issuedBefore: -1,
  };
}

export function tableState(draft: DraftState, table: Table): TableState {
  if (draft.latest?.table === table) return draft.latest;
  let state = draft.tables.get(table);
  if (state === undefined) {
    state = newTableState(table);
    draft.tables.set(table, state);
  }
  draft.latest = state;
  return state;
}

/** An index by a look-up, including the rows saved so far; built when it is first used. */
export function lookupOf(draft: DraftState, state: TableState, name: string): Lookup {
  const known = state.lookups.get(name);
  if (known !== undefined) return known;
  const columns = state.table.lookups[name];
  if (columns === undefined) throw new Error(`table ${state.table.name} has no look-up ${name}`);
  const rows = new Map<string, Row | null>();
  for (const row of state.created) rows.set(rowKey(columns, row), row);
  for (const row of state.changed.keys()) rows.set(rowKey(columns, row), row);
  const lookup = { columns, rows };
  // A rollback drops the whole index: it may contain rows that are rolled back.
  setEntry(draft.undo, state.lookups, name, lookup);
  return lookup;
}

/** The rows of a table by parent, including those saved so far; built when first used. */
export function childrenByParent(draft: DraftState, state: TableState): Map<string, Family> {
  const { table, families, created } = state;
  const known = families.get('children');
  if (known !== undefined) return known;
  const children = new Map<string, Row[]>();
  // Changed rows were loaded with all their siblings before.
  for (const row of created) {
    const parent = row[table.parent as string] as string;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [row]);
    else siblings.push(row);
  }
  // A rollback drops it as a whole.
  setEntry(draft.undo, families, 'children', children);
  return children;
}

export function pendingOf(draft: DraftState): Pending {
  draft.pending ??= { rows: new Map(), children: new Map(), some: new Set() };
  return draft.pending;
}
