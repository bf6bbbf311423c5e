// The rows of one SQLite connection: loaded in bulk, by statements that are prepared once. The keys of a look-up go in as
// one JSON array, so that a batch costs a query per table and not one per record or child.
import type { Statement } from 'better-sqlite3';
import type { NegativeLookups, Pending, RowSink, SavedRows } from '../../core/rows/snapshot.js';
import { keyParts } from '../../core/rows/snapshot.js';
import type { Row, Table, Value } from '../../core/rows/table.js';
import type { NewId } from '../identifiers.js';
import { noSuchRow, type PageRequest } from '../store.js';
import type { Database } from './database.js';
import { type DeferredIndex, deferredIndex } from './deferred-index.js';
import { type Layout, layoutOf } from './layout.js';
import { referenceChecker } from './reference-check.js';
import { type Adoption, type RowNumbers, rowNumbers } from './row-numbers.js';
import { rowSaver } from './save-rows.js';

export interface RowStatements {
  /** What is known without loading, until the transaction ends. */
  negativeLookups(): NegativeLookups;
  /** The identifier of the n-th new row of a table, for one draft. */
  newIds(newId: NewId): (table: Table, nth: number) => string;
  /** Loads what is pending. */
  load(pending: Pending, sink: RowSink): void;
  /** Loads it where it is a single row; else loads nothing and says false. */
  loadOne(pending: Pending, sink: RowSink): boolean;
  /** Rows of a table in the order of their numbers, or of their identifiers where they have none. */
  page<R extends Row>(table: Table<R>, page: PageRequest): R[];
  /** Every row of a small table. */
  all<R extends Row>(table: Table<R>): R[];
  /** Writes every row a draft saved. */
  save(saved: ReadonlyMap<Table, SavedRows>): void;
  /** To be called when a transaction begins: another process may have changed the catalog. */
  begin(): void;
  /** Forgets what was learned of the catalog in a transaction that was taken back. */
  forget(): void;
}

