// What ranked feeds sent of a record in the course of its history, by all runs and by those that count. What applies is merged
// anew for any time, so that an undo knows which values the runs that count would have given.
import { recordKey } from '../fields/record-key.js';
import { type AppliedMember, mergedOffers, rivalsOf } from '../planning/ranking/field-contest.js';
import { readOffer, storedOffers } from '../planning/ranking/stored-offers.js';
import type { Resource } from '../resource.js';
import { findCharacteristic } from '../resources/characteristic-table.js';
import type { Draft } from '../rows/snapshot.js';
import type { Row } from '../rows/table.js';
import { recordOffer } from './change-log.js';
import { type FeedOffer, fieldOf, notKept, type OfferRow, offerId } from './feed-offer.js';
import { type FeedSettings, findFeedSettings, hasRanking, rememberedFeeds } from './feed-ranking.js';
import { type ChangeOfRun, isStill } from './recorded-change.js';
import { offerTable } from './run-tables.js';
import type { ListingRun, RecordHistory, UndoContext } from './undo-context.js';

/** What a feed sent from a run on; run 0 is what was before the history, and an infinite one is not in the ledger. */
interface OfferVersion {
  readonly run: number;
  readonly row: OfferRow;
  readonly offer: FeedOffer;
}

/** What a feed sent last, and by which run: one may send again what it sent before. */
interface SentOffer {
  readonly version: OfferVersion;
  readonly run: number;
}

/** A member that applies, and the offer that it is of. */
export interface Winner extends AppliedMember, SentOffer {}

type Winners = ReadonlyMap<string, Winner | undefined>;

export interface RankedHistory {
  readonly stored: ReadonlyMap<string, OfferRow | undefined>;
  readonly versions: ReadonlyMap<string, readonly OfferVersion[]>;
  /** The members that feeds ever sent, by the units (`unitOf`) of the record that they fill. */
  readonly members: ReadonlyMap<string, string>;
  /** The members that the runs which the undo is about sent, or no longer did, and those that these exclude. */
  readonly concerned: ReadonlySet<string>;
  /** The runs that count and sent the record, or no longer listed it, from the earliest to the latest. */
  readonly sendingRuns: readonly number[];
  /** The feed of a run; undefined if it is not merged with others. */
  feedOf(run: number): string | undefined;
  /** What each feed sent last up to a run, by all runs or by those that count. */
  offersAt(run: number, counting: boolean): ReadonlyMap<string, SentOffer>;
  /** What applies after a run, by all runs or by those that count. */
  winnersAt(run: number, counting: boolean): Winners;
}

/** The offers of a record; undefined where feeds have no settings, or while something is not loaded. */
export function rankedHistory(
  record: RecordHistory,
  row: Row | undefined,
  draft: Draft,
  context: UndoContext,
): RankedHistory | undefined {
  const settings = findFeedSettings(draft);
  if (settings === undefined || row === undefined) return undefined;
  const { resource, feedOf } = context;
  const key = recordKey(resource.fields, resource.key).same(String(row[resource.key]));
  const offers = storedOffers(draft);
  const feeds = rememberedFeeds(settings);
  const ids = new Map(feeds.map((feed) => [feed, offerId(feed, resource.name, key)]));
  const stored = new Map([...ids].map(([feed, id]) => [feed, draft.find(offerTable, 'id', id)]));
  const versions = new Map<string, readonly OfferVersion[]>();
  const senders = new Map<string, readonly SendingRun[]>();
  const listings = context.listings(resource, row);
  for (const [feed, id] of ids) {
    const none: OfferRow = { id, record: record.id, run: '', line: 0, fields: '', created_at: 0 };
    const own = record.changes.filter(({ change }) => change.table === offerTable.name && change.row['id'] === id);
    const rows = versionsOf(own, stored.get(feed) ?? none);
    versions.set(
      feed,
      rows.map((one) => ({ ...one, offer: readOffer(offers, one.row.fields) })),
    );
    // What changes only what is there was left out where nothing is stored of what it listed.
    const isLeftOut = ({ run, effect }: ListingRun): boolean =>
      effect === 'lists' &&
      context.onlyUpdates(run) &&
      (rows.findLast((one) => one.run <= run)?.row.fields ?? '') === '';
    const read = listings.filter((one) => one.feed === feed && !isLeftOut(one));
    const changing = record.changes.filter(({ run }) => feedOf(run) === feed);
    senders.set(
      feed,
      [
        ...[...rows, ...changing].map(({ run }) => ({ run, drops: false })),
        ...read.map(({ run, effect }) => ({ run, drops: effect !== 'lists' })),
      ].sort((one, other) => one.run - other.run),
    );
  }
  const offersAt = (run: number, counting: boolean) =>
    offersOf({ versions, senders }, run, counting ? context.counts : undefined);
  const runs = new Set([...senders.values()].flat().map(({ run }) => run));
  return {
    sendingRuns: [...runs].filter((run) => run === 0 || context.counts(run)).sort((one, other) => one - other),
    ...{
      stored,
      versions,
      offersAt,
      members: hasRanking(settings) ? membersByUnit(versions, resource, draft) : new Map(),
    },
    concerned: concernedMembers({ versions, offersAt }, resource, context),
    feedOf: (run) => feeds.find((feed) => feed === feedOf(run)),
    winnersAt: cached((run, counting) => winnersOf({ settings, resource }, offersAt(run, counting))),
  };
}

/** A run of a feed that sent the record, or no longer listed it. */
interface SendingRun {
  readonly run: number;
  readonly drops: boolean;
}

