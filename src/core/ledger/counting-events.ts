// Which events of a record count for one of its units, and what gives its value: the last event or, where feeds are ranked, what
// the highest feed sends.
import type { Resource } from '../resource.js';
import { hasValue, isSameWinner, type RankedHistory } from './ranked-history.js';
import { isFilled, partsOf, type RecordState, type Timeline } from './record-timeline.js';
import type { ListingRun, UndoContext } from './undo-context.js';

/** The events of a record, and which of them count. */
export interface CountingEvents {
  readonly resource: Resource;
  readonly timeline: Timeline;
  readonly counting: readonly boolean[];
  /** The event from which on the record is there; -1 where that is not known. */
  readonly base: number;
  /** Those that the undo is about. */
  readonly concerned: readonly number[];
  /** The imports that it takes back or brings back. */
  readonly concernedRuns: ReadonlySet<number>;
  /** Changes by runs with `only: update` that came before the record existed. */
  readonly idle: readonly number[];
  /** The complete runs of feeds that count. */
  readonly listings: readonly ListingRun[];
  readonly ranked: RankedHistory | undefined;
  /** Whether a run counted before another one began. */
  readonly countedBefore: UndoContext['countedBefore'];
}

/** Columns of a record that follow from a list while that has entries. */
export const followsFrom: Readonly<Record<string, readonly string[]>> = { product_grade: ['price', 'stock'] };

/** The list that a unit may follow from. */
function listBefore(unit: string): string | undefined {
  return Object.keys(followsFrom).find((name) => followsFrom[name]?.includes(unit));
}

/** What an event gave a unit by: the list that the unit follows from, or itself. */
function deciderOf({ timeline }: CountingEvents, at: number, unit: string): string {
  const list = listBefore(unit);
  return list !== undefined && isFilled(timeline, at, list) ? list : unit;
}

/** Whether an event changed a unit. */
export function isTouched(history: CountingEvents, at: number, unit: string): boolean {
  const { timeline, base } = history;
  const units = timeline.events[at]?.units;
  return at === base || units === undefined || units.has(unit) || units.has(deciderOf(history, at, unit));
}

/**
 * Whether a unit has, after an event, a value that it is given by the runs that count: the event counts and gave it, or a run
 * that counts sent it again, and that applied.
 */
export function isGiven(history: CountingEvents, at: number, unit: string): boolean {
  return isGivenBy(history, at, unit) || isSentAgain(history, at, unit);
}

/** Whether an event counts and gave a unit a value that the feed also gives by the runs that count. */
function isGivenBy(history: CountingEvents, at: number, unit: string): boolean {
  const { timeline, counting, base, ranked } = history;
  if (counting[at] !== true || !isTouched(history, at, unit)) return false;
  const run = timeline.events[at]?.run;
  const member = ranked?.members.get(deciderOf(history, at, unit));
  if (
    at === base ||
    run === undefined ||
    ranked === undefined ||
    member === undefined ||
    ranked.feedOf(run) === undefined
  )
    return true;
  const winner = ranked.winnersAt(run, true).get(member);
  if (!isSameWinner(ranked.winnersAt(run, false).get(member), winner)) return false;
  // What another feed sends is given by the run with which it came to apply.
  const isOwn = winner === undefined || winner.feed === ranked.feedOf(run);
  return isOwn || ranked.winnersAt(run - 1, true).get(member)?.feed !== winner.feed;
}

/** The last run that counts and sent a unit the value that it had already, and would have sent it without the undone runs as well. */
export function sentAgainBy(history: CountingEvents, at: number, unit: string): number | undefined {
  const { ranked, timeline } = history;
  const member = ranked?.members.get(deciderOf(history, at, unit));
  if (ranked === undefined || member === undefined) return undefined;
  return ranked.sendingRuns.findLast((run) => {
    if (!isPlacedAt(timeline, run, at)) return false;
    const winner = ranked.winnersAt(run, true).get(member);
    if (winner === undefined || !isSameWinner(ranked.winnersAt(run, false).get(member), winner)) return false;
    const cameToApply = (counting: boolean) => ranked.winnersAt(run - 1, counting).get(member)?.feed !== winner.feed;
    return winner.run === run || (cameToApply(true) && cameToApply(false));
  });
}

export function isSentAgain(history: CountingEvents, at: number, unit: string): boolean {
  return sentAgainBy(history, at, unit) !== undefined;
}

