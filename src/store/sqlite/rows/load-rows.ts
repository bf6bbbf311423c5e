// Loads the rows that a draft asks for, in bulk: the keys of a look-up go in as one JSON array, so that a batch costs a query
// per table and not one per record or child.
import { type HeadRequest, type Heads, keyParts, type Pending, type RowSink } from '../../../core/rows/snapshot.js';
import type { Row, Table, Value } from '../../../core/rows/table.js';
import { isLarge } from '../../large-rows.js';
import { type LateIndex, lateIndex } from './late-index.js';
import { type Layout, layoutOf } from './layout.js';
import type { Prepare } from './prepare.js';
import type { Adoption, RowNumbers } from './row-numbers.js';

/** The statements of a connection, with its caches and indexes. */
export interface SqliteLoader {
  readonly prepare: Prepare;
  readonly numbers: RowNumbers;
  readonly adoption: Adoption;
  /** Late indexes by table and look-up. */
  readonly indexes: Map<string, LateIndex>;
}

/**
 * The row `t` as one text: a JSON array of its cells. Putting 28 cells of a product into an array one by one takes
 * better-sqlite3 longer than it takes SQLite to find them: a third more for the whole, and twice that as an object.
 *
 * Of a large row only its key, by which its cells are read one by one: a control character takes six of JSON, and 6 MB of
 * them took 0.85 s. Telling their bytes takes 0.15 µs a row.
 */
export function cellsOf(table: Table): string {
  const { longTexts } = table;
  const cells = `json_array(${columnsOf(table)})`;
  if (longTexts.length === 0) return cells;
  const large = isLarge(longTexts.map((name) => `t.${name}`));
  return `CASE WHEN ${large} THEN t.${layoutOf(table).key[0]} ELSE ${cells} END`;
}

function columnsOf({ columns }: Table): string {
  return columns.map((name) => `t.${name}`).join(', ');
}

/** The cells of a row from what `cellsOf` selects. */
function readCells({ prepare }: SqliteLoader, { table, key }: Layout, selected: unknown): Value[] {
  if (isWhole(selected)) return JSON.parse(selected) as Value[];
  const sql = () => `SELECT ${columnsOf(table)} FROM ${table.name} t WHERE t.${key[0]} = ?`;
  return prepare(named(table, 'large'), sql).raw().get(selected) as Value[];
}

/** Whether what `cellsOf` selects is the JSON of a row, and not the key of a large one. */
function isWhole(selected: unknown): selected is string {
  return typeof selected === 'string' && selected.startsWith('[');
}

/** The name of a statement: a table may have several descriptions, each with its own columns. */
function named({ name, columns }: Table, what: string): string {
  return `${name}(${columns.length})/${what}`;
}

function select(table: Table, join: string): string {
  return `SELECT ${cellsOf(table)} FROM json_each(@keys) k CROSS JOIN ${join}`;
}

/** Loads all pending rows. */
export function loadPending(loader: SqliteLoader, pending: Pending, sink: RowSink): void {
  for (const [table, lookups] of pending.rows) {
    for (const [lookup, keys] of lookups) {
      sink.missing(table, lookup, keys);
      loadRows(loader, table, { lookup, keys }, sink);
    }
  }
  for (const [table, parents] of pending.children) loadChildren(loader, table, parents, sink);
  for (const table of pending.some) loadSome(loader, table, sink);
  if (pending.heads !== undefined) sink.addHeads(loadHeads(loader, pending.heads));
}

/** Makes rows of cells, with identifiers in place of numbers; cached identifiers need no look-up. */
export function rowsOf(
  loader: SqliteLoader,
  layout: Layout,
  found: readonly unknown[],
  { known, sink }: { readonly known?: ReadonlyMap<number, string>; readonly sink?: RowSink } = {},
): Row[] {
  const { numbers } = loader;
  const references = Object.entries(layout.references);
  return found.map((selected) => {
    const row = layout.decode(readCells(loader, layout, selected));
    for (const [column, table] of references) {
      const number = row[column] as number;
      row[column] = (table === 'product' ? known?.get(number) : undefined) ?? numbers.idOf(table, number);
    }
    sink?.received?.(row);
    return row;
  });
}

/** Keys of one look-up. */
interface Wanted {
  readonly lookup: string;
  readonly keys: ReadonlySet<string>;
}

function loadRows(loader: SqliteLoader, table: Table, wanted: Wanted, sink: RowSink): void {
  const layout = layoutOf(table);
  if (layout.hashed[wanted.lookup] !== undefined) loadByHash(loader, layout, wanted, sink);
  else if (layout.numbered && wanted.lookup === 'id') loadByIdentifier(loader, layout, wanted, sink);
  else loadByColumns(loader, layout, wanted, sink);
}

function loadByColumns(loader: SqliteLoader, layout: Layout, { lookup, keys }: Wanted, sink: RowSink): void {
  const { table } = layout;
  const columns = table.lookups[lookup] as readonly string[];
  const isSingle = columns.length === 1;
  const on = isSingle
    ? `t.${columns[0]} = k.value`
    : columns.map((name, i) => `t.${name} = json_extract(k.value, '$[${i}]')`).join(' AND ');
  const cells = isSingle ? [...keys] : [...keys].map((key) => keyCells(loader, layout, columns, keyParts(key)));
  const found = loader.prepare(named(table, lookup), () => select(table, `${table.name} t ON ${on}`)).pluck();
  for (const row of rowsOf(loader, layout, found.all({ keys: JSON.stringify(cells) }), { sink })) {
    const key = isSingle ? String(row[columns[0] as string]) : columns.map((name) => row[name]).join('\0');
    sink.loaded(table, lookup, key, row);
  }
}

