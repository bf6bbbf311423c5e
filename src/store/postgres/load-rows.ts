// Look-ups as statements. Keys go in as arrays, one for each column of the look-up. Those of one column are a condition of one
// index scan (`= ANY`), which takes a third of the server's time of 1,000 scans. Others, and the children of records, are looked
// up one by one (`CROSS JOIN LATERAL … OFFSET 0`): as a plain join 200,000 look-ups took 1.5 to 10.9 s, since a plan made while a
// table was small scans all of it later.
import { compile } from '../../core/rows/compile-function.js';
import { type HeadRequest, keyParts, type Pending, type RowSink } from '../../core/rows/snapshot.js';
import type { Row, Table, Value } from '../../core/rows/table.js';
import { bytesOf, isLarge, LargeRow } from '../large-rows.js';
import { type PageRequest, pageBytes } from '../store.js';
import { quoted } from './schema.js';
import type { Statement } from './session.js';
import { arrayOf, arrayType, columnList, type IntegerColumns, qualified } from './sql-parts.js';

/** Row makers by table, compiled: setting property by property takes longer. */
const makers = new WeakMap<Table, (cells: readonly Value[]) => Row>();

export function rowOf(table: Table, cells: readonly Value[]): Row {
  let make = makers.get(table);
  if (make === undefined) {
    const members = table.columns.map((name, i) => `${name}: cells[${i}]`).join();
    make = compile<(cells: readonly Value[]) => Row>(['cells'], `return { ${members} };`);
    makers.set(table, make);
  }
  return make(cells);
}

/** A character that a text does not contain. */
export function separatorFor(text: string): string {
  let code = 1;
  // Surrogates are no characters.
  while (text.includes(String.fromCodePoint(code))) code = code === 0xd7ff ? 0xe000 : code + 1;
  return String.fromCodePoint(code);
}

/** The texts of a list; a list of none is NULL. */
function textsIn(list: Value | undefined, separator: string): string[] {
  return typeof list === 'string' ? list.split(separator) : [];
}

/** The indexes of keys that were found. Those of a sorted feed are found in its order, and need no map. */
function indexesIn(keys: readonly string[], found: readonly string[]): number[] {
  let indexByKey: Map<string, number> | undefined;
  let next = 0;
  return found.map((key) => {
    while (indexByKey === undefined && next < keys.length) if (keys[next++] === key) return next - 1;
    indexByKey ??= new Map(keys.map((known, index) => [known, index]));
    return indexByKey.get(key) as number;
  });
}

/** The integers of a list, separated by spaces. Read digit by digit, which needs no text for each. */
export function integersIn(list: Value | undefined, count: number): number[] {
  const integers = new Array<number>(count);
  const text = typeof list === 'string' ? list : '';
  for (let i = 0, at = 0; i < count; i++) {
    const isNegative = text.charCodeAt(at) === minus;
    if (isNegative) at++;
    let integer = 0;
    for (let code = text.charCodeAt(at++); code >= zero; code = text.charCodeAt(at++))
      integer = integer * 10 + (code - zero);
    integers[i] = isNegative ? -integer : integer;
  }
  return integers;
}

const minus = 45;
const zero = 48;

/** Makes the statements that load rows of the catalog in a schema. */
export interface RowLoader {
  load(pending: Pending, sink: RowSink): Statement[];
  /** The statements of a page, after a row where one is named; `found` is called if that row exists. */
  page(table: Table, page: PageRequest, rows: Row[], found: () => void): Statement[];
  all(table: Table, rows: Row[]): Statement;
}

/**
 * The loader of a schema.
 * @param takesLarge whether it loads large rows; otherwise one that is met is a `LargeRow`, whose long texts the server does not send
 */
