// Undoes the changes of a run, record by record. A field gets its former value if it still has the value the run gave
// it; a record that the run created is suspended; a list of children is restored as a whole, or stays as it is.

import { appliedFields, type OfferRanks, offerRanks } from '../planning/ranking/passed-values.js';
import type { Resource } from '../resource.js';
import { lineage } from '../resources/category.js';
import type { Draft } from '../rows/snapshot.js';
import type { Row, Table, Value } from '../rows/table.js';
import { type ChangeLog, markChanges, recordItem, rollbackChanges } from './change-log.js';
import { isStill, type RecordedChange } from './recorded-change.js';
import { regainedSlugs } from './regained-slugs.js';
import { offerTable } from './run-tables.js';
import { forgetSuspension, suspendedStatus, suspendRecord } from './suspension.js';
import { isOffer, undoOffer } from './undo-offer.js';

/** The result for a record. `kept`: some field stays, since it was changed again later. */
export type UndoOutcome = 'restored' | 'suspended' | 'kept' | 'unchanged';

/** A record whose changes are undone. */
export interface UndoneRecord {
  readonly id: string;
  readonly outcome: UndoOutcome;
  /** The fields that stay as they are: table and row, and the column. */
  readonly kept: readonly KeptField[];
  /** The line of its item. */
  readonly line: number;
  readonly file: number;
}

/** A field that was changed again later. */
export interface KeptField {
  readonly change: RecordedChange;
  readonly column: string;
}

/** What undoing needs beside the changes. */
export interface UndoContext {
  readonly resource: Resource;
  readonly now: number;
  /** The identifier of the undoing run. */
  readonly run: string;
  readonly log: ChangeLog;
}

/** One attempt to undo changes. */
interface UndoAttempt extends UndoContext {
  /** The records that get a former slug back. */
  readonly slugs: ReadonlySet<string>;
  readonly ranks: OfferRanks | undefined;
  readonly passed: KeptField[];
}

/** The results of undoing some changes. */
export interface Undone {
  readonly records: readonly UndoneRecord[];
  /**
   * Fields that have a value which the run offered and did not set. They stay; if a later run changed one, it passed that
   * value on.
   */
  readonly passed: readonly KeptField[];
}

/** A row to save: the stored one, and its new version. */
interface Target {
  readonly table: Table;
  readonly before: Row;
  readonly next: Row;
}

/** Columns that follow from a list of the record's children: they stay if the list stays. */
const followsFrom: Readonly<Record<string, readonly string[]>> = {
  product_grade: ['listed_grades', 'price', 'stock'],
  characteristic_value: ['listed_values'],
};

/** The decision about one record. */
interface Undoing {
  readonly rows: Map<string, Target>;
  readonly kept: KeptField[];
  suspended: boolean;
}

/**
 * Undoes the changes of some records.
 * @param changes of one transaction of the run, the latest first
 * @returns the plan's outcome
 */
export function* planUndo(
  changes: readonly RecordedChange[],
  draft: Draft,
  context: UndoContext,
): Generator<void, Undone> {
  const records = byRecord(changes);
  for (;;) {
    draft.mark();
    markChanges(context.log);
    const passed: KeptField[] = [];
    const ranks = changes.some(isOffer) ? offerRanks(context.resource, draft) : undefined;
    const attempt = { ...context, slugs: regainedSlugs(records, draft, context.resource), ranks, passed };
    const undone = [...records.values()].flatMap((own) => undoChanges(own, draft, attempt));
    if (!draft.hasPending()) return { records: undone, passed };
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

/** Undoes the changes of a record, and removes what its feed offered in the run. */
function undoChanges(changes: readonly RecordedChange[], draft: Draft, context: UndoAttempt): UndoneRecord[] {
  const own = changes.filter((change) => !isOffer(change));
  const set = new Set(own.flatMap(({ columns }) => columns));
  for (const change of changes.filter(isOffer)) {
    context.passed.push(...passedFields(change, set, draft, context));
    undoOffer(change, draft, context);
  }
  return own.length === 0 ? [] : [undoRecord(own, draft, context)];
}

/** The fields that have a value of an offer that is taken back. @param set the columns that its run set */
function passedFields(
  change: RecordedChange,
  set: ReadonlySet<string>,
  draft: Draft,
  { resource, ranks }: UndoAttempt,
): KeptField[] {
  const { record, columns, before, after, isNew } = change;
  const place = columns.indexOf('fields');
  const [root] = resource.tables as [Table];
  const row = draft.find(root, 'id', record);
  const offer = draft.find(offerTable, 'id', String(change.row['id']));
  if (ranks === undefined || row === undefined || offer === undefined || place === -1) return [];
  if (!isStill(offer.fields, after[place] ?? null)) return [];
  const fields = appliedFields(ranks, row, { offer, before: isNew ? '' : String(before[place] ?? ''), set });
  return fields.map((column) => ({ change: { ...change, table: root.name, row: { id: record } }, column }));
}

function undoRecord(changes: readonly RecordedChange[], draft: Draft, context: UndoAttempt): UndoneRecord {
  const [first] = changes as [RecordedChange];
  const { record: id, line, file } = first;
  const [root] = context.resource.tables as [Table];
  const stored = draft.find(root, 'id', id);
  const undoing: Undoing = { rows: new Map(), kept: [], suspended: false };
  const reported = (outcome: UndoOutcome): UndoneRecord => ({ id, outcome, kept: undoing.kept, line, file });
  if (stored === undefined) return reported('unchanged');
  const own = changes.filter(({ table }) => table === root.name);
  for (const change of own) undoRoot(change, stored, draft, { context, undoing });
  for (const table of context.resource.tables) {
    if (table.parent === undefined || undoChildren(changes, table, draft, { id, undoing })) continue;
    const next = targetOf(root, stored, undoing)?.next;
    for (const column of followsFrom[table.name] ?? []) if (next !== undefined) next[column] = stored[column] ?? null;
  }
  const rows = [...undoing.rows.values()].filter(({ table, before, next }) => !table.same(before, next));
  const outcome = undoing.kept.length > 0 ? 'kept' : undoing.suspended ? 'suspended' : 'restored';
  if (rows.length === 0) return reported(undoing.kept.length > 0 ? 'kept' : 'unchanged');
  save(rows, { root, stored }, draft, context);
  return reported(outcome);
}

/** Saves and records the changes of a record, with the time of the undo. */
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

/** The row as decided so far; undefined if it does not exist. */
function targetOf(table: Table, stored: Row | undefined, { rows }: Undoing): Target | undefined {
  if (stored === undefined) return undefined;
  const key = `${table.name} ${table.id.map((name) => stored[name]).join('\0')}`;
  const target = rows.get(key) ?? { table, before: stored, next: { ...stored } };
  rows.set(key, target);
  return target;
}

interface RootContext {
  readonly context: UndoAttempt;
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
      column === 'slug' ? context.slugs.has(change.record) : mayBeBelow(root, target.next, column, before, draft);
    if (isOurs && may) target.next[column] = before;
    else undoing.kept.push({ change, column });
  }
  if (change.columns.includes('status')) forgetSuspension(target.next, draft);
}

/** Whether a record may be a descendant of another one again: it may be its ancestor now. */
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
 * Restores a list as a whole if every entry is as the run left it. An entry that the run added is unlisted again: reads
 * and later imports treat it as if it had never been added.
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
