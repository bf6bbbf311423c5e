// Takes back the creation of a record: it is suspended, and has nothing but its key. So it has no value of an undone run when
// it comes back.
import { withdrawnSlug } from '../planning/slug.js';
import type { Resource } from '../resource.js';
import type { Row, Table } from '../rows/table.js';
import { type RecordState, withdrawn } from './record-timeline.js';
import { suspensionTable } from './run-tables.js';
import { byUndo, isTakenBack, suspendedStatus } from './suspension.js';
import { noteSuspension, suspensionOf, type Undoing } from './undoing.js';

export function withdraw(undoing: Undoing, resource: Resource, run: string): void {
  const { stored, today, next } = undoing;
  const status = suspendedStatus(stored.row);
  if (status === undefined) return void undoing.kept.push({ unit: '', reason: 'no_status' });
  for (const [key, { table, row }] of emptiedState(undoing, resource))
    if (table !== suspensionTable) next.set(key, { table, row: table === stored.table ? { ...row, status } : row });
  const known = suspensionOf(today);
  if (known !== undefined && isTakenBack(known)) return;
  noteSuspension(undoing, String(stored.table.initial['status']), byUndo(run));
  undoing.isSuspended = true;
}

/** What is stored of a record, with nothing but its key. */
export function emptiedState({ stored, today }: Undoing, resource: Resource): RecordState {
  return new Map(
    [...today].map(([key, one]) => [
      key,
      { ...one, row: one.table === stored.table ? emptied(resource, one.row) : withdrawn(one) },
    ]),
  );
}

/** A record with nothing but its key. */
function emptied({ key, tables }: Resource, row: Row): Row {
  const [root] = tables as [Table];
  const keys = Object.entries(root.lookups).flatMap(([name, columns]) => (name === 'slug' ? [] : columns));
  const derived = root.derived === undefined ? [] : [root.derived.column];
  const lasting = new Set([...root.lasting, ...keys, ...derived, key]);
  const next: Row = {};
  for (const column of root.columns) next[column] = (lasting.has(column) ? row[column] : root.initial[column]) ?? null;
  if ('slug' in row) next['slug'] = withdrawnSlug({ id: String(row['id']), slug: String(row['slug']) });
  if (key === 'sku') next['name'] = row['sku'] ?? null;
  return next;
}
