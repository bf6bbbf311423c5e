// Decides which fields of an item apply where several feeds send one record. The highest-ranked feed that lists the
// record wins each field it sends; the offer of a lower-ranked feed is kept and applies when no higher one sends the
// field. The result depends on what each feed sent last, and never on the order of their runs.
import type { CheckedItem } from '../../fields/check-item.js';
import { recordKey } from '../../fields/record-key.js';
import {
  type FeedOffer,
  fieldOf,
  isHeld,
  itemFields,
  type OfferLayouts,
  type OfferRow,
  offerId,
  offerOf,
  packOffer,
  unrankedFields,
} from '../../ledger/feed-offer.js';
import {
  type FeedSettings,
  findFeedSettings,
  hasRanking,
  mayOutrank,
  outranks,
  rememberedFeeds,
  saveFeedSettings,
} from '../../ledger/feed-ranking.js';
import { hashNumber } from '../../ledger/recorded-change.js';
import { offerTable } from '../../ledger/run-tables.js';
import { isToBeCreated } from '../../ledger/suspension.js';
import type { Resource } from '../../resource.js';
import type { Draft } from '../../rows/snapshot.js';
import type { CheckedFields } from '../item-task.js';
import {
  changedOffers,
  type PassedField,
  sendsSameMembers,
  type WithheldField,
  withheldFields,
} from './field-contest.js';
import { differing } from './shown-value.js';
import { readOffer, type StoredOffers, storedOffers, writeOffer } from './stored-offers.js';

/** The feed of the planned items. */
export interface FeedContext {
  readonly feed: string;
  /** Whether an earlier transaction of the run had an item with a key: then both rows together are the feed's offer. */
  hasSent(keyHash: number): boolean;
  /** The identifier of the run; undefined while it is pending, '' without a run. */
  runOf(draft: Draft): string | undefined;
  /** Whether each item is marked with its run even if nothing differs, so that a server knows what a run listed. */
  readonly marksAll: boolean;
  /** Whether the feed lists the items; false if they are those it no longer lists. */
  readonly lists: boolean;
  /** Whether another run sent a record since it was found to be no longer listed. @param run the one that last sent it */
  isSentSince(key: string, run: string): boolean;
}

export interface FeedRanks {
  readonly context: FeedContext;
  readonly resource: Resource;
  readonly draft: Draft;
  readonly settings: FeedSettings;
  /** Whether offers are kept: only if some feed outranks another. */
  readonly isRanked: boolean;
  /** All other feeds whose offers are kept. */
  readonly others: readonly string[];
  /** Those of them that outrank the feed in some field. */
  readonly higher: readonly string[];
  /** Whether the feed outranks any other in some field. */
  readonly outranksAny: boolean;
  readonly stored: StoredOffers;
  readonly unranked: ReadonlySet<string>;
  readonly same: (key: string) => string;
  /** The index of the first item for each key in this plan. */
  readonly firsts: Map<number, number>;
  readonly layouts: OfferLayouts;
}

const noOffer: FeedOffer = new Map();
const noOffers: ReadonlyMap<string, FeedOffer> = new Map();
const unchangedOffers = { passed: [], lost: [] };

/** The offer of the item, saved if it is accepted. */
export interface OfferToSave {
  readonly id: string;
  readonly before: OfferRow | undefined;
  readonly run: string;
  readonly fields: string;
  /** Whether the decision about another feed's item of the record may now be another one: the record then loses its fingerprint. */
  readonly unsettles: boolean;
}

export interface RankedItem {
  readonly checked: CheckedItem;
  readonly offer: OfferToSave | undefined;
  /** Whether an earlier item of the run had the same key: both together are the feed's offer. */
  readonly repeats: boolean;
  readonly withheld: readonly WithheldField[];
  /** Fields in which a lower-ranked feed's value applies now, since this feed no longer sends them. */
  readonly passedOn: readonly PassedField[];
}

