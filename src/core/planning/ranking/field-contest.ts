// Decides field by field which feed's value applies to a record, by the offers of all feeds.
import { type FeedOffer, fieldOf, notKept } from '../../ledger/feed-offer.js';
import { byStrength, type FeedSettings, outranks } from '../../ledger/feed-ranking.js';
import type { Resource } from '../../resource.js';

/** The offers to decide between: that of the feed that sends the item, and those of others. */
export interface Contest {
  readonly settings: FeedSettings;
  readonly resource: Resource;
  readonly feed: string;
  /** Its previous offer, and the new one. */
  readonly before: FeedOffer;
  readonly now: FeedOffer;
  /** The last offers of the others, by feed. */
  readonly others: ReadonlyMap<string, FeedOffer>;
}

interface OfferedMember {
  readonly feed: string;
  readonly member: string;
  readonly offer: FeedOffer;
}

type Offers = ReadonlyMap<string, FeedOffer>;

const known = new WeakMap<Resource, Map<string, readonly string[]>>();

/** The members that may exclude a member of another offer: the same member, and those that depend on each other. */
export function rivalsOf(resource: Resource, member: string): readonly string[] {
  const rivals = known.get(resource) ?? new Map<string, readonly string[]>();
  known.set(resource, rivals);
  const found = rivals.get(member);
  // Characteristic values exclude no others, and are too many to be cached.
  if (found !== undefined || fieldOf(member) !== member) return found ?? [member];
  const { excludes = {}, measures = {} } = resource;
  const units = Object.keys(measures).filter((unit) => measures[unit]?.includes(member));
  const made = [member, ...(excludes[member] ?? []), ...(measures[member] ?? []), ...units];
  rivals.set(member, made);
  return made;
}

/** Whether a member of one offer is overridden by a member of another: an amount only if the currencies differ. */
function excludes({ measures = {} }: Resource, one: OfferedMember, rival: string, offer: FeedOffer): boolean {
  if (!offer.has(rival)) return false;
  if (rival === one.member || measures[rival]?.includes(one.member) !== true) return true;
  const unit = one.offer.get(rival);
  return unit !== undefined && unit !== offer.get(rival);
}

/** The highest-ranked feed that overrides a member of an offer; undefined if it applies. */
function blockerOf(
  { settings, resource }: Pick<Contest, 'settings' | 'resource'>,
  one: OfferedMember,
  offers: Offers,
): string | undefined {
  const field = fieldOf(one.member);
  const rivals = rivalsOf(resource, one.member);
  const found: string[] = [];
  for (const [feed, offer] of offers) {
    if (feed === one.feed) continue;
    const isBlocked = rivals.some(
      (rival) =>
        excludes(resource, one, rival, offer) &&
        outranks(settings, { feed, field: fieldOf(rival) }, { feed: one.feed, field }),
    );
    if (isBlocked) found.push(feed);
  }
  return found.length < 2 ? found[0] : found.sort(byStrength(settings, field))[0];
}

/** A field of the item that does not apply, since a higher-ranked feed sends it. */
export interface WithheldField {
  readonly member: string;
  readonly value: unknown;
  readonly owner: string;
}

/**
 * The fields of an item that do not apply.
 * @param sent the item's offer
 */
export function withheldFields(contest: Contest, sent: FeedOffer): WithheldField[] {
  if (contest.others.size === 0) return [];
  const withheld: WithheldField[] = [];
  for (const [member, value] of sent) {
    const owner = blockerOf(contest, { feed: contest.feed, member, offer: contest.now }, contest.others);
    if (owner !== undefined) withheld.push({ member, value, owner });
  }
  return withheld;
}

/** The values of feeds that do not apply, since a higher-ranked feed sends the field too. */
export function keptOut(
  contest: Pick<Contest, 'settings' | 'resource'>,
  offers: Offers,
): (WithheldField & { readonly feed: string })[] {
  return [...offers].flatMap(([feed, offer]) =>
    [...offer].flatMap(([member, value]) => {
      const owner = blockerOf(contest, { feed, member, offer }, offers);
      return owner === undefined ? [] : [{ feed, member, value, owner }];
    }),
  );
}

/**
 * Whether two feeds send a field of a record that no ranking decides, so that the one that was last counts.
 * @param offers what each feed last sent of the record; if it is not known of the second one, that may be any field
 */
export function lastWriterWins(
  contest: Pick<Contest, 'settings' | 'resource'>,
  offers: Offers,
  [one, other]: readonly [string, string],
): boolean {
  const { resource, settings } = contest;
  const [mine, theirs] = [offers.get(one) ?? new Map<string, unknown>(), offers.get(other)];
  const applies = (sent: OfferedMember): boolean => blockerOf(contest, sent, offers) === undefined;
  return [...mine.keys()].some((member) => {
    const sent = { feed: one, member, offer: mine };
    const field = fieldOf(member);
    if (theirs === undefined) return applies(sent) && !outranks(settings, { feed: one, field }, { feed: other, field });
    return rivalsOf(resource, member).some((rival) => {
      const opposed = { feed: other, member: rival, offer: theirs };
      const isShared = excludes(resource, sent, rival, theirs) && excludes(resource, opposed, member, mine);
      return isShared && applies(sent) && applies(opposed);
    });
  });
}

/**
 * Whether a feed sends the same members of a record as before, and amounts in the same currency: then nothing of other feeds
 * comes to apply, or ceases to.
 */
export function sendsSameMembers({ measures = {} }: Resource, before: FeedOffer, now: FeedOffer): boolean {
  if (before.size === 0 || before.size !== now.size) return false;
  for (const [member, value] of now)
    if (!before.has(member) || (measures[member] !== undefined && before.get(member) !== value)) return false;
  return true;
}

/** A member of an offer that applies. */
export interface AppliedMember {
  readonly feed: string;
  readonly value: unknown;
}

/** The members that apply of all offers for a record, each of its highest feed; undefined where two without a rank send it. */
export function mergedOffers(
  contest: Pick<Contest, 'settings' | 'resource'>,
  offers: Offers,
): ReadonlyMap<string, AppliedMember | undefined> {
  const merged = new Map<string, AppliedMember | undefined>();
  for (const [feed, offer] of offers)
    for (const [member, value] of offer)
      if (blockerOf(contest, { feed, member, offer }, offers) === undefined)
        merged.set(member, merged.has(member) ? undefined : { feed, value });
  return merged;
}

/** A field of another feed that applies now. */
export interface PassedField extends AppliedMember {
  readonly member: string;
}

/** What a new offer changes for what other feeds send. */
interface ChangedOffers {
  /** What applies now and did not before, as the feed no longer sends what kept it out. Of two feeds without a rank neither counts. */
  readonly passed: readonly PassedField[];
  /** Lists that another feed had sent and that no longer apply: they are emptied. */
  readonly lost: readonly string[];
}

export function changedOffers(contest: Contest): ChangedOffers {
  const { resource, feed: own, before, now, others } = contest;
  const was = mergedOffers(contest, new Map([...others, [own, before]]));
  const is = mergedOffers(contest, new Map([...others, [own, now]]));
  const passed = [...is].flatMap(([member, one]) => {
    const isNew = one !== undefined && one.feed !== own && was.get(member)?.feed !== one.feed;
    return isNew && one.value !== notKept ? [{ member, ...one }] : [];
  });
  const lists = Object.keys(resource.excludes ?? {}).filter((name) => resource.fields[name]?.kind === 'list');
  const lost = lists.filter((name) => !is.has(name) && was.has(name) && was.get(name)?.feed !== own);
  return { passed, lost };
}
