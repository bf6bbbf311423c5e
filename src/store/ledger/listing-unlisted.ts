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

/** What a feed offers of a resource. */
interface OfferedKeys {
  /** The hashes of the keys that it lists. */
  readonly listed: readonly number[];
  /** The keys that it no longer lists, each with the run that last sent it. */
  readonly sentBy: ReadonlyMap<string, string>;
}

async function offeredKeys(
  store: Store,
  { feed, resource, isListed }: Unlisted,
  isListedMeanwhile: IsListed,
): Promise<OfferedKeys> {
  const listed: number[] = [];
  const sentBy = new Map<string, string>();
  for await (const rows of rowPages(store, slimTable))
    for (const { id, run, created_at: isLive } of rows) {
      const parts = offerParts(id);
      if (isLive === 0 || parts.feed !== feed || parts.resource !== resource.name) continue;
      const hash = hashNumber(parts.key);
      if (isListed(hash, run) || isListedMeanwhile(hash, run)) listed.push(hash);
      else sentBy.set(parts.key, run);
    }
  return { listed, sentBy };
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

/** What the end of a run passed on. */
export interface PassedOn {
  /** The keys of the records that changed. */
  readonly changed: readonly string[];
  /** The hashes of the keys of what the feed offers and lists; none where feeds are not ranked. */
  readonly listed: readonly number[];
}

/**
 * Applies the values of lower-ranked feeds to records that a feed no longer lists.
 * @param recorder records the changes under the run; undefined for a dry run
 * @param onReport is called with the report on each batch, whose lines then tell what changes
 */
export async function passOnUnlisted(
  { store, importing }: ImportingStore,
  unlisted: Unlisted,
  recorder: (() => RunRecorder) | undefined,
  onReport?: (report: Report) => void,
): Promise<PassedOn> {
  if (!hasRanking(await feedSettings(store))) return { changed: [], listed: [] };
  const meanwhile = recorder === undefined ? () => false : await listedMeanwhile(store, unlisted);
  const { listed, sentBy } = await offeredKeys(store, unlisted, meanwhile);
  if (sentBy.size === 0) return { changed: [], listed };
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
  return { changed, listed };
}
