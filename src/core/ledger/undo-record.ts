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
import { suspensionTable } from './run-tables.js';
import { isTakenBack } from './suspension.js';
import { assignStatus, countingStatus } from './undo-status.js';
import { type RecordHistory, suspensionOf, type UndoContext, type Undoing } from './undoing.js';
import { withdraw } from './withdraw-record.js';

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

/** Whether an event is a change that counts, and no suspension. */
function isSent(event: RecordEvent, { counts }: UndoContext): boolean {
  return !isSuspension(event) && (event.run === undefined || counts(event.run));
}

/** Whether a record is there if only the runs that count are: one of them created it, changed it, or lists it. */
function exists({ events, creation }: Timeline, stored: Row, context: UndoContext): boolean {
  const created = events[creation]?.run ?? 0;
  const isListed = () =>
    context.listings(context.resource, stored).some(({ run, effect }) => effect === 'lists' && run > created);
  return creation === -1 || events.some((event) => isSent(event, context)) || isListed();
}

/**
 * The event from which on a record is there by the runs that count: its creation or, where that is undone, the undo that
 * emptied it; -1 where what it was at first is not known.
 */
function baseOf({ events, creation, stateAfter }: Timeline, context: UndoContext): number {
  const first = events.findIndex((event) => isSent(event, context));
  if (creation === -1 || first === 0) return 0;
  for (let at = (first === -1 ? events.length : first) - 1; at > 0; at--) {
    const suspension = suspensionOf(stateAfter(at));
    if (suspension !== undefined && isTakenBack(suspension)) return at;
  }
  return -1;
}

/** Columns of a record that follow from a list while that has entries. */
const followsFrom: Readonly<Record<string, readonly string[]>> = { product_grade: ['price', 'stock'] };

/** The events of a record, and which of them count. */
interface CountingEvents {
  readonly timeline: Timeline;
  readonly counting: readonly boolean[];
  readonly base: number;
  /** Those that the undo is about. */
  readonly concerned: readonly number[];
}

/** Gives each unit that the undone runs changed the value of the last run that counts. */
function restore(undoing: Undoing, timeline: Timeline, context: UndoContext): void {
  const { events, stateAfter } = timeline;
  const { resource, counts, concerns } = context;
  const base = baseOf(timeline, context);
  const counting = events.map(({ run }, i) => i === base || run === undefined || counts(run));
  const concerned = events.flatMap(({ run }, i) => (run !== undefined && concerns(run) ? [i] : []));
  const history: CountingEvents = { timeline, counting, base, concerned };
  const listings = context.listings(resource, undoing.stored.row);
  const status = countingStatus({ undoing, timeline, counting, base, listings });
  const units = new Set(concerned.flatMap((at) => [...(events[at]?.units ?? allUnits(undoing, resource))]));
  const restored = [...units]
    .filter((unit) => unit !== 'status')
    .map((unit) => {
      const last = lastOf(history, unit);
      const isChanged = last !== -1 && assign(undoing, unit, stateAfter(last), resource);
      return { unit, last, isChanged, isUnsure: isUnsure(history, unit, last, resource) };
    });
  const ofStatus = { ...status, unit: 'status', last: status.given, isChanged: assignStatus(undoing, status) };
  for (const one of [...restored, ofStatus]) noteKept(undoing, history, one, resource);
  for (const { unit, last } of restored) {
    if (last === -1 || !hasEntries(unit, stateAfter(last))) continue;
    for (const column of followsFrom[unit] ?? []) assign(undoing, column, stateAfter(last), resource);
  }
}

function isTouched({ timeline, base }: CountingEvents, at: number, unit: string): boolean {
  return at === base || timeline.events[at]?.units?.has(unit) !== false;
}

/** The last event that counts and changed a unit; -1 for none. */
function lastOf(history: CountingEvents, unit: string, before = Number.POSITIVE_INFINITY): number {
  return history.counting.findLastIndex((counts, i) => counts && i < before && isTouched(history, i, unit));
}

/** Whether a unit may have the value of an undone run, since the last change of it is not in the ledger. */
function isUnsure(history: CountingEvents, unit: string, last: number, resource: Resource): boolean {
  const { timeline, counting } = history;
  if (last === -1 || timeline.events[last]?.run !== undefined) return false;
  const before = lastOf(history, unit, last);
  const isNew = before === -1 || differs(resource, unit, timeline.stateAfter(before), timeline.stateAfter(last));
  if (!isNew) return isUnsure(history, unit, before, resource);
  return counting.some((counts, i) => !counts && i > before && i < last && isTouched(history, i, unit));
}

/** What became of a unit. */
interface RestoredUnit {
  readonly unit: string;
  /** The event that gave its value; -1 where that is not known. */
  readonly last: number;
  readonly isChanged: boolean;
  readonly isUnsure: boolean;
}

/** Notes that a unit keeps a value which the undone runs may have given it, or which others gave it since. */
function noteKept(undoing: Undoing, history: CountingEvents, restored: RestoredUnit, resource: Resource): void {
  const { unit, last, isChanged, isUnsure } = restored;
  const { timeline, counting, base, concerned } = history;
  const { events, stateAfter } = timeline;
  const own = concerned.filter((at) => isTouched(history, at, unit));
  if (own.length === 0) return;
  const latest = Math.max(...own);
  const alone = lastOf(history, unit, latest + 1);
  // Without later changes it would be what it is.
  if (!isUnsure && !isChanged && alone !== -1 && !differs(resource, unit, undoing.today, stateAfter(alone))) return;
  // Undone is its creation, and what other runs sent unchanged is not recorded; or it was changed since.
  const by = events[last === -1 ? counting.lastIndexOf(true) : last];
  const isChangedSince = by?.run !== undefined && !isChanged && last > latest && last !== base;
  if (last === -1 || isUnsure || isChangedSince) keep(undoing, unit, by);
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

/** Whether two states of a record differ in a unit. */
function differs(resource: Resource, unit: string, one: RecordState, other: RecordState): boolean {
  return [...partsOf(resource, one, unit)].some(
    ([key, { row }, column]) => (other.get(key)?.row[column] ?? null) !== row[column],
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
