// A draft: a snapshot that is loaded on demand, with the rows saved on top of it, and the pending look-ups. The state
// is in draft-state.ts, reads are in draft-reads.ts, writes in draft-writes.ts.
import { addLoaded, findAncestry, findChildren, findRow, hasRows, takeTexts } from './draft-reads.js';
import {
  childrenByParent,
  type DraftSource,
  type DraftState,
  lookupOf,
  pendingOf,
  rowKey,
  tableState,
} from './draft-state.js';
import {
  endItem,
  keepRow,
  nextId,
  originOf,
  rollBack,
  savedCount,
  saveRow,
  setMark,
  takeSaved,
} from './draft-writes.js';
import { type Draft, keySeparator, type Pending, type SavedRows } from './snapshot.js';
import type { Row, Table } from './table.js';

/** For drafts that create no records. */
const noIds: DraftSource = {
  newId(table) {
    throw new Error(`this draft makes no new rows of ${table.name}`);
  },
};

/** An empty draft: every look-up becomes pending. */
export function newDraft(source: DraftSource = noIds): Draft {
  const state = emptyState(source);
  return {
    find: <R extends Row>(table: Table<R>, lookup: string, value: string, second?: string) =>
      findRow(state, table, lookup, second === undefined ? value : value + keySeparator + second) as R | undefined,
    ancestry: <R extends Row>(table: Table<R>, id: string) => findAncestry(state, table, id) as R[],
    origin: <R extends Row>(table: Table<R>, row: R) => originOf(state, table, row) as R | undefined,
    written: <R extends Row>(table: Table<R>) => writtenRows(state, table) as Iterable<R>,
    children: <R extends Row>(table: Table<R>, parent: string) => findChildren(state, table, parent) as readonly R[],
    askHeads(request) {
      pendingOf(state).heads = request;
    },
    loadedHeads: () => state.loadedHeads,
    some: (table) => hasRows(state, table),
    newId: (table) => nextId(state, table),
    endItem: (accepted) => endItem(state, accepted),
    belongTo(run) {
      state.run = run;
    },
    limitTexts(most) {
      state.textsLeft = most;
    },
    hasPending: () => state.pending !== undefined,
    drainPending: () => drainPending(state),
    received: (row) => takeTexts(state, row),
    missing(table, lookup, keys) {
      const { rows } = lookupOf(state, tableState(state, table), lookup);
      for (const key of keys) rows.set(key, null);
    },
    loaded: (table, lookup, key, row) => addLoaded(state, tableState(state, table), lookup, { key, row }),
    loadedChildren: (table, parent, rows) => void childrenByParent(state, tableState(state, table)).set(parent, rows),
    loadedSome(table, some) {
      tableState(state, table).some = some;
    },
    addHeads(heads) {
      state.loadedHeads = heads;
    },
    save: (table, row, before) => saveRow(state, table, row, before),
    keep: (table, row, before) => keepRow(state, table, row, before),
    kept: () => keptRows(state),
    clear: (table) => void state.cleared.add(table),
    cleared: () => state.cleared,
    mark: () => setMark(state),
    rollback: () => rollBack(state),
    saved: () => new Map([...state.tables].filter(([, rows]) => savedCount(rows) > 0)),
    hasSaved: () => [...state.tables.values()].some((rows) => rows.taken.length + savedCount(rows) > 0),
    takeSaved: (least) => takeSaved(state, least),
  };
}

function emptyState(source: DraftSource): DraftState {
  return {
    source,
    run: undefined,
    textsLeft: Number.POSITIVE_INFINITY,
    tables: new Map(),
    latest: undefined,
    pending: undefined,
    loadedHeads: undefined,
    issuing: [],
    undo: { steps: [], length: 0 },
    kept: [],
    keptAtMark: 0,
    cleared: new Set(),
  };
}

/** The rows of a table that were saved, each in its last version. */
function writtenRows(draft: DraftState, table: Table): Iterable<Row> {
  const { taken, created, changed } = tableState(draft, table);
  const rows = new Map<string, Row>();
  for (const list of [taken, created, changed.keys()]) for (const row of list) rows.set(rowKey(table.id, row), row);
  return rows.values();
}

function keptRows({ kept }: DraftState): Map<Table, SavedRows> {
  const byTable = new Map<Table, { readonly created: Row[]; readonly changed: Map<Row, Row> }>();
  for (const { table, row, before } of kept) {
    const rows = byTable.get(table) ?? { created: [], changed: new Map() };
    byTable.set(table, rows);
    rows.changed.set(row, before);
  }
  return byTable;
}

function drainPending(draft: DraftState): Pending | undefined {
  const drained = draft.pending;
  draft.pending = undefined;
  return drained;
}
