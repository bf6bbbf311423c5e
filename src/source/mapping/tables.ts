// Lookup tables of a mapping: records of this file, or of one beside it, read before the first item is made.
import { dirname, join } from 'node:path';
import { CatalogError } from '../../core/errors.js';
import { keepsOf } from './condition.js';
import { type Context, compile, type LookupTable, textOf } from './expression.js';
import type { Mapped, Table } from './mapping.js';
import { fileScope } from './scope.js';

/** Reads the records of a file with the names of its columns. */
export type ReadRecords = (
  file: string,
  mapped: Mapped,
  take: (record: unknown, columns: readonly string[] | undefined) => void,
) => Promise<void>;

/** Rows that tables may hold: they are kept in memory. */
const mostRows = 1_000_000;

/**
 * Reads the tables of a mapping in the order they are written; each may look up those before it.
 * @throws CatalogError where a file cannot be read, or names are wrong
 */
export async function readTables(
  mapped: Mapped,
  file: string,
  read: ReadRecords,
  repeated: ReadonlySet<string>,
): Promise<ReadonlyMap<string, LookupTable>> {
  const tables = new Map<string, LookupTable>();
  const wanted = tablesOf(mapped);
  if (wanted.length > 0 && file === '-' && wanted.some(([, table]) => table.file === undefined))
    throw new CatalogError(
      'usage',
      `${mapped.name}: its tables are read from the file before its items; standard input can be read once only. Name a file.`,
    );
  let left = mostRows;
  for (const [name, table] of wanted) {
    const path = table.file === undefined ? file : join(file === '-' ? '.' : dirname(file), table.file);
    const found = await readTable(name, table, mapped, { path, tables, read, repeated, most: left });
    tables.set(name, found.table);
    left -= found.rows;
  }
  return tables;
}

/** The tables a section needs: those it names, and those that these name. */
function tablesOf({ section, tables }: Mapped): [string, Table][] {
  const all = Object.entries(tables);
  const needed = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const { rows_of: rows, lookup } = part as { rows_of?: unknown; lookup?: { table?: unknown } };
    for (const name of [rows, lookup?.table]) {
      if (typeof name !== 'string' || needed.has(name)) continue;
      needed.add(name);
      visit(tables[name]);
    }
    for (const inner of Object.values(part)) visit(inner);
  };
  visit(section);
  return all.filter(([name]) => needed.has(name));
}

async function readTable(
  name: string,
  table: Table,
  mapped: Mapped,
  from: {
    readonly path: string;
    readonly tables: ReadonlyMap<string, LookupTable>;
    readonly read: ReadRecords;
    readonly repeated: ReadonlySet<string>;
    readonly most: number;
  },
): Promise<{ readonly table: LookupTable; readonly rows: number }> {
  const rows = new Map<string, Record<string, string>[]>();
  const columns = Object.keys(table.columns);
  const place = `tables.${name}`;
  let count = 0;
  let take: ((record: unknown) => void) | undefined;
  const begin = (names: readonly string[] | undefined): ((record: unknown) => void) => {
    const scope = fileScope(mapped, names, from.tables, from.repeated);
    const keep = keepsOf(table, scope, place);
    const key = compile(table.key, scope, `${place}.key`, 'key');
    const cells = columns.map((column) => ({
      column,
      read: compile(table.columns[column] ?? '', scope, `${place}.columns.${column}`, column),
    }));
    return (record) => {
      let refused = false;
      const refuse = () => {
        refused = true;
      };
      const context: Context = { record, own: {}, refuse };
      if (keep !== undefined && !keep(context)) return;
      const id = textOf(key(context));
      const row = Object.fromEntries(cells.map(({ column, read }) => [column, textOf(read(context))]));
      // A row that cannot be mapped is no row: whoever looks it up is refused with its key.
      if (refused || id === '') return;
      if (++count > from.most)
        throw new CatalogError(
          'usage',
          `${mapped.name}: ${place}: tables of more than ${mostRows} rows do not fit; choose rows with keep:.`,
        );
      const same = rows.get(id);
      if (same === undefined) rows.set(id, [row]);
      else same.push(row);
    };
  };
  await from.read(
    from.path,
    ownPlace(table.file === undefined ? mapped : withHeader(mapped), table),
    (record, names) => {
      take ??= begin(names);
      take(record);
    },
  );
  return { table: { columns, rows }, rows: count };
}

/** The records of a table stand where it says, else where `read` says, and not where those of the section do. */
function ownPlace({ section, ...mapped }: Mapped, { record, items }: Table): Mapped {
  const { record: _, items: __, ...rest } = section;
  return { ...mapped, section: { ...rest, ...(record && { record }), ...(items && { items }) } };
}

/** Names given to the columns of the file itself are not those of another file. */
function withHeader({ read: { columns: _, ...read }, ...mapped }: Mapped): Mapped {
  return { ...mapped, read };
}
