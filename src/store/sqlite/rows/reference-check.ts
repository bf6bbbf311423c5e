// Checks the references of all saved rows at once before they are committed. SQLite checks a foreign key row by row and
// opens the referenced table each time: without that, the main thread of an import of products with attributes and
// photos has 7 % less work, and nothing gets slower. Which columns refer to which is read from the schema, where it is
// declared for other programs too. Nothing that is referred to can disappear: rows are never deleted and keep their
// identity (update-row.ts).
import type { SavedRows } from '../../../core/rows/snapshot.js';
import type { Row, Value } from '../../../core/rows/table.js';
import type { Layout, Numbers } from './layout.js';
import type { Prepare } from './prepare.js';

/** A column whose values must exist in a column of another table. */
interface Reference {
  readonly column: string;
  readonly parent: string;
  readonly key: string;
}

/** New rows of a table with consecutive numbers. */
interface Run {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Makes the check of one connection.
 * @returns checks the references of the rows that a draft saved, after they are written; throws if one does not exist,
 * which is a bug in the rules and rolls the transaction back
 */
export function referenceChecker(prepare: Prepare, numbers: Numbers): (all: ReadonlyMap<Layout, SavedRows>) => void {
  const known = new Map<Layout, readonly Reference[]>();

  function referencesOf(table: Layout): readonly Reference[] {
    const found = known.get(table);
    if (found !== undefined) return found;
    const sql = 'SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)';
    // As lists: for objects, better-sqlite3 13 compiles code from text, which may be forbidden.
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

/** The new references in a column of rows, except those to new rows that were written with them. */
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
