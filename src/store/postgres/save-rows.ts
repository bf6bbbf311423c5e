// The rows that a draft saved, as statements: new rows by COPY, existing ones by one UPDATE for all rows that differ in the same
// columns. Of 2,000 rows written in other ways the server took, for 200,000: unnest 2.5 to 3.8 s, json_to_recordset 3.6, VALUES of
// many rows 3.2, COPY 1.5 to 1.8.
import type { SavedRows } from '../../core/rows/snapshot.js';
import type { Row, Table, Value } from '../../core/rows/table.js';
import { copyMessages } from './copy-text.js';
import { quoted } from './schema.js';
import { RowsLeftOut } from './server-error.js';
import type { Statement } from './session.js';
import { arrayOf, arrayType, columnList, type IntegerColumns, inWritingOrder, qualified } from './sql-parts.js';

/** Most rows of one COPY: some engines split longer ones into several commits. */
const mostRows = 2000;

/** Most statements of a table, by the sets of columns that differ; for further sets all columns are written. */
const mostKinds = 50;

function bound(value: Value | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

const keyColumns = new WeakMap<Table, readonly string[]>();

/** The columns by which rows are looked up, without those that identify them. */
function columnsOfKeys(table: Table): readonly string[] {
  const known = keyColumns.get(table);
  if (known !== undefined) return known;
  const columns = [...new Set(Object.values(table.lookups).flat())].filter((name) => !table.id.includes(name));
  keyColumns.set(table, columns);
  return columns;
}

function checked(count: number, expected: number, { name }: Table): void {
  if (count !== expected) throw new RowsLeftOut(`${count} rows of ${name} were written in the place of ${expected}`);
}

interface Saving {
  readonly schema: string;
  readonly integers: IntegerColumns;
  /** The columns in which rows of a table differed so far, as lists of names. */
  readonly kinds: Map<string, Set<string>>;
}

/** Makes the statements that write rows of the catalog in a schema. */
export type RowSaver = (saved: ReadonlyMap<Table, SavedRows>) => Statement[];

export function rowSaver(schema: string, integers: IntegerColumns): RowSaver {
  const saver: Saving = { schema, integers, kinds: new Map() };
  return (saved) => statementsFor(saver, saved);
}

function statementsFor(saver: Saving, saved: ReadonlyMap<Table, SavedRows>): Statement[] {
  const tables = inWritingOrder(saved.keys());
  const released: Statement[] = [];
  const written: Statement[] = [];
  const changed: Statement[] = [];
  for (const table of tables) {
    const rows = saved.get(table) as SavedRows;
    for (const [row, before] of rows.changed) {
      if (before === 'unknown') written.push(upsert(saver, table, row));
      else for (const statement of release(saver, table, row, before)) released.push(statement);
    }
    changed.push(...updates(saver, table, rows));
    written.push(...copies(saver, table, rows.created));
  }
  return [...released, ...written, ...changed];
}

function copies(saver: Saving, table: Table, rows: readonly Row[]): Statement[] {
  const sql = `COPY ${qualified(saver.schema, table)} (${columnList(table.columns)}) FROM STDIN`;
  const statements: Statement[] = [];
  for (let from = 0; from < rows.length; from += mostRows) {
    const some = rows.slice(from, from + mostRows);
    statements.push({
      sql,
      copy: copyMessages(table.columns, some),
      onDone: (count) => checked(count, some.length, table),
    });
  }
  return statements;
}

/** The columns that an update sets: those that differ, or all where there are too many kinds already. */
function differing({ kinds }: Saving, table: Table, row: Row, before: Row): readonly string[] {
  const columns = table.columns.filter((name) => row[name] !== before[name]);
  const identity = columns.filter((name) => table.id.includes(name));
  if (identity.length > 0) throw new Error(`a row of ${table.name} was to get another identity (${identity})`);
  const known = kinds.get(table.name) ?? new Set();
  kinds.set(table.name, known);
  const kind = columns.join();
  if (known.size >= mostKinds && !known.has(kind)) return table.columns.filter((name) => !table.id.includes(name));
  known.add(kind);
  return columns;
}

/** Updates of rows that differ in the same columns, all by one statement. */
function update(saver: Saving, table: Table, columns: readonly string[], rows: readonly Row[]): Statement[] {
  const all = [...table.id, ...columns];
  const arrays = all.map((name, i) => `$${i + 1}::${arrayType(saver.integers, table, name)}`).join(', ');
  const names = all.map((_, i) => `v${i}`);
  const sets = columns.map((name, i) => `${quoted(name)} = v.${names[table.id.length + i]}`).join(', ');
  const where = table.id.map((name, i) => `t.${quoted(name)} = v.${names[i]}`).join(' AND ');
  const sql = `UPDATE ${qualified(saver.schema, table)} t SET ${sets} FROM unnest(${arrays}) AS v(${names.join(', ')}) WHERE ${where}`;
  const statements: Statement[] = [];
  for (let from = 0; from < rows.length; from += mostRows) {
    const some = rows.slice(from, from + mostRows);
    const values = all.map((name) => arrayOf(some.map((row) => row[name])));
    statements.push({ sql, values, onDone: (count) => checked(count, some.length, table) });
  }
  return statements;
}

/** Updates of a table's rows, by what differs. */
function updates(saver: Saving, table: Table, { changed }: SavedRows): Statement[] {
  const byKind = new Map<string, { readonly columns: readonly string[]; readonly rows: Row[] }>();
  for (const [row, before] of changed) {
    if (before === 'unknown') continue;
    const columns = differing(saver, table, row, before);
    // Changed, and changed back by a later item.
    if (columns.length === 0) continue;
    const kind = columns.join();
    const found = byKind.get(kind);
    if (found === undefined) byKind.set(kind, { columns, rows: [row] });
    else found.rows.push(row);
  }
  return [...byKind.values()].flatMap(({ columns, rows }) => update(saver, table, columns, rows));
}

/**
 * Clears a key of a row that will get another one: two records may swap their slugs in one transaction, or a new record may take
 * a slug that another gives up, and a unique index is checked row by row.
 */
function release(saver: Saving, table: Table, row: Row, before: Row): Statement[] {
  const keys = columnsOfKeys(table);
  if (keys.every((name) => row[name] === before[name])) return [];
  const moved = keys.filter((name) => row[name] !== before[name]);
  const own = `chr(1) || concat_ws(chr(1), ${columnList(table.id)})`;
  const sets = moved.map((name) => `${quoted(name)} = ${own}`).join(', ');
  const where = table.id.map((name, i) => `${quoted(name)} = $${i + 1}`).join(' AND ');
  const sql = `UPDATE ${qualified(saver.schema, table)} SET ${sets} WHERE ${where}`;
  return [{ sql, values: table.id.map((name) => bound(row[name])) }];
}

/** Writes a row that may or may not exist. */
function upsert(saver: Saving, table: Table, row: Row): Statement {
  const places = table.columns.map((_, i) => `$${i + 1}`).join(', ');
  const sets = table.columns
    .filter((name) => !table.id.includes(name))
    .map((name) => `${quoted(name)} = excluded.${quoted(name)}`);
  const onConflict = sets.length === 0 ? 'NOTHING' : `UPDATE SET ${sets.join(', ')}`;
  const sql = `INSERT INTO ${qualified(saver.schema, table)} (${columnList(table.columns)}) VALUES (${places}) ON CONFLICT (${columnList(table.id)}) DO ${onConflict}`;
  return { sql, values: table.columns.map((name) => bound(row[name])) };
}