/** The ranking data of a plan, after the settings were loaded; undefined if no feed has settings. */
export function feedRanks(resource: Resource, draft: Draft, context: FeedContext): FeedRanks | undefined {
  const settings = findFeedSettings(draft);
  if (settings === undefined) return undefined;
  const isRanked = hasRanking(settings);
  const known = rememberedFeeds(settings);
  const { feed } = context;
  const { senders } = settings;
  if (isRanked && !senders.includes(feed)) saveFeedSettings(draft, { ...settings, senders: [...senders, feed] });
  const others = isRanked ? known.filter((name) => name !== feed) : [];
  return {
    ...{ context, resource, draft, settings, isRanked, others },
    higher: others.filter((name) => mayOutrank(settings, name, feed)),
    outranksAny: others.some((name) => mayOutrank(settings, feed, name)),
    stored: storedOffers(draft),
    unranked: unrankedFields(resource),
    same: recordKey(resource.fields, resource.key).same,
    firsts: new Map(),
    layouts: new Map(),
  };
}

/**
 * Looks up what ranking these items needs: first the offers of the feed and of higher ones; once those are loaded, all offers
 * for what the feed sends the first time. Lower offers matter only where the feed sends other fields than before.
 */
export function prefetchOffers(ranks: FeedRanks, items: readonly CheckedItem[], step: 'own' | 'new'): void {
  const { context, resource, draft, others, higher, same } = ranks;
  for (const { externalId } of items) {
    if (externalId === '') continue;
    if (isNewRecord(ranks, externalId)) continue;
    const key = same(externalId);
    const known = draft.find(offerTable, 'id', offerId(context.feed, resource.name, key));
    if (step === 'new' && known !== undefined && known.fields !== '') continue;
    for (const feed of step === 'own' ? higher : others)
      draft.find(offerTable, 'id', offerId(feed, resource.name, key));
  }
}

/**
 * Notes the keys of a plan's items.
 * @returns the indexes of items that must not be recognized: those of which the run has another one with the same key, as
 *   together they are the feed's offer, and those that offer nothing, of which no offer is stored
 */
export function takeKeys({ context, firsts, same, unranked }: FeedRanks, items: readonly CheckedItem[]): number[] {
  const found: number[] = [];
  if (context.marksAll) return found;
  for (let index = 0; index < items.length; index++) {
    const { item, externalId, unreadable, planned } = items[index] as CheckedItem;
    if (externalId === '' || unreadable === true) continue;
    const hash = hashNumber(same(externalId));
    const first = firsts.get(hash);
    if (first === undefined) firsts.set(hash, index);
    else found.push(first, index);
    if (context.hasSent(hash) || planned?.repeats === true || offersNothing(item, unranked)) found.push(index);
  }
  return found;
}

/**
 * Whether the catalog has no such record, and therefore no offer for it. Asked only of resources whose records are found by the
 * key of the item and nothing else.
 */
function isNewRecord({ resource, draft }: FeedRanks, externalId: string): boolean {
  return resource.recognition !== undefined && resource.find({ key: externalId }, draft) === undefined;
}

function offersNothing(item: CheckedFields, unranked: ReadonlySet<string>): boolean {
  for (const name in item) if (item[name] !== undefined && !unranked.has(name)) return false;
  return true;
}

/**
 * Applies the ranking to an item.
 * @param index that of the item in the plan
 */
export function rankItem(ranks: FeedRanks, checked: CheckedItem, index: number): RankedItem {
  const asSent = {
    ...{ checked: withNewValues(ranks, checked), offer: undefined, repeats: false },
    ...{ withheld: [], passedOn: [] },
  };
  if (!ranks.isRanked || checked.externalId === '' || checked.unreadable === true) return asSent;
  const { context, resource, draft, unranked, same } = ranks;
  const key = same(checked.externalId);
  const isNew = isNewRecord(ranks, checked.externalId);
  const known = isNew ? undefined : draft.find(offerTable, 'id', offerId(context.feed, resource.name, key));
  if (known !== undefined && context.isSentSince(key, known.run)) return asSent;
  const before = known === undefined ? noOffer : readOffer(ranks.stored, known.fields);
  const sent = offerOf(checked.item, unranked, draft);
  const repeats = context.marksAll ? isMarked(ranks, known) : isRepeated(ranks, checked, key, index);
  const now = repeats ? new Map([...before, ...sent]) : sent;
  const isAsBefore = sendsSameMembers(resource, before, now);
  const others = isNew ? noOffers : offersOf(ranks, isAsBefore ? ranks.higher : ranks.others, key);
  const contest = { settings: ranks.settings, resource, feed: context.feed, before, now, others };
  const withheld = withheldFields(contest, sent);
  const { passed, lost } = isAsBefore || others.size === 0 ? unchangedOffers : changedOffers(contest);
  const offer = offerToSave(ranks, { key, known, now });
  if (withheld.length + passed.length + lost.length === 0) return { ...asSent, offer, repeats };
  const applied = new Map(sent);
  for (const { member } of withheld) applied.delete(member);
  for (const { member, value } of passed) applied.set(member, value);
  for (const member of lost) applied.set(member, []);
  return {
    checked: { ...asSent.checked, item: replaced(ranks, asSent.checked.item, applied) },
    ...{ offer, repeats },
    withheld: differing(ranks, checked.externalId, withheld),
    passedOn: passed,
  };
}

