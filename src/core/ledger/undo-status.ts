// The status of a record by the runs that count: the last one that was given, until a feed's run suspends the record. It regains
// its status when it is listed again.
import { assertedValue, type CountingEvents, isGiven, isSentAgain, lastBefore } from './counting-events.js';
import {
  givesStatus,
  isSuspension,
  keyOf,
  type RecordEvent,
  type RecordState,
  type Timeline,
} from './record-timeline.js';
import { runId } from './run-tables.js';
import { isShown, isSuspended, isTakenBack, suspendedStatus } from './suspension.js';
import type { ListingRun } from './undo-context.js';
import { noteSuspension, rootOf, suspensionOf, type Undoing } from './undoing.js';

/** A status, and the run that suspended the record since; undefined where the record has the status. */
interface Status {
  readonly status: string;
  readonly suspendedBy: string | undefined;
}

export interface CountingStatus extends Status {
  /** The event that gave it; -1 where that is not known. */
  readonly given: number;
  /** Whether it may be that of an undone run, or a run may have suspended the record since: a change is not in the ledger. */
  readonly isUnsure: boolean;
  /** Whether the record had this status then. One that a feed sends by the runs that count alone may never have been stored. */
  readonly isReal: boolean;
}

/** The record, and its events. */
interface StatusHistory extends CountingEvents {
  readonly undoing: Undoing;
}

/** The status after the events that count. */
export function countingStatus(undoing: Undoing, events: CountingEvents): CountingStatus {
  const history = { ...events, undoing };
  const { timeline, counting, base, listings } = history;
  const asserted = assertedValue(history, 'status');
  const before = base === -1 ? lastBefore(history, 'status') : -1;
  const { status: first } = statusIn(before === -1 ? undoing.today : timeline.stateAfter(before), undoing);
  let status: CountingStatus = { status: first, suspendedBy: undefined, given: -1, isUnsure: false, isReal: true };
  // The undo that emptied the record counts as the first event.
  const emptied = base > 0 ? base : -1;
  if (emptied !== -1) status = afterEvent(history, status, emptied);
  for (let at = 0; at < timeline.events.length; at++) {
    if (counting[at] && at !== emptied) status = afterEvent(history, status, at);
    if (isSentAgain(history, at, 'status'))
      status = { ...statusIn(timeline.stateAfter(at), undoing), given: at, isUnsure: false, isReal: true };
    if (asserted?.events.includes(at)) status = asAsserted(history, status, { value: String(asserted.value), at });
    for (const one of listings)
      if (eventBefore(timeline, one) === at) status = afterListing(history, status, { ...one, at });
  }
  return status;
}

/** The status that a feed sends, from an event on. */
function asAsserted(
  history: StatusHistory,
  { suspendedBy }: Status,
  { value, at }: { readonly value: string; readonly at: number },
): CountingStatus {
  const { undoing, timeline } = history;
  const isGivenBy = timeline.events[at]?.run !== undefined && isGiven(history, at, 'status');
  const isReal = isGivenBy || statusIn(timeline.stateAfter(at), undoing).status === value;
  return { status: value, suspendedBy, given: at, isUnsure: false, isReal };
}

function afterEvent(history: StatusHistory, status: CountingStatus, at: number): CountingStatus {
  const { undoing, timeline, base, listings } = history;
  const event = timeline.events[at] as RecordEvent;
  if (event.run === undefined) return afterUnrecorded(history, status, at);
  const state = timeline.stateAfter(at);
  const { status: given } = statusIn(state, undoing);
  if (at === base) {
    // One that was taken back then was suspended, also where a change without history has shown it since.
    const suspension = suspensionOf(state);
    const first = suspension !== undefined && isTakenBack(suspension) ? suspension.status : given;
    return { status: first, suspendedBy: undefined, given: at, isUnsure: false, isReal: true };
  }
  const known = listings.find(({ run }) => run === event.run);
  if (isSuspension(event))
    return known === undefined || known.effect === 'suspends' ? suspended(status, event.run) : status;
  if (givesStatus(event) && isGiven(history, at, 'status'))
    return { status: given, suspendedBy: undefined, given: at, isUnsure: false, isReal: true };
  // A record that its feed does not list can still get values of other feeds.
  return known === undefined || known.effect === 'lists' ? { ...status, suspendedBy: undefined } : status;
}

