// The store of a dry run, around two others: rows are read from the catalog and from a scratch store, and written only
// to the scratch store. Where both have a row with the same identity, that of the scratch store is used.

import { newDraft } from '../core/rows/draft.js';
import { rowKey } from '../core/rows/draft-state.js';
import { provisionalIds } from '../core/rows/provisional-id.js';
import { epochTable, movesEpoch } from '../core/rows/reference-epoch.js';
import type { Draft, Heads, Pending, RowSink, SavedRows } from '../core/rows/snapshot.js';
import type { Row, Table } from '../core/rows/table.js';
import { given } from './row-pages.js';
import { isLastPage, type PageRequest, type Plan, type Store } from './store.js';

/** The pending rows that a store found: rows by table, look-up and key, children by table and parent. */
interface Found extends RowSink {
  readonly rows: Map<Table, Map<string, Map<string, Row>>>;
  readonly children: Map<Table, Map<string, readonly Row[]>>;
  readonly some: Map<Table, boolean>;
  heads: Heads;
}

/** Collects the rows of one store, to be merged with the other's. */
function newFoundRows(): Found {
  const rows: Found['rows'] = new Map();
  const children: Found['children'] = new Map();
  const some: Found['some'] = new Map();
  const found: Found = {
    rows,
    children,
    some,
    heads: { indexes: [], ids: [], fingerprints: [] },
    missing() {},
    loaded(table, lookup, key, row) {
      entryOf(entryOf(rows, table), lookup).set(key, row);
    },
    loadedChildren: (table, parent, rows) => void entryOf(children, table).set(parent, rows),
    loadedSome: (table, hasRows) => void some.set(table, hasRows),
    addHeads(heads) {
      found.heads = heads;
    },
  };
  return found;
}

function entryOf<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const entry = map.get(key) ?? new Map<L, V>();
  map.set(key, entry);
  return entry;
}

/** The pending look-ups of some tables; undefined if there are none. */
function ofTables(pending: Pending, isWanted: (table: Table) => boolean): Pending | undefined {
  const rows = new Map([...pending.rows].filter(([table]) => isWanted(table)));
  const children = new Map([...pending.children].filter(([table]) => isWanted(table)));
  const some = new Set([...pending.some].filter(isWanted));
  const heads = pending.heads !== undefined && isWanted(pending.heads.table) ? pending.heads : undefined;
  if (rows.size + children.size + some.size === 0 && heads === undefined) return undefined;
  return { rows, children, some, ...(heads && { heads }) };
}

/** Rows of the catalog that the scratch store has in a newer version: their identities by table. */
async function replacedIn(scratch: Store, { rows }: Found): Promise<ReadonlyMap<Table, ReadonlySet<string>>> {
  const wanted: Pending = { rows: new Map(), children: new Map(), some: new Set() };
  for (const [table, lookups] of rows) {
    const ids = [...lookups.values()].flatMap((byKey) => [...byKey.values()].map((row) => rowKey(table.id, row)));
    if (ids.length > 0) wanted.rows.set(table, new Map([['id', new Set(ids)]]));
  }
  if (wanted.rows.size === 0) return new Map();
  const newer = newFoundRows();
  await scratch.load(wanted, newer);
  return new Map([...newer.rows].map(([table, lookups]) => [table, new Set(lookups.get('id')?.keys())]));
}

/** Loads pending rows of tables that have rows in both stores. */
async function loadMerged(base: Store, scratch: Store, pending: Pending, sink: RowSink): Promise<void> {
  const [kept, own] = [newFoundRows(), newFoundRows()];
  await Promise.all([base.load(pending, kept), scratch.load(pending, own)]);
  const replaced = await replacedIn(scratch, kept);
  for (const [table, lookups] of pending.rows) {
    for (const [lookup, keys] of lookups) {
      sink.missing(table, lookup, keys);
      for (const [key, row] of kept.rows.get(table)?.get(lookup) ?? [])
        if (replaced.get(table)?.has(rowKey(table.id, row)) !== true) sink.loaded(table, lookup, key, row);
      for (const [key, row] of own.rows.get(table)?.get(lookup) ?? []) sink.loaded(table, lookup, key, row);
    }
  }
  for (const [table, parents] of pending.children) {
    for (const parent of parents) {
      const newer = own.children.get(table)?.get(parent) ?? [];
      const ids = new Set(newer.map((row) => rowKey(table.id, row)));
      const others = kept.children.get(table)?.get(parent) ?? [];
      sink.loadedChildren(table, parent, [...newer, ...others.filter((row) => !ids.has(rowKey(table.id, row)))]);
    }
  }
  if (pending.heads !== undefined) sink.addHeads(mergedHeads(kept.heads, own.heads));
  for (const table of pending.some) sink.loadedSome(table, (own.some.get(table) ?? kept.some.get(table)) === true);
}

function idOf(row: Row): string {
  return String(row['id']);
}

interface DryRunState {
  /** The catalog, which is only read; undefined if it does not exist yet. */
  readonly base: Store | undefined;
  readonly scratch: Store;
  readonly newId: (table: Table) => string;
  /** Tables with rows in the scratch store: only these are looked up there. */
  readonly written: Set<string>;
  /** The write that began last: each waits for the one before it, and sees what that one saved. */
  latest: Promise<unknown>;
}

/**
 * A store for dry runs: later plans see what earlier ones saved. Each load is consistent in itself; a running plan may
 * see a part of what others commit to the catalog meanwhile.
 * @param base the catalog, which is only read; undefined if it does not exist yet
 * @param scratch the store that is discarded afterwards; it accepts identifiers that others made
 */
