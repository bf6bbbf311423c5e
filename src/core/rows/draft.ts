// A snapshot as it is filled and written over: what was loaded, what was decided on top of it, and what is still to be
// loaded.

import { type Lookup, newTableState, rowKey, type TableState } from './draft-table.js';
import { type Draft, keySeparator, type NegativeLookups, type Pending } from './snapshot.js';
import type { Row, Table, Value } from './table.js';

/** What a store gives a draft beside rows. */
export interface DraftSource {
  /** The identifier of the n-th new row of a table, counted from 0 in each draft. */
  readonly newId: (table: Table, nth: number) => string;
  readonly negativeLookups?: NegativeLookups;
}

/** For drafts that make no records. */
const noIds: DraftSource = {
  newId(table) {
    throw new Error(`this draft makes no new rows of ${table.name}`);
  },
};

/** An empty draft: everything asked of it becomes pending, but for what a negative look-up answers. */
export function newDraft(source: DraftSource = noIds): Draft {
  const states = new Map<Table, TableState>();
  let latest: TableState | undefined;
  let pending: Pending | undefined;
  /** Tables of which the item under way was given identifiers. */
  const issuing: TableState[] = [];
  // Three places a step (map or list, key, value before or undefined), not a closure: this runs several times for every
  // item. It is written over from the mark on: a new one for each batch is a twentieth of what an import allocates.
  const undo: unknown[] = [];
  let undoable = 0;

  function stateOf(table: Table): TableState {
    // Nearly always the one of the time before.
    if (latest?.table === table) return latest;
    latest = states.get(table);
    if (latest === undefined) {
      latest = newTableState(table);
      states.set(table, latest);
    }
    return latest;
  }

  function asked(): Pending {
    pending ??= { rows: new Map(), children: new Map(), some: new Set() };
    return pending;
  }

  function remember<K, V>(where: Map<K, V> | V[], key: K, before: V | undefined): void {
    undo[undoable++] = where;
    undo[undoable++] = key;
    undo[undoable++] = before;
  }

  function set<K, V>(map: Map<K, V>, key: K, value: V): void {
    remember(map, key, map.get(key));
    map.set(key, value);
  }

  function remove<K, V>(map: Map<K, V>, key: K): void {
    remember(map, key, map.get(key));
    map.delete(key);
  }

  function wantRow(table: Table, lookup: string, key: string): void {
    const wanted = asked().rows;
    const byLookup = wanted.get(table) ?? new Map<string, Set<string>>();
    wanted.set(table, byLookup);
    const keys = byLookup.get(lookup);
    if (keys === undefined) byLookup.set(lookup, new Set([key]));
    else keys.add(key);
  }

  /**
   * Asks for the first row on the way up that is not loaded; once it is, for the next one. So a driver that loads for as
   * long as something is asked for has the whole way after one decision, and not after one a level.
   */
  function climb(state: TableState, from: string): void {
    const { rows } = lookupOf(state, 'id');
    for (let at: Value | undefined = from; typeof at === 'string' && !state.climbed.has(at); ) {
      const row: Row | null | undefined = rows.get(at);
      state.climbed.add(at);
      if (row === undefined) return wantRow(state.table, 'id', at);
      at = row?.[state.table.above as string];
    }
  }

  function lookupOf(state: TableState, name: string): Lookup {
    const known = state.lookups.get(name);
    if (known !== undefined) return known;
    const columns = state.table.lookups[name];
    if (columns === undefined) throw new Error(`table ${state.table.name} has no look-up ${name}`);
    const rows = new Map<string, Row | null>();
    for (const row of state.created) rows.set(rowKey(columns, row), row);
    for (const row of state.changed.keys()) rows.set(rowKey(columns, row), row);
    const lookup = { columns, rows, negative: source.negativeLookups?.(state.table, name) };
    // What is taken back takes the whole of it back: it may hold rows that are.
    set(state.lookups, name, lookup);
    return lookup;
  }

  function childrenOf({ table, families, created }: TableState): Map<string, readonly Row[]> {
    const known = families.get('children');
    if (known !== undefined) return known;
    const children = new Map<string, Row[]>();
    // Of changed ones the whole family was asked for before.
    for (const row of created) {
      const parent = row[table.parent as string] as string;
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
    if (state.changed.size === 0) return false;
    const now = lookupOf(state, 'id').rows.get(rowKey(state.table.id, row));
    return now != null && state.changed.has(now);
  }

  /** Where a row stands among the new ones. */
  function placeOf({ created, places }: TableState, row: Row): number | undefined {
    for (let i = places.size; i < created.length; i++) places.set(created[i] as Row, i);
    return places.get(row);
  }

  /** Saves a row that is not known to be new: in the place of what it was, among the new ones or among the others. */
  function change(state: TableState, row: Row, before: Row | undefined): void {
    const { created, places, changed } = state;
    if (before === undefined) return set(changed, row, 'unknown');
    const place = created.length === 0 ? undefined : placeOf(state, before);
    if (place === undefined) {
      const origin = changed.get(before);
      if (origin !== undefined) remove(changed, before);
      return set(changed, row, origin ?? before);
    }
    remember(created, place, before);
    created[place] = row;
    places.delete(before);
    places.set(row, place);
  }

  /** Has the row found under its keys; one that it had before finds nothing any more. */
  function found({ table, lookups }: TableState, row: Row, before: Row | null | undefined): void {
    for (const { columns, rows } of lookups.values()) {
      const key = rowKey(columns, row);
      const old = before == null ? key : rowKey(columns, before);
      if (before != null && old !== key) {
        const holder = rows.get(old);
        if (holder != null && rowKey(table.id, holder) === rowKey(table.id, before)) set(rows, old, null);
      }
      set(rows, key, row);
    }
  }

  function saveChild({ table, families }: TableState, row: Row, before: Row | null | undefined): void {
    const children = families.get('children');
    if (children === undefined) return;
    const parent = row[table.parent as string] as string;
    const siblings = children.get(parent) ?? [];
    const others = before == null ? siblings : siblings.filter((sibling) => sibling !== before);
    set(children, parent, [...others, row]);
  }

  const draft: Draft = {
    paysToPrefetch: (table, lookup) => lookupOf(stateOf(table), lookup).negative?.coversMost !== true,
    find<R extends Row>(table: Table<R>, lookup: string, value: string, second?: string): R | undefined {
      const key = second === undefined ? value : value + keySeparator + second;
      const { rows, negative } = lookupOf(stateOf(table), lookup);
      const row = rows.get(key);
      if (row !== undefined) return (row ?? undefined) as R | undefined;
      if (negative?.isAbsent(key) === true) return undefined;
      wantRow(table, lookup, key);
      return undefined;
    },
    ancestry<R extends Row>(table: Table<R>, id: string): readonly R[] {
      const state = stateOf(table);
      const { rows } = lookupOf(state, 'id');
      const found: R[] = [];
      // While rows are lacking a decision that will be taken back may have closed a ring: it is not walked for ever.
      const passed = new Set<string>();
      for (let at: Value | undefined = id; typeof at === 'string' && !passed.has(at); ) {
        const row = rows.get(at) as R | null | undefined;
        if (row === undefined) {
          state.climbed.delete(at);
          climb(state, at);
        }
        if (row == null) break;
        passed.add(at);
        found.push(row);
        at = row[table.above as string];
      }
      return found;
    },
    *written<R extends Row>(table: Table<R>): Generator<R> {
      const { created, changed } = stateOf(table);
      yield* created as R[];
      yield* changed.keys() as Iterable<R>;
    },
    children<R extends Row>(table: Table<R>, parent: string): readonly R[] {
      const rows = childrenOf(stateOf(table)).get(parent);
      if (rows !== undefined) return rows as readonly R[];
      const wanted = asked().children;
      wanted.set(table, (wanted.get(table) ?? new Set()).add(parent));
      return [];
    },
    some(table) {
      const state = stateOf(table);
      if (state.some === undefined) asked().some.add(table);
      return state.some ?? false;
    },
    newId(table) {
      const state = stateOf(table);
      if (state.issuedBefore === -1) {
        state.issuedBefore = state.issued;
        issuing.push(state);
      }
      const nth = state.issued++;
      let id = state.ids[nth];
      if (id === undefined) {
        id = source.newId(table, nth);
        state.ids[nth] = id;
      }
      return id;
    },
    endItem(accepted) {
      for (const state of issuing) {
        if (!accepted) state.issued = state.issuedBefore;
        state.issuedBefore = -1;
      }
      issuing.length = 0;
    },
    hasPending: () => pending !== undefined,
    drainPending() {
      const drained = pending;
      pending = undefined;
      return drained;
    },
    missing(table, lookup, keys) {
      const { rows } = lookupOf(stateOf(table), lookup);
      for (const key of keys) rows.set(key, null);
    },
    loaded(table, lookup, key, row) {
      const state = stateOf(table);
      // A row saved in this transaction is found under every key it has now: under this one it is no longer.
      lookupOf(state, lookup).rows.set(key, isStale(state, row) ? null : row);
      if (lookup !== 'id' || !state.climbed.has(key)) return;
      const above = row[table.above as string];
      if (typeof above === 'string') climb(state, above);
    },
    loadedChildren(table, parent, rows) {
      childrenOf(stateOf(table)).set(parent, rows);
    },
    loadedSome(table, some) {
      stateOf(table).some = some;
    },
    save(table, row, before) {
      const state = stateOf(table);
      found(state, row, before);
      if (table.parent !== undefined) saveChild(state, row, before);
      state.some = true;
      if (before !== null) return change(state, row, before);
      state.created.push(row);
    },
    mark() {
      undoable = 0;
      for (const state of states.values()) {
        state.issuedAtMark = state.issued;
        state.createdAtMark = state.created.length;
      }
    },
    rollback() {
      for (let i = undoable - 3; i >= 0; i -= 3) {
        const where = undo[i] as Map<unknown, unknown> | unknown[];
        if (Array.isArray(where)) where[undo[i + 1] as number] = undo[i + 2];
        else if (undo[i + 2] === undefined) where.delete(undo[i + 1]);
        else where.set(undo[i + 1], undo[i + 2]);
      }
      undoable = 0;
      for (const state of states.values()) {
        state.issued = state.issuedAtMark;
        state.created.length = state.createdAtMark;
        state.places.clear();
      }
    },
    saved: () => new Map([...states].filter(([, { created, changed }]) => created.length + changed.size > 0)),
  };
  return draft;
}
