// The rows a batch refers to. A look-up of something that was never loaded answers "not there" and is written down;
// whoever drives the plan loads what was written down and has the batch decided again. So decisions are plain
// synchronous code on any store, and rows arrive in bulk. What was decided earlier in the transaction is seen too.
import type { Row, Table } from './table.js';

/** What a parent is known by to the rows that belong to it: its identifier, or its number. */
export type Parent = string | number;

/**
 * What a store is asked to load: rows by a look-up's keys, children by their parents, whether a table has any row, the
 * highest number of a table's rows.
 */
export interface Needs {
  readonly rows: Map<Table, Map<string, Set<string>>>;
  readonly children: Map<Table, Set<Parent>>;
  readonly some: Set<Table>;
  readonly numbers: Set<Table>;
}

/** What a decision reads. */
export interface Snapshot {
  /** The row that a look-up of the table finds by this value, and by a second one where it goes by two columns. */
  find<R extends Row>(table: Table<R>, lookup: string, value: string, second?: string): R | undefined;
  /** The rows of a table that belong to a parent, in no promised order. */
  children<R extends Row>(table: Table<R>, parent: Parent): readonly R[];
  /** Whether the table has any row at all. */
  some(table: Table): boolean;
  /** The highest number of the table's rows: a new one gets the next. */
  lastNumber(table: Table): number;
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
  /** Every row saved, by table, each as it was saved last, and what the store has in its place. */
  saved(): ReadonlyMap<Table, ReadonlyMap<Row, Origin>>;
}

/** What the store has in the place of a saved row: nothing, as that is new to it, or a row, or nobody looked. */
export type Origin = 'new' | 'unknown' | Row;

/** A way rows are looked up, once it was asked for: most tables have more ways than an import asks for. */
interface Lookup {
  readonly columns: readonly string[];
  /** Rows by key; null where it is known that there is none. */
  readonly rows: Map<string, Row | null>;
}

interface TableState {
  readonly table: Table;
  readonly lookups: Map<string, Lookup>;
  /** Rows by parent, once these were asked for: an import of new records never does, and they are many. */
  readonly families: Map<'children', Map<Parent, readonly Row[]>>;
  /** By the row itself, and not by its key: the keys of children are long, and nothing else needs them. */
  readonly saved: Map<Row, Origin>;
  some: boolean | undefined;
  /** The highest number, once it was asked for, and what it was at the mark. */
  last: number | undefined;
  lastAtMark: number | undefined;
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
  let latest: TableState | undefined;
  let needs: Needs | undefined;
  // Three places a step (map, key, value before or undefined), not a closure: this runs several times for every item.
  // The list is written over from the mark on: a new one for each batch is a twentieth of what an import allocates.
  const undo: unknown[] = [];
  let undoable = 0;

  function stateOf(table: Table): TableState {
    // Nearly always the one of the time before.
    if (latest?.table === table) return latest;
    latest = states.get(table);
    if (latest === undefined) {
      latest = {
        table,
        lookups: new Map(),
        families: new Map(),
        saved: new Map(),
        some: undefined,
        last: undefined,
        lastAtMark: undefined,
      };
      states.set(table, latest);
    }
    return latest;
  }

  function noted(): Needs {
    needs ??= { rows: new Map(), children: new Map(), some: new Set(), numbers: new Set() };
    return needs;
  }

  function remember<K, V>(map: Map<K, V>, key: K): void {
    undo[undoable++] = map;
    undo[undoable++] = key;
    undo[undoable++] = map.get(key);
  }

  function set<K, V>(map: Map<K, V>, key: K, value: V): void {
    remember(map, key);
    map.set(key, value);
  }

  function remove<K, V>(map: Map<K, V>, key: K): void {
    remember(map, key);
    map.delete(key);
  }

  function lookupOf(state: TableState, name: string): Lookup {
    const known = state.lookups.get(name);
    if (known !== undefined) return known;
    const columns = state.table.lookups[name];
    if (columns === undefined) throw new Error(`table ${state.table.name} has no look-up ${name}`);
    const rows = new Map<string, Row | null>();
    for (const row of state.saved.keys()) rows.set(keyOf(columns, row), row);
    // What is taken back takes the whole of it back: it may hold rows that are.
    set(state.lookups, name, { columns, rows });
    return { columns, rows };
  }

