// The ranking of feeds: whose value applies where several send the same field of a record. The settings of all feeds
// are one row, so that a transaction gets them with one look-up.
import type { OnlyAction } from '../only-action.js';
import type { CheckedFields } from '../planning/item-task.js';
import type { Draft } from '../rows/snapshot.js';
import type { RowOf } from '../rows/table.js';
import type { OfferShapes } from './feed-offer.js';
import { feedSettingsTable } from './run-tables.js';

export interface FeedSettings {
  /** Ranked feeds, the highest first. */
  readonly order: readonly string[];
  /** The fields that a feed owns, in which it outranks all others, by feed. A field has at most one owner. */
  readonly own: Readonly<Record<string, readonly string[]>>;
  readonly setNew: Readonly<Record<string, Readonly<Record<string, CheckedFields>>>>;
  /** What a feed may do alone, by feed. */
  readonly only?: Readonly<Record<string, OnlyAction>>;
  /** Feeds that have sent items since the ranking was set: their offers are known. */
  readonly senders: readonly string[];
  /** The numbered shapes of offers, once there are any. */
  readonly shapes?: OfferShapes;
  /** How often the settings were set: fingerprints of ranked feeds are valid for one version. */
  readonly version?: number;
}

export const noFeedSettings: FeedSettings = { order: [], own: {}, setNew: {}, senders: [] };

const rowId = 'feeds';

/** The row of the settings: another one after each change of them within a plan. */
export function findSettingsRow(draft: Draft): RowOf<typeof feedSettingsTable> | undefined {
  return draft.find(feedSettingsTable, 'id', rowId);
}

/** Looks the settings up, so that they are loaded together with the references of a batch. */
export function askFeedSettings(draft: Draft): void {
  draft.find(feedSettingsTable, 'id', rowId);
}

export function findFeedSettings(draft: Draft): FeedSettings | undefined {
  const row = findSettingsRow(draft);
  return row === undefined ? undefined : (JSON.parse(row.settings) as FeedSettings);
}

export function saveFeedSettings(draft: Draft, settings: FeedSettings): void {
  const known = draft.find(feedSettingsTable, 'id', rowId);
  draft.save(feedSettingsTable, { id: rowId, settings: JSON.stringify(settings) }, known ?? null);
}

export function hasRanking({ order, own }: FeedSettings): boolean {
  return order.length > 1 || Object.values(own).some((fields) => fields.length > 0);
}

/** Every feed whose offers are kept. */
export function rememberedFeeds({ order, own, senders }: FeedSettings): readonly string[] {
  return [...new Set([...order, ...Object.keys(own), ...senders])];
}

/**
 * What decides, in addition to an item and its record, which fields of the item apply: part of the key of fingerprints, so that those
 * of other feeds and rankings never match. '' if no feed outranks another.
 */
export function rankingScope(settings: FeedSettings | undefined, feed: string): string {
  if (settings === undefined || !hasRanking(settings)) return '';
  const { version = 0, order, own } = settings;
  return JSON.stringify([feed, version, order, own, [...new Set([...rememberedFeeds(settings), feed])].sort()]);
}

/** Feeds that did not run since they are ranked: what they send is not known yet. */
export interface SilentFeeds {
  /** Those that outrank the feed in some field. */
  readonly above: readonly string[];
  /** Those that it outranks by its rank. */
  readonly below: readonly string[];
}

/** The feeds of a ranking that a feed has to do with, and that did not run since they are ranked. */
export function silentFeeds({ order, own, senders }: FeedSettings, feed: string): SilentFeeds {
  const place = order.indexOf(feed);
  const isSilent = (name: string): boolean => name !== feed && !senders.includes(name);
  return {
    above: [...new Set([...Object.keys(own), ...order.slice(0, Math.max(place, 0))])].filter(isSilent),
    below: (place === -1 ? [] : order.slice(place + 1)).filter(isSilent),
  };
}

/** The rank of a feed in a field: 0 for its owner, then its position; infinite without a rank. */
function strength({ order, own }: FeedSettings, feed: string, field: string): number {
  if (own[feed]?.includes(field) === true) return 0;
  const rank = order.indexOf(feed);
  return rank === -1 ? Number.POSITIVE_INFINITY : rank + 1;
}

export function mayOutrank({ order, own }: FeedSettings, one: string, other: string): boolean {
  if ((own[one]?.length ?? 0) > 0) return true;
  const [place, theirs] = [order.indexOf(one), order.indexOf(other)];
  return place !== -1 && place < theirs;
}

/** A field as one feed sends it. */
export interface FeedField {
  readonly feed: string;
  readonly field: string;
}

/**
 * Whether one feed's value of a field overrides another feed's value of the same field, or of one that excludes it. A
 * feed without a rank gives way only to the owner of a field.
 */
export function outranks(settings: FeedSettings, one: FeedField, other: FeedField): boolean {
  if (one.feed === other.feed) return false;
  const own = strength(settings, one.feed, one.field);
  const theirs = strength(settings, other.feed, other.field);
  return own < theirs && (own === 0 || theirs !== Number.POSITIVE_INFINITY);
}

/** Feeds in the order of their rank in a field; those without a rank by name. */
export function byStrength(settings: FeedSettings, field: string): (one: string, other: string) => number {
  return (one, other) => {
    const [a, b] = [strength(settings, one, field), strength(settings, other, field)];
    return a === b ? (one < other ? -1 : 1) : a - b;
  };
}
