// The store of a dry run, around two others: rows are read from the catalog and from a scratch store, and written to the
// scratch store only. Of two rows with the same identity the scratch store's counts.
import { newDraft } from '../core/draft.js';
import { provisionalIds } from '../core/provisional-id.js';
import { type Draft, keyParts, type Pending, type Saved, separator } from '../core/snapshot.js';
import type { Row, Table } from '../core/table.js';
import type { Plan, Store } from './store.js';

/** What a store had of what was pending. */
interface Loaded {
  readonly rows: Map<Table, Map<string, Map<string, Row>>>;
  readonly children: Map<Table, Map<string, readonly Row[]>>;
  readonly some: Map<Table, boolean>;
}

/** A plan that loads what is pending elsewhere, and changes nothing. */
function loading(pending: Pending): Plan<Loaded> {
  return function* (draft) {
    const ask = (): Loaded => loadedOf(pending, draft);
    ask();
    yield;
    return ask();
  };
}

function loadedOf(pending: Pending, draft: Draft): Loaded {
  const loaded: Loaded = { rows: new Map(), children: new Map(), some: new Map() };
  for (const [table, lookups] of pending.rows) {
    const byLookup = new Map<string, Map<string, Row>>();
    loaded.rows.set(table, byLookup);
    for (const [lookup, keys] of lookups) {
      const found = new Map<string, Row>();
      byLookup.set(lookup, found);
      for (const key of keys) {
        const [first = '', second] = keyParts(key);
        const row = second === undefined ? draft.find(table, lookup, first) : findByParts(draft, table, lookup, key);
        if (row !== undefined) found.set(key, row);
      }
    }
  }
  for (const [table, parents] of pending.children) {
    const byParent = new Map<string, readonly Row[]>();
    loaded.children.set(table, byParent);
    for (const parent of parents) byParent.set(parent, draft.children(table, parent));
  }
  for (const table of pending.some) loaded.some.set(table, draft.some(table));
  return loaded;
}

/** A draft joins the parts of a key again. */
function findByParts(draft: Draft, table: Table, lookup: string, key: string): Row | undefined {
  const [first = '', ...others] = keyParts(key);
  return draft.find(table, lookup, first, others.join(separator));
}

function identityOf(table: Table, row: Row): string {
  return table.id.map((name) => row[name]).join(separator);
}

/** What a draft saved, as a plan of the scratch store. */
function saving(saved: ReadonlyMap<Table, Saved>): Plan<void> {
  // biome-ignore lint/correctness/useYield: there is nothing to load
  return function* (draft) {
    for (const [table, { created, changed }] of saved) {
      for (const row of created) draft.save(table, row, null);
      // Whether the scratch store has it already is not known: it writes the whole row.
      for (const row of changed.keys()) draft.save(table, row, undefined);
    }
  };
}

/**
 * A store on which a dry run is applied, so that its later plans see it.
 * @param base the catalog, which is only read; undefined where there is none yet
 * @param scratch what is thrown away afterwards; it takes identifiers that others made
 */
export function dryRunStore(base: Store | undefined, scratch: Store): Store {
  const newId = provisionalIds();
  /** Tables of which the scratch store has rows: nothing is looked for in the others. */
  const written = new Set<string>();

  async function scratched(pending: Pending): Promise<Loaded | undefined> {
    const rows = new Map([...pending.rows].filter(([table]) => written.has(table.name)));
    const children = new Map([...pending.children].filter(([table]) => written.has(table.name)));
    const some = new Set([...pending.some].filter((table) => written.has(table.name)));
    if (rows.size + children.size + some.size === 0) return undefined;
    return scratch.look(loading({ rows, children, some }));
  }

  /** The identities of rows of the catalog that the scratch store has a newer form of. */
  async function replaced(found: Loaded): Promise<ReadonlyMap<Table, ReadonlySet<string>>> {
    const rows: Pending['rows'] = new Map();
    for (const [table, lookups] of found.rows) {
      if (!written.has(table.name)) continue;
      const ids = new Set(
        [...lookups.values()].flatMap((byKey) => [...byKey.values()].map((row) => identityOf(table, row))),
      );
      if (ids.size > 0) rows.set(table, new Map([['id', ids]]));
    }
    if (rows.size === 0) return new Map();
    const newer = await scratch.look(loading({ rows, children: new Map(), some: new Set() }));
    return new Map([...newer.rows].map(([table, lookups]) => [table, new Set(lookups.get('id')?.keys())]));
  }

  async function load(pending: Pending, draft: Draft): Promise<void> {
    const [own, found] = await Promise.all([scratched(pending), base?.look(loading(pending))]);
    const stale = found === undefined ? new Map() : await replaced(found);
    for (const [table, lookups] of pending.rows) {
      for (const [lookup, keys] of lookups) {
        draft.missing(table, lookup, keys);
        for (const [key, row] of found?.rows.get(table)?.get(lookup) ?? [])
          if (stale.get(table)?.has(identityOf(table, row)) !== true) draft.loaded(table, lookup, key, row);
        for (const [key, row] of own?.rows.get(table)?.get(lookup) ?? []) draft.loaded(table, lookup, key, row);
      }
    }
    for (const [table, parents] of pending.children) {
      for (const parent of parents) {
        const newer = own?.children.get(table)?.get(parent) ?? [];
        const kept = found?.children.get(table)?.get(parent) ?? [];
        draft.loadedChildren(table, parent, newerFirst(table, newer, kept));
      }
    }
    for (const table of pending.some)
      draft.loadedSome(table, own?.some.get(table) === true || found?.some.get(table) === true);
  }

  async function run<T>(plan: Plan<T>, draft: Draft): Promise<T> {
    const steps = plan(draft);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      // What is loaded may ask for more: the way up from a category.
      for (let pending = draft.drainPending(); pending !== undefined; pending = draft.drainPending())
        await load(pending, draft);
    }
  }

  async function change<T>(plan: Plan<T>): Promise<T> {
    const draft = newDraft({ newId });
    const value = await run(plan, draft);
    const saved = draft.saved();
    if (saved.size > 0) await scratch.change(saving(saved));
    for (const { name } of saved.keys()) written.add(name);
    return value;
  }

  return {
    look: (plan) => run(plan, newDraft({ newId })),
    change,
    rehearse: change,
    expire: (table, time) => scratch.expire(table, time),
    async close() {
      await scratch.close();
      await base?.close();
    },
  };
}

/** The children of a record: the scratch store's, and those of the catalog that it has no newer form of. */
function newerFirst(table: Table, newer: readonly Row[], kept: readonly Row[]): Row[] {
  if (newer.length === 0) return [...kept];
  const own = new Set(newer.map((row) => identityOf(table, row)));
  return [...newer, ...kept.filter((row) => !own.has(identityOf(table, row)))];
}
