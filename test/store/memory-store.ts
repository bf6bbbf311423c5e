// A store in maps: the simplest one. It defines what every other one must do (contract.ts), and is used by tests that need no
// file.
import { randomInt } from 'node:crypto';
import { newDraft } from '../../src/core/rows/draft.js';
import { provisionalIds } from '../../src/core/rows/provisional-id.js';
import { epochId, epochTable, movesEpoch } from '../../src/core/rows/reference-epoch.js';
import {
  type Draft,
  type HeadRequest,
  type Heads,
  keySeparator,
  type Pending,
  type RowSink,
  type SavedRows,
} from '../../src/core/rows/snapshot.js';
import type { Row, Table } from '../../src/core/rows/table.js';
import { isLastPage, noSuchRow, type PageRequest, type Plan, type Store } from '../../src/store/store.js';

type Rows = Map<string, Row>;

function keyOf(columns: readonly string[], row: Row): string {
  return columns.map((name) => row[name]).join(keySeparator);
}

/** An empty store, which ends with the process. Longer than a screen: the methods of the port, each of a few lines. */
export function memoryStore(): Store {
  const tables = new Map<string, Rows>();
  const epoch = {
    id: epochId,
    key_high: randomInt(2 ** 32) | 0,
    key_low: randomInt(2 ** 32) | 0,
    count: 1,
    moved_at: 0,
  };
  tables.set(epochTable.name, new Map([[epochId, epoch]]));
  let issued = 0;
  let changes = 0;

  function rowsOf(table: Table): Rows {
    const rows = tables.get(table.name) ?? new Map<string, Row>();
    tables.set(table.name, rows);
    return rows;
  }

  function load(pending: Pending, sink: RowSink): void {
    for (const [table, lookups] of pending.rows) {
      for (const [lookup, keys] of lookups) {
        sink.missing(table, lookup, keys);
        const columns = table.lookups[lookup] ?? [];
        for (const row of rowsOf(table).values()) {
          const key = keyOf(columns, row);
          if (!keys.has(key)) continue;
          sink.received?.(row);
          sink.loaded(table, lookup, key, row);
        }
      }
    }
    for (const [table, parents] of pending.children) {
      const all = [...rowsOf(table).values()];
      for (const parent of parents)
        sink.loadedChildren(
          table,
          parent,
          all.filter((row) => row[table.parent ?? ''] === parent),
        );
    }
    for (const table of pending.some) sink.loadedSome(table, rowsOf(table).size > 0);
    if (pending.heads !== undefined) sink.addHeads(headsOf(pending.heads));
  }

  function headsOf({ table, column, keys }: HeadRequest): Heads {
    const byKey = new Map([...rowsOf(table).values()].map((row) => [row[column], row]));
    const found = keys.flatMap((key, place) => {
      const row = byKey.get(key);
      return row === undefined ? [] : [{ place, row }];
    });
    return {
      indexes: found.map(({ place }) => place),
      ids: found.map(({ row }) => String(row['id'])),
      fingerprints: (table.fingerprint ?? []).map((name) => found.map(({ row }) => Number(row[name]))),
    };
  }

  function drive<T>(plan: Plan<T>, draft: Draft, between?: () => void): T {
    const steps = plan(draft);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      between?.();
      for (let pending = draft.drainPending(); pending !== undefined; pending = draft.drainPending())
        load(pending, draft);
    }
  }

  function pageOf(table: Table, { after, limit }: PageRequest): Row[] {
    const rows = [...rowsOf(table).values()];
    const place = after === undefined ? -1 : rows.findIndex((row) => row['id'] === after);
    if (after !== undefined && place === -1) throw noSuchRow(after);
    const page: Row[] = [];
    for (const row of rows.slice(place + 1)) if (isLastPage(table, page, { limit })) page.push(row);
    return page;
  }

  function save(saved: ReadonlyMap<Table, SavedRows>): void {
    changes++;
    for (const [table, { created, changed }] of saved) {
      const rows = rowsOf(table);
      for (const row of [...created, ...changed.keys()]) rows.set(keyOf(table.id, row), row);
    }
    if (movesEpoch(saved)) Object.assign(epoch, { count: epoch.count + 1, moved_at: Math.floor(Date.now() / 1000) });
  }

  const read: Store['read'] = async (plan) => drive(plan, newDraft({ newId: provisionalIds() }));
  return {
    read,
    scan: <R extends Row, T>(
      table: Table<R>,
      page: PageRequest,
      plan: (rows: readonly R[], draft: Draft) => Generator<void, T>,
    ) => read((draft) => plan(pageOf(table, page) as R[], draft)),
    save: async (saved) => save(saved),
    load: async (pending, sink) => load(pending, sink),
    dryRun: read,
    async write(plan) {
      const draft = newDraft({ newId: ({ prefix = '' }) => `${prefix}${String(++issued).padStart(9, '0')}` });
      let before: typeof tables | undefined;
      try {
        const value = drive(plan, draft, () => {
          // Rows are written as early as a store may: after each batch.
          const taken = draft.takeSaved(1);
          if (taken === undefined) return;
          before ??= new Map([...tables].map(([name, rows]) => [name, new Map(rows)]));
          save(taken);
        });
        for (const table of draft.cleared()) rowsOf(table).clear();
        save(draft.saved());
        save(draft.kept());
        return value;
      } catch (error) {
        if (before !== undefined) tables.clear();
        for (const [name, rows] of before ?? []) tables.set(name, rows);
        throw error;
      }
    },
    readAll: async <R extends Row>(table: Table<R>) => [...rowsOf(table).values()] as R[],
    changeCount: () => changes,
    async deleteExpired(table, time) {
      changes++;
      const rows = rowsOf(table);
      for (const [key, row] of rows) if (Number(row['created_at']) <= time) rows.delete(key);
    },
    async timeBeyond(table, { rows: most, column, bytes }) {
      let size = 0;
      const newestFirst = [...rowsOf(table).values()].sort((a, b) => Number(b['created_at']) - Number(a['created_at']));
      const beyond = newestFirst.find((row, i) => {
        size += Buffer.byteLength(String(row[column]));
        return i >= most || size > bytes;
      });
      return beyond && Number(beyond['created_at']);
    },
    async close() {},
  };
}
