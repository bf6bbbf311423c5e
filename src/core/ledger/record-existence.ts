// Whether a record is there if only the runs that count had been, and since when.
import type { CountingEvents } from './counting-events.js';
import { isSuspension, type RecordEvent, type Timeline } from './record-timeline.js';
import type { RecordedChange } from './recorded-change.js';
import { offerTable } from './run-tables.js';
import { isTakenBack } from './suspension.js';
import type { ListingRun, RecordHistory, UndoContext } from './undo-context.js';
import { suspensionOf } from './undoing.js';

/** What feeds sent of a record and listed. */
export type FeedsOfRecord = Pick<CountingEvents, 'ranked' | 'listings'>;

/** Whether an event is a change that counts, and neither a suspension nor what the end of a run passed on. */
function isSent(event: RecordEvent, listings: readonly ListingRun[], { counts }: Pick<UndoContext, 'counts'>): boolean {
  const { run } = event;
  if (run === undefined) return true;
  return !isSuspension(event) && counts(run) && isListedBy(listings, run);
}

/** Whether a run lists a record, as far as that is known. */
function isListedBy(listings: readonly ListingRun[], run: number): boolean {
  return listings.every((one) => one.run !== run || one.effect === 'lists');
}

/**
 * The runs that count for one record: one that changes only what is there does nothing before another one that counts created the
 * record, though in fact it found it.
 */
export function countsFor(
  { changes }: RecordHistory,
  timeline: Timeline,
  listings: readonly ListingRun[],
  { counts, onlyUpdates }: UndoContext,
): UndoContext['counts'] {
  const { events, creation } = timeline;
  const runs = [...events.map(({ run = 0 }) => run), ...listings.map(({ run }) => run)];
  if (creation === -1 || !runs.some(onlyUpdates)) return counts;
  const creating: number[] = [];
  for (const [at, event] of events.entries()) {
    if (event.run === undefined) creating.push((events[at - 1]?.run ?? 0) + 1);
    else if (isSent(event, listings, { counts }) && (!onlyUpdates(event.run) || isCreation(timeline, at)))
      creating.push(event.run);
  }
  const others = [
    ...listings.filter(({ effect }) => effect === 'lists').map(({ run }) => run),
    ...changes.filter(({ run, change }) => offers(change) && isListedBy(listings, run)).map(({ run }) => run),
  ];
  creating.push(...others.filter((run) => counts(run) && !onlyUpdates(run)));
  const since = Math.min(...creating);
  return (run) => counts(run) && (run >= since || !onlyUpdates(run));
}

/** Whether an event created the record, or did so anew: its feed was set to change only what is there later. */
function isCreation({ creation, stateAfter }: Timeline, at: number): boolean {
  if (at === creation) return true;
  const suspension = suspensionOf(stateAfter(at - 1));
  return suspension !== undefined && isTakenBack(suspension);
}

/** Whether a change is the offer of a feed. */
function offers({ table, isNew, columns, after }: RecordedChange): boolean {
  return table === offerTable.name && (isNew || after[columns.indexOf('fields')] !== '');
}

/** Whether a record is there if only the runs that count are: one of them created it, changed it, sent it, or lists it. */
export function exists(timeline: Timeline, { ranked, listings }: FeedsOfRecord, context: UndoContext): boolean {
  const { events, creation } = timeline;
  const versions = [...(ranked?.versions.values() ?? [])].flat();
  return (
    creation === -1 ||
    events.some((event) => isSent(event, listings, context)) ||
    versions.some(({ run, row }) => row.fields !== '' && context.counts(run)) ||
    isListed(timeline, listings)
  );
}

/** Whether a complete run of a feed listed a record after the run that created it. */
export function isListed({ events, creation }: Timeline, listings: readonly ListingRun[]): boolean {
  const created = events[creation]?.run ?? 0;
  return listings.some(({ run, effect }) => effect === 'lists' && run > created);
}

/**
 * The event from which on a record is there by the runs that count: its creation or, where that is undone, the undo that
 * emptied it; -1 where what it was at first is not known.
 */
export function baseOf(
  { events, creation, stateAfter }: Timeline,
  listings: readonly ListingRun[],
  context: UndoContext,
): number {
  const first = events.findIndex((event) => isSent(event, listings, context));
  if (creation === -1 || first === 0) return 0;
  for (let at = (first === -1 ? events.length : first) - 1; at > 0; at--) {
    const suspension = suspensionOf(stateAfter(at));
    if (suspension !== undefined && isTakenBack(suspension)) return at;
  }
  return -1;
}
