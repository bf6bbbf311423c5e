// Records that another feed wrote last: how many, where no ranking decides between the two feeds.
import { type FeedOffer, type OfferShapes, offerParts, unpackOffer } from '../../core/ledger/feed-offer.js';
import { type FeedSettings, hasRanking, rememberedFeeds } from '../../core/ledger/feed-ranking.js';
import type { ListedKeys } from '../../core/ledger/listing.js';
import { hashNumber } from '../../core/ledger/recorded-change.js';
import { offerTable, type RunDetail } from '../../core/ledger/run-tables.js';
import { hasKey, indexOfKey, type SeenKeys } from '../../core/ledger/seen-keys.js';
import { lastWriterWins } from '../../core/planning/ranking/field-contest.js';
import type { Resource } from '../../core/resource.js';
import { rowPages } from '../row-pages.js';
import type { Store } from '../store.js';
import { type AllRuns, type ListingChange, listingsOf } from './listing-change.js';

/** How many hashes two sorted sets have in common. */
function countShared(keys: Float64Array, others: Float64Array): number {
  let count = 0;
  let at = 0;
  for (const key of keys) {
    while (at < others.length && (others[at] as number) < key) at++;
    if (others[at] === key) count++;
  }
  return count;
}

/** A feed and what its run read. */
interface ReadByFeed {
  readonly feed: string;
  readonly change: ListingChange;
}

/**
 * Of the records that a run read, how many are listed by another feed that changed something since this feed's last run:
 * that feed wrote them last. Left out are feeds that are ranked against this one or send other fields, and records of which the
 * ranking decides every field that both send.
 */
export async function sharedRecords(
  store: Store,
  settings: FeedSettings,
  run: ReadByFeed,
  runs: AllRuns,
): Promise<ReadonlyMap<string, number>> {
  const { feed, change } = run;
  const { order, senders } = settings;
  const shared = new Map<string, number>();
  const ranked = new Map<string, ListedKeys>();
  const wrote = (other: string): boolean =>
    runs.some(
      (one) =>
        one.feed === other &&
        one.number > (change.before?.run ?? 0) &&
        one.created + one.updated > 0 &&
        change.counts(one.number),
    );
  for (const [other, listing] of await listingsOf(store, change.seen.resource.name, runs)) {
    if (other === feed || (order.includes(feed) && order.includes(other)) || !wrote(other)) continue;
    if (!sendSameField(change.seen, runs.find(({ number }) => number === listing.run)?.detail)) continue;
    const count = countShared(change.seen.keys, listing.keys);
    if (count === 0) continue;
    if (hasRanking(settings) && senders.includes(feed)) ranked.set(other, listing);
    else shared.set(other, count);
  }
  if (ranked.size > 0) await countUndecided({ store, settings, ranked, ...run }, shared);
  return shared;
}

/** Whether what a run read and what another one read have values in one field, but for keys and currencies; so it is taken where that is not known. */
function sendSameField({ resource, filled }: SeenKeys, other: RunDetail | undefined): boolean {
  const { name, key, keyAlias, measures = {} } = resource;
  const theirs = other?.filled?.[name];
  if (filled === undefined || theirs === undefined) return true;
  const apart = new Set([key, keyAlias, ...Object.keys(measures)]);
  return Object.keys(filled.fields).some((field) => !apart.has(field) && field in theirs.fields);
}

interface Counting extends ReadByFeed {
  readonly store: Store;
  readonly settings: FeedSettings;
  /** The listings of the other feeds. */
  readonly ranked: ReadonlyMap<string, ListedKeys>;
}

/** For each other feed, counts the records with a field of which neither feed outranks the other: whichever runs last sets it. */
async function countUndecided(counting: Counting, shared: Map<string, number>): Promise<void> {
  const { settings, feed, ranked, change } = counting;
  const { resource, keys } = change.seen;
  const kinds = offerKinds(settings, resource);
  const columns = await kindsByFeed(counting, kinds);
  const decided = new Map<string, boolean>();
  for (const [other, listing] of ranked) {
    let count = 0;
    // What a feed sends is known once it has run since it was ranked.
    const isKnown = ({ feed: name }: SentKind): boolean => name !== other || settings.senders.includes(name);
    for (const [place, hash] of keys.entries()) {
      if (!hasKey(listing.keys, hash)) continue;
      const sent = [...columns].map(([name, column]) => ({ feed: name, kind: column[place] as number }));
      const group = `${other} ${sent.map(({ kind }) => kind).join()}`;
      const offers = (): OffersByFeed =>
        new Map(sent.filter(isKnown).map(({ feed: name, kind }) => [name, kinds.offers[kind] as FeedOffer]));
      const isUndecided = decided.get(group) ?? lastWriterWins({ settings, resource }, offers(), [feed, other]);
      decided.set(group, isUndecided);
      if (isUndecided) count++;
    }
    if (count > 0) shared.set(other, count);
  }
}

type OffersByFeed = ReadonlyMap<string, FeedOffer>;

/** Which kind of offer a feed has of a record. */
interface SentKind {
  readonly feed: string;
  readonly kind: number;
}

/** Which kind of offer each feed has of each key that the run read, in one pass over all offers: 0 for none. */
async function kindsByFeed(
  { store, settings, change }: Counting,
  kinds: OfferKinds,
): Promise<ReadonlyMap<string, Uint32Array>> {
  const { resource, keys } = change.seen;
  const columns = new Map(rememberedFeeds(settings).map((name) => [name, new Uint32Array(keys.length)]));
  for await (const rows of rowPages(store, offerTable))
    for (const { id, fields } of rows) {
      const { feed, resource: name, key } = offerParts(id);
      const column = name === resource.name ? columns.get(feed) : undefined;
      if (column === undefined || fields === '') continue;
      const hash = hashNumber(key);
      const place = indexOfKey(keys, hash);
      if (keys[place] === hash) column[place] = kindOf(kinds, fields);
    }
  return columns;
}

/**
 * The kinds of offers: of the same members, with amounts in the same currency. All offers of a kind fare alike, and nearly all
 * of a feed are of a few kinds.
 */
interface OfferKinds {
  readonly shapes: OfferShapes;
  readonly units: readonly string[];
  /** An offer of each kind, by its number; the first one is empty. */
  readonly offers: FeedOffer[];
  readonly numbers: Map<string, number>;
}

function offerKinds({ shapes = [] }: FeedSettings, { measures = {} }: Resource): OfferKinds {
  return { shapes, units: Object.keys(measures), offers: [new Map()], numbers: new Map() };
}

function kindOf({ shapes, units, offers, numbers }: OfferKinds, text: string): number {
  // A text without values is the number of a shape, and many offers have it.
  const known = numbers.get(text);
  if (known !== undefined) return known;
  const offer = unpackOffer(text, shapes);
  const isShared = text.startsWith('#') && !text.includes('[');
  const words = isShared ? text : JSON.stringify([[...offer.keys()], units.map((unit) => offer.get(unit))]);
  const number = numbers.get(words) ?? offers.push(offer) - 1;
  numbers.set(words, number);
  return number;
}
