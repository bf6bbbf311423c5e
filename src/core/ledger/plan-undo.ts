// Taking back what a run changed, record by record. A field gets back what it held before, where it still holds what the run
// left; a record that the run created is suspended; a list of children goes back as a whole, or stays as a whole.

import type { Resource } from '../resource.js';
import { lineage } from '../resources/category.js';
import type { Draft } from '../rows/snapshot.js';
import type { Row, Table, Value } from '../rows/table.js';
import { type ChangeLog, markChanges, recordItem, recordRow, rollbackChanges } from './change-log.js';
import { isStill, type RecordedChange } from './recorded-change.js';
import { offerTable } from './run-tables.js';
import { forgetSuspension, suspendedStatus, suspendRecord } from './suspension.js';

/** What became of a record. `kept`: some field of it, as somebody else changed it since. */
export type UndoOutcome = 'restored' | 'suspended' | 'kept' | 'unchanged';

/** A record of a run that is taken back. */
export interface UndoneRecord {
  readonly id: string;
  readonly outcome: UndoOutcome;
  /** The fields that were kept: table and row, and the column. */
  readonly kept: readonly KeptField[];
  /** The line of its item. */
  readonly line: number;
  readonly file: number;
}

/** A field that somebody else changed since. */
export interface KeptField {
  readonly change: RecordedChange;
  readonly column: string;
}

/** What taking back takes beside the changes. */
export interface UndoContext {
  readonly resource: Resource;
  readonly now: number;
  /** The run that takes back: its identifier. */
  readonly run: string;
  readonly log: ChangeLog;
  /** The records that get a former slug back. */
  readonly slugs?: ReadonlySet<string>;
}

/** A row as it is to be: what is stored, and what becomes of it. */
interface Target {
  readonly table: Table;
  readonly before: Row;
  readonly next: Row;
}

/** Columns of a record that follow from a list of its children: where the list stays as it is, so do they. */
const followsFrom: Readonly<Record<string, readonly string[]>> = {
  product_grade: ['listed_grades', 'price', 'stock'],
  characteristic_value: ['listed_values'],
};

/** What is decided about one record. */
interface Undoing {
  readonly rows: Map<string, Target>;
  readonly kept: KeptField[];
  suspended: boolean;
}

/**
 * Takes back the changes of some records.
 * @param changes of one transaction of the run, the latest first
 * @returns a plan's outcome: what became of each record
 */
export function* planUndo(
  changes: readonly RecordedChange[],
  draft: Draft,
  context: UndoContext,
): Generator<void, UndoneRecord[]> {
  const records = byRecord(changes);
  for (;;) {
    draft.mark();
    markChanges(context.log);
    const undoing = { ...context, slugs: regainedSlugs(records, draft, context) };
    const undone = [...records.values()].flatMap((own) => undoChanges(own, draft, undoing));
    if (!draft.hasPending()) return undone;
    draft.rollback();
    rollbackChanges(context.log);
    yield;
  }
}

function byRecord(changes: readonly RecordedChange[]): Map<string, RecordedChange[]> {
  const records = new Map<string, RecordedChange[]>();
  for (const change of changes) {
    const own = records.get(change.record);
    if (own === undefined) records.set(change.record, [change]);
    else own.push(change);
  }
  return records;
}

/** Undoes what a run changed of a record, and of what its feed is remembered to send of it: that counts for nothing. */
function undoChanges(changes: readonly RecordedChange[], draft: Draft, context: UndoContext): UndoneRecord[] {
  const own = changes.filter(({ table }) => table !== offerTable.name);
  for (const change of changes) if (change.table === offerTable.name) undoOffer(change, draft, context);
  return own.length === 0 ? [] : [undoRecord(own, draft, context)];
}

