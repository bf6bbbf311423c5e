// The ledger of a catalog: the history of its imports, with the operations that commands need.

import { createHash } from 'node:crypto';
import type { Selector } from '../../core/catalog.js';
import type { Report } from '../../core/import-report.js';
import type { EndLine } from '../../core/ledger/feed-end.js';
import {
  askFeedSettings,
  type FeedSettings,
  findFeedSettings,
  hasRanking,
  noFeedSettings,
  type SilentFeeds,
  saveFeedSettings,
  silentFeeds,
} from '../../core/ledger/feed-ranking.js';
import type { AcceptedRows } from '../../core/ledger/filled-fields.js';
import { listedKeys } from '../../core/ledger/listing.js';
import { chunkId, offerTable, runId } from '../../core/ledger/run-tables.js';
import { hasKey, type SeenKeys } from '../../core/ledger/seen-keys.js';
import type { Resource } from '../../core/resource.js';
import { resources, shopResources } from '../../core/resources/index.js';
import { epochId, epochTable } from '../../core/rows/reference-epoch.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Store } from '../store.js';
import { type DescribedChange, describeChanges } from './change-description.js';
import { chunkChanges } from './change-reader.js';
import { type ExplainedRecord, explainRecord } from './explain-record.js';
import {
  type AllRuns,
  acceptedRows,
  compareListing,
  countingRuns,
  type ListingChange,
  listingsOf,
  planListing,
  type VanishedRecord,
} from './listing-change.js';
import { type MissingRecord, missingOf, suspendMissing } from './listing-missing.js';
import { feedListings } from './listing-rows.js';
import { sharedRecords } from './listing-shared.js';
import { feedSettings, type ImportingStore, passOnUnlisted } from './listing-unlisted.js';
import { endPostedRun, notListed, type PostedRunEnd, suspendedSection } from './posted-end.js';
import { findPosted, type PostedRun } from './posted-runs.js';
import { type ProductPrices, productPrices } from './product-prices.js';
import { type ForgottenRuns, forgetRuns } from './run-forget.js';
import { allRuns, beginRun, type LedgerRun, type NewRun, type OpenRun } from './runs.js';
import { type UndoResult, undoRuns } from './undo-runs.js';
import { suspendedRecords, takenBack } from './undone-runs.js';

/** The names of resources in the order in which they are listed: that of an import. */
const importOrder: readonly string[] = [...shopResources, ...resources].map(({ name }) => name);

/** The history of the imports into a catalog. */
export interface Ledger {
  /** Identifies the catalog: equal for its copies and backups, different for every other catalog. */
  identity(): Promise<string>;
  /** Begins a run (see `beginRun`). */
  begin(run: NewRun): Promise<OpenRun>;
  /** Every stored run, the earliest first. */
  runs(): Promise<LedgerRun[]>;
  /** The changes of a run, transaction by transaction, in order. */
  changes(run: LedgerRun): AsyncGenerator<readonly DescribedChange[]>;
  /** The history of a record's fields, the latest value first; undefined for an unknown record. */
  explain(resource: Resource, key: string): Promise<ExplainedRecord | undefined>;
  /** The prices that a product had; undefined for an unknown one. @param now in Unix seconds */
  prices(selector: Selector, now: number): Promise<ProductPrices | undefined>;
  /**
   * Undoes runs.
   * @param open the undoing run; undefined for a dry run
   */
  undo(runs: readonly number[], open: OpenRun | undefined, signal: AbortSignal): Promise<UndoResult>;
  /** The identifiers of records that are suspended since an undo took back their creation. */
  takenBack(): Promise<ReadonlySet<string>>;
  /** The identifiers of records that a run suspended. */
  suspendedRecords(): Promise<ReadonlySet<string>>;
  /** What a feed's last accepted run read, by resource; empty before its first. @param runs those of `runs()`, here and below */
  acceptedRows(feed: string, runs: AllRuns): Promise<ReadonlyMap<string, AcceptedRows>>;
  compare(feed: string, seen: SeenKeys, runs: AllRuns): Promise<ListingChange>;
  /** Plans to save what a complete run of a feed read of each resource. */
  planListings(
    run: { readonly feed: string; readonly run: number },
    changes: readonly ListingChange[],
    draft: Draft,
  ): Generator<void>;
  /**
   * Suspends records that a feed no longer lists, unless another feed does.
   * @param open undefined for a dry run
   */
  suspend(
    feed: string,
    open: OpenRun | undefined,
    records: readonly MissingRecord[],
    runs: AllRuns,
  ): Promise<VanishedRecord[]>;
  /**
   * Applies the values of lower-ranked feeds to records that a feed no longer lists.
   * @param open undefined for a dry run
   * @param onReport is called with the report on each batch, whose lines then tell what changes
   * @returns the keys of the records that changed
   */
  passOn(
    feed: string,
    open: OpenRun | undefined,
    seen: SeenKeys,
    { runs, onReport }: { readonly runs: AllRuns; readonly onReport?: (report: Report) => void },
  ): Promise<readonly string[]>;
  /** The feed of a run of POSTs, '' for none; undefined if it has not begun. */
  feedOfPosted(posted: PostedRun): Promise<string | undefined>;
  /** Ends the run of POSTs (see `endPostedRun`). */
  endPosted(posted: PostedRun, end: PostedRunEnd): Promise<readonly EndLine[] | undefined>;
  /** For each other feed: how many records of the run it wrote last, and no ranking decides between the two. */
  sharedWith(feed: string, change: ListingChange, runs: AllRuns): Promise<ReadonlyMap<string, number>>;
  /** Feeds that are ranked above or below another one and list records of a resource, but have not run since they were ranked. */
  silentFeeds(feed: string, resource: string, runs: AllRuns): Promise<SilentFeeds>;
  /** The settings of feeds. */
  feedSettings(): Promise<FeedSettings>;
  setFeeds(change: (settings: FeedSettings) => FeedSettings): Promise<FeedSettings>;
  listings(runs: AllRuns): Promise<readonly FeedListing[]>;
  missing(feed: string, runs: AllRuns): Promise<MissingRecord[]>;
  /** Deletes the history of runs that are older than so many seconds: they can no longer be undone. */
  forget(keep: number, runs: AllRuns): Promise<ForgottenRuns>;
}

