// Lookup tables of a mapping: records of this file, or of one next to it, read before the first item is made.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Problem } from '../../core/diagnostics/refusal-codes.js';
import { CatalogError } from '../../core/errors.js';
import { fileIn } from '../../files/file-in.js';
import { isWithin } from '../../files/same-file.js';
import { type FilePlace, folderOf, isReadOnce, type RowPlace } from '../file-place.js';
import { type FileScope, fileScope, type ReadBefore } from './file-scope.js';
import { recordFilter } from './language/condition.js';
import { expander } from './language/expander.js';
import { compileExpression } from './language/expression.js';
import type { LookupTable, TableRow } from './language/lookup-table.js';
import { type Context, toOne, toText } from './language/scope.js';
import type { MappingSection, TableRule } from './mapping.js';
import { aggregateOf } from './rows/aggregate.js';
import { categoryTree } from './rows/category-tree.js';
import { unreadableRecords } from './rows/unreadable-records.js';

/** A record as read, with its place. */
interface ReadRecord extends RowPlace {
  readonly record: unknown;
  readonly text: string;
}

/** Reads the records of a file with the names of its columns. */
export type ReadRecords = (
  file: string,
  mapped: MappingSection,
  take: (read: ReadRecord, columns: readonly string[] | undefined) => void,
  /** Called with records that cannot be read. */
  miss?: (read: Omit<ReadRecord, 'record'>) => void,
) => Promise<void>;

/** Maximum rows in tables, which are kept in memory. */
const mostRows = 1_000_000;

/**
 * Reads the tables of a mapping in the order in which they are written; each may look up earlier ones.
 * @throws CatalogError if a file cannot be read, or names are wrong
 */
export async function readTables(
  mapped: MappingSection,
  from: FilePlace,
  { read, repeated }: { readonly read: ReadRecords; readonly repeated: ReadonlySet<string> },
): Promise<ReadonlyMap<string, LookupTable>> {
  const tables = new Map<string, LookupTable>();
  const wanted = tablesOf(mapped);
  if (wanted.length > 0 && isReadOnce(from) && wanted.some(([, table]) => table.file === undefined))
    throw new CatalogError(
      'usage',
      `${mapped.name}: its tables are read from the file before its items; standard input can be read once only. Name a file.`,
    );
  let left = mostRows;
  for (const [name, table] of wanted) {
    const path = tableFile(table, from, mapped);
    const how = { path, before: { tables, repeated }, read, most: left };
    const found = await readTable(name, table, mapped, how);
    tables.set(name, found.table);
    left -= found.rows;
  }
  return tables;
}

/**
 * The file of a table: this one, one next to it, or, for refused rows in a folder of their own, one next to the mapping.
 * @throws CatalogError `input_unreadable` if it does not exist
 */
export function tableFile(table: TableRule, from: FilePlace, { name, isOfFolder }: MappingSection): string {
  if (table.file === undefined) return from.file;
  const file = fileIn(folderOf(from), table.file);
  for (const [folder, path] of [
    [folderOf(from), file],
    [dirname(name), fileIn(dirname(name), table.file)],
  ] as const) {
    if (!existsSync(path)) continue;
    if (isOfFolder !== true || isWithin(path, folder)) return path;
    const why = `file ${table.file} of a table is a link out of its folder. Name the mapping with --map, if that is meant`;
    throw new CatalogError('usage', `${name}: ${why}.`);
  }
  const what = `file ${table.file} of a table not found, neither in ${dirname(file)} nor next to the mapping`;
  throw new CatalogError('input_unreadable', `${name}: ${what}; copy it there.`);
}

