// Updates existing rows: only the columns that changed. Of 200,000 products with other prices and stocks the main
// thread of an import takes a fifth less than with upserts of whole rows; with an UPDATE of whole rows it takes as
// long. `OR FAIL` as for inserts (save-rows.ts): SQLite keeps no copy of the pages for each row.
import type { Row } from '../../../core/rows/table.js';
import type { Layout, Numbers } from './layout.js';
import type { Prepare } from './prepare.js';

/** The number of column sets for which a table has a statement of its own; for others all columns are written. */
const mostKinds = 50;

/** The columns that may change. Those that identify a row do not, and setting them would rewrite their index. */
export function changing(table: Layout): readonly string[] {
  const key = table.key;
  return table.columns.filter((name) => !key.includes(name) && !table.table.id.includes(name));
}

/**
 * Updates stored rows.
 * @returns takes a row and its stored version, as it was read in this transaction
 */
export function rowUpdater(prepare: Prepare, numbers: Numbers): (table: Layout, row: Row, before: Row) => void {
  const kinds = new Map<Layout, Set<string>>();

  /** The columns that differ: rows are compared in core's form, which needs no copies in SQLite's form. */
  function columnsFor(table: Layout, row: Row, before: Row): readonly string[] {
    const differing: string[] = [];
    for (const name of table.table.differing(row, before)) differing.push(...(table.madeOf.get(name) ?? []));
    // Other rows refer to this row by it, and are not checked (reference-check.ts).
    const identity = differing.filter((name) => table.table.id.includes(name));
    if (identity.length > 0) throw new Error(`a row of ${table.name} was to get another identity (${identity})`);
    const known = kinds.get(table) ?? new Set();
    kinds.set(table, known);
    const kind = differing.join();
    if (known.size >= mostKinds && !known.has(kind)) return changing(table);
    known.add(kind);
    return differing;
  }

  return (table, row, before) => {
    const columns = columnsFor(table, row, before);
    // Changed, and changed back by a later item.
    if (columns.length === 0) return;
    const key = table.key;
    const statement = prepare(`${table.name}/update ${columns}`, () => {
      const sets = columns.map((name) => `${name} = ?`).join(', ');
      const where = key.map((name) => `${name} = ?`).join(' AND ');
      return `UPDATE OR FAIL ${table.name} SET ${sets} WHERE ${where}`;
    });
    const { changes } = statement.run([...columns, ...key].map((name) => table.cell(name, row, numbers)));
    if (changes !== 1)
      throw new Error(`${changes} rows of ${table.name} were changed in the place of one that was read`);
  };
}