export interface FeedListing {
  readonly feed: string;
  readonly resource: string;
  /** The last accepted run. */
  readonly run: number;
  readonly records: number;
}

/** Changes the settings of feeds. While no feed is ranked, offers are not updated: those still stored are outdated, and deleted. */
function* planSettings(draft: Draft, change: (settings: FeedSettings) => FeedSettings): Generator<void, FeedSettings> {
  askFeedSettings(draft);
  yield;
  const stored = findFeedSettings(draft) ?? noFeedSettings;
  const isRanked = hasRanking(stored);
  if (!isRanked) draft.clear(offerTable);
  const before = isRanked ? stored : { ...stored, senders: [] };
  const settings = { ...change(before), version: (before.version ?? 0) + 1 };
  saveFeedSettings(draft, settings);
  return settings;
}

/** The resource of an import by its name; for characteristics the importable ones. */
function resourceOf(name: string): Resource | undefined {
  return [...resources, ...shopResources].find((resource) => resource.name === name);
}

/** @param wait milliseconds for which a run waits for another one of its feed */
export function ledgerOf(of: ImportingStore, wait: number): Ledger {
  const { store } = of;
  return {
    identity: () => catalogIdentity(store),
    begin: (run) => beginRun(store, run, wait),
    runs: () => allRuns(store),
    async *changes(run) {
      for (let nth = 0; nth < run.chunks; nth++) {
        const changes = (await chunkChanges(store, run.number, nth)) ?? [];
        const ofRecords = changes.filter(({ table }) => table !== offerTable.name);
        yield describeChanges(store, { chunk: chunkId(runId(run.number), nth), changes: ofRecords }, resourceOf);
      }
    },
    explain: (resource, key) => explainRecord(store, resource, key),
    prices: (selector, now) => productPrices(store, selector, now),
    undo: (targets, open, signal) => undoRuns({ store, targets, resourceOf }, open, signal),
    takenBack: () => takenBack(store),
    suspendedRecords: () => suspendedRecords(store),
    acceptedRows: (feed, runs) => acceptedRows(store, feed, runs),
    compare: (feed, seen, runs) => compareListing(store, feed, seen, runs),
    *planListings(run, changes, draft) {
      for (const change of changes) yield* planListing(draft, run, change);
    },
    async suspend(feed, open, records, runs) {
      const suspended: VanishedRecord[] = [];
      for (const resource of resources) {
        const own = records.filter((record) => record.resource === resource.name);
        if (own.length === 0) continue;
        const recorder = open?.addFile({ file: suspendedSection, resource: resource.name }, { isEnd: true });
        suspended.push(...(await suspendMissing(store, { resource, records: own, feed, runs }, recorder)));
      }
      return suspended;
    },
    async passOn(feed, open, { resource, keys }, { runs, onReport }) {
      const unlisted = { feed, resource, isListed: (hash: number) => hasKey(keys, hash), run: open?.number, runs };
      const recorder = open && (() => open.addFile({ file: notListed, resource: resource.name }, { isEnd: true }));
      return (await passOnUnlisted(of, unlisted, recorder, onReport)).changed;
    },
    feedOfPosted: async (posted) => (await store.read((draft) => findPosted(draft, posted)))?.feed,
    endPosted: (posted, end) => endPostedRun(of, posted, end),
    sharedWith: async (feed, change, runs) => sharedRecords(store, await feedSettings(store), { feed, change }, runs),
    async silentFeeds(feed, resource, runs) {
      const { above, below } = silentFeeds(await feedSettings(store), feed);
      if (above.length + below.length === 0) return { above, below };
      const listings = await listingsOf(store, resource, runs);
      const isListing = (name: string): boolean => listings.has(name);
      return { above: above.filter(isListing), below: below.filter(isListing) };
    },
    feedSettings: () => feedSettings(store),
    setFeeds: (change) => store.write((draft) => planSettings(draft, change)),
    async listings(runs) {
      const counts = countingRuns(runs);
      return (await feedListings(store))
        .flatMap(({ row: { feed, resource }, listing }) => {
          const listed = listedKeys(listing, counts);
          return listed === undefined ? [] : [{ feed, resource, run: listed.run, records: listed.keys.length }];
        })
        .sort((a, b) => importOrder.indexOf(a.resource) - importOrder.indexOf(b.resource));
    },
    missing: (feed, runs) => missingOf(store, feed, resources, runs),
    forget: (keep, runs) => forgetRuns(store, keep, runs),
  };
}

/** Characters of an identity: 96 bits. */
const length = 16;

/**
 * Returns the identity of a catalog. Since the random number is also the secret key of its fingerprints, only its hash
 * is used.
 * @returns '' for a store without fingerprints
 */
async function catalogIdentity(store: Store): Promise<string> {
  const epoch = await store.read(function* (draft) {
    draft.find(epochTable, 'id', epochId);
    yield;
    return draft.find(epochTable, 'id', epochId);
  });
  if (epoch === undefined) return '';
  const { key_high: high, key_low: low } = epoch;
  return createHash('sha256').update(`catalog ${high} ${low}`).digest('base64url').slice(0, length);
}
