// Look-ups as statements. Keys go in as arrays, one for each column of the look-up, and each key is looked up by itself
// (`CROSS JOIN LATERAL … OFFSET 0`): a plan made while a table was small would otherwise scan all of it later. As a plain join the
// same 200,000 look-ups took 1.5 to 10.9 s of the server's time.
import { canCompile, compile } from '../../core/rows/compile-function.js';
import { type HeadRequest, keyParts, type Pending, type RowSink } from '../../core/rows/snapshot.js';
import type { Row, Table, Value } from '../../core/rows/table.js';
import type { PageRequest } from '../store.js';
import { quoted } from './schema.js';
import type { Statement } from './session.js';
import { arrayOf, arrayType, columnList, type IntegerColumns, qualified } from './sql-parts.js';

/** Makes rows without compiling code; tests compare the compiled form with it. */
export function plainRow({ columns }: Table): (cells: readonly Value[]) => Row {
  return (cells) => {
    const row: Row = {};
    for (let i = 0; i < columns.length; i++) row[columns[i] as string] = cells[i] as Value;
    return row;
  };
}

/** Row makers by table, compiled where code from strings is allowed: setting property by property takes longer. */
const makers = new WeakMap<Table, (cells: readonly Value[]) => Row>();

export function rowOf(table: Table, cells: readonly Value[]): Row {
  let make = makers.get(table);
  if (make === undefined) {
    const members = table.columns.map((name, i) => `${name}: cells[${i}]`).join();
    make = canCompile()
      ? compile<(cells: readonly Value[]) => Row>(['cells'], `return { ${members} };`)
      : plainRow(table);
    makers.set(table, make);
  }
  return make(cells);
}

/** Makes the statements that load rows of the catalog in a schema. */
export interface RowLoader {
  /** The statements that load all pending rows. */
  load(pending: Pending, sink: RowSink): Statement[];
  /** The statements of a page, after a row where one is named; `found` is called if that row exists. */
  page(table: Table, page: PageRequest, rows: Row[], found: () => void): Statement[];
  all(table: Table, rows: Row[]): Statement;
}

/** The loader of a schema. */
export function rowLoader(schema: string, integers: IntegerColumns): RowLoader {
  const from = (table: Table): string => qualified(schema, table);

  /** Rows `t` of a table that have these columns in common with a key `k`. */
  function lateral(table: Table, columns: readonly string[]): string {
    const arrays = columns.map((name, i) => `$${i + 1}::${arrayType(integers, table, name)}`).join(', ');
    const names = columns.map((_, i) => `k${i}`);
    const has = columns.map((name, i) => `t.${quoted(name)} = k.${names[i]}`).join(' AND ');
    const own = columnList(table.columns, 't.');
    return `SELECT ${columnList(table.columns, 'r.')} FROM unnest(${arrays}) AS k(${names.join(', ')}) CROSS JOIN LATERAL (SELECT ${own} FROM ${from(table)} t WHERE ${has} OFFSET 0) r`;
  }

  function loadRows(table: Table, lookup: string, keys: ReadonlySet<string>, sink: RowSink): Statement {
    const columns = table.lookups[lookup] as readonly string[];
    sink.missing(table, lookup, keys);
    const [first = ''] = columns;
    const single = columns.length === 1;
    const onRow = (cells: Value[]): void => {
      const row = rowOf(table, cells);
      const key = single ? String(row[first]) : columns.map((name) => row[name]).join('\0');
      sink.loaded(table, lookup, key, row);
    };
    if (single && keys.size === 1) {
      const sql = `SELECT ${columnList(table.columns)} FROM ${from(table)} WHERE ${quoted(first)} = $1`;
      return { sql, values: [...keys], onRow };
    }
    const parts = single ? [] : [...keys].map(keyParts);
    const values = single ? [arrayOf(keys)] : columns.map((_, i) => arrayOf(parts.map((part) => part[i] ?? '')));
    return { sql: lateral(table, columns), values, onRow };
  }

  /** The heads of many records in one row: a row for each takes the client twice the time. */
  function loadHeads({ table, column, keys }: HeadRequest, sink: RowSink): Statement {
    const columns = ['id', ...(table.fingerprint ?? [])];
    const lists = ['k.n', ...columns.map((name) => `r.${quoted(name)}`)].map(
      (name) => `string_agg(${name}::text, ' ')`,
    );
    const own = columnList(columns, 't.');
    const sql = `SELECT ${lists.join(', ')} FROM unnest($1::text[]) WITH ORDINALITY AS k(k0, n) CROSS JOIN LATERAL (SELECT ${own} FROM ${from(table)} t WHERE t.${quoted(column)} = k.k0 OFFSET 0) r`;
    const wordsOf = (cell: Value | undefined): string[] => (typeof cell === 'string' ? cell.split(' ') : []);
    return {
      sql,
      values: [arrayOf(keys)],
      onRow([places, ids, ...fingerprints]) {
        sink.loadedHeads?.({
          places: wordsOf(places).map((place) => Number(place) - 1),
          ids: wordsOf(ids),
          fingerprints: fingerprints.map((list) => wordsOf(list).map(Number)),
        });
      },
    };
  }

  function loadChildren(table: Table, parents: ReadonlySet<string>, sink: RowSink): Statement {
    const { parent } = table;
    if (parent === undefined) throw new Error(`table ${table.name} has no parent`);
    const byParent = new Map([...parents].map((id) => [id, [] as Row[]]));
    return {
      sql: lateral(table, [parent]),
      values: [arrayOf(parents)],
      onRow(cells) {
        const row = rowOf(table, cells);
        byParent.get(String(row[parent]))?.push(row);
      },
      onDone() {
        for (const [id, children] of byParent) sink.loadedChildren(table, id, children);
      },
    };
  }

  function loadSome(table: Table, sink: RowSink): Statement {
    const sql = `SELECT EXISTS (SELECT 1 FROM ${from(table)})`;
    return { sql, onRow: ([some]) => sink.loadedSome(table, some === 't') };
  }

  return {
    load(pending, sink) {
      const statements: Statement[] = [];
      for (const [table, lookups] of pending.rows)
        for (const [lookup, keys] of lookups) statements.push(loadRows(table, lookup, keys, sink));
      for (const [table, parents] of pending.children) statements.push(loadChildren(table, parents, sink));
      for (const table of pending.some) statements.push(loadSome(table, sink));
      if (pending.heads !== undefined) statements.push(loadHeads(pending.heads, sink));
      return statements;
    },
    page(table, { after, limit }, rows, found) {
      const behind = after === undefined ? '' : 'WHERE id > $2';
      const page: Statement = {
        sql: `SELECT ${columnList(table.columns)} FROM ${from(table)} ${behind} ORDER BY id LIMIT $1`,
        values: [String(limit), ...(after === undefined ? [] : [after])],
        onRow: (cells) => void rows.push(rowOf(table, cells)),
      };
      if (after === undefined) return [page];
      return [{ sql: `SELECT 1 FROM ${from(table)} WHERE id = $1`, values: [after], onRow: found }, page];
    },
    all: (table, rows) => ({
      sql: `SELECT ${columnList(table.columns)} FROM ${from(table)}`,
      onRow: (cells) => void rows.push(rowOf(table, cells)),
    }),
  };
}
