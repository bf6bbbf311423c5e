// Finds the values of an offer that a record has because of it: where the run of the offer did not set them, a later one passed
// them on.
import { type FeedOffer, notKept, type OfferRow, offerId, offerParts } from '../../ledger/feed-offer.js';
import { type FeedSettings, findFeedSettings, rememberedFeeds } from '../../ledger/feed-ranking.js';
import { offerTable } from '../../ledger/run-tables.js';
import type { Resource } from '../../resource.js';
import type { Draft } from '../../rows/snapshot.js';
import type { Row } from '../../rows/table.js';
import { keptOut } from './field-contest.js';
import { readOffer, type StoredOffers, storedOffers } from './stored-offers.js';

/** The offers of a plan, and what decides between them. */
export interface OfferRanks {
  readonly resource: Resource;
  readonly draft: Draft;
  readonly settings: FeedSettings;
  readonly stored: StoredOffers;
}

/** The offers of a plan, after the settings were loaded; undefined if no feed has settings. */
export function offerRanks(resource: Resource, draft: Draft): OfferRanks | undefined {
  const settings = findFeedSettings(draft);
  return settings && { resource, draft, settings, stored: storedOffers(draft) };
}

/** An offer that is taken back. */
export interface FormerOffer {
  readonly offer: OfferRow;
  /** Its text before the run. */
  readonly before: string;
  /** The columns of the record that the run set itself. */
  readonly set: ReadonlySet<string>;
}

/**
 * The fields of a record that have the value of an offer, and that no other feed outranks. Lists, values that an earlier
 * version of the offer had, too, and those that the run set itself are left out.
 * @param row the record
 */
export function appliedFields(ranks: OfferRanks, row: Row, { offer, before: text, set }: FormerOffer): string[] {
  const { resource, settings, stored } = ranks;
  const before = readOffer(stored, text);
  const members = [...readOffer(stored, offer.fields)].filter(
    ([member, value]) => value !== notKept && value !== before.get(member) && row[member] === value && !set.has(member),
  );
  if (members.length === 0) return [];
  const { feed } = offerParts(offer.id);
  const lost = keptOut({ settings, resource }, offersOf(ranks, offerParts(offer.id).key)).filter(
    (one) => one.feed === feed,
  );
  return members.map(([member]) => member).filter((member) => !lost.some((one) => one.member === member));
}

/** The offers of all feeds for a record. */
function offersOf({ resource, draft, settings, stored }: OfferRanks, key: string): ReadonlyMap<string, FeedOffer> {
  const offers = new Map<string, FeedOffer>();
  for (const feed of rememberedFeeds(settings)) {
    const row = draft.find(offerTable, 'id', offerId(feed, resource.name, key));
    if (row !== undefined) offers.set(feed, readOffer(stored, row.fields));
  }
  return offers;
}