/** The status after a change outside the history. It is unsure if it may come from a run that does not count, or from a suspension since. */
function afterUnrecorded(history: StatusHistory, status: CountingStatus, at: number): CountingStatus {
  const { undoing, timeline, base, listings } = history;
  const now = statusIn(timeline.stateAfter(at), undoing);
  const isOverruled = timeline.events.some(
    ({ units }, i) =>
      i > status.given && i < at && (!isGiven(history, i, 'status') || i === base) && units?.has('status') !== false,
  );
  const mayBeLeft = isOverruled || !status.isReal;
  const isSame = status.given !== -1 && now.status === status.status && isEnded(now) === isEnded(status);
  const isPassed = isShown(now.status) && isEnded(now);
  const mayBeEarlier =
    at > 0 && listings.some((one) => one.effect === 'suspends' && eventBefore(timeline, one) === at - 1);
  const isUnsure = (isSame ? status.isUnsure : mayBeLeft) || (mayBeEarlier && isPassed);
  return { ...now, given: at, isUnsure, isReal: true };
}

/** The status after a complete run of a feed that did not change the record. */
function afterListing(
  { undoing, timeline }: StatusHistory,
  status: CountingStatus,
  { run, effect, at }: ListingRun & { readonly at: number },
): CountingStatus {
  if (effect === 'suspends') return suspended(status, run);
  // What was suspended, and stayed so although it was listed, was refused.
  const isRefused = !isEnded(statusIn(timeline.stateAfter(at), undoing));
  return isRefused ? status : { ...status, suspendedBy: undefined };
}

/** A complete run of a feed may have no event of the record: the event that it comes after; -1 for none. */
function eventBefore({ events, creation }: Timeline, { run, effect }: ListingRun): number {
  if (effect === undefined) return -1;
  if (events.some((one) => one.run === run && isSuspension(one) === (effect === 'suspends'))) return -1;
  const place = events.findLastIndex((one) => one.run !== undefined && one.run <= run);
  return place === -1 && creation === -1 ? 0 : place;
}

function suspended(status: CountingStatus, run: number): CountingStatus {
  return isShown(status.status) && isEnded(status) ? { ...status, suspendedBy: runId(run) } : status;
}

/** Whether no run suspended the record, or it was listed since. */
function isEnded({ suspendedBy }: Status): boolean {
  return suspendedBy === undefined;
}

function statusIn(state: RecordState, { stored, id }: Undoing): Status {
  const row = state.get(keyOf(stored.table.name, [id]))?.row ?? stored.row;
  const suspension = suspensionOf(state);
  if (suspension === undefined || suspension.status === '' || !isSuspended(row))
    return { status: String(row['status']), suspendedBy: undefined };
  return { status: suspension.status, suspendedBy: suspension.run };
}

/** Gives a record its status. @returns false if it has it already */
export function assignStatus(undoing: Undoing, wanted: Status): boolean {
  const { stored, today, next, id } = undoing;
  const now = statusIn(today, undoing);
  if (now.status === wanted.status && isEnded(now) === isEnded(wanted)) return false;
  const root = rootOf(undoing);
  const status = isEnded(wanted) ? wanted.status : (suspendedStatus(root) ?? null);
  next.set(keyOf(stored.table.name, [id]), { table: stored.table, row: { ...root, status } });
  const known = suspensionOf(today);
  if (wanted.suspendedBy !== undefined) noteSuspension(undoing, wanted.status, wanted.suspendedBy);
  else if (known !== undefined) noteSuspension(undoing, '', known.run);
  return true;
}