/** What a feed sent before counts again, unless it sent something else since. */
function undoOffer(
  { record, row: { id }, isNew, columns, before, after }: RecordedChange,
  draft: Draft,
  { log }: UndoContext,
): void {
  const place = columns.indexOf('fields');
  const stored = draft.find(offerTable, 'id', String(id));
  if (place === -1 || !isStill(stored?.fields ?? '', after[place] ?? null)) return;
  const former = isNew
    ? { fields: '', created_at: 0 }
    : Object.fromEntries(columns.map((name, i) => [name, before[i] ?? null]));
  const next = { ...(stored ?? { id: String(id), record, run: '', line: 0, fields: '', created_at: 0 }), ...former };
  draft.save(offerTable, next, stored ?? null);
  recordRow(log, 0, record, { table: offerTable, before: stored, next });
}

function undoRecord(changes: readonly RecordedChange[], draft: Draft, context: UndoContext): UndoneRecord {
  const [first] = changes as [RecordedChange];
  const { record: id, line, file } = first;
  const [root] = context.resource.tables as [Table];
  const stored = draft.find(root, 'id', id);
  const undoing: Undoing = { rows: new Map(), kept: [], suspended: false };
  const told = (outcome: UndoOutcome): UndoneRecord => ({ id, outcome, kept: undoing.kept, line, file });
  if (stored === undefined) return told('unchanged');
  const own = changes.filter(({ table }) => table === root.name);
  for (const change of own) undoRoot(change, stored, draft, { context, undoing });
  for (const table of context.resource.tables) {
    if (table.parent === undefined || undoChildren(changes, table, draft, { id, undoing })) continue;
    const next = targetOf(root, stored, undoing)?.next;
    for (const column of followsFrom[table.name] ?? []) if (next !== undefined) next[column] = stored[column] ?? null;
  }
  const rows = [...undoing.rows.values()].filter(({ table, before, next }) => !table.same(before, next));
  const outcome = undoing.kept.length > 0 ? 'kept' : undoing.suspended ? 'suspended' : 'restored';
  if (rows.length === 0) return told(undoing.kept.length > 0 ? 'kept' : 'unchanged');
  save(rows, { root, stored }, draft, context);
  return told(outcome);
}

/** Saves what is to change of a record, with the time of it, and records it. */
function save(
  rows: readonly Target[],
  { root, stored }: { readonly root: Table; readonly stored: Row },
  draft: Draft,
  { log, now }: UndoContext,
): void {
  const next = { ...(rows.find(({ table }) => table === root)?.next ?? stored), updated_at: now };
  const children = rows.filter(({ table }) => table !== root);
  draft.save(root, next, stored);
  for (const { table, before, next: child } of children) draft.save(table, child, before);
  recordItem(log, 0, { table: root, before: stored, next }, { saves: children, count: children.length });
}

/** The row as it is decided so far; undefined if it is not there. */
function targetOf(table: Table, stored: Row | undefined, { rows }: Undoing): Target | undefined {
  if (stored === undefined) return undefined;
  const key = `${table.name} ${table.id.map((name) => stored[name]).join('\0')}`;
  const target = rows.get(key) ?? { table, before: stored, next: { ...stored } };
  rows.set(key, target);
  return target;
}

interface RootContext {
  readonly context: UndoContext;
  readonly undoing: Undoing;
}

function undoRoot(change: RecordedChange, stored: Row, draft: Draft, { context, undoing }: RootContext): void {
  const [root] = context.resource.tables as [Table];
  const target = targetOf(root, stored, undoing);
  if (target === undefined) return;
  if (change.isNew) return suspendCreated(change, target.next, draft, { context, undoing });
  for (const [i, column] of change.columns.entries()) {
    const before = change.before[i] ?? null;
    if (target.next[column] === before) continue;
    const isOurs = isStill(target.next[column] ?? null, change.after[i] ?? null);
    const may =
      column === 'slug'
        ? context.slugs?.has(change.record) === true
        : mayBeBelow(root, target.next, column, before, draft);
    if (isOurs && may) target.next[column] = before;
    else undoing.kept.push({ change, column });
  }
  if (change.columns.includes('status')) forgetSuspension(target.next, draft);
}

/**
 * The records that can have their former slug again: it is free, or its holder gives it up for a former one of its own, as
 * where two traded theirs. One that cannot stays, and so does what waits for its slug.
 */
