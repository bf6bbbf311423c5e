// What undoing runs makes of one record: each unit that they changed (`unitOf`) gets the value of the last run that counts. A
// record that only undone runs created is withdrawn.
import type { Resource } from '../resource.js';
import type { Draft } from '../rows/snapshot.js';
import type { Row, Table } from '../rows/table.js';
import {
  isSuspension,
  partsOf,
  type RecordEvent,
  type RecordState,
  type StateRow,
  stateOf,
  type Timeline,
  timelineOf,
  unitOf,
} from './record-timeline.js';
import { runId, suspensionTable } from './run-tables.js';
import { isShown } from './suspension.js';
import { type RecordHistory, rootOf, type UndoContext, type Undoing } from './undoing.js';
import { endWithdrawal, suspendAgain, withdraw } from './withdraw-record.js';

/** Decides what becomes of a record; undefined if the undone runs did not change it, or it is not loaded yet. */
export function undoRecord(record: RecordHistory, draft: Draft, context: UndoContext): Undoing | undefined {
  const { resource } = context;
  const changes = record.changes.filter(({ change }) => isOfRecord(resource, change.table));
  const [root] = resource.tables as [Table];
  const stored = draft.find(root, 'id', record.id);
  if (stored === undefined || !changes.some(({ run }) => context.concerns(run))) return undefined;
  const today = stateOf(storedRows(resource, stored, draft));
  const timeline = timelineOf(resource, changes, today, Number(stored['updated_at']));
  const undoing: Undoing = {
    ...{ id: record.id, stored: { table: root, row: stored }, today, next: new Map(), kept: [] },
    isSuspended: false,
  };
  if (exists(timeline, stored, context)) restore(undoing, timeline, context);
  else withdraw(undoing, resource, context.run);
  return undoing;
}

function isOfRecord({ tables }: Resource, table: string): boolean {
  return table === suspensionTable.name || tables.some(({ name }) => name === table);
}

/** All rows of a record. */
function storedRows({ tables }: Resource, stored: Row, draft: Draft): StateRow[] {
  const [root, ...others] = tables as [Table, ...Table[]];
  const id = String(stored['id']);
  const rows: StateRow[] = [{ table: root, row: stored }];
  for (const table of others)
    if (table.parent !== undefined && draft.some(table))
      rows.push(...draft.children(table, id).map((row) => ({ table, row })));
  const suspension = draft.some(suspensionTable) ? draft.find(suspensionTable, 'id', id) : undefined;
  if (suspension !== undefined) rows.push({ table: suspensionTable as Table, row: suspension });
  return rows;
}

/** Whether a record is there if only the runs that count are: one of them created it, changed it, or lists it. */
function exists({ events, creation }: Timeline, stored: Row, { resource, counts, listings }: UndoContext): boolean {
  const isBy = (event: RecordEvent) => !isSuspension(event) && (event.run === undefined || counts(event.run));
  return creation === -1 || events.some(isBy) || listings.isListed(resource, stored, events[creation]?.run ?? 0);
}

/** Columns of a record that follow from a list while that has entries. */
const followsFrom: Readonly<Record<string, readonly string[]>> = { product_grade: ['price', 'stock'] };