/** The feed's values for new records that the item does not set (`--set-new`). */
function withNewValues({ settings, context, resource, draft }: FeedRanks, checked: CheckedItem): CheckedItem {
  const values = settings.setNew[context.feed]?.[resource.name];
  if (values === undefined || checked.unreadable === true || checked.externalId === '') return checked;
  if (!isToBeCreated(resource.find({ key: checked.externalId }, draft), draft)) return checked;
  return { ...checked, item: { ...values, ...checked.item } };
}

function offersOf(
  { resource, draft, stored }: FeedRanks,
  feeds: readonly string[],
  key: string,
): ReadonlyMap<string, FeedOffer> {
  const offers = new Map<string, FeedOffer>();
  for (const feed of feeds) {
    const row = draft.find(offerTable, 'id', offerId(feed, resource.name, key));
    if (row !== undefined && row.fields !== '') offers.set(feed, readOffer(stored, row.fields));
  }
  return offers;
}

/** Whether an offer was made by the current run: all rows of one run together are the feed's offer. */
function isMarked({ context, draft }: FeedRanks, known: OfferRow | undefined): boolean {
  const run = context.runOf(draft);
  return known !== undefined && run !== undefined && run !== '' && known.run === run && !isHeld(known);
}

function isRepeated({ firsts, context }: FeedRanks, { planned }: CheckedItem, key: string, index: number): boolean {
  const hash = hashNumber(key);
  const first = Math.min(firsts.get(hash) ?? index, index);
  firsts.set(hash, first);
  // In a plan, an earlier item that changed nothing is left out.
  return first < index || context.hasSent(hash) || (typeof planned === 'object' && planned.repeats === true);
}

/** An item that is refused or left out is not part of the feed's offer: a later item with its key may be the first. */
export function leaveUnsent({ firsts, same }: FeedRanks, { externalId }: CheckedItem, index: number): void {
  const hash = hashNumber(same(externalId));
  if (firsts.get(hash) === index) firsts.delete(hash);
}

/** The item with its ranked fields replaced. */
function replaced({ unranked }: FeedRanks, item: CheckedFields, applied: FeedOffer): CheckedFields {
  const kept = Object.entries(item).filter(([name]) => unranked.has(name));
  return { ...Object.fromEntries(kept), ...itemFields(applied) };
}

/** The serialized offer; undefined if it is stored like this already. */
function offerToSave(
  ranks: FeedRanks,
  { key, known, now }: { readonly key: string; readonly known: OfferRow | undefined; readonly now: FeedOffer },
): OfferToSave | undefined {
  const { context, resource, draft, settings, others } = ranks;
  const { feed } = context;
  const { measures = {} } = resource;
  const packed = packOffer(
    now,
    (member) => {
      const field = fieldOf(member);
      return (
        measures[member] !== undefined ||
        others.some((other) => !outranks(settings, { feed, field }, { feed: other, field }))
      );
    },
    ranks.layouts,
  );
  const fields = writeOffer(ranks.stored, packed);
  const run = context.runOf(draft) ?? '';
  if (
    known === undefined
      ? fields === ''
      : known.fields === fields && !(context.marksAll && (known.run !== run || isHeld(known)))
  )
    return undefined;
  // An offer that is new to a feed below all others changes nothing for them.
  const unsettles = known === undefined ? ranks.outranksAny : known.fields !== fields;
  return { id: offerId(feed, resource.name, key), before: known, run, fields, unsettles };
}