export function rowLoader(schema: string, integers: IntegerColumns, takesLarge: boolean): RowLoader {
  const from = (table: Table): string => qualified(schema, table);

  /** The columns of a row, and after them whether it is a large one that is not loaded. */
  function cellsOf({ columns, longTexts }: Table, prefix = ''): string {
    if (takesLarge || longTexts.length === 0) return columnList(columns, prefix);
    const large = isLarge(longTexts.map((name) => prefix + quoted(name)));
    const cell = (name: string): string =>
      longTexts.includes(name)
        ? `CASE WHEN ${large} THEN '' ELSE ${prefix}${quoted(name)} END`
        : `${prefix}${quoted(name)}`;
    return `${columns.map(cell).join(', ')}, ${large}`;
  }

  function taken(table: Table, cells: readonly Value[], sink?: RowSink): Row {
    if (cells[table.columns.length] === 't') throw new LargeRow();
    const row = rowOf(table, cells);
    sink?.received?.(row);
    return row;
  }

  /** Rows `t` of a table that have these columns in common with a key `k`. */
  function lateral(table: Table, columns: readonly string[]): string {
    const arrays = columns.map((name, i) => `$${i + 1}::${arrayType(integers, table, name)}`).join(', ');
    const names = columns.map((_, i) => `k${i}`);
    const has = columns.map((name, i) => `t.${quoted(name)} = k.${names[i]}`).join(' AND ');
    const own = columnList(table.columns, 't.');
    return `SELECT ${cellsOf(table, 'r.')} FROM unnest(${arrays}) AS k(${names.join(', ')}) CROSS JOIN LATERAL (SELECT ${own} FROM ${from(table)} t WHERE ${has} OFFSET 0) r`;
  }

  function loadRows(table: Table, lookup: string, keys: ReadonlySet<string>, sink: RowSink): Statement {
    const columns = table.lookups[lookup] as readonly string[];
    sink.missing(table, lookup, keys);
    const [first = ''] = columns;
    const single = columns.length === 1;
    const onRow = (cells: Value[]): void => {
      const row = taken(table, cells, sink);
      const key = single ? String(row[first]) : columns.map((name) => row[name]).join('\0');
      sink.loaded(table, lookup, key, row);
    };
    if (single) {
      const sql = `SELECT ${cellsOf(table)} FROM ${from(table)} WHERE ${quoted(first)}`;
      // PostgreSQL refuses a text with a NUL character, which is in no row.
      const possible = [...keys].filter((key) => !key.includes('\0'));
      if (possible.length === 1) return { sql: `${sql} = $1`, values: possible, onRow };
      return { sql: `${sql} = ANY($1::${arrayType(integers, table, first)})`, values: [arrayOf(possible)], onRow };
    }
    const parts = [...keys].map(keyParts);
    const values = columns.map((_, i) => arrayOf(parts.map((part) => part[i] ?? '')));
    return { sql: lateral(table, columns), values, onRow };
  }

  /** The heads of many records in one row: a row for each takes the client twice the time. */
  function loadHeads({ table, column, keys }: HeadRequest, sink: RowSink): Statement {
    const asked = arrayOf(keys);
    const separator = separatorFor(asked);
    const integerLists = (table.fingerprint ?? []).map((name) => `string_agg(${quoted(name)}::text, ' ')`);
    const lists = [`string_agg(${quoted(column)}, $2)`, "string_agg(id, ' ')", ...integerLists];
    return {
      sql: `SELECT ${lists.join(', ')} FROM ${from(table)} WHERE ${quoted(column)} = ANY($1::text[])`,
      values: [asked, separator],
      onRow([found, ids, ...fingerprints]) {
        const indexes = indexesIn(keys, textsIn(found, separator));
        sink.addHeads({
          indexes,
          ids: textsIn(ids, ' '),
          fingerprints: fingerprints.map((list) => integersIn(list, indexes.length)),
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
        const row = taken(table, cells, sink);
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
      const where = after === undefined ? '' : 'WHERE id > $2';
      const { longTexts } = table;
      const rowsUpTo = (names: string) => `SELECT ${names} FROM ${from(table)} ${where} ORDER BY id LIMIT $1`;
      const before = `sum(${bytesOf(longTexts)}) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before`;
      const page: Statement = {
        sql:
          longTexts.length === 0
            ? rowsUpTo(cellsOf(table))
            : `SELECT ${cellsOf(table)} FROM (SELECT *, ${before} FROM (${rowsUpTo('*')}) t) t WHERE coalesce(bytes_before, 0) <= ${pageBytes} ORDER BY id`,
        values: [String(limit), ...(after === undefined ? [] : [after])],
        onRow: (cells) => void rows.push(taken(table, cells)),
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
