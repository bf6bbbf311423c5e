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

/**
 * The offer of a record that a run sent again without saving anything: its item was refused or left out. Over HTTP the run lists the
 * record, but did not make the offer: the line, that of an earlier run, is stored as a negative number.
 */
export function heldOffer(offer: OfferRow, run: string): OfferRow {
  return { ...offer, run, line: isHeld(offer) ? offer.line : -1 - offer.line };
}

export function isHeld({ line }: Pick<OfferRow, 'line'>): boolean {
  return line < 0;
}

/** The line in its file that an offer was sent from. */
export function lineOfOffer({ line }: Pick<OfferRow, 'line'>): number {
  return line < 0 ? -1 - line : line;
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

/** The mark of a member in a shape whose value is kept. */
const kept = '=';

/**
 * The shapes of offers: their members in order as JSON, with a mark where the value is kept. Nearly all offers of a feed
 * have one of a few, so that an offer has the number of its shape, and the values.
 */
export type OfferShapes = readonly string[];

/** Beyond this many shapes, and for longer ones, an offer contains its own. */
const mostShapes = 200;
const longestShape = 2000;

/** An offer as it is stored: its shape, and the kept values in the order of that. */
export interface PackedOffer {
  readonly shape: string;
  readonly values: readonly unknown[];
}

/** The shape of offers that have the same members, and the members whose values are kept, in the order of the shape. */
interface OfferLayout {
  readonly shape: string;
  readonly kept: readonly string[];
}

/** The layouts of offers by their members, as nearly all items of a file have the same. */
export type OfferLayouts = Map<string, OfferLayout>;

/**
 * Packs an offer.
 * @param isKept whether the value of a member is kept
 * @param layouts known ones by the same `isKept`; a new one is added
 */
export function packOffer(
  offer: FeedOffer,
  isKept: (member: string) => boolean,
  layouts: OfferLayouts = new Map(),
): PackedOffer {
  if (offer.size === 0) return { shape: '', values: [] };
  let names = '';
  // No member contains NUL. A value that is not kept is not kept again.
  for (const [member, value] of offer) names += value === notKept ? `${member}\0\0` : `${member}\0`;
  const layout = layouts.get(names) ?? layoutOf(offer, isKept);
  layouts.set(names, layout);
  return { shape: layout.shape, values: layout.kept.map((member) => offer.get(member)) };
}

function layoutOf(offer: FeedOffer, isKept: (member: string) => boolean): OfferLayout {
  const members = [...offer.keys()].sort();
  const own = members.filter((member) => offer.get(member) !== notKept && isKept(member));
  const isOwn = new Set(own);
  return { shape: JSON.stringify(members.map((member) => (isOwn.has(member) ? kept + member : member))), kept: own };
}

/** Whether a further shape gets a number. */
export function isNumbered(shapes: OfferShapes, shape: string): boolean {
  return shapes.length < mostShapes && shape.length <= longestShape;
}

/**
 * Serializes a packed offer: `#3[10,"EUR"]`.
 * @param number that of its shape; undefined if it has none
 */
export function offerText({ shape, values }: PackedOffer, number: number | undefined): string {
  if (shape === '') return '';
  if (number === undefined) return JSON.stringify([shape, values]);
  return `#${number}${values.length === 0 ? '' : JSON.stringify(values)}`;
}

export function unpackOffer(text: string, shapes: OfferShapes): FeedOffer {
  if (text === '') return noOffer;
  if (!text.startsWith('#')) {
    const [shape, values] = JSON.parse(text) as [string, readonly unknown[]];
    return shaped(shape, values);
  }
  const at = text.indexOf('[');
  const shape = shapes[Number(at === -1 ? text.slice(1) : text.slice(1, at))];
  if (shape === undefined) throw new Error(`an offer has the unknown shape ${text.slice(0, 8)}`);
  return shaped(shape, at === -1 ? [] : (JSON.parse(text.slice(at)) as readonly unknown[]));
}

function shaped(shape: string, values: readonly unknown[]): FeedOffer {
  const offer = new Map<string, unknown>();
  let at = 0;
  for (const member of JSON.parse(shape) as readonly string[]) {
    if (member.startsWith(kept)) offer.set(member.slice(kept.length), values[at++]);
    else offer.set(member, notKept);
  }
  return offer;
}