/** The parts of a key in the form the table stores. */
function keyCells(
  { numbers }: SqliteLoader,
  { references }: Layout,
  columns: readonly string[],
  parts: readonly string[],
): readonly Value[] {
  return parts.map((part, i) => {
    const target = references[columns[i] ?? ''];
    return target === undefined ? part : (numbers.find(target, part) ?? null);
  });
}

function loadByIdentifier(loader: SqliteLoader, layout: Layout, { lookup, keys: ids }: Wanted, sink: RowSink): void {
  const { table } = layout;
  const on = 't.seq = k.value ->> 1 AND t.id = k.value ->> 0';
  const found = loader.prepare(named(table, lookup), () => select(table, `${table.name} t ON ${on}`)).pluck();
  const keys = JSON.stringify([...ids].map((id) => [id, loader.numbers.find(table.name, id) ?? null]));
  for (const row of rowsOf(loader, layout, found.all({ keys }), { sink }))
    sink.loaded(table, lookup, String(row['id']), row);
}

/** The late index of a look-up by hash; undefined for other look-ups. */
export function indexOf(loader: SqliteLoader, layout: Layout, lookup: string): LateIndex | undefined {
  const hashed = layout.hashed[lookup];
  if (hashed === undefined) return undefined;
  const { prepare, numbers, adoption, indexes } = loader;
  const name = `${layout.name}/${lookup}`;
  let index = indexes.get(name);
  if (index === undefined) {
    const ofTable = (join: string) => select(layout.table, join);
    index = lateIndex(layout, lookup, hashed, {
      prepare,
      select: ofTable,
      ...(adoption !== 'none' && { numbers }),
    });
    indexes.set(name, index);
  }
  return index;
}

function loadByHash(loader: SqliteLoader, layout: Layout, { lookup, keys }: Wanted, sink: RowSink): void {
  const column = layout.table.lookups[lookup]?.[0] as string;
  const found = indexOf(loader, layout, lookup)?.find(keys) ?? [];
  for (const row of rowsOf(loader, layout, found, { sink })) {
    const key = String(row[column]);
    if (keys.has(key)) sink.loaded(layout.table, lookup, key, row);
  }
}

function loadChildren(loader: SqliteLoader, table: Table, parents: ReadonlySet<string>, sink: RowSink): void {
  const { parent } = table;
  if (parent === undefined) throw new Error(`table ${table.name} has no parent`);
  const layout = layoutOf(table);
  const target = layout.references[parent];
  const byParent = new Map([...parents].map((id) => [id, [] as Row[]]));
  const known = target === undefined ? undefined : numbersOf(loader.numbers, target, parents);
  const sql = () => select(table, `${table.name} t ON t.${parent} = k.value`);
  const keys = JSON.stringify([...(known?.keys() ?? parents)]);
  const found = loader.prepare(named(table, 'children'), sql).pluck().all({ keys });
  for (const row of rowsOf(loader, layout, found, { sink, ...(known && { known }) }))
    byParent.get(row[parent] as string)?.push(row);
  for (const [id, children] of byParent) sink.loadedChildren(table, id, children);
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

function loadSome({ prepare }: SqliteLoader, table: Table, sink: RowSink): void {
  const sql = () => `SELECT EXISTS (SELECT 1 FROM ${table.name})`;
  sink.loadedSome(table, prepare(`${table.name}/some`, sql).pluck().get() === 1);
}

/** The heads of many records in one row of lists. Row by row, better-sqlite3 takes longer than SQLite. */
function loadHeads({ prepare }: SqliteLoader, { table, column, keys }: HeadRequest): Heads {
  const { name, fingerprint = [] } = table;
  const sql = () => {
    const lists = ['k.key', 't.id', ...fingerprint.map((one) => `t.${one}`)].map((one) => `json_group_array(${one})`);
    return `SELECT ${lists.join(', ')} FROM json_each(?) k CROSS JOIN ${name} t ON t.${column} = k.value`;
  };
  const lists = prepare(`${name}/heads/${column}`, sql).raw().get(JSON.stringify(keys)) as string[];
  const [indexes, ids, ...fingerprints] = lists.map((list) => JSON.parse(list));
  return { indexes, ids, fingerprints };
}

/** Finds the one row of a key; of a large one it only tells that it is. */
export type SingleLookup = (key: string) => Row | 'large' | undefined;

/** A look-up by one statement; undefined where one statement is not enough. */
export function singleLookup(loader: SqliteLoader, table: Table, lookup: string): SingleLookup | undefined {
  const { prepare, numbers } = loader;
  const layout = layoutOf(table);
  const [name, ...others] = table.lookups[lookup] as readonly string[];
  if (others.length > 0 || layout.hashed[lookup] !== undefined) return undefined;
  if (Object.keys(layout.references).length > 0) return undefined;
  const byNumber = layout.numbered && lookup === 'id';
  const has = byNumber ? 't.seq = @number AND t.id = @id' : `t.${name} = ?`;
  const sql = () => `SELECT ${cellsOf(table)} FROM ${table.name} t WHERE ${has}`;
  const one = prepare(named(table, `${lookup}/one`), sql).pluck();
  return (key) => {
    const cells = byNumber ? one.get({ id: key, number: numbers.find(table.name, key) ?? null }) : one.get(key);
    if (cells === undefined) return undefined;
    return isWhole(cells) ? layout.decode(JSON.parse(cells) as Value[]) : 'large';
  };
}
