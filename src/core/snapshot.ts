// The rows a batch refers to. A look-up of something that was never loaded answers "not there" and is written down;
// whoever drives the plan loads what was written down and has the batch decided again. So decisions are plain
// synchronous code on any store, and rows arrive in bulk. What was decided earlier in the transaction is seen too.
import type { Row, Table } from './table.js';

/** What a store is asked to load: rows by a look-up's keys, children by their parents, whether a table has any row. */
export interface Needs {
  readonly rows: Map<Table, Map<string, Set<string>>>;
  readonly children: Map<Table, Set<string>>;
  readonly some: Set<Table>;
}

/** What a decision reads. */
export interface Snapshot {
  /** The row that a look-up of the table finds by this value, and by a second one where it goes by two columns. */
  find<R extends Row>(table: Table<R>, lookup: string, value: string, second?: string): R | undefined;
  /** The rows of a table that belong to a parent, in no promised order. */
  children<R extends Row>(table: Table<R>, parent: string): readonly R[];
  /** Whether the table has any row at all. */
  some(table: Table): boolean;
}

/** Composite keys are joined by NUL, which no stored text can hold. */
const separator = '\0';

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
  loadedChildren(table: Table, parent: string, rows: Row[]): void;
  loadedSome(table: Table, some: boolean): void;
  /** Replaces or adds a row; later look-ups see it. `isNew` where it is known that the store has none of its identity. */
  save(table: Table, row: Row, isNew?: boolean): void;
  /** Whether a saved row, by its key as `saved` has it, is surely new to the store. */
  isNew(table: Table, id: string): boolean;
  /** What `rollback` returns to. */
  mark(): void;
  /** Forgets every save since the mark. */
  rollback(): void;
  /** Every row saved, by table, each once and as it was saved last. */
  saved(): ReadonlyMap<Table, ReadonlyMap<string, Row>>;
}

interface TableState {
  readonly table: Table;
  readonly lookups: readonly (readonly [columns: readonly string[], rows: Map<string, Row | null>])[];
  /** Rows by look-up and key; null where it is known that there is none. */
  readonly rows: Map<string, Map<string, Row | null>>;
  readonly children: Map<string, readonly Row[]>;
  readonly saved: Map<string, Row>;
  /** Those of the saved rows that the store may have. Most rows that are saved are new: they cost nothing here. */
  readonly replaced: Map<string, true>;
  some: boolean | undefined;
}

function keyOf(columns: readonly string[], row: Row): string {
  const first = columns[0];
  const second = columns[1];
  if (first === undefined || second === undefined) return String(row[first ?? '']);
  if (columns.length === 2) return `${row[first]}${separator}${row[second]}`;
  return columns.map((name) => row[name]).join(separator);
}

/** An empty draft: everything asked of it is written down as needed. */
export function newDraft(): Draft {
  const states = new Map<Table, TableState>();
  let needs: Needs | undefined;
  // Three places a step (map, key, value before or undefined), not a closure: this runs several times for every item.
  let undo: unknown[] = [];

  function stateOf(table: Table): TableState {
    let state = states.get(table);
    if (state === undefined) {
      const rows = new Map(Object.keys(table.lookups).map((name) => [name, new Map<string, Row | null>()]));
      const lookups = [...rows].map(([name, known]) => [table.lookups[name] as readonly string[], known] as const);
      state = { table, lookups, rows, children: new Map(), saved: new Map(), replaced: new Map(), some: undefined };
      states.set(table, state);
    }
    return state;
  }

  function noted(): Needs {
    needs ??= { rows: new Map(), children: new Map(), some: new Set() };
    return needs;
  }

  function set<K, V>(map: Map<K, V>, key: K, value: V): void {
    undo.push(map, key, map.get(key));
    map.set(key, value);
  }

  function saveChild(state: TableState, parent: string, id: string, row: Row): void {
    const siblings = state.children.get(parent) ?? [];
    const others = siblings.filter((sibling) => keyOf(state.table.id, sibling) !== id);
    set(state.children, parent, [...others, row]);
  }

  const draft: Draft = {
    find<R extends Row>(table: Table<R>, lookup: string, value: string, second?: string): R | undefined {
      const key = second === undefined ? value : value + separator + second;
      const known = stateOf(table).rows.get(lookup);
      if (known === undefined) throw new Error(`table ${table.name} has no look-up ${lookup}`);
      const row = known.get(key);
      if (row !== undefined) return (row ?? undefined) as R | undefined;
      const wanted = noted().rows;
      const byLookup = wanted.get(table) ?? new Map<string, Set<string>>();
      wanted.set(table, byLookup);
      const keys = byLookup.get(lookup);
      if (keys === undefined) byLookup.set(lookup, new Set([key]));
      else keys.add(key);
      return undefined;
    },
    children<R extends Row>(table: Table<R>, parent: string): readonly R[] {
      const rows = stateOf(table).children.get(parent);
      if (rows !== undefined) return rows as readonly R[];
      const wanted = noted().children;
      wanted.set(table, (wanted.get(table) ?? new Set()).add(parent));
      return [];
    },
    some(table) {
      const state = stateOf(table);
      if (state.some === undefined) noted().some.add(table);
      return state.some ?? false;
    },
    lacks: () => needs !== undefined,
    takeNeeds() {
      const taken = needs;
      needs = undefined;
      return taken;
    },
    missing(table, lookup, keys) {
      const rows = stateOf(table).rows.get(lookup);
      for (const key of keys) rows?.set(key, null);
    },
    loaded(table, lookup, key, row) {
      const state = stateOf(table);
      // A row saved in this transaction is found under every key it has now: under this one it is no longer.
      const stale = state.saved.has(keyOf(table.id, row));
      state.rows.get(lookup)?.set(key, stale ? null : row);
    },
    loadedChildren(table, parent, rows) {
      stateOf(table).children.set(parent, rows);
    },
    loadedSome(table, some) {
      stateOf(table).some = some;
    },
    save(table, row, isNew = false) {
      const state = stateOf(table);
      const id = keyOf(table.id, row);
      const before = isNew ? undefined : (state.rows.get('id')?.get(id) ?? undefined);
      for (const [columns, rows] of state.lookups) {
        const key = keyOf(columns, row);
        const old = before === undefined ? key : keyOf(columns, before);
        if (old !== key && rows.get(old) != null) set(rows, old, null);
        set(rows, key, row);
      }
      if (table.parent !== undefined) saveChild(state, String(row[table.parent]), id, row);
      set(state.saved, id, row);
      if (!isNew) set(state.replaced, id, true);
      state.some = true;
    },
    isNew: (table, id) => !stateOf(table).replaced.has(id),
    mark() {
      undo = [];
    },
    rollback() {
      for (let i = undo.length - 3; i >= 0; i -= 3) {
        const map = undo[i] as Map<unknown, unknown>;
        if (undo[i + 2] === undefined) map.delete(undo[i + 1]);
        else map.set(undo[i + 1], undo[i + 2]);
      }
      undo = [];
    },
    saved() {
      return new Map([...states].map(([table, state]) => [table, state.saved]));
    },
  };
  return draft;
}
