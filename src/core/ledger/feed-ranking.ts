// Whose value counts where several feeds send the same field of a record. The settings of all feeds are one row, so that a
// transaction has them with one look-up.
import type { CheckedFields } from '../planning/item-task.js';
import type { Draft } from '../rows/snapshot.js';
import { feedSettingsTable } from './run-tables.js';

/** What was set for feeds. */
export interface FeedSettings {
  /** Ranked feeds, the highest first. */
  readonly order: readonly string[];
  /** The fields in which a feed outranks all others, by feed. Each field has one such feed at most. */
  readonly own: Readonly<Record<string, readonly string[]>>;
  /** Values of new records, by feed and resource, as they are after the check of an item. */
  readonly setNew: Readonly<Record<string, Readonly<Record<string, CheckedFields>>>>;
  /** Feeds that sent items since there is a ranking: what these send is known. */
  readonly senders: readonly string[];
}

export const noFeedSettings: FeedSettings = { order: [], own: {}, setNew: {}, senders: [] };

const rowId = 'feeds';

/** Asks for the settings, so that they come with what a batch refers to. */
export function askFeedSettings(draft: Draft): void {
  draft.find(feedSettingsTable, 'id', rowId);
}

/** The settings as they are loaded; undefined where nothing was set. */
export function findFeedSettings(draft: Draft): FeedSettings | undefined {
  const row = draft.find(feedSettingsTable, 'id', rowId);
  return row === undefined ? undefined : (JSON.parse(row.settings) as FeedSettings);
}

/** Saves the settings. */
export function saveFeedSettings(draft: Draft, settings: FeedSettings): void {
  const known = draft.find(feedSettingsTable, 'id', rowId);
  draft.save(feedSettingsTable, { id: rowId, settings: JSON.stringify(settings) }, known ?? null);
}

/** Whether any feed outranks another one. */
export function hasRanking({ order, own }: FeedSettings): boolean {
  return order.length > 1 || Object.values(own).some((fields) => fields.length > 0);
}

/** Every feed whose items are remembered. */
export function rememberedFeeds({ order, own, senders }: FeedSettings): readonly string[] {
  return [...new Set([...order, ...Object.keys(own), ...senders])];
}

/** Feeds that outrank another one in some field and did not run since: what they send is not known yet. */
export function silentFeeds({ order, own, senders }: FeedSettings, feed: string): readonly string[] {
  const higher = [...Object.keys(own), ...order.slice(0, Math.max(order.indexOf(feed), 0))];
  return [...new Set(higher)].filter((name) => name !== feed && !senders.includes(name));
}

/** How strong a feed is in a field: 0 where it owns it, then by its rank; infinite without one. */
function strength({ order, own }: FeedSettings, feed: string, field: string): number {
  if (own[feed]?.includes(field) === true) return 0;
  const rank = order.indexOf(feed);
  return rank === -1 ? Number.POSITIVE_INFINITY : rank + 1;
}

/** A field as a feed sends it. */
export interface FeedField {
  readonly feed: string;
  readonly field: string;
}

/**
 * Whether what one feed sends in a field keeps out what another one sends in the same field, or in one that excludes it. A
 * feed without a rank gives way only to the owner of a field.
 */
export function outranks(settings: FeedSettings, one: FeedField, other: FeedField): boolean {
  if (one.feed === other.feed) return false;
  const own = strength(settings, one.feed, one.field);
  const theirs = strength(settings, other.feed, other.field);
  return own < theirs && (own === 0 || theirs !== Number.POSITIVE_INFINITY);
}

/** Feeds from the strongest to the weakest in a field; those of no rank by their names. */
export function byStrength(settings: FeedSettings, field: string): (one: string, other: string) => number {
  return (one, other) => {
    const [a, b] = [strength(settings, one, field), strength(settings, other, field)];
    return a === b ? (one < other ? -1 : 1) : a - b;
  };
}
