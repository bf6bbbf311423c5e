// The writes of a draft: a saved row replaces its former version in every look-up and list of children, until a rollback.

import { type DraftState, rowKey, type TableState, tableState } from './draft-state.js';
import { dropFingerprint } from './reference-epoch.js';
import type { SavedRows } from './snapshot.js';
import type { Row, Table } from './table.js';
import { deleteEntry, remember, setEntry, undoAll } from './undo-log.js';

/** `Draft.save` */
export function saveRow(draft: DraftState, table: Table, row: Row, before: Row | null | undefined): void {
  const state = tableState(draft, table);
  if (before != null) dropFingerprint(table, row, before);
  indexRow(draft, state, row, before);
  if (table.parent !== undefined) saveChild(draft, state, row, before);
  state.some = true;
  if (before === null) createRow(draft, state, row);
  else changeRow(draft, state, row, before);
}

/** Indexes the row under its keys; a key that it no longer has finds nothing. */
function indexRow(draft: DraftState, state: TableState, row: Row, before: Row | null | undefined): void {
  const { id } = state.table;
  for (const { columns, rows } of state.lookups.values()) {
    const key = rowKey(columns, row);
    const old = before == null ? key : rowKey(columns, before);
    if (before != null && old !== key) {
      const holder = rows.get(old);
      if (holder != null && rowKey(id, holder) === rowKey(id, before)) setEntry(draft.undo, rows, old, null);
    }
    setEntry(draft.undo, rows, key, row);
  }
}

function saveChild(draft: DraftState, { table, families }: TableState, row: Row, before: Row | null | undefined): void {
  const children = families.get('children');
  if (children === undefined) return;
  const parent = row[table.parent as string] as string;
  const known = children.get(parent) ?? [];
  const family = known instanceof Map ? known : new Map(known.map((one) => [rowKey(table.id, one), one]));
  if (family !== known) setEntry(draft.undo, children, parent, family);
  const key = rowKey(table.id, row);
  if (before != null && rowKey(table.id, before) !== key) deleteEntry(draft.undo, family, rowKey(table.id, before));
  setEntry(draft.undo, family, key, row);
}

/** `Snapshot.origin` */
export function originOf(draft: DraftState, table: Table, row: Row): Row | undefined {
  const state = tableState(draft, table);
  const origin = state.changed.get(row);
  if (origin === undefined && createdIndex(state, row) !== undefined) return undefined;
  const stored = origin === undefined || origin === 'unknown' ? row : origin;
  return draft.run === undefined || table.derived === undefined ? stored : table.derived.before(stored, draft.run);
}

function createRow({ run }: DraftState, { created, table: { derived } }: TableState, row: Row): void {
  if (derived !== undefined && run !== undefined) row[derived.column] = derived.created(run);
  created.push(row);
}

/** Saves a row that is not known to be new: replaces its former version among the new rows or among the others. */
function changeRow(draft: DraftState, state: TableState, row: Row, before: Row | undefined): void {
  const { created, indexes, changed } = state;
  if (before === undefined) return setEntry(draft.undo, changed, row, 'unknown');
  const index = created.length === 0 ? undefined : createdIndex(state, before);
  if (index === undefined) {
    const origin = changed.get(before);
    if (origin !== undefined) deleteEntry(draft.undo, changed, before);
    const stored = origin ?? before;
    const { derived } = state.table;
    // What only an earlier item of the transaction gave the row was never seen.
    if (derived !== undefined && stored !== 'unknown') row[derived.column] = derived.of(row, stored, draft.run);
    return setEntry(draft.undo, changed, row, stored);
  }
  remember(draft.undo, created, index, before);
  created[index] = row;
  indexes.delete(before);
  indexes.set(row, index);
}

/** The index of a row among the new ones. */
function createdIndex({ created, indexes }: TableState, row: Row): number | undefined {
  for (let i = indexes.size; i < created.length; i++) indexes.set(created[i] as Row, i);
  return indexes.get(row);
}

/** `Snapshot.newId` */
export function nextId(draft: DraftState, table: Table): string {
  const state = tableState(draft, table);
  if (state.issuedBefore === -1) {
    state.issuedBefore = state.issued;
    draft.issuing.push(state);
  }
  const nth = state.issued++;
  let id = state.ids[nth];
  if (id === undefined) {
    id = draft.source.newId(table, nth);
    state.ids[nth] = id;
  }
  return id;
}

/** `Draft.keep` */
export function keepRow({ kept }: DraftState, table: Table, row: Row, before: Row): void {
  kept.push({ table, row, before });
}

/** `Draft.endItem` */
export function endItem({ issuing }: DraftState, accepted: boolean): void {
  for (const state of issuing) {
    if (!accepted) state.issued = state.issuedBefore;
    state.issuedBefore = -1;
  }
  issuing.length = 0;
}

/** `Draft.mark` */
export function setMark(draft: DraftState): void {
  const { tables, undo, kept } = draft;
  undo.length = 0;
  draft.keptAtMark = kept.length;
  for (const state of tables.values()) {
    state.issuedAtMark = state.issued;
    state.createdAtMark = state.created.length;
  }
}

/** `Draft.rollback` */
export function rollBack({ tables, undo, kept, keptAtMark }: DraftState): void {
  undoAll(undo);
  kept.length = keptAtMark;
  for (const state of tables.values()) {
    state.issued = state.issuedAtMark;
    state.created.length = state.createdAtMark;
    state.indexes.clear();
  }
}

/** How many rows of a table were saved, without those that were taken. */
export function savedCount({ created, changed }: TableState): number {
  return created.length + changed.size;
}

/** `Draft.takeSaved` */
export function takeSaved(draft: DraftState, least: number): Map<Table, SavedRows> | undefined {
  const states = [...draft.tables.values()];
  if (draft.undo.length > 0 || states.some(({ created, createdAtMark }) => created.length > createdAtMark))
    return undefined;
  if (states.reduce((sum, state) => sum + savedCount(state), 0) < least) return undefined;
  const taken = new Map<Table, SavedRows>();
  for (const state of states) {
    const { table, created, changed } = state;
    if (savedCount(state) === 0) continue;
    taken.set(table, { created, changed });
    for (const row of created) state.taken.push(row);
    for (const row of changed.keys()) state.taken.push(row);
    Object.assign(state, { created: [], createdAtMark: 0, changed: new Map() });
    state.indexes.clear();
  }
  return taken;
}