/** The versions of an offer, from the earliest to the latest. */
function versionsOf(changes: readonly ChangeOfRun[], stored: OfferRow): Omit<OfferVersion, 'offer'>[] {
  const versions: Omit<OfferVersion, 'offer'>[] = [];
  const after = changes.at(-1)?.change;
  const isRecorded =
    after === undefined || isStill(stored.fields, after.after[after.columns.indexOf('fields')] ?? null);
  if (!isRecorded) versions.push({ run: Number.POSITIVE_INFINITY, row: stored });
  let row = stored;
  for (const { run, change } of [...changes].reverse()) {
    const { isNew, columns, before } = change;
    versions.unshift({ run, row });
    row = isNew
      ? { ...row, fields: '', created_at: 0 }
      : { ...row, ...Object.fromEntries(columns.map((name, i) => [name, before[i] ?? null])) };
  }
  versions.unshift({ run: 0, row });
  return versions;
}

/** What each feed sent last up to a run: by all runs, or by those that count. */
function offersOf(
  {
    versions,
    senders,
  }: Pick<RankedHistory, 'versions'> & { readonly senders: ReadonlyMap<string, readonly SendingRun[]> },
  until: number,
  counts: ((run: number) => boolean) | undefined,
): ReadonlyMap<string, SentOffer> {
  const isMeant = (run: number): boolean =>
    run <= until && (run === 0 || !Number.isFinite(run) || counts?.(run) !== false);
  return new Map(
    [...versions].flatMap(([feed, all]) => {
      const last =
        counts === undefined ? { run: until, drops: false } : senders.get(feed)?.findLast(({ run }) => isMeant(run));
      const version = all.findLast(({ run }) => run <= (last?.run ?? 0));
      if (version === undefined || last === undefined) return [];
      const none = { run: last.run, row: { ...version.row, fields: '', created_at: 0 }, offer: new Map() };
      return [[feed, { version: last.drops ? none : version, run: last.run }] as const];
    }),
  );
}

/** The members that feeds sent before and in the runs of the undo, also by the counting runs alone, and the members that exclude them. */
function concernedMembers(
  { versions, offersAt }: Pick<RankedHistory, 'versions' | 'offersAt'>,
  resource: Resource,
  { concerned, feedOf }: UndoContext,
): ReadonlySet<string> {
  const offers = [...concerned].flatMap((run) => {
    const feed = feedOf(run);
    const all = versions.get(feed) ?? [];
    const counting = offersAt(run - 1, true).get(feed)?.version;
    return [all.findLast((one) => one.run < run), all.findLast((one) => one.run <= run), counting];
  });
  const members = offers.flatMap((one) => [...(one?.offer.keys() ?? [])]);
  return new Set(members.flatMap((member) => rivalsOf(resource, member)));
}

function winnersOf(
  contest: { readonly settings: FeedSettings; readonly resource: Resource },
  sent: ReadonlyMap<string, SentOffer>,
): Winners {
  const merged = mergedOffers(contest, new Map([...sent].map(([feed, { version }]) => [feed, version.offer])));
  return new Map([...merged].map(([member, one]) => [member, one && { ...one, ...(sent.get(one.feed) as SentOffer) }]));
}

function cached<T>(make: (run: number, counting: boolean) => T): (run: number, counting: boolean) => T {
  const known = new Map<string, T>();
  return (run, counting) => {
    const name = `${run} ${counting}`;
    const found = known.get(name) ?? make(run, counting);
    known.set(name, found);
    return found;
  };
}

function membersByUnit(
  versions: RankedHistory['versions'],
  resource: Resource,
  draft: Draft,
): ReadonlyMap<string, string> {
  const members = [...versions.values()].flat().flatMap(({ offer }) => [...offer.keys()]);
  return new Map([...new Set(members)].map((member) => [unitOfMember(member, resource, draft), member]));
}

/** The unit (`unitOf`) of a record that a member of an offer fills. */
function unitOfMember(member: string, resource: Resource, draft: Draft): string {
  const field = fieldOf(member);
  if (resource.fields[field]?.kind !== 'list') return field === 'group' ? 'product_group' : field;
  const table = resource.tables.find(({ name }) => listFieldOf(resource, name) === field)?.name ?? field;
  if (field === member) return table;
  return `${table} ${findCharacteristic(draft, member.slice(field.length + 1, -1))?.id}`;
}

/** The list whose entries are the rows of a table: `grades` for `product_grade`. */
function listFieldOf({ fields }: Resource, table: string): string | undefined {
  const word = table.slice(table.lastIndexOf('_') + 1).replace(/axis$/, 'ax');
  return Object.keys(fields).find((name) => fields[name]?.kind === 'list' && name.startsWith(word));
}

/** Whether the same version of the same feed's offer gives a member. */
export function isSameWinner(one: Winner | undefined, other: Winner | undefined): boolean {
  return one?.version === other?.version;
}

/** Whether the value of a winner is kept. */
export function hasValue(winner: Winner | undefined): winner is Winner {
  return winner !== undefined && winner.value !== notKept;
}

/** Gives each feed the offer of its last run that counts. @returns whether any was another */
export function restoreOffers(history: RankedHistory, draft: Draft, { log }: UndoContext): boolean {
  let isChanged = false;
  for (const [feed, { version }] of history.offersAt(Number.POSITIVE_INFINITY, true)) {
    const { row: next } = version;
    const before = history.stored.get(feed);
    if (next.fields === (before?.fields ?? '')) continue;
    draft.save(offerTable, next, before ?? null);
    recordOffer(log, 0, { table: offerTable, before, next });
    isChanged = true;
  }
  return isChanged;
}