/** Whether a run made an event or came after it, with no change outside the ledger between them. */
function isPlacedAt(timeline: Timeline, run: number, at: number): boolean {
  const [event, next] = timeline.events.slice(at, at + 2);
  const mayBeLater = next !== undefined && next.run === undefined && event?.run !== run;
  return !mayBeLater && lastEventUntil(timeline, run) === at;
}

function lastEventUntil({ events }: Timeline, until: number): number {
  return events.findLastIndex(({ run }) => run !== undefined && run <= until);
}

/** The last event that counts and gave a unit its value; -1 for none. */
export function lastOf(history: CountingEvents, unit: string, before = history.timeline.events.length): number {
  let at = before - 1;
  while (at >= 0 && !isGiven(history, at, unit)) at--;
  if (at === -1 || at !== history.base) return at;
  // The undo that emptied the record counts as the first event. A value that a run repeated before it counts after it.
  const again = history.timeline.events.findLastIndex((_, i) => i < at && isSentAgain(history, i, unit));
  return again === -1 ? at : again;
}

/**
 * The event before the first one that changed a unit and that the undo is about, if what changed the unit until then counted then as
 * it does now: the unit had the value that it has without the undone runs, be it that of a record whose creation was undone before.
 * -1 for none.
 */
export function lastBefore(history: CountingEvents, unit: string): number {
  const { timeline, counting, concerned, countedBefore, ranked } = history;
  // What a feed sent without changing the record may have come to apply since, by an undo.
  if ([unit, listBefore(unit) ?? unit].some((one) => ranked?.members.has(one))) return -1;
  const first = concerned.find((at) => isTouched(history, at, unit)) ?? 0;
  const since = timeline.events[first]?.run ?? 0;
  const isOther = timeline.events
    .slice(0, first)
    .some(
      ({ run }, i) => run !== undefined && isTouched(history, i, unit) && countedBefore(run, since) !== counting[i],
    );
  return isOther ? -1 : first - 1;
}

/**
 * Whether a unit may have the value of an undone run, or lack that of a run that would have changed it, since the last change of it is
 * not in the ledger.
 */
export function isUnsure(history: CountingEvents, unit: string, last: number): boolean {
  const { timeline, resource } = history;
  if (last === -1 || timeline.events[last]?.run !== undefined) return false;
  const before = lastOf(history, unit, last);
  const isNew = before === -1 || differs(resource, unit, timeline.stateAfter(before), timeline.stateAfter(last));
  if (!isNew) return isUnsure(history, unit, before) || missedRun(history, unit, before) !== undefined;
  return timeline.events.some((_, i) => i > before && i < last && isTouched(history, i, unit));
}

export function differs(resource: Resource, unit: string, one: RecordState, other: RecordState): boolean {
  return [...partsOf(resource, one, unit)].some(
    ([key, { row }, column]) => (other.get(key)?.row[column] ?? null) !== row[column],
  );
}

/** What the highest feed sends for a unit. */
export interface AssertedValue {
  readonly member: string;
  readonly value: unknown;
  /** The events after which it began to apply, and after which the feed sent it last. */
  readonly events: readonly number[];
}

/**
 * What the highest feed sends for a unit by the runs that count or, if no feed sends it any more, what it was last given; undefined if
 * none ever did, if its value is not kept, or if it applied before the history of the record begins: what the record was then has it,
 * and what others changed since.
 */
export function assertedValue(history: CountingEvents, unit: string): AssertedValue | undefined {
  const { ranked, timeline } = history;
  const member = ranked?.members.get(unit);
  if (ranked === undefined || member === undefined) return undefined;
  const until = lastSending(history, unit, member);
  const winner = ranked.winnersAt(until, true).get(member);
  if (!hasValue(winner)) return undefined;
  const runs = ranked.sendingRuns.filter((run) => run <= until);
  const other = runs.findLast((run) => !isSameWinner(ranked.winnersAt(run, true).get(member), winner));
  const since = runs.find((run) => run > (other ?? -1)) ?? winner.run;
  const last = Math.max(since, winner.run);
  const isBefore = timeline.creation === -1 && lastEventUntil(timeline, last) === -1;
  if (isBefore && isSameWinner(ranked.winnersAt(last, false).get(member), winner)) return undefined;
  const eventUntil = (run: number) => Math.max(lastEventUntil(timeline, run), 0);
  return { member, value: winner.value, events: [eventUntil(since), eventUntil(winner.run)] };
}

