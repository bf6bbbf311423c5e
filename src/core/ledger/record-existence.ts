// Whether a record is there if only the runs that count had been, and since when.
import type { CountingEvents } from './counting-events.js';
import { isSuspension, type RecordEvent, type Timeline } from './record-timeline.js';
import { isTakenBack } from './suspension.js';
import { type ListingRun, suspensionOf, type UndoContext } from './undoing.js';

/** What feeds sent of a record and listed. */
export type FeedsOfRecord = Pick<CountingEvents, 'ranked' | 'listings'>;

/** Whether an event is a change that counts, and neither a suspension nor what the end of a run passed on. */
function isSent(event: RecordEvent, listings: readonly ListingRun[], { counts }: Pick<UndoContext, 'counts'>): boolean {
  const { run } = event;
  if (run === undefined) return true;
  const isListed = () => listings.every((one) => one.run !== run || one.effect === 'lists');
  return !isSuspension(event) && counts(run) && isListed();
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
