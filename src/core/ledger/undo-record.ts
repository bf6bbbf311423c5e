// What undoing runs makes of one record: each unit that they changed (`unitOf`) gets the value of the last run that counts. A
// record that only undone runs created is withdrawn.
import type { Resource } from '../resource.js';
import type { Draft } from '../rows/snapshot.js';
import { isRecorded, type Row, type Table } from '../rows/table.js';
import {
  assertedValue,
  type CountingEvents,
  differs,
  followsFrom,
  isLastOfFeeds,
  isSentByConcerned,
  isTouched,
  isUnsure,
  lastBefore,
  lastOf,
  missedRun,
  sentAgainBy,
  unitsToMerge,
} from './counting-events.js';
import { rankedHistory } from './ranked-history.js';
import { baseOf, countsFor, exists, type FeedsOfRecord, isListed } from './record-existence.js';
import {
  hasEntries,
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
import type { RecordHistory, UndoContext } from './undo-context.js';
import { assignStatus, countingStatus } from './undo-status.js';
import type { Undoing } from './undoing.js';
import { emptiedState, withdraw } from './withdraw-record.js';

/** Decides what becomes of a record; undefined if it is not loaded yet. */
export function undoRecord(record: RecordHistory, draft: Draft, context: UndoContext): Undoing | undefined {
  const { resource } = context;
  const changes = record.changes.filter(({ change }) => isOfRecord(resource, change.table));
  const [root] = resource.tables as [Table];
  const stored = draft.find(root, 'id', record.id);
  if (stored === undefined) return undefined;
  const today = stateOf(storedRows(resource, stored, draft));
  const timeline = timelineOf(resource, { changes, since: record.since }, today, Number(stored['updated_at']));
  const all = context.listings(resource, stored);
  const own = { ...context, counts: countsFor(record, timeline, all, context) };
  const feeds = {
    ranked: rankedHistory(record, stored, draft, own),
    listings: all.filter(({ run }) => own.counts(run)),
  };
  const undoing: Undoing = {
    ...{ id: record.id, stored: { table: root, row: stored }, today, next: new Map(), kept: [], again: new Map() },
    ...{ ranked: feeds.ranked, isSuspended: false },
  };
  if (exists(timeline, feeds, own))
    restore(undoing, { ...eventsOf(timeline, feeds, own), idle: idleEvents(timeline, own, context) }, context);
  else withdraw(undoing, resource, context.run);
  return undoing;
}

/** The changes by runs that count, but that come before the record exists once the runs before them are undone. */
function idleEvents({ events }: Timeline, own: UndoContext, { counts, concerned }: UndoContext): number[] {
  const first = Math.min(...concerned);
  return events.flatMap(({ run = 0 }, i) => (run > first && counts(run) && !own.counts(run) ? [i] : []));
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

function eventsOf(timeline: Timeline, feeds: FeedsOfRecord, context: UndoContext): Omit<CountingEvents, 'idle'> {
  const { resource, counts, countedBefore } = context;
  const { events } = timeline;
  const base = baseOf(timeline, feeds.listings, context);
  return {
    ...{ ...feeds, resource, timeline, base, countedBefore },
    counting: events.map(({ run }, i) => i === base || run === undefined || counts(run)),
    concerned: events.flatMap(({ run }, i) => (run !== undefined && context.concerned.has(run) ? [i] : [])),
    concernedRuns: context.concerned,
  };
}

/** Gives each unit that the undone runs changed the value that it has by the runs that count. */
function restore(undoing: Undoing, history: CountingEvents, { isSuspendedOtherwise }: UndoContext): void {
  const { resource, timeline, concerned, idle } = history;
  const { events, stateAfter } = timeline;
  const status = countingStatus(undoing, history);
  const changing = [...concerned, ...idle];
  const units = new Set(changing.flatMap((at) => [...(events[at]?.units ?? allUnits(undoing, resource))]));
  for (const unit of unitsToMerge(history)) units.add(unit);
  const sent = new Set<string>();
  for (const unit of units) {
    const value = unit === 'status' ? undefined : sendAgain(undoing, history, unit);
    if (value === undefined) continue;
    sent.add(unit);
    if (Array.isArray(value) && value.length > 0) for (const column of followsFrom[unit] ?? []) sent.add(column);
  }
  const restored = [...units]
    .filter((unit) => unit !== 'status' && !sent.has(unit))
    .map((unit) => {
      const last = lastOf(history, unit);
      const given = last === -1 ? lastBefore(history, unit) : last;
      const missed = missedRun(history, unit, last);
      // What it would be is not known, so it stays.
      const isChanged = missed === undefined && given !== -1 && assign(undoing, unit, stateAfter(given), resource);
      const isSent = isSentByConcerned(history, unit);
      return { unit, last, given, missed, isMeant: true, isSent, isChanged, isUnsure: isUnsure(history, unit, last) };
    });
  const isMeant = units.has('status');
  const missed = missedRun(history, 'status', status.given);
  const isChanged = assignStatus(undoing, status);
  const isSent =
    isSentByConcerned(history, 'status') || (status.isUnsure && isSuspendedOtherwise(resource, undoing.stored.row));
  const ofStatus = { ...status, unit: 'status', last: status.given, missed, isMeant, isSent, isChanged };
  // What follows from a restored list is not kept, whoever changed it since.
  const followed = new Set<string>();
  for (const { unit, given, missed } of restored) {
    if (missed !== undefined || given === -1 || !hasEntries(unit, stateAfter(given))) continue;
    for (const column of followsFrom[unit] ?? [])
      if (assign(undoing, column, stateAfter(given), resource)) followed.add(column);
  }
  for (const one of [...restored, ofStatus]) if (!followed.has(one.unit)) noteKept(undoing, history, one);
}

/** Has what the highest feed sends for a unit decided again, if nobody else changed it since. @returns that value */
function sendAgain({ again }: Undoing, history: CountingEvents, unit: string): unknown {
  const asserted = assertedValue(history, unit);
  if (asserted === undefined || !isLastOfFeeds(history, unit, Math.max(...asserted.events))) return undefined;
  again.set(asserted.member, asserted.value);
  return asserted.value;
}

interface RestoredUnit {
  readonly unit: string;
  /** The event that gave its value; -1 where that is not known. */
  readonly last: number;
  /** A run that may have changed it since, had only the runs that count been. */
  readonly missed: number | undefined;
  /** Whether an undone run changed it, or feeds would have given it otherwise. */
  readonly isMeant: boolean;
  /** Whether an undone run may decide its value without having changed the record. */
  readonly isSent: boolean;
  readonly isChanged: boolean;
  readonly isUnsure: boolean;
}

/** Notes that a unit keeps a value which the undone runs may have given it, or which others gave it since. */
function noteKept(undoing: Undoing, history: CountingEvents, restored: RestoredUnit): void {
  const { unit, last, missed, isMeant, isSent, isChanged, isUnsure: isOpen } = restored;
  const { timeline, base, concerned, idle, resource } = history;
  const { events, stateAfter } = timeline;
  const own = [...concerned, ...idle].filter((at) => isTouched(history, at, unit));
  if (own.length === 0 && !isSent) return;
  if (missed !== undefined) return noteMissed(undoing, history, { unit, missed });
  if (own.length === 0 && !isOpen && (last !== -1 || !isMeant)) return;
  const latest = Math.max(-1, ...own);
  const again = last === -1 ? undefined : sentAgainBy(history, last, unit);
  // A later run sent what it is, and changed nothing.
  if (again !== undefined && !isChanged && own.every((at) => (events[at]?.run ?? 0) < again) && own.length > 0)
    return void undoing.kept.push({ unit, reason: 'changed_since', run: again });
  const alone = lastOf(history, unit, latest + 1);
  // Without later changes it would be what it is.
  if (
    !isOpen &&
    !isChanged &&
    last !== -1 &&
    alone !== -1 &&
    !differs(resource, unit, undoing.today, stateAfter(alone))
  )
    return;
  if (last === -1 && lastBefore(history, unit) !== -1) return;
  if (last === -1) return noteUncreated(undoing, history, unit);
  const by = events[last];
  const isChangedSince = by?.run !== undefined && !isChanged && last > latest && last !== base;
  if (isOpen || isChangedSince) recordKept(undoing, unit, by);
}

/** Whether a run came after the first undone run: only then is its change a later one. */
function isSince({ concernedRuns }: CountingEvents, run: number): boolean {
  return run > Math.min(...concernedRuns);
}

/** Notes that a unit keeps its value because the value that a run would have given it is not known. */
function noteMissed(
  { kept }: Undoing,
  history: CountingEvents,
  { unit, missed }: { readonly unit: string; readonly missed: number },
): void {
  kept.push({ unit, reason: isSince(history, missed) ? 'changed_since' : 'record_changed', run: missed });
}

/**
 * Notes why a unit stays although the creation of its record is undone: the last event that counts and changed the unit; else a feed
 * that lists the record, or the last event that changed the record. Of what others sent, only changes are recorded: they may have
 * sent the present value of the unit, unless it has none.
 */
function noteUncreated(undoing: Undoing, history: CountingEvents, unit: string): void {
  const { timeline, counting, listings, resource } = history;
  const lastWhere = (isMeant: (event: RecordEvent, at: number) => boolean) =>
    timeline.events.findLast((event, at) => counting[at] && isMeant(event, at));
  const isLater = ({ run = 0 }: RecordEvent): boolean => isSince(history, run);
  const changedBy = lastWhere((event, at) => isTouched(history, at, unit) && (isLater(event) || !isSuspension(event)));
  if (changedBy !== undefined)
    return recordKept(undoing, unit, changedBy, isLater(changedBy) ? 'changed_since' : 'record_changed');
  if (unit === resource.key || !differs(resource, unit, undoing.today, emptiedState(undoing, resource))) return;
  if (isListed(timeline, listings)) return recordKept(undoing, unit, undefined);
  recordKept(
    undoing,
    unit,
    lastWhere((event) => !isSuspension(event)),
    'record_changed',
  );
}

/** Columns that are no values of a record. */
const unread: ReadonlySet<string> = new Set(['id', 'updated_at']);

function allUnits({ today, stored }: Undoing, resource: Resource): Set<string> {
  const units = new Set<string>();
  for (const { table, row } of today.values())
    for (const column of table.columns)
      if (table !== stored.table || (!unread.has(column) && isRecorded(table, column)))
        units.add(unitOf(resource, table.name, row, column));
  return units;
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

/**
 * Notes that a unit stays.
 * @param by what changed it since; undefined if nothing did, but a feed lists the record
 * @param reason whether it changed the unit, or the record only
 */
function recordKept(
  { kept }: Undoing,
  unit: string,
  by: RecordEvent | undefined,
  reason: 'changed_since' | 'record_changed' = 'changed_since',
): void {
  if (by === undefined) kept.push({ unit, reason: 'listed_by_feed' });
  else if (by.run === undefined) kept.push({ unit, reason: 'unrecorded_change' });
  else kept.push({ unit, reason, run: by.run });
}
