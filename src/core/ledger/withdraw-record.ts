// Takes back the creation of a record: it is suspended, and has nothing but its key. So it has no value of an undone run when
// it comes back.
import type { Resource } from '../resource.js';
import type { Row, RowOf, Table } from '../rows/table.js';
import { keyOf, withdrawn } from './record-timeline.js';
import { suspensionTable } from './run-tables.js';
import { byUndo, isTakenBack, suspendedStatus } from './suspension.js';
import { rootOf, type Undoing } from './undoing.js';

export function withdraw(undoing: Undoing, resource: Resource, run: string): void {
  const { stored, today, next } = undoing;
  const status = suspendedStatus(stored.row);
  if (status === undefined) return void undoing.kept.push({ unit: '', reason: 'no_status' });
  for (const [key, one] of today) {
    const row = one.table === stored.table ? { ...emptied(resource, one.row), status } : withdrawn(one);
    if (one.table !== suspensionTable) next.set(key, { table: one.table, row });
  }
  const known = [...today.values()].find(({ table }) => table === suspensionTable)?.row as SuspensionRow | undefined;
  if (known !== undefined && isTakenBack(known)) return;
  noteSuspension(undoing, String(stored.table.initial['status']), byUndo(run));
  undoing.isSuspended = true;
}

/** A record whose creation was undone is there again, without a status of a run that counts. */
export function endWithdrawal(undoing: Undoing): void {
  const { stored, today, next, id } = undoing;
  const known = [...today.values()].find(({ table }) => table === suspensionTable)?.row as SuspensionRow | undefined;
  if (known === undefined || !isTakenBack(known)) return;
  next.set(keyOf(stored.table.name, [id]), { table: stored.table, row: { ...rootOf(undoing), status: known.status } });
  noteSuspension(undoing, '', known.run);
}

/** Suspends a record as a run did whose feed listed it no longer. */
export function suspendAgain(undoing: Undoing, run: string): void {
  const { stored, next, id } = undoing;
  const root = rootOf(undoing);
  noteSuspension(undoing, String(root['status']), run);
  next.set(keyOf(stored.table.name, [id]), {
    table: stored.table,
    row: { ...root, status: suspendedStatus(root) ?? null },
  });
}

function noteSuspension({ id, next }: Undoing, status: string, run: string): void {
  const row = { id, status, run };
  next.set(keyOf(suspensionTable.name, [id]), { table: suspensionTable as Table, row });
}

type SuspensionRow = RowOf<typeof suspensionTable>;

/**
 * Columns that a record keeps as long as it is there, beside its keys. Those of a review cannot be empty, and every item has to
 * send them: nothing of them outlasts its coming back.
 */
const lasting: ReadonlySet<string> = new Set([
  ...['id', 'kind', 'shared', 'created_at', 'updated_at'],
  ...['customer', 'product_sku', 'rating'],
]);

/** A record with nothing but its key. Its identifier stands for the slug, which is made anew when the record comes back. */
function emptied({ key, tables }: Resource, row: Row): Row {
  const [root] = tables as [Table];
  const keys = Object.entries(root.lookups).flatMap(([name, columns]) => (name === 'slug' ? [] : columns));
  const next: Row = {};
  for (const column of root.columns)
    next[column] =
      (lasting.has(column) || column === key || keys.includes(column) ? row[column] : root.initial[column]) ?? null;
  if ('slug' in row) next['slug'] = row['id'] ?? null;
  if (key === 'sku') next['name'] = row['sku'] ?? null;
  return next;
}
