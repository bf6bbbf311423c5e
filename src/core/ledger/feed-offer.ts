// A feed's offer: what it last sent of a record, field by field. Kept while feeds are ranked, so that the value of a
// lower-ranked feed applies when no higher one sends the field. Each characteristic value of a product is a field:
// `attributes[capacity]`.
import { recordKey } from '../fields/record-key.js';
import type { CheckedFields } from '../planning/item-task.js';
import type { Resource } from '../resource.js';
import { findCharacteristic } from '../resources/characteristic-table.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { RowOf } from '../rows/table.js';
import { fold } from '../text/text.js';
import type { offerTable } from './run-tables.js';

export type OfferRow = RowOf<typeof offerTable>;

/** The fields that a feed sent of a record, with their checked values. */
export type FeedOffer = ReadonlyMap<string, unknown>;

/** A field whose value no other feed can take over: only the fact that it was sent is kept. */
export const notKept = Symbol('not kept');

const noOffer: FeedOffer = new Map();

/** The identifier of an offer: names of feeds and resources do not contain a slash. */
export function offerId(feed: string, resource: string, key: string): string {
  return `${feed}/${resource}/${key}`;
}

/** The parts of the identifier of an offer. */
export function offerParts(id: string): { readonly feed: string; readonly resource: string; readonly key: string } {
  const [feed = '', resource = ''] = id.split('/', 2);
  return { feed, resource, key: id.slice(feed.length + resource.length + 2) };
}

/** The field that an offer's member belongs to: `attributes` for `attributes[capacity]`. */
export function fieldOf(member: string): string {
  const at = member.indexOf('[');
  return at === -1 ? member : member.slice(0, at);
}

/** Fields without ranking: those that identify the record, and its time of creation, which never changes. */
export function unrankedFields({ fields, key }: Resource): ReadonlySet<string> {
  const words = Object.keys(fields).filter((name) => {
    const field = fields[name];
    return field?.kind === 'choice' && field.keys !== undefined;
  });
  return new Set([...recordKey(fields, key).names, ...words, 'created_at']);
}

const attributes = 'attributes';

interface NamedEntry {
  readonly type?: string;
}

/** The offer made by an item. */
export function offerOf(item: CheckedFields, unranked: ReadonlySet<string>, snapshot: Snapshot): FeedOffer {
  const offer = new Map<string, unknown>();
  for (const [name, value] of Object.entries(item)) {
    if (value === undefined || unranked.has(name)) continue;
    if (name !== attributes) offer.set(name, value);
    else
      for (const entry of value as readonly NamedEntry[]) {
        const type = entry.type ?? '';
        const member = `${attributes}[${fold(findCharacteristic(snapshot, type)?.name ?? type)}]`;
        offer.set(member, [...((offer.get(member) as NamedEntry[] | undefined) ?? []), entry]);
      }
  }
  return offer;
}

/** The fields of an item that these members belong to. */
export function itemFields(members: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const item: Record<string, unknown> = {};
  for (const [member, value] of members) {
    const name = fieldOf(member);
    if (name === member) item[name] = value;
    else item[name] = [...((item[name] as unknown[] | undefined) ?? []), ...(value as unknown[])];
  }
  return item;
}

/**
 * Serializes an offer: the names of members whose values are not kept, then members with their values.
 * @param isKept whether the value of a member is kept
 */
export function packOffer(offer: FeedOffer, isKept: (member: string) => boolean): string {
  const names: string[] = [];
  const values: Record<string, unknown> = {};
  for (const member of [...offer.keys()].sort()) {
    const value = offer.get(member);
    if (value === notKept || !isKept(member)) names.push(member);
    else values[member] = value;
  }
  return offer.size === 0 ? '' : JSON.stringify([names.join('\n'), values]);
}

/** Parses a serialized offer. */
export function unpackOffer(text: string): FeedOffer {
  if (text === '') return noOffer;
  const [names, values] = JSON.parse(text) as [string, Record<string, unknown>];
  const offer = new Map<string, unknown>(Object.entries(values));
  if (names !== '') for (const name of names.split('\n')) offer.set(name, notKept);
  return offer;
}