/** Gives each unit that the undone runs changed the value of the last run that counts. */
function restore(undoing: Undoing, timeline: Timeline, context: UndoContext): void {
  const { events, stateAfter } = timeline;
  const { resource, listings } = context;
  const concerned = events.flatMap(({ run }, i) => (run !== undefined && context.concerns(run) ? [i] : []));
  const units = new Set(concerned.flatMap((at) => [...(events[at]?.units ?? allUnits(undoing, resource))]));
  const counting = events.map((event) => counts(event, undoing, context));
  const lasts = new Map<string, number>();
  for (const unit of units.add('status')) {
    const touching = events.map(({ units: changed }) => changed?.has(unit) !== false);
    const last = events.findLastIndex((_, i) => counting[i] && touching[i]);
    lasts.set(unit, last);
    const isChanged = last !== -1 && assign(undoing, unit, stateAfter(last), resource);
    const own = concerned.filter((at) => touching[at]);
    if (own.length === 0) continue;
    const [first, latest] = [Math.min(...own), Math.max(...own)];
    // Without later changes it would be what it is.
    const alone = counting[latest] ? latest : first - 1;
    const isAsWanted = alone >= 0 && !isChanged && !differs(undoing, unit, stateAfter(alone), resource);
    if (isAsWanted) continue;
    // Undone is its creation, and what other runs sent unchanged is not recorded; or it was changed since.
    const by = events[last === -1 ? counting.lastIndexOf(true) : last];
    const isTheirs = last === -1 || (by?.run === undefined ? first < last : !isChanged && last > latest);
    if (isTheirs) keep(undoing, unit, by);
  }
  for (const [list, columns] of Object.entries(followsFrom)) {
    const last = lasts.get(list) ?? -1;
    if (last === -1 || !hasEntries(list, stateAfter(last))) continue;
    for (const column of columns) assign(undoing, column, stateAfter(last), resource);
  }
  if (lasts.get('status') === -1) endWithdrawal(undoing);
  const statusAt = lasts.get('status') ?? -1;
  // What was before the history came before every run.
  const given = events[statusAt]?.run ?? (statusAt > 0 ? undefined : 0);
  const root = rootOf(undoing);
  if (given === undefined || !isShown(root)) return;
  const suspending = listings.suspending(resource, root).find((run) => run > given);
  if (suspending !== undefined) suspendAgain(undoing, runId(suspending));
}

/** Whether an event counts. What a feed's end suspended follows from what the feeds list by the runs that count, as far as known. */
function counts(event: RecordEvent, { stored }: Undoing, { resource, listings, ...context }: UndoContext): boolean {
  const { run } = event;
  if (run === undefined) return true;
  return context.counts(run) && !(isSuspension(event) && listings.suspends(resource, stored.row, run) !== undefined);
}

function hasEntries(list: string, state: RecordState): boolean {
  return [...state.values()].some(({ table, row }) => table.name === list && row['listed'] === 1);
}

/** Columns that are no values of a record. */
const unread: ReadonlySet<string> = new Set(['id', 'updated_at']);

function allUnits({ today, stored }: Undoing, resource: Resource): Set<string> {
  const units = new Set<string>();
  for (const { table, row } of today.values())
    for (const column of table.columns)
      if (table !== stored.table || !(unread.has(column) || table.fingerprint?.includes(column) === true))
        units.add(unitOf(resource, table.name, row, column));
  return units;
}

/** Whether another state has a unit otherwise. */
function differs({ today }: Undoing, unit: string, state: RecordState, resource: Resource): boolean {
  return [...partsOf(resource, today, unit)].some(
    ([key, { row }, column]) => (state.get(key)?.row[column] ?? null) !== row[column],
  );
}

/** Gives a unit the values of a state. @returns false if it has them already */
function assign({ next, today }: Undoing, unit: string, state: RecordState, resource: Resource): boolean {
  let isChanged = false;
  for (const [key, { table, row }, column] of partsOf(resource, today, unit)) {
    const target = next.get(key) ?? { table, row: { ...row } };
    const value = state.get(key)?.row[column] ?? null;
    if (target.row[column] === value) continue;
    target.row[column] = value;
    next.set(key, target);
    isChanged = true;
  }
  return isChanged;
}

/** Notes that a unit stays. @param by what changed it since; undefined if nothing did, but a feed lists the record */
function keep({ kept }: Undoing, unit: string, by: RecordEvent | undefined): void {
  if (by === undefined) kept.push({ unit, reason: 'listed_by_feed' });
  else if (by.run === undefined) kept.push({ unit, reason: 'unrecorded_change' });
  else kept.push({ unit, reason: 'changed_since', run: by.run });
}