/** The tables a section needs, directly or through other tables. */
export function tablesOf({ section, tables }: MappingSection): [string, TableRule][] {
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

/** Makes the rows that a record gives to a table; undefined for one that its filter leaves out. */
export type TableRowMapper = (record: unknown) => readonly TableEntry[] | undefined;

/** A row with its key, or why the record could not be mapped. */
type TableEntry = { readonly key: string } & (Omit<TableRow, keyof RowPlace> | { readonly problem: Problem });

/**
 * Compiles a table for the columns of its file.
 * @throws CatalogError `usage` for wrong names
 */
export function tableRowMapper(name: string, table: TableRule, scope: FileScope): TableRowMapper {
  const place = `tables.${name}`;
  const keep = recordFilter(table, { ...scope, ofAll: true }, place);
  const spread = table.each === undefined ? undefined : expander(table.each, scope, `${place}.each`);
  const inner = { ...scope, own: spread?.names ?? [] };
  const key = compileExpression(table.key, { ...inner, keyOf: 'row' }, `${place}.key`, 'key');
  const above =
    table.parent === undefined ? undefined : compileExpression(table.parent, inner, `${place}.parent`, 'parent');
  const aggregating = { ...inner, aggregates: () => true };
  const columns = Object.entries(table.columns).map(([column, value]) => ({
    column,
    read: compileExpression(value, aggregating, `${place}.columns.${column}`, column),
  }));
  return (record) => {
    const problems: Problem[] = [];
    const context: Context = { record, own: {}, refuse: (problem) => void problems.push(problem) };
    const entryOf = (own: Context['own'], isKept = true): TableEntry[] => {
      const found = problems.length;
      const made = toText(key({ ...context, own }));
      // An invalid key is unknown: the row could have any key.
      const id = problems.length > found ? '' : made;
      const cells = isKept ? columns.map(({ column, read }) => [column, toOne(read({ ...context, own }))]) : [];
      const parent = above && isKept ? { parent: toText(above({ ...context, own })) } : {};
      const [problem] = problems.splice(0);
      if (problem !== undefined) return [{ key: id, problem }];
      return id === '' ? [] : [{ key: id, cells: Object.fromEntries(cells), ...parent }];
    };
    const isKept = keep === undefined || keep(context);
    if (!isKept && problems.length === 0) return undefined;
    const parts = spread?.of(context) ?? [{}];
    // Whether it gives a row, or which rows it gives, is not known.
    return problems.length > 0 ? entryOf({}, false) : parts.flatMap((own) => entryOf(own));
  };
}

/** The columns that can be looked up. */
export function columnsOf({ columns, parent }: TableRule): string[] {
  return [...Object.keys(columns), ...(parent === undefined ? [] : ['parent'])];
}

interface TableOrigin {
  readonly path: string;
  readonly before: ReadBefore;
  readonly read: ReadRecords;
  readonly most: number;
}

async function readTable(name: string, table: TableRule, mapped: MappingSection, from: TableOrigin) {
  const rows = new Map<string, TableRow[]>();
  const missed = unreadableRecords(typeof table.key === 'string');
  let count = 0;
  let records = 0;
  let isAnyKept = false;
  let lines = { first: 0, last: 0 };
  let begun: { readonly make: TableRowMapper; readonly scope: FileScope } | undefined;
  await from.read(
    from.path,
    tableReading(table, mapped),
    ({ record, line, number, text }, columns) => {
      if (begun === undefined) {
        const scope = fileScope(mapped, columns, from.before);
        begun = { scope, make: tableRowMapper(name, table, scope) };
      }
      lines = { first: records === 0 ? line : lines.first, last: line };
      records++;
      begun.scope.members?.watch(record);
      const made = begun.make(record);
      isAnyKept ||= made !== undefined;
      for (const entry of made ?? []) {
        const { key } = entry;
        // A record that cannot be mapped is no row: items that look up its key are refused.
        if ('problem' in entry) {
          missed.add({ line, record: number, text, key, problem: entry.problem });
          continue;
        }
        if (++count > from.most) throw tooMany(mapped, name);
        const same = rows.get(key);
        const { key: _, ...cells } = entry;
        const row = { line, number, ...cells };
        if (same === undefined) rows.set(key, [row]);
        else same.push(row);
      }
    },
    ({ number, ...where }) => missed.add({ ...where, record: number }),
  );
  const isOneLine = records > 1 && lines.first === lines.last;
  begun?.scope.members?.check({ records, isAnyKept, characters: 0, isWhole: true });
  const tree = table.parent === undefined ? undefined : categoryTree(rows, table, isOneLine);
  for (const fault of tree?.faults ?? []) missed.add({ ...fault, text: '' });
  const found: LookupTable = {
    columns: columnsOf(table),
    rows: tree?.rows ?? rows,
    aggregates: Object.fromEntries(
      Object.entries(table.columns).map(([column, value]) => [column, aggregateOf(value)]),
    ),
    missed(key) {
      const found = missed.of(key);
      return found === undefined || isOneLine ? found : { ...found, record: 0 };
    },
    absent: begun?.scope.absent() ?? [],
  };
  return { table: found, rows: count };
}

function tooMany({ name }: MappingSection, table: string): CatalogError {
  return new CatalogError(
    'usage',
    `${name}: tables.${table}: tables of more than ${mostRows} rows do not fit; choose rows with keep:.`,
  );
}

/** The records of a table are located by its own `sheet`, `record` and `items`, else by `read`, not by those of the section. */
function ownPlace({ section, ...mapped }: MappingSection, { sheet, record, items }: TableRule): MappingSection {
  const { sheet: _, record: __, items: ___, ...rest } = section;
  const own = { ...(sheet && { sheet }), ...(record && { record }), ...(items && { items }) };
  return { ...mapped, section: { ...rest, ...own } };
}

export function tableReading(table: TableRule, mapped: MappingSection): MappingSection {
  return ownPlace(table.file === undefined ? mapped : withHeader(mapped), table);
}

/** Names given to the columns of the file itself are not those of another file. */
function withHeader({ read: { columns: _, ...read }, ...mapped }: MappingSection): MappingSection {
  return { ...mapped, read };
}
