// The rows of one SQLite connection: loaded in bulk (load-rows.ts), read page by page, saved (save-rows.ts), by statements
// that are prepared once.
import type { Statement } from 'better-sqlite3';
import { epochTable, movesEpoch } from '../../../core/rows/reference-epoch.js';
import type { Pending, RowSink, SavedRows } from '../../../core/rows/snapshot.js';
import type { Row, Table } from '../../../core/rows/table.js';
import type { NewId } from '../../identifiers.js';
import { longBytes, noSuchRow, type PageRequest, pageBytes } from '../../store.js';
import type { Database } from '../driver.js';
import { type Layout, layoutOf } from './layout.js';
import {
  cellsOf,
  indexOf,
  loadPending,
  rowsOf,
  type SingleLookup,
  type SqliteLoader,
  singleLookup,
} from './load-rows.js';
import type { Prepare } from './prepare.js';
import { referenceChecker } from './reference-check.js';
import { type Adoption, rowNumbers } from './row-numbers.js';
import { rowSaver } from './save-rows.js';

export interface RowStatements {
  /** The identifier of the n-th new row of a table, for one draft. */
  newIds(newId: NewId): (table: Table, nth: number) => string;
  /** Loads all pending rows. */
  load(pending: Pending, sink: RowSink): void;
  /** The look-up of one row by one statement, prepared once; undefined where one statement is not enough. */
  single(table: Table, lookup: string): SingleLookup | undefined;
  /** Rows of a table in the order of their numbers, or of their identifiers where they have none. */
  page<R extends Row>(table: Table<R>, page: PageRequest): R[];
  /** Every row of a small table. */
  all<R extends Row>(table: Table<R>): R[];
  /** Writes every row a draft saved. */
  save(saved: ReadonlyMap<Table, SavedRows>): void;
  /** Writes what a draft keeps in addition to its records. */
  keep(kept: ReadonlyMap<Table, SavedRows>): void;
  /** To be called when a transaction begins: another process may have changed the catalog. */
  begin(): void;
  /** Clears the caches filled in a transaction that was rolled back. */
  forget(): void;
}

/** Statements by their names, each prepared the first time it is asked for. */
function statementCache(database: Database): Prepare {
  const cache = new Map<string, Statement>();
  return (name, sql) => {
    let found = cache.get(name);
    if (found === undefined) {
      found = database.prepare(sql());
      cache.set(name, found);
    }
    return found;
  };
}

/** The statements of one connection. */
export function rowStatements(database: Database, adoption: Adoption): RowStatements {
  const prepare = statementCache(database);
  const numbers = rowNumbers(prepare, adoption);
  const loader: SqliteLoader = { prepare, numbers, adoption, indexes: new Map() };
  const saveRows = rowSaver(prepare, numbers);
  const checkReferences = adoption === 'all' ? undefined : referenceChecker(prepare, numbers);
  return {
    single: singleLookups(loader),
    newIds: (newId) => newIds(prepare, newId),
    load: (pending, sink) => loadPending(loader, pending, sink),
    page: <R extends Row>(table: Table<R>, request: PageRequest) => readPage(loader, table, request) as R[],
    all<R extends Row>(table: Table<R>) {
      const sql = () => `SELECT ${cellsOf(table)} FROM ${table.name} t`;
      return rowsOf(loader, layoutOf(table), prepare(`${table.name}/all`, sql).pluck().all()) as R[];
    },
    save(saved) {
      const all = new Map([...saved].map(([table, rows]) => [layoutOf(table), rows]));
      saveRows(all);
      checkReferences?.(all);
      for (const [layout, rows] of all)
        for (const lookup of Object.keys(layout.hashed)) indexOf(loader, layout, lookup)?.keepUp(rows);
      if (movesEpoch(saved)) moveEpoch(prepare);
    },
    keep: (kept) => saveRows(new Map([...kept].map(([table, rows]) => [layoutOf(table), rows]))),
    begin: () => numbers.forget(),
    forget() {
      numbers.forget();
      for (const index of loader.indexes.values()) index.forget();
    },
  };
}

function singleLookups(loader: SqliteLoader): RowStatements['single'] {
  const known = new WeakMap<Table, Map<string, SingleLookup | undefined>>();
  return (table, lookup) => {
    let ofTable = known.get(table);
    if (ofTable === undefined) {
      ofTable = new Map();
      known.set(table, ofTable);
    }
    if (!ofTable.has(lookup)) ofTable.set(lookup, singleLookup(loader, table, lookup));
    return ofTable.get(lookup);
  };
}

function moveEpoch(prepare: Prepare): void {
  const sql = () => `UPDATE ${epochTable.name} SET count = count + 1, moved_at = ?`;
  prepare(`${epochTable.name}/move`, sql).run(Math.floor(Date.now() / 1000));
}

/** Identifiers of new rows; those of numbered rows contain the numbers after the last row. */
function newIds(prepare: Prepare, newId: NewId): (table: Table, nth: number) => string {
  let last: number | undefined;
  return (table, nth) => {
    const { prefix = '' } = table;
    if (!layoutOf(table).numbered) return newId(prefix);
    last ??= Number(
      prepare(`${table.name}/last`, () => `SELECT max(seq) FROM ${table.name}`)
        .pluck()
        .get(),
    );
    return newId(prefix, last + 1 + nth);
  };
}

function readPage(loader: SqliteLoader, table: Table, { after, limit }: PageRequest): Row[] {
  const layout = layoutOf(table);
  const column = layout.numbered ? 'seq' : 'id';
  const orderValue = after === undefined ? undefined : orderValueOf(loader, layout, after);
  if (after !== undefined && orderValue === undefined) throw noSuchRow(after);
  const where = orderValue === undefined ? '' : `WHERE t.${column} > @orderValue`;
  // A table may have several descriptions, each with its own columns.
  const sql = `SELECT ${cellsOf(table)} FROM ${table.name} t ${where} ORDER BY t.${column} LIMIT @limit`;
  const found = loader.prepare(sql, () => sql).pluck();
  const rows: Row[] = [];
  let bytes = 0;
  for (const selected of found.iterate({ limit, ...(orderValue !== undefined && { orderValue }) })) {
    const [row] = rowsOf(loader, layout, [selected]) as [Row];
    rows.push(row);
    bytes += longBytes(table, row);
    if (bytes > pageBytes) break;
  }
  return rows;
}

/** The value of the ordering column of the row with this identifier; undefined if there is none. */
function orderValueOf({ prepare, numbers }: SqliteLoader, layout: Layout, id: string): string | number | undefined {
  const { name, numbered } = layout;
  const orderValue = numbered ? numbers.find(name, id) : id;
  const sql = () => `SELECT 1 FROM ${name} WHERE ${numbered ? 'seq' : 'id'} = @orderValue AND id = @id`;
  return orderValue !== undefined && prepare(`${name}/order-value`, sql).pluck().get({ orderValue, id }) !== undefined
    ? orderValue
    : undefined;
}