  function childrenOf({ table, families, saved }: TableState): Map<Parent, readonly Row[]> {
    const known = families.get('children');
    if (known !== undefined) return known;
    const children = new Map<Parent, Row[]>();
    for (const row of saved.keys()) {
      const parent = row[table.parent as string] as Parent;
      const siblings = children.get(parent);
      if (siblings === undefined) children.set(parent, [row]);
      else siblings.push(row);
    }
    // Taken back with what it holds, as a look-up is.
    set(families, 'children', children);
    return children;
  }

  /** Whether a row of the store was saved in this transaction, and so is not what it was. */
  function isStale(state: TableState, row: Row): boolean {
    if (state.saved.size === 0) return false;
    const now = lookupOf(state, 'id').rows.get(keyOf(state.table.id, row));
    return now != null && state.saved.has(now);
  }

  /** Has the row found under its keys; one that it had before finds nothing any more. */
  function found({ table, lookups }: TableState, row: Row, before: Row | null | undefined): void {
    for (const { columns, rows } of lookups.values()) {
      const key = keyOf(columns, row);
      const old = before == null ? key : keyOf(columns, before);
      if (before != null && old !== key) {
        const holder = rows.get(old);
        if (holder != null && keyOf(table.id, holder) === keyOf(table.id, before)) set(rows, old, null);
      }
      set(rows, key, row);
    }
  }

  function saveChild({ table, families }: TableState, row: Row, before: Row | null | undefined): void {
    const children = families.get('children');
    if (children === undefined) return;
    const parent = row[table.parent as string] as Parent;
    const siblings = children.get(parent) ?? [];
    const others = before == null ? siblings : siblings.filter((sibling) => sibling !== before);
    set(children, parent, [...others, row]);
  }

  const draft: Draft = {
    find<R extends Row>(table: Table<R>, lookup: string, value: string, second?: string): R | undefined {
      const key = second === undefined ? value : value + separator + second;
      const row = lookupOf(stateOf(table), lookup).rows.get(key);
      if (row !== undefined) return (row ?? undefined) as R | undefined;
      const wanted = noted().rows;
      const byLookup = wanted.get(table) ?? new Map<string, Set<string>>();
      wanted.set(table, byLookup);
      const keys = byLookup.get(lookup);
      if (keys === undefined) byLookup.set(lookup, new Set([key]));
      else keys.add(key);
      return undefined;
    },
    children<R extends Row>(table: Table<R>, parent: Parent): readonly R[] {
      const rows = childrenOf(stateOf(table)).get(parent);
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
    lastNumber(table) {
      const state = stateOf(table);
      if (state.last === undefined) noted().numbers.add(table);
      return state.last ?? 0;
    },
    lacks: () => needs !== undefined,
    takeNeeds() {
      const taken = needs;
      needs = undefined;
      return taken;
    },
    missing(table, lookup, keys) {
      const { rows } = lookupOf(stateOf(table), lookup);
      for (const key of keys) rows.set(key, null);
    },
    loaded(table, lookup, key, row) {
      const state = stateOf(table);
      // A row saved in this transaction is found under every key it has now: under this one it is no longer.
      lookupOf(state, lookup).rows.set(key, isStale(state, row) ? null : row);
    },
    loadedChildren(table, parent, rows) {
      childrenOf(stateOf(table)).set(parent, rows);
    },
    loadedSome(table, some) {
      stateOf(table).some = some;
    },
    loadedNumber(table, last) {
      stateOf(table).last = last;
    },
    save(table, row, before) {
      const state = stateOf(table);
      found(state, row, before);
      if (table.parent !== undefined) saveChild(state, row, before);
      const earlier = before == null ? undefined : state.saved.get(before);
      if (before != null && earlier !== undefined) remove(state.saved, before);
      const origin = before === null ? 'new' : (earlier ?? before ?? 'unknown');
      set(state.saved, row, origin);
      if (origin === 'new' && table.number !== undefined)
        state.last = Math.max(state.last ?? 0, row[table.number] as number);
      state.some = true;
    },
    mark() {
      undoable = 0;
      for (const state of states.values()) state.lastAtMark = state.last;
    },
    rollback() {
      for (let i = undoable - 3; i >= 0; i -= 3) {
        const map = undo[i] as Map<unknown, unknown>;
        if (undo[i + 2] === undefined) map.delete(undo[i + 1]);
        else map.set(undo[i + 1], undo[i + 2]);
      }
      undoable = 0;
      for (const state of states.values()) state.last = state.lastAtMark;
    },
    saved() {
      return new Map([...states].map(([table, state]) => [table, state.saved]));
    },
  };
  return draft;
}