function regainedSlugs(
  records: ReadonlyMap<string, readonly RecordedChange[]>,
  draft: Draft,
  { resource }: UndoContext,
): Set<string> {
  const [root] = resource.tables as [Table];
  const former = new Map<string, string>();
  if (root.lookups['slug'] === undefined) return new Set();
  for (const [id, changes] of records) {
    const slug = formerSlug(changes, root, draft.find(root, 'id', id));
    if (slug !== undefined) former.set(id, slug);
  }
  for (;;) {
    const holders = new Map([...former].map(([id, slug]) => [slug, id]));
    const staying = [...former].filter(([id, slug]) => {
      const holder = String(draft.find(root, 'slug', slug)?.['id'] ?? id);
      return holder !== id && ((former.get(holder) ?? slug) === slug || holders.get(slug) !== id);
    });
    if (staying.length === 0) return new Set(former.keys());
    for (const [id] of staying) former.delete(id);
  }
}

/** The slug that a record had before some changes, the latest first; undefined where they left it alone. */
function formerSlug(changes: readonly RecordedChange[], { name }: Table, stored: Row | undefined): string | undefined {
  let slug = stored?.['slug'] ?? null;
  let isTheirs = false;
  for (const { table, isNew, columns, before, after } of changes) {
    const at = columns.indexOf('slug');
    if (table !== name || isNew || at === -1 || slug === (before[at] ?? null)) continue;
    if (!isStill(slug, after[at] ?? null)) break;
    slug = before[at] ?? null;
    isTheirs = true;
  }
  return isTheirs && typeof slug === 'string' ? slug : undefined;
}

/** Whether a record may lie below another one again: it may lie above it by now. */
function mayBeBelow(table: Table, row: Row, column: string, value: Value, draft: Draft): boolean {
  if (table.above === column && typeof value === 'string') return !lineage(draft, value).has(String(row['id']));
  return true;
}

/** A record that the run created. Shop data has no status, and stays. */
function suspendCreated(change: RecordedChange, row: Row, draft: Draft, { context, undoing }: RootContext): void {
  if (suspendedStatus(row) === undefined) undoing.kept.push({ change, column: '' });
  else if (suspendRecord(row, context.run, draft)) undoing.suspended = true;
}

/**
 * A list goes back as a whole, where every entry is as the run left it. An entry that the run added is no longer listed: it is
 * as if it had not been, for every read and every later import.
 * @returns false if the list stays as it is
 */
function undoChildren(
  changes: readonly RecordedChange[],
  table: Table,
  draft: Draft,
  { id, undoing }: { readonly id: string; readonly undoing: Undoing },
): boolean {
  const own = changes.filter((change) => change.table === table.name);
  if (own.length === 0) return true;
  const rows = draft.children(table, id);
  const kept: KeptField[] = [];
  const targets = new Map<string, Target>();
  const undoingList: Undoing = { rows: targets, kept, suspended: false };
  for (const change of own) {
    const keys = Object.entries(change.row);
    const target = targetOf(
      table,
      rows.find((row) => keys.every(([name, value]) => row[name] === value)),
      undoingList,
    );
    if (target !== undefined) undoChild(change, target.next, kept);
  }
  if (kept.length > 0) undoing.kept.push(...kept);
  else for (const [key, target] of targets) undoing.rows.set(key, target);
  return kept.length === 0;
}

function undoChild(change: RecordedChange, next: Row, kept: KeptField[]): void {
  if (change.isNew) {
    if (next['listed'] === 0) return;
    const changed = change.columns.find((column, i) => !isStill(next[column] ?? null, change.after[i] ?? null));
    if (changed !== undefined) return void kept.push({ change, column: changed });
    next['listed'] = 0;
    if (typeof next['status'] === 'string') next['status'] = 'suspended';
    return;
  }
  for (const [i, column] of change.columns.entries()) {
    const before = change.before[i] ?? null;
    if (next[column] === before) continue;
    if (isStill(next[column] ?? null, change.after[i] ?? null)) next[column] = before;
    else kept.push({ change, column });
  }
}
