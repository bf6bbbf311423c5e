// Updates existing rows: only the columns that changed. Of 200,000 products with other prices and stocks the main
// thread of an import takes a fifth less than with upserts of whole rows; with an UPDATE of whole rows it takes as
// long. `OR FAIL` as for inserts (save-rows.ts): SQLite keeps no copy of the pages for each row.
import type { RunResult, Statement } from 'better-sqlite3';
import { compile } from '../../../core/rows/compile-function.js';
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

/** Writes the columns of a set into the stored row. */
type Update = (row: Row) => void;

/**
 * Updates stored rows.
 * @returns takes a row and its stored version, as it was read in this transaction
 */
export function rowUpdater(prepare: Prepare, numbers: Numbers): (table: Layout, row: Row, before: Row) => void {
  /** By the list of core's columns that differ: rows are compared in core's form, which needs no copies in SQLite's form. */
  const byList = new WeakMap<readonly string[], Update>();
  const byTable = new Map<Layout, Map<string, Update>>();

  function updateOf(table: Layout, list: readonly string[]): Update {
    const differing = list.flatMap((name) => table.madeOf.get(name) ?? []);
    // Other rows refer to this row by it, and are not checked (reference-check.ts).
    const identity = differing.filter((name) => table.table.id.includes(name));
    if (identity.length > 0) throw new Error(`a row of ${table.name} was to get another identity (${identity})`);
    const kinds = byTable.get(table) ?? new Map<string, Update>();
    byTable.set(table, kinds);
    const isOwn = kinds.size < mostKinds || kinds.has(differing.join());
    const columns = isOwn ? differing : changing(table);
    const kind = columns.join();
    const update = kinds.get(kind) ?? updateFor(table, columns, prepare, numbers);
    kinds.set(kind, update);
    return update;
  }

  return (table, row, before) => {
    const list = table.table.differing(row, before);
    // Changed, and changed back by a later item.
    if (list.length === 0) return;
    let update = byList.get(list);
    if (update === undefined) {
      update = updateOf(table, list);
      byList.set(list, update);
    }
    update(row);
  };
}

function updateFor(table: Layout, columns: readonly string[], prepare: Prepare, numbers: Numbers): Update {
  const statement = prepare(`${table.name}/update ${columns}`, () => {
    const sets = columns.map((name) => `${name} = ?`).join(', ');
    const where = table.key.map((name) => `${name} = ?`).join(' AND ');
    return `UPDATE OR FAIL ${table.name} SET ${sets} WHERE ${where}`;
  });
  const run = compiledRun(table, [...columns, ...table.key], statement, numbers);
  return (row) => {
    const { changes } = run(row);
    if (changes !== 1)
      throw new Error(`${changes} rows of ${table.name} were changed in the place of one that was read`);
  };
}

/** Runs a statement with these columns of a row. */
type BoundUpdate = (row: Row) => RunResult;

/** Compiled for its columns, as inserts are: reading and listing the cells by name takes a third of the update. */
function compiledRun(table: Layout, bound: readonly string[], statement: Statement, numbers: Numbers): BoundUpdate {
  const cells = bound.map((name) => table.code(name, 'row'));
  return compile<RunMaker>(['statement', 'numbers', 'hashes'], `return (row) => statement.run(${cells});`)(
    statement,
    numbers,
    table.hashes,
  );
}

type RunMaker = (statement: Statement, numbers: Numbers, hashes: Layout['hashes']) => BoundUpdate;