export function dryRunStore(base: Store | undefined, scratch: Store): Store {
  const written = new Set<string>();
  const state: DryRunState = { base, scratch, newId: provisionalIds(), written, latest: Promise.resolve() };
  const write = <T>(plan: Plan<T>) => queueWrite(state, plan);
  return {
    read: (plan) => runPlan(state, plan, newDraft(state)),
    scan: async <R extends Row, T>(
      table: Table<R>,
      page: PageRequest,
      plan: (rows: readonly R[], draft: Draft) => Generator<void, T>,
    ) => {
      const rows = (await readPage(state, table, page)) as R[];
      return runPlan(state, (draft) => plan(rows, draft), newDraft(state));
    },
    load: (pending, sink) => loadPending(state, pending, sink),
    save: (saved) => saveRows(state, saved),
    write,
    dryRun: write,
    readAll: async (table) => [...((await base?.readAll(table)) ?? []), ...(await scratch.readAll(table))],
    deleteExpired: (table, time) => scratch.deleteExpired(table, time),
    timeBeyond: (table, bounds) => scratch.timeBeyond(table, bounds),
    async close() {
      await scratch.close();
      await base?.close();
    },
  };
}

async function loadPending({ base, scratch, written }: DryRunState, pending: Pending, sink: RowSink): Promise<void> {
  if (base === undefined) return scratch.load(pending, sink);
  const mixed = ofTables(pending, (table) => written.has(table.name));
  const plain = ofTables(pending, (table) => !written.has(table.name));
  if (plain !== undefined) await base.load(plain, sink);
  if (mixed !== undefined) await loadMerged(base, scratch, mixed, sink);
}

/** Heads by the same keys, which records never change: of two for one key the newer one counts. */
function mergedHeads(before: Heads, newer: Heads): Heads {
  const replaced = new Set(newer.indexes);
  const isKept = before.indexes.map((index) => !replaced.has(index));
  const merged = <T>(old: readonly T[], own: readonly T[]) => [...old.filter((_, i) => isKept[i]), ...own];
  return {
    indexes: merged(before.indexes, newer.indexes),
    ids: merged(before.ids, newer.ids),
    fingerprints: newer.fingerprints.map((own, i) => merged(before.fingerprints[i] ?? [], own)),
  };
}

/** The stored rows with these identifiers. */
async function rowsIn(store: Store, table: Table, ids: readonly string[]): Promise<ReadonlyMap<string, Row>> {
  const found = newFoundRows();
  if (ids.length > 0)
    await store.load(
      { rows: new Map([[table, new Map([['id', new Set(ids)]])]]), children: new Map(), some: new Set() },
      found,
    );
  return found.rows.get(table)?.get('id') ?? new Map();
}

/**
 * Rows of the catalog, in the scratch store's version where it has one; then the rows that only the scratch store has.
 */
async function readPage({ base, scratch }: DryRunState, table: Table, { after, limit }: PageRequest): Promise<Row[]> {
  const rows: Row[] = [];
  const page = (last: string | undefined) => ({ limit, ...(last && { after: last }) });
  let ownAfter = after;
  if (base !== undefined && (after === undefined || (await rowsIn(base, table, [after])).size > 0)) {
    ownAfter = undefined;
    // Until this page is one that says whether it is the last: newer versions of its rows may have shorter texts.
    for (let last = after, isEnd = false; !isEnd && isLastPage(table, rows, { limit }); ) {
      const kept = await base.scan(table, page(last), given);
      const newer = await rowsIn(scratch, table, kept.map(idOf));
      rows.push(...kept.map((row) => newer.get(idOf(row)) ?? row));
      isEnd = isLastPage(table, kept, { limit });
      last = kept.length === 0 ? last : idOf(kept.at(-1) as Row);
    }
  }
  // Whole pages, however few rows are wanted: most of them may be newer versions of rows that the catalog has.
  while (isLastPage(table, rows, { limit })) {
    const own = await scratch.scan(table, page(ownAfter), given);
    const kept = base === undefined ? undefined : await rowsIn(base, table, own.map(idOf));
    rows.push(...own.filter((row) => kept?.has(idOf(row)) !== true));
    ownAfter = own.length === 0 ? ownAfter : idOf(own.at(-1) as Row);
    if (isLastPage(table, own, { limit })) break;
  }
  return rows.slice(0, limit);
}

async function runPlan<T>(state: DryRunState, plan: Plan<T>, draft: Draft): Promise<T> {
  const steps = plan(draft);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    // Loading may make more rows pending: the ancestors of a category.
    for (let pending = draft.drainPending(); pending !== undefined; pending = draft.drainPending())
      await loadPending(state, pending, draft);
  }
}

async function saveRows({ scratch, written }: DryRunState, saved: ReadonlyMap<Table, SavedRows>): Promise<void> {
  await scratch.save(saved);
  for (const { name } of saved.keys()) written.add(name);
  // From now on the scratch store's own epoch applies, with its own key: no fingerprint of the catalog matches it.
  if (movesEpoch(saved)) written.add(epochTable.name);
}

function queueWrite<T>(state: DryRunState, plan: Plan<T>): Promise<T> {
  const done = state.latest.then(() => writeNow(state, plan));
  state.latest = done.catch(() => undefined);
  return done;
}

async function writeNow<T>(state: DryRunState, plan: Plan<T>): Promise<T> {
  const draft = newDraft(state);
  const value = await runPlan(state, plan, draft);
  for (const table of draft.cleared()) await state.scratch.deleteExpired(table, Number.MAX_SAFE_INTEGER);
  const saved = draft.saved();
  if (saved.size > 0) await saveRows(state, saved);
  return value;
}