/** The last run after which a feed sent a member: a field that nobody sends any more keeps its value. A list that others exclude loses it. */
function lastSending({ ranked, resource }: CountingEvents, unit: string, member: string): number {
  const always = Number.POSITIVE_INFINITY;
  const isSent = (name: string, run: number): boolean => ranked?.winnersAt(run, true).has(name) === true;
  const list = ranked?.members.get(listBefore(unit) ?? unit) ?? member;
  if (isSent(member, always) || isSent(list, always) || isExcluded(resource, member)) return always;
  return ranked?.sendingRuns.findLast((run) => isSent(member, run)) ?? always;
}

/** Whether a member is a list that other fields exclude. */
function isExcluded({ excludes = {}, fields }: Resource, member: string): boolean {
  return member in excludes && fields[member]?.kind === 'list';
}

/** Whether nobody but ranked feeds changed a unit after an event. */
export function isLastOfFeeds(history: CountingEvents, unit: string, place: number): boolean {
  const { timeline, counting, base, ranked } = history;
  return !timeline.events.some(({ run, units }, i) => {
    const isChange = i > place && i !== base && counting[i] === true && units?.has(unit) !== false;
    return isChange && (run === undefined || ranked?.feedOf(run) === undefined);
  });
}

/** Whether a run would have given a member otherwise if only the runs that count had been. */
function isOther({ winnersAt }: RankedHistory, member: string, run: number): boolean {
  const [was, is] = [winnersAt(run, false).get(member), winnersAt(run, true).get(member)];
  const passes = (counting: boolean) => winnersAt(run - 1, counting).get(member)?.feed !== is?.feed;
  return !isSameWinner(was, is) || (is !== undefined && passes(true) && !passes(false));
}

/** Units that would have been given otherwise by feeds if only the runs that count had been. */
export function unitsToMerge(history: CountingEvents): string[] {
  const { ranked, timeline, base } = history;
  if (ranked === undefined) return [];
  const runs = [...ranked.sendingRuns, Number.POSITIVE_INFINITY];
  return [...ranked.members].flatMap(([unit, member]) => {
    const isOverruled = (_: unknown, at: number): boolean =>
      isTouched(history, at, unit) && !isGiven(history, at, unit);
    const isSentBefore = base > 0 && lastOf(history, unit, base + 1) !== base;
    const isMeant =
      isSentBefore || timeline.events.some(isOverruled) || runs.some((run) => isOther(ranked, member, run));
    return isMeant ? [unit, ...(followsFrom[unit] ?? [])] : [];
  });
}

/** Whether a run that the undo is about sent a unit or no longer did, or what excludes it. */
export function isSentByConcerned({ ranked }: CountingEvents, unit: string): boolean {
  return [unit, listBefore(unit) ?? unit].some((one) => ranked?.concerned.has(ranked.members.get(one) ?? '') === true);
}

/** Whether a run emptied a list. */
function isEmptied({ ranked, timeline }: CountingEvents, run: number, member: string): boolean {
  const value = ranked?.winnersAt(run, true).get(member)?.value;
  if (Array.isArray(value)) return value.length === 0;
  const [list] = [...(ranked?.members ?? [])].find(([, one]) => one === member) ?? [];
  const at = timeline.events.findIndex((event) => event.run === run && event.units?.has(list ?? '') === true);
  return list !== undefined && at !== -1 && !isFilled(timeline, at, list);
}

/** A run that counts and, by the runs that count, may have changed a unit after an event, unlike it did. */
export function missedRun(history: CountingEvents, unit: string, last: number): number | undefined {
  const { ranked, timeline, base, resource } = history;
  if (ranked === undefined) return undefined;
  const members = [unit, listBefore(unit) ?? unit].flatMap((one) => ranked.members.get(one) ?? []);
  const given = last === base ? [] : timeline.events.slice(0, last + 1);
  const after = given.findLast(({ run }) => run !== undefined)?.run ?? 1;
  const again = last === -1 ? 0 : (sentAgainBy(history, last, unit) ?? 0);
  // A run of another feed gives nothing of what a feed sent before. What nobody sends any more stays, but for a list that is excluded.
  const gives = (member: string, run: number): boolean => {
    const winners = ranked.winnersAt(run, true);
    const winner = winners.get(member);
    if (!winners.has(member) && !isExcluded(resource, member)) return false;
    // Nothing follows from a list that was emptied.
    if (member !== ranked.members.get(unit) && isEmptied(history, run, member)) return false;
    return winner?.run === run || !isSameWinner(ranked.winnersAt(run - 1, true).get(member), winner);
  };
  return ranked.sendingRuns.find(
    (run) =>
      run >= after &&
      run > again &&
      Number.isFinite(run) &&
      members.some((member) => gives(member, run) && isOther(ranked, member, run)),
  );
}
