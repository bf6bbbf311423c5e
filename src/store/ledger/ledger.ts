// The ledger of a catalog: what is kept of its imports, as commands ask for it.
import type { ReadShape } from '../../core/import-report.js';
import { listingTable, type RunDetail } from '../../core/ledger/run-tables.js';
import type { SeenKeys } from '../../core/ledger/seen-keys.js';
import type { Resource } from '../../core/resource.js';
import { resources, shopResources } from '../../core/resources/index.js';
import type { Store } from '../store.js';
import { explainRecord, type FieldHistory } from './explain-record.js';
import { compareListing, type ListingChange, saveListing, type VanishedRecord } from './feed-listing.js';
import { type MissingRecord, missingOf, suspendMissing } from './missing-records.js';
import { type ChangeOfRun, chunkChanges } from './read-changes.js';
import { allRuns, beginRun, forgetRuns, type LedgerRun, type OpenRun } from './runs.js';
import { type UndoResult, undoRun } from './undo-run.js';

/** What is kept of the imports into a catalog. */
export interface Ledger {
  /** Begins a run (see `beginRun`). */
  begin(run: { readonly feed: string; readonly detail: RunDetail }): Promise<OpenRun>;
  /** Every run that is kept, the earliest first. */
  runs(): Promise<LedgerRun[]>;
  /** What a run changed, transaction by transaction, in order. */
  changes(run: LedgerRun): AsyncGenerator<readonly ChangeOfRun[]>;
  /** The history of a record's fields, the latest first; undefined where there is no such record. */
  explain(
    resource: Resource,
    key: string,
  ): Promise<{ readonly record: ReadShape; readonly fields: FieldHistory[] } | undefined>;
  /** Takes a run back. @param open the run that does so, undefined for a dry run */
  undo(run: LedgerRun, open: OpenRun | undefined, signal: AbortSignal): Promise<UndoResult>;
  /** How many rows the last accepted run of a feed had, by resource; empty before its first. */
  rowsOf(feed: string): Promise<ReadonlyMap<string, number>>;
  /** Holds what a run of a feed read against what it listed before. */
  compare(feed: string, seen: SeenKeys): Promise<ListingChange>;
  /** Saves what a complete run of a feed read. */
  saveListing(feed: string, open: OpenRun, change: ListingChange): Promise<void>;
  /** Suspends records that a feed lists no longer, unless another feed does. @param open undefined for a dry run */
  suspend(feed: string, open: OpenRun | undefined, records: readonly MissingRecord[]): Promise<VanishedRecord[]>;
  /** The records that a feed does not list now. */
  missing(feed: string): Promise<MissingRecord[]>;
  /** Forgets the runs that began at or before a time, in Unix seconds: they cannot be undone any more. */
  forget(before: number): Promise<{ readonly runs: number; readonly last: number }>;
}

/** The resource of an import by its name; of characteristics the importable ones. */
function resourceOf(name: string): Resource | undefined {
  return [...resources, ...shopResources].find((resource) => resource.name === name);
}

/** @param wait how long a run waits for another one of its feed, in milliseconds */
export function ledgerOf(store: Store, wait: number): Ledger {
  return {
    begin: (run) => beginRun(store, run, wait),
    runs: () => allRuns(store),
    async *changes(run) {
      for (let nth = 0; nth < run.chunks; nth++) {
        const changes = (await chunkChanges(store, run.number, nth)) ?? [];
        yield changes.map((change) => ({ run: run.number, change }));
      }
    },
    explain: (resource, key) => explainRecord(store, resource, key),
    undo: (run, open, signal) => undoRun({ store, run, resourceOf }, open, signal),
    async rowsOf(feed) {
      const rows = (await store.readAll(listingTable)).filter((row) => row.feed === feed);
      return new Map(rows.map(({ resource, total }) => [resource, total]));
    },
    compare: (feed, seen) => compareListing(store, feed, seen),
    saveListing: (feed, { number }, change) => saveListing(store, { feed, run: number }, change),
    async suspend(feed, open, records) {
      const suspended: VanishedRecord[] = [];
      for (const resource of resources) {
        const own = records.filter((record) => record.resource === resource.name);
        if (own.length === 0) continue;
        const recorder = open?.addFile({ file: 'missing', resource: resource.name });
        suspended.push(...(await suspendMissing(store, { resource, records: own, feed }, recorder)));
      }
      return suspended;
    },
    missing: (feed) => missingOf(store, feed, resources),
    forget: (before) => forgetRuns(store, before),
  };
}
