// With ranked feeds: records that a feed no longer lists get the values of lower-ranked feeds. This is planned as an
// import of items without fields, so that all rules of an import apply.
import type { Batch } from '../../core/catalog.js';
import { validatedEntry } from '../../core/entry.js';
import type { Report } from '../../core/import-report.js';
import { offerParts } from '../../core/ledger/feed-offer.js';
import {
  askFeedSettings,
  type FeedSettings,
  findFeedSettings,
  hasRanking,
  noFeedSettings,
} from '../../core/ledger/feed-ranking.js';
import { hashNumber } from '../../core/ledger/recorded-change.js';
import { offerTable } from '../../core/ledger/run-tables.js';
import type { IdempotentCatalog } from '../../core/planning/idempotency-records.js';
import type { Resource } from '../../core/resource.js';
import { column, defineTable } from '../../core/rows/table.js';
import type { ImportOrigin } from '../catalog.js';
import { rowPages } from '../row-pages.js';
import type { Store } from '../store.js';
import { untilLoaded } from '../until-loaded.js';
import { type EndingRun, type IsListed, listedMeanwhile } from './listed-meanwhile.js';
import { feedRun } from './run-of-feed.js';
import type { RunRecorder } from './run-recorder.js';

/** Offers without their large column. */
const slimTable = defineTable(
  offerTable.name,
  { id: column.text, run: column.text, created_at: column.integer },
  { id: ['id'] },
);

export function feedSettings(store: Store): Promise<FeedSettings> {
  return store.read(function* (draft) {
    askFeedSettings(draft);
    yield;
    return findFeedSettings(draft) ?? noFeedSettings;
  });
}

/** A store, and the catalog on it. */
export interface ImportingStore {
  readonly store: Store;
  readonly importing: (origin: ImportOrigin) => IdempotentCatalog;
}

/** The run whose feed's offers are searched. */
export interface Unlisted extends EndingRun {
  /** What it lists. */
  readonly isListed: IsListed;
}

/** The keys of records that a feed once sent and no longer lists, each with the run that last sent it. */
async function unlistedKeys(
  store: Store,
  { feed, resource, isListed }: Unlisted,
  isListedMeanwhile: IsListed,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const rows of rowPages(store, slimTable))
    for (const { id, run, created_at: isLive } of rows) {
      const parts = offerParts(id);
      if (isLive === 0 || parts.feed !== feed || parts.resource !== resource.name) continue;
      const hash = hashNumber(parts.key);
      if (!isListed(hash, run) && !isListedMeanwhile(hash, run)) found.set(parts.key, run);
    }
  return found;
}

/** The hashes of the keys of what a feed offers; undefined where feeds are not ranked. */
export async function offeredKeys(store: Store, feed: string, resource: Resource): Promise<number[] | undefined> {
  if (!hasRanking(await feedSettings(store))) return undefined;
  const found: number[] = [];
  for await (const rows of rowPages(store, slimTable))
    for (const { id, created_at: isLive } of rows) {
      const parts = offerParts(id);
      if (isLive !== 0 && parts.feed === feed && parts.resource === resource.name) found.push(hashNumber(parts.key));
    }
  return found;
}

/** Items with a key and no other field, in batches. */
async function* emptyItems(store: Store, resource: Resource, keys: readonly string[]): AsyncGenerator<Batch> {
  for (let from = 0; from < keys.length; from += resource.limit) {
    const some = keys.slice(from, from + resource.limit);
    const rows = await store.read((draft) =>
      untilLoaded(draft, () => some.map((key) => resource.find({ key }, draft))),
    );
    yield rows.flatMap((row) => (row === undefined ? [] : [validatedEntry({ [resource.key]: row[resource.key] })]));
  }
}

/**
 * Applies the values of lower-ranked feeds to records that a feed no longer lists.
 * @param recorder records the changes under the run; undefined for a dry run
 * @param onReport is called with the report on each batch, whose lines then tell what changes
 * @returns the keys of the records that changed
 */
export async function passOnUnlisted(
  { store, importing }: ImportingStore,
  unlisted: Unlisted,
  recorder: (() => RunRecorder) | undefined,
  onReport?: (report: Report) => void,
): Promise<string[]> {
  if (!hasRanking(await feedSettings(store))) return [];
  const meanwhile = recorder === undefined ? () => false : await listedMeanwhile(store, unlisted);
  const sentBy = await unlistedKeys(store, unlisted, meanwhile);
  if (sentBy.size === 0) return [];
  const { resource, feed } = unlisted;
  const catalog = importing({ recorder: recorder?.(), feed: feedRun(feed, { sentBy }) });
  const changed: string[] = [];
  const batches = emptyItems(store, resource, [...sentBy.keys()]);
  const options = { dryRun: recorder === undefined, diff: onReport !== undefined };
  for await (const report of catalog.importBatches(resource, batches, options)) {
    for (const { action, external_id: key } of report.data) if (action === 'updated') changed.push(key);
    onReport?.(report);
  }
  if (recorder !== undefined) await store.deleteExpired(offerTable, 0);
  return changed;
}
