// Lookup tables of a mapping: records of this file, or of one next to it, read before the first item is made.
import type { Problem } from '../../core/diagnostics/refusal-codes.js';
import { CatalogError } from '../../core/errors.js';
import { type FilePlace, isReadOnce, type RowPlace } from '../file-place.js';
import { type FileScope, fileScope, type ReadBefore } from './file-scope.js';
import { columnsRead } from './keyless-entry.js';
import { recordFilter } from './language/condition.js';
import { expander, variables } from './language/expander.js';
import { compileExpression, givesCurrency } from './language/expression.js';
import type { LookupTable, TableRow } from './language/lookup-table.js';
import { type Context, toOne, toText } from './language/scope.js';
import type { MappingSection, TableRule } from './mapping.js';
import { aggregateOf } from './rows/aggregate.js';
import { isBlankRow } from './rows/blank-row.js';
import { categoryTree } from './rows/category-tree.js';
import { type FillDown, fillDown } from './rows/fill-down.js';
import { longestText, unreadableRecords } from './rows/unreadable-records.js';
import { refuseUnsaidFill } from './table-fills.js';
import { type RecordsForm, type TableForm, tableForm } from './table-form.js';
import { tablesOf } from './used-tables.js';
import { besideOf, moneyOf, type OneValue, signedText } from './values/known-number.js';

/** A record as read, with its place. */
interface ReadRecord extends RowPlace {
  readonly record: unknown;
  readonly text: string;
}

/** Reads records with the names of their columns. */
export type ReadRecords = (
  form: RecordsForm,
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
    const how = { form: tableForm(table, from, mapped), before: { tables, repeated }, read, most: left };
    const found = await readTable(name, table, how);
    tables.set(name, found.table);
    left -= found.rows;
  }
  return tables;
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
  const inner = { ...scope, ...variables(scope, spread) };
  const key = compileExpression(table.key, { ...inner, keyOf: 'row' }, `${place}.key`, 'key');
  const above =
    table.parent === undefined ? undefined : compileExpression(table.parent, inner, `${place}.parent`, 'parent');
  const aggregating = { ...inner, aggregates: () => true };
  const columns = Object.entries(table.columns).map(([column, value]) => ({
    column,
    read: compileExpression(value, aggregating, `${place}.columns.${column}`, column),
  }));
  // Without its parts, a record could have any key that is made of them.
  const isOfPart = spread !== undefined && columnsRead({ key: table.key }).some((name) => name.startsWith('$'));
  return (record) => {
    const problems: Problem[] = [];
    const context: Context = { record, own: {}, refuse: (problem) => void problems.push(problem) };
    const keyOf = (own: Context['own']): string => {
      const found = problems.length;
      const made = toText(key({ ...context, own }));
      // An invalid key is unknown: the row could have any key.
      return problems.length > found ? '' : made;
    };
    const entryOf = (own: Context['own']): TableEntry[] => {
      const id = keyOf(own);
      const cells = columns.map(({ column, read }) => [column, ofTable(name, table, toOne(read({ ...context, own })))]);
      const parent = above && { parent: toText(above({ ...context, own })) };
      const [problem] = problems.splice(0);
      if (problem !== undefined) return [{ key: id, problem }];
      return id === '' ? [] : [{ key: id, cells: Object.fromEntries(cells), ...parent }];
    };
    const isKept = keep === undefined || keep(context);
    if (!isKept && problems.length === 0) return undefined;
    const parts = spread?.of(context) ?? [{}];
    const [unknown] = problems;
    // Whether it gives a row, or which rows it gives, is not known.
    if (unknown !== undefined) return [{ key: isOfPart ? '' : keyOf({}), problem: unknown }];
    return parts.flatMap((own) => entryOf(own));
  };
}

/** A cell whose currency is reported as one of the table, and whose decimal sign is that of the table if it has one. */
function ofTable(table: string, { read }: TableRule, cell: OneValue): OneValue {
  if (typeof cell === 'string') return read?.decimal === undefined ? cell : signedText(cell, read.decimal);
  const beside = besideOf(cell);
  if (beside.length === 0) return cell;
  return moneyOf(
    String(cell),
    beside.map((one) => ({ ...one, source: `${one.source} of the table ${table}` })),
  );
}

/** The columns that can be looked up. */
export function columnsOf({ columns, parent }: TableRule): Pick<LookupTable, 'columns' | 'currencies'> {
  const names = Object.keys(columns);
  return {
    columns: [...names, ...(parent === undefined ? [] : ['parent'])],
    currencies: names.filter((name) => givesCurrency(columns[name] ?? name)),
  };
}

interface TableOrigin {
  readonly form: TableForm;
  readonly before: ReadBefore;
  readonly read: ReadRecords;
  readonly most: number;
}

async function readTable(name: string, table: TableRule, { form, before, read, most }: TableOrigin) {
  const { mapped, fill } = form;
  const rows = new Map<string, TableRow[]>();
  const missed = unreadableRecords(typeof table.key === 'string');
  let count = 0;
  let records = 0;
  let isAnyKept = false;
  let lines = { first: 0, last: 0 };
  /** The text of rows that could not be read: rows below may repeat their cells. */
  let unread = '';
  let begun:
    | { readonly make: TableRowMapper; readonly scope: FileScope; readonly filled: FillDown | undefined }
    | undefined;
  await read(
    form,
    ({ record, line, number, text }, columns) => {
      if (isBlankRow(record)) return;
      if (begun === undefined) {
        const scope = fileScope(mapped, columns, before);
        const filled = fillDown({ section: { ...(fill && { fill }) }, place: `tables.${name}` }, scope, columns);
        begun = { scope, make: tableRowMapper(name, table, scope), filled };
        refuseUnsaidFill(form.filled, scope, `tables.${name}`);
        if (unread !== '') filled?.interrupt(unread, line, []);
      }
      lines = { first: records === 0 ? line : lines.first, last: line };
      records++;
      begun.scope.members?.watch(record);
      const { filled } = begun;
      if (filled?.fill(record as string[]) === 'unsure') {
        // Its key may be among the cells above it.
        const cells = filled.variants(record as string[]).flat();
        missed.add({ line: filled.interruptedAt(), record: 0, text: [text, unread, ...cells].join('\n') });
        return;
      }
      const made = begun.make(record);
      isAnyKept ||= made !== undefined;
      for (const entry of made ?? []) {
        const { key } = entry;
        // A record that cannot be mapped is no row: items that look up its key are refused.
        if ('problem' in entry) {
          missed.add({ line, record: number, text, key, problem: entry.problem });
          continue;
        }
        if (++count > most) throw tooMany(mapped, name);
        const same = rows.get(key);
        const { key: _, ...cells } = entry;
        const row = { line, number, ...cells };
        if (same === undefined) rows.set(key, [row]);
        else same.push(row);
      }
    },
    ({ number, ...where }) => {
      missed.add({ ...where, record: number });
      if (fill === undefined) return;
      if (unread.length < longestText) unread += `\n${where.text}`;
      begun?.filled?.interrupt(where.text, where.line, []);
    },
  );
  const isOneLine = records > 1 && lines.first === lines.last;
  begun?.scope.members?.check({ records, isAnyKept, characters: 0, isWhole: true });
  const tree = table.parent === undefined ? undefined : categoryTree(rows, table, isOneLine);
  for (const fault of tree?.faults ?? []) missed.add({ ...fault, text: '' });
  const found: LookupTable = {
    ...columnsOf(table),
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
