// The reads of a draft: a look-up answers from loaded and saved rows, or else becomes pending.
import { CatalogError } from '../errors.js';
import {
  childrenByParent,
  type DraftState,
  lookupOf,
  pendingOf,
  rowKey,
  type TableState,
  tableState,
} from './draft-state.js';
import type { Row, Table, Value } from './table.js';

function wantRow(draft: DraftState, table: Table, lookup: string, key: string): void {
  const wanted = pendingOf(draft).rows;
  const byLookup = wanted.get(table) ?? new Map<string, Set<string>>();
  wanted.set(table, byLookup);
  const keys = byLookup.get(lookup);
  if (keys === undefined) byLookup.set(lookup, new Set([key]));
  else keys.add(key);
}

/**
 * Adds the first ancestor that is not loaded as pending; after it is loaded, the next one. A driver that loads until
 * nothing is pending has all ancestors after one decision, instead of one decision per level.
 */
function wantAncestors(draft: DraftState, state: TableState, from: string): void {
  const { rows } = lookupOf(draft, state, 'id');
  for (let id: Value | undefined = from; typeof id === 'string' && !state.ancestorsWanted.has(id); ) {
    const row: Row | null | undefined = rows.get(id);
    state.ancestorsWanted.add(id);
    if (row === undefined) return wantRow(draft, state.table, 'id', id);
    id = row?.[state.table.above as string];
  }
}

/** `Snapshot.find`; a key of two columns as `Pending` lists it. */
export function findRow(draft: DraftState, table: Table, lookup: string, key: string): Row | undefined {
  const { rows } = lookupOf(draft, tableState(draft, table), lookup);
  const row = rows.get(key);
  if (row !== undefined) return row ?? undefined;
  wantRow(draft, table, lookup, key);
  return undefined;
}

/** `Snapshot.ancestry` */
export function findAncestry(draft: DraftState, table: Table, id: string): Row[] {
  const state = tableState(draft, table);
  const { rows } = lookupOf(draft, state, 'id');
  const ancestry: Row[] = [];
  // While rows are pending, a decision that will be repeated may have created a cycle: each ancestor is visited once.
  const passed = new Set<string>();
  for (let at: Value | undefined = id; typeof at === 'string' && !passed.has(at); ) {
    const row = rows.get(at);
    if (row === undefined) {
      state.ancestorsWanted.delete(at);
      wantAncestors(draft, state, at);
    }
    if (row == null) break;
    passed.add(at);
    ancestry.push(row);
    at = row[table.above as string];
  }
  return ancestry;
}

/** `Snapshot.children` */
export function findChildren(draft: DraftState, table: Table, parent: string): readonly Row[] {
  const rows = childrenByParent(draft, tableState(draft, table)).get(parent);
  if (rows !== undefined) return rows instanceof Map ? [...rows.values()] : rows;
  const wanted = pendingOf(draft).children;
  wanted.set(table, (wanted.get(table) ?? new Set()).add(parent));
  return [];
}

/** `Snapshot.some` */
export function hasRows(draft: DraftState, table: Table): boolean {
  const state = tableState(draft, table);
  if (state.some === undefined) pendingOf(draft).some.add(table);
  return state.some ?? false;
}

/** `RowSink.received` */
export function takeTexts(draft: DraftState, row: Row): void {
  if (draft.textsLeft === Number.POSITIVE_INFINITY) return;
  for (const value of Object.values(row)) if (typeof value === 'string') draft.textsLeft -= value.length;
  if (draft.textsLeft < 0)
    throw new CatalogError('batch_too_large', 'the stored texts are too long to be loaded at once');
}

/** `RowSink.loaded` */
export function addLoaded(
  draft: DraftState,
  state: TableState,
  lookup: string,
  loaded: { key: string; row: Row },
): void {
  const { key, row } = loaded;
  // A row saved in this transaction is indexed under its new keys, and no longer under this one.
  lookupOf(draft, state, lookup).rows.set(key, isStale(draft, state, row) ? null : row);
  if (lookup !== 'id' || !state.ancestorsWanted.has(key)) return;
  const above = row[state.table.above as string];
  if (typeof above === 'string') wantAncestors(draft, state, above);
}

/** Whether a row of the store was overwritten in this transaction. */
function isStale(draft: DraftState, state: TableState, row: Row): boolean {
  if (state.changed.size === 0) return false;
  const now = lookupOf(draft, state, 'id').rows.get(rowKey(state.table.id, row));
  return now != null && state.changed.has(now);
}
