// Whose value counts in each field of a record, by what every feed sends of it.
import { type FeedOffer, fieldOf, notKept } from '../ledger/feed-offer.js';
import { byStrength, type FeedSettings, outranks } from '../ledger/feed-ranking.js';
import type { Resource } from '../resource.js';

/** What a contest goes by: a feed sends an item, and others sent theirs. */
export interface Contest {
  readonly settings: FeedSettings;
  readonly resource: Resource;
  /** The feed that sends the item. */
  readonly feed: string;
  /** What it sent of the record before, and what it sends now. */
  readonly before: FeedOffer;
  readonly now: FeedOffer;
  /** What the others sent last, by feed. */
  readonly others: ReadonlyMap<string, FeedOffer>;
}

/** A member of a feed's offer. */
interface OfferedMember {
  readonly feed: string;
  readonly member: string;
  readonly offer: FeedOffer;
}

type Offers = ReadonlyMap<string, FeedOffer>;

/** Whether two members of offers exclude each other: the same field, or fields that follow from one another. */
function exclude({ excludes, measures = {} }: Resource, one: OfferedMember, other: OfferedMember): boolean {
  if (one.member === other.member) return true;
  if (excludes?.[one.member]?.includes(other.member) === true) return true;
  if (measures[one.member]?.includes(other.member) === true) return true;
  // An amount in one currency is kept out by another currency.
  if (measures[other.member]?.includes(one.member) !== true) return false;
  const [unit, theirs] = [one.offer.get(other.member), other.offer.get(other.member)];
  return unit !== undefined && unit !== theirs;
}

/** Whether a feed sends what excludes a member of another one's offer. */
function isExcluded(resource: Resource, one: OfferedMember, feed: string, offer: FeedOffer): boolean {
  for (const member of offer.keys()) if (exclude(resource, one, { feed, member, offer })) return true;
  return false;
}

/** The highest feed that keeps a member of an offer out; undefined where it applies. */
function blockerOf(
  { settings, resource }: Pick<Contest, 'settings' | 'resource'>,
  one: OfferedMember,
  offers: Offers,
): string | undefined {
  const field = fieldOf(one.member);
  const found: string[] = [];
  for (const [feed, offer] of offers) {
    if (feed === one.feed) continue;
    for (const member of offer.keys()) {
      if (!exclude(resource, one, { feed, member, offer })) continue;
      if (!outranks(settings, { feed, field: fieldOf(member) }, { feed: one.feed, field })) continue;
      found.push(feed);
      break;
    }
  }
  return found.sort(byStrength(settings, field))[0];
}

/** A field of the item that does not apply: a higher feed sends it. */
export interface WithheldField {
  readonly member: string;
  readonly value: unknown;
  readonly owner: string;
}

/** The fields of an item that do not apply. @param sent those of the item */
export function withheldFields(contest: Contest, sent: FeedOffer): WithheldField[] {
  if (contest.others.size === 0) return [];
  const withheld: WithheldField[] = [];
  for (const [member, value] of sent) {
    const owner = blockerOf(contest, { feed: contest.feed, member, offer: contest.now }, contest.others);
    if (owner !== undefined) withheld.push({ member, value, owner });
  }
  return withheld;
}

/** What feeds send of a record and does not apply, as a higher feed sends it too. */
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

/** A field of another feed that applies now. */
export interface PassedField {
  readonly member: string;
  readonly feed: string;
  readonly value: unknown;
}

/**
 * Members of other offers that apply now, as this feed no longer sends what excludes them: of each the highest feed's. Where
 * two feeds without a rank send one, nobody can tell whose counts, and it stays.
 */
export function newlyWon(contest: Contest): PassedField[] {
  const { resource, feed: own, before, now, others } = contest;
  if (others.size === 0 || before.size === 0) return [];
  const won = new Map<string, PassedField[]>();
  for (const [feed, offer] of others) {
    for (const [member, value] of offer) {
      const one = { feed, member, offer };
      if (!isExcluded(resource, one, own, before) || isExcluded(resource, one, own, now)) continue;
      if (blockerOf(contest, one, others) === undefined)
        won.set(member, [...(won.get(member) ?? []), { member, feed, value }]);
    }
  }
  return [...won.values()].flatMap((rivals) => {
    const [first] = rivals;
    return rivals.length > 1 || first === undefined || first.value === notKept ? [] : [first];
  });
}

/** Lists that other feeds sent and that this feed keeps out from now on without sending one: they are emptied. */
export function newlyLost(contest: Contest): string[] {
  const { resource, feed: own, before, now, others } = contest;
  if (resource.excludes === undefined || others.size === 0) return [];
  const lists = Object.keys(resource.excludes).filter((name) => resource.fields[name]?.kind === 'list');
  const applied = (member: string, sent: FeedOffer): boolean => {
    const all = new Map([...others, [own, sent]]);
    return [...others].some(
      ([feed, offer]) => offer.has(member) && blockerOf(contest, { feed, member, offer }, all) === undefined,
    );
  };
  return lists.filter((member) => !now.has(member) && applied(member, before) && !applied(member, now));
}
