// What saved rows refer to, checked for all of them at once before they are committed. SQLite checks a foreign key row by
// row and opens the table it refers to each time: of an import of products with attributes and photos the main thread has
// 7 % less to do without, and nothing gets slower. Which columns refer to which is read from the schema, where it stands
// for other programs, too. That nothing goes away or gets another identity, update-row.ts sees to: rows are never deleted.
import type { SavedRows } from '../../../core/rows/snapshot.js';
import type { Row, Value } from '../../../core/rows/table.js';
import type { Layout, Numbers } from './layout.js';
import type { Prepare } from './save-rows.js';

/** A column whose values stand in a column of another table. */
interface Reference {
  readonly column: string;
  readonly parent: string;
  readonly key: string;
}

/** New rows of a table that are numbered one behind the other. */
interface Run {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Makes the check of one connection.
 * @returns looks for what the rows refer to that a draft saved, once they are written; throws where it is not there, which
 *   is a mistake of the rules and takes the transaction back
 */
export function referenceChecker(prepare: Prepare, numbers: Numbers): (all: ReadonlyMap<Layout, SavedRows>) => void {
  const known = new Map<Layout, readonly Reference[]>();

  function referencesOf(table: Layout): readonly Reference[] {
    const found = known.get(table);
    if (found !== undefined) return found;
    const sql = 'SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)';
    // As lists: better-sqlite3 13 makes the code for objects of text, which may be forbidden.
    const rows = prepare('references', () => sql)
      .raw()
      .all(table.name) as [string, string, string][];
    const references = rows.map(([column, parent, key]) => ({ column, parent, key }));
    known.set(table, references);
    return references;
  }

  /** One of these values that the table does not have. */
  function missingOf({ parent, key }: Reference, values: ReadonlySet<Value>): unknown {
    const absent = `NOT EXISTS (SELECT 1 FROM ${parent} WHERE ${key} = k.value)`;
    const statement = prepare(`${parent}/${key}/missing`, () => `SELECT k.value FROM json_each(?) k WHERE ${absent}`);
    return statement.pluck().get(JSON.stringify([...values]));
  }

  return (all) => {
    const runs = new Map([...all].map(([table, { created }]) => [table.name, runOf(table, created, numbers)]));
    for (const [table, saved] of all) {
      for (const reference of referencesOf(table)) {
        const cell = (row: Row): Value => table.cell(reference.column, row, numbers);
        const run = runs.get(reference.parent);
        const values = referredTo(saved, cell, run?.key === reference.key ? run : undefined);
        const missing = values.size === 0 ? undefined : missingOf(reference, values);
        if (missing === undefined) continue;
        throw new Error(
          `${table.name}.${reference.column} refers to ${missing}, which ${reference.parent} does not have`,
        );
      }
    }
  };
}

function runOf(table: Layout, created: readonly Row[], numbers: Numbers): Run | undefined {
  const [first] = created;
  if (!table.numbered || first === undefined) return undefined;
  const numberOf = (row: Row): number => table.cell('seq', row, numbers) as number;
  const from = numberOf(first);
  if (created.some((row, i) => numberOf(row) !== from + i)) return undefined;
  return { key: 'seq', from, to: from + created.length - 1 };
}

/** What a column of rows refers to and did not before, but for new rows that were written with them. */
function referredTo(
  { created, changed }: SavedRows,
  cell: (row: Row) => Value,
  run: Run | undefined,
): ReadonlySet<Value> {
  const values = new Set<Value>();
  const { from = 1, to = 0 } = run ?? {};
  const add = (value: Value): void => {
    const isWritten = typeof value === 'number' && value >= from && value <= to;
    if (value !== null && !isWritten) values.add(value);
  };
  for (const row of created) add(cell(row));
  for (const [row, origin] of changed) if (origin === 'unknown' || cell(origin) !== cell(row)) add(cell(row));
  return values;
}
