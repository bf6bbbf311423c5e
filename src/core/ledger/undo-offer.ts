// Takes back what a feed offered of a record in a run that is undone.
import type { Resource } from '../resource.js';
import type { Draft } from '../rows/snapshot.js';
import type { Table } from '../rows/table.js';
import { type ChangeLog, recordRow } from './change-log.js';
import { isStill, type RecordedChange } from './recorded-change.js';
import { offerTable } from './run-tables.js';

/** Whether a change is one of what a feed offered. */
export function isOffer({ table }: RecordedChange): boolean {
  return table === offerTable.name;
}

/** The feed's earlier offer applies again, unless the feed has sent something else since. */
export function undoOffer(
  { record, row: { id }, isNew, columns, before, after }: RecordedChange,
  draft: Draft,
  { log, resource }: { readonly log: ChangeLog; readonly resource: Resource },
): void {
  const place = columns.indexOf('fields');
  const stored = draft.find(offerTable, 'id', String(id));
  if (place === -1 || !isStill(stored?.fields ?? '', after[place] ?? null)) return;
  const former = isNew
    ? { fields: '', created_at: 0 }
    : Object.fromEntries(columns.map((name, i) => [name, before[i] ?? null]));
  const next = { ...(stored ?? { id: String(id), record, run: '', line: 0, fields: '', created_at: 0 }), ...former };
  draft.save(offerTable, next, stored ?? null);
  const [root] = resource.tables as [Table];
  const row = draft.find(root, 'id', record);
  // Saved as it is, it loses its fingerprint, which was that of an item decided by the offer.
  if (row !== undefined && root.fingerprint?.some((name) => row[name] !== 0)) draft.save(root, { ...row }, row);
  recordRow(log, 0, { table: offerTable, before: stored, next });
}