/** RowStatements by their names, each prepared the first time it is asked for. */
function statementCache(database: Database): (name: string, sql: () => string) => Statement {
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

/**
 * The row `t` as one text: a JSON array of its cells. Putting 28 cells of a product into an array one by one takes
 * better-sqlite3 longer than it takes SQLite to find them: a third more for the whole, and twice that as an object.
 */
function cellsOf(table: Table): string {
  return `json_array(${table.columns.map((name) => `t.${name}`).join(', ')})`;
}

function select(table: Table, join: string): string {
  return `SELECT ${cellsOf(table)} FROM json_each(@keys) k CROSS JOIN ${join}`;
}

/** The statements of one connection. */
export function rowStatements(database: Database, adoption: Adoption): RowStatements {
  const statement = statementCache(database);
  const numbers = rowNumbers(statement, adoption);
  const late = new Map<string, DeferredIndex>();
  const saveRows = rowSaver(statement, numbers);
  const checkReferences = adoption === 'all' ? undefined : referenceChecker(statement, numbers);

  /** Rows of cells, with identifiers in the place of numbers; those that are known need no look-up. */
  function rowsOf(layout: Layout, found: readonly unknown[], known?: ReadonlyMap<number, string>): Row[] {
    const references = Object.entries(layout.references);
    return found.map((cells) => {
      const row = layout.decode(JSON.parse(cells as string) as Value[]);
      for (const [column, table] of references) {
        const number = row[column] as number;
        row[column] = (table === 'product' ? known?.get(number) : undefined) ?? numbers.idOf(table, number);
      }
      return row;
    });
  }

  function loadByColumns(layout: Layout, lookup: string, keys: ReadonlySet<string>, sink: RowSink): void {
    const { table } = layout;
    const columns = table.lookups[lookup] as readonly string[];
    const single = columns.length === 1;
    const on = single
      ? `t.${columns[0]} = k.value`
      : columns.map((name, i) => `t.${name} = json_extract(k.value, '$[${i}]')`).join(' AND ');
    const wanted = single ? [...keys] : [...keys].map((key) => numbered(layout, columns, keyParts(key)));
    const found = statement(`${table.name}/${lookup}`, () => select(table, `${table.name} t ON ${on}`)).pluck();
    for (const row of rowsOf(layout, found.all({ keys: JSON.stringify(wanted) }))) {
      const key = single ? String(row[columns[0] as string]) : columns.map((name) => row[name]).join('\0');
      sink.loaded(table, lookup, key, row);
    }
  }

  /** The parts of a key as the table keeps them. */
  function numbered({ references }: Layout, columns: readonly string[], parts: readonly string[]): readonly Value[] {
    return parts.map((part, i) => {
      const target = references[columns[i] ?? ''];
      return target === undefined ? part : (numbers.find(target, part) ?? null);
    });
  }

  function loadByIdentifier(layout: Layout, lookup: string, ids: ReadonlySet<string>, sink: RowSink): void {
    const { table } = layout;
    const on = 't.seq = k.value ->> 1 AND t.id = k.value ->> 0';
    const found = statement(`${table.name}/${lookup}`, () => select(table, `${table.name} t ON ${on}`)).pluck();
    const keys = JSON.stringify([...ids].map((id) => [id, numbers.find(table.name, id) ?? null]));
    for (const row of rowsOf(layout, found.all({ keys }))) sink.loaded(table, lookup, String(row['id']), row);
  }

  function deferredIndexOf(layout: Layout, lookup: string): DeferredIndex | undefined {
    const hashed = layout.hashed[lookup];
    if (hashed === undefined) return undefined;
    const name = `${layout.name}/${lookup}`;
    const selecting = (join: string) => select(layout.table, join);
    const found =
      late.get(name) ??
      deferredIndex(layout, lookup, hashed, {
        prepare: statement,
        select: selecting,
        ...(adoption !== 'none' && { numbers }),
      });
    late.set(name, found);
    return found;
  }

  function loadByHash(layout: Layout, lookup: string, keys: ReadonlySet<string>, sink: RowSink): void {
    const column = layout.table.lookups[lookup]?.[0] as string;
    const found = deferredIndexOf(layout, lookup)?.find(keys) ?? [];
    for (const row of rowsOf(layout, found)) {
      const key = String(row[column]);
      if (keys.has(key)) sink.loaded(layout.table, lookup, key, row);
    }
  }

  function loadRows(table: Table, lookup: string, keys: ReadonlySet<string>, sink: RowSink): void {
    const layout = layoutOf(table);
    sink.missing(table, lookup, keys);
    if (layout.hashed[lookup] !== undefined) loadByHash(layout, lookup, keys, sink);
    else if (layout.numbered && lookup === 'id') loadByIdentifier(layout, lookup, keys, sink);
    else loadByColumns(layout, lookup, keys, sink);
  }

  function loadChildren(table: Table, parents: ReadonlySet<string>, sink: RowSink): void {
    const { parent } = table;
    if (parent === undefined) throw new Error(`table ${table.name} has no parent`);
    const layout = layoutOf(table);
    const target = layout.references[parent];
    const byParent = new Map([...parents].map((id) => [id, [] as Row[]]));
    const known = target === undefined ? undefined : numbersOf(numbers, target, parents);
    const found = statement(`${table.name}/children`, () => select(table, `${table.name} t ON t.${parent} = k.value`));
    const keys = JSON.stringify([...(known?.keys() ?? parents)]);
    for (const row of rowsOf(layout, found.pluck().all({ keys }), known))
      byParent.get(row[parent] as string)?.push(row);
    for (const [id, children] of byParent) sink.loadedChildren(table, id, children);
  }

  function loadSome(table: Table, sink: RowSink): void {
    const sql = () => `SELECT EXISTS (SELECT 1 FROM ${table.name})`;
    sink.loadedSome(table, statement(`${table.name}/some`, sql).pluck().get() === 1);
  }

  function loadOne(pending: Pending, sink: RowSink): boolean {
    if (pending.rows.size !== 1 || pending.children.size + pending.some.size > 0) return false;
    for (const [table, lookups] of pending.rows) {
      const layout = layoutOf(table);
      for (const [lookup, keys] of lookups) {
        const [key] = keys;
        const [name, ...others] = table.lookups[lookup] as readonly string[];
        if (lookups.size > 1 || keys.size > 1 || key === undefined || others.length > 0) return false;
        if (layout.hashed[lookup] !== undefined || Object.keys(layout.references).length > 0) return false;
        const byNumber = layout.numbered && lookup === 'id';
        const has = byNumber ? 't.seq = @number AND t.id = @id' : `t.${name} = ?`;
        const sql = () => `SELECT ${cellsOf(table)} FROM ${table.name} t WHERE ${has}`;
        const one = statement(`${table.name}/${lookup}/one`, sql).pluck();
        const cells = byNumber ? one.get({ id: key, number: numbers.find(table.name, key) ?? null }) : one.get(key);
        sink.missing(table, lookup, keys);
        for (const row of rowsOf(layout, cells === undefined ? [] : [cells])) sink.loaded(table, lookup, key, row);
      }
    }
    return true;
  }

  /** By what the rows behind the one with this identifier are found; undefined where there is none. */
  function placeOf({ name, numbered: isNumbered }: Layout, id: string): string | number | undefined {
    const place = isNumbered ? numbers.find(name, id) : id;
    const column = isNumbered ? 'seq' : 'id';
    const sql = () => `SELECT 1 FROM ${name} WHERE ${column} = @place AND id = @id`;
    return place !== undefined && statement(`${name}/place`, sql).get({ place, id }) !== undefined ? place : undefined;
  }

  function page(table: Table, { after, limit }: PageRequest): Row[] {
    const layout = layoutOf(table);
    const column = layout.numbered ? 'seq' : 'id';
    const place = after === undefined ? undefined : placeOf(layout, after);
    if (after !== undefined && place === undefined) throw noSuchRow(table, after);
    const where = place === undefined ? '' : `WHERE t.${column} > @place`;
    // Of one table there may be several descriptions, each with columns of its own.
    const sql = `SELECT ${cellsOf(table)} FROM ${table.name} t ${where} ORDER BY t.${column} LIMIT @limit`;
    const found = statement(sql, () => sql).pluck();
    return rowsOf(layout, found.all({ limit, ...(place !== undefined && { place }) }));
  }

  return {
    loadOne,
    negativeLookups() {
      const known = new Map<DeferredIndex, ReturnType<DeferredIndex['negative']>>();
      return (table, lookup) => {
        const index = deferredIndexOf(layoutOf(table), lookup);
        if (index === undefined) return undefined;
        if (!known.has(index)) known.set(index, index.negative());
        return known.get(index);
      };
    },
    newIds(newId) {
      let last: number | undefined;
      return (table, nth) => {
        const { prefix = '' } = table;
        if (!layoutOf(table).numbered) return newId(prefix);
        last ??= Number(
          statement(`${table.name}/last`, () => `SELECT max(seq) FROM ${table.name}`)
            .pluck()
            .get(),
        );
        return newId(prefix, last + 1 + nth);
      };
    },
    load(pending, sink) {
      for (const [table, lookups] of pending.rows) {
        for (const [lookup, keys] of lookups) loadRows(table, lookup, keys, sink);
      }
      for (const [table, parents] of pending.children) loadChildren(table, parents, sink);
      for (const table of pending.some) loadSome(table, sink);
    },
    page: <R extends Row>(table: Table<R>, request: PageRequest) => page(table, request) as R[],
    all<R extends Row>(table: Table<R>) {
      const sql = () => `SELECT ${cellsOf(table)} FROM ${table.name} t`;
      return rowsOf(layoutOf(table), statement(`${table.name}/all`, sql).pluck().all()) as R[];
    },
    save(saved) {
      const all = new Map([...saved].map(([table, rows]) => [layoutOf(table), rows]));
      saveRows(all);
      checkReferences?.(all);
      for (const [layout, rows] of all)
        for (const lookup of Object.keys(layout.hashed)) deferredIndexOf(layout, lookup)?.keepUp(rows);
    },
    begin: () => numbers.forget(),
    forget() {
      numbers.forget();
      for (const index of late.values()) index.forget();
    },
  };
}

/** Identifiers by their numbers, without those that have none. */
function numbersOf(numbers: RowNumbers, table: string, ids: ReadonlySet<string>): ReadonlyMap<number, string> {
  const known = new Map<number, string>();
  for (const id of ids) {
    const number = numbers.find(table, id);
    if (number !== undefined) known.set(number, id);
  }
  return known;
}
