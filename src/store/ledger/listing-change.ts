// What feeds list: by the keys that the last complete runs of each feed read (core/ledger/listing.ts).

import type { AcceptedRows } from '../../core/ledger/filled-fields.js';
import { addRun, difference, type ListedKeys, listedKeys, noListing } from '../../core/ledger/listing.js';
import { hashNumber } from '../../core/ledger/recorded-change.js';
import { listingId, listingTable } from '../../core/ledger/run-tables.js';
import type { SeenKeys } from '../../core/ledger/seen-keys.js';
import type { Resource } from '../../core/resource.js';
import { resources, shopResources } from '../../core/resources/index.js';
import type { Draft } from '../../core/rows/snapshot.js';
import { column, defineTable, type Table } from '../../core/rows/table.js';
import { rowPages } from '../row-pages.js';
import type { Store } from '../store.js';
import { feedListings, listingColumns, listingOf, listingsOfFeed } from './listing-rows.js';
import type { LedgerRun } from './runs.js';
import { undoneRuns } from './undone-runs.js';

/** Every stored run, the earliest first: read once for all that is asked at one time, as there may be thousands. */
export type AllRuns = readonly LedgerRun[];

/** What each feed lists of a resource by the runs that count, by feed. */
export async function listingsOf(
  store: Store,
  resource: string,
  runs: AllRuns,
): Promise<ReadonlyMap<string, ListedKeys>> {
  const counts = countingRuns(runs);
  const listed = (await feedListings(store)).flatMap(({ row, listing }) => {
    const keys = row.resource === resource ? listedKeys(listing, counts) : undefined;
    return keys === undefined ? [] : [[row.feed, keys] as const];
  });
  return new Map(listed);
}

/** Whether a run counts: it is not undone. */
export function countingRuns(runs: AllRuns): (run: number) => boolean {
  const undone = undoneRuns(runs);
  return (run) => !undone.has(run);
}

/** What a feed's last accepted run read, by resource. */
export async function acceptedRows(
  store: Store,
  feed: string,
  runs: AllRuns,
): Promise<ReadonlyMap<string, AcceptedRows>> {
  const byNumber = new Map(runs.map((run) => [run.number, run]));
  const counts = countingRuns(runs);
  const names = [...resources, ...shopResources].map(({ name }) => name);
  const rows = (await listingsOfFeed(store, feed, [...new Set(names)])).flatMap(({ row, listing }) => {
    const listed = listedKeys(listing, counts);
    // A feed that was retired begins anew.
    if (listed === undefined || listed.total === 0) return [];
    const filled = byNumber.get(listed.run)?.detail.filled?.[row.resource];
    return [[row.resource, { rows: listed.total, ...(filled && { filled }) }] as const];
  });
  return new Map(rows);
}

/** A record that a feed used to list. */
export interface VanishedRecord {
  readonly id: string;
  /** As it is stored: `Lamps`. */
  readonly key: string;
  /** The hash of the key as it is compared, by which listings know it. */
  readonly hash: number;
  readonly status: string;
}

/** The table of the record, reduced to identifier, key (as it is compared, and as it is shown) and status. */
function slimTable({ tables, key, keyColumn }: Resource & { readonly keyColumn: string }): Table {
  const [root] = tables as [Table];
  const columns = { id: column.text, [keyColumn]: column.text, [key]: column.text, status: column.text };
  return defineTable(root.name, columns, { id: ['id'], lookups: root.lookups as never });
}

/** The column of a record's key: the folded one where names are compared case-insensitively. */
export function keyColumnOf({ tables, key }: Resource): string {
  return tables[0]?.columns.includes('key') === true ? 'key' : key;
}

/** The records whose keys have these hashes. */
export async function recordsOf(
  store: Store,
  resource: Resource,
  hashes: ReadonlySet<number>,
): Promise<VanishedRecord[]> {
  if (hashes.size === 0) return [];
  const keyColumn = keyColumnOf(resource);
  const table = slimTable({ ...resource, keyColumn });
  const found: VanishedRecord[] = [];
  for await (const rows of rowPages(store, table))
    for (const row of rows) {
      const hash = hashNumber(String(row[keyColumn]));
      if (hashes.has(hash))
        found.push({ id: String(row['id']), key: String(row[resource.key]), hash, status: String(row['status']) });
    }
  return found;
}

/** The difference between a run and the previous listing of its feed. */
export interface ListingChange {
  /** The previous listing; undefined for the first run. */
  readonly before: ListedKeys | undefined;
  readonly seen: SeenKeys;
  /** Records that were listed before, and are not now. */
  readonly vanished: readonly VanishedRecord[];
  /** Whether an earlier run counts. */
  readonly counts: (run: number) => boolean;
}

/** Compares what a run read with the previous listing of its feed. */
export async function compareListing(
  store: Store,
  feed: string,
  seen: SeenKeys,
  runs: AllRuns,
): Promise<ListingChange> {
  const counts = countingRuns(runs);
  const [stored] = await listingsOfFeed(store, feed, [seen.resource.name]);
  const before = stored && listedKeys(stored.listing, counts);
  const gone = new Set(before === undefined ? [] : difference(before.keys, seen.keys));
  return {
    ...{ before, seen, counts },
    vanished: await recordsOf(store, seen.resource, gone),
  };
}

/**
 * Plans to save what a complete run read.
 * @param run the number of the run
 */
export function* planListing(
  draft: Draft,
  { feed, run }: { readonly feed: string; readonly run: number },
  { seen: { resource, keys, total, untrusted }, counts }: ListingChange,
): Generator<void> {
  const id = listingId(feed, resource.name);
  draft.find(listingTable, 'id', id);
  yield;
  const stored = draft.find(listingTable, 'id', id);
  const before = stored === undefined ? noListing : listingOf(stored);
  // The end of a run over HTTP may arrive after that of a later run, whose listing is newer.
  if (before.runs.some((later) => later.run > run && counts(later.run))) return;
  const listing = addRun(before, { run, total, isTrusted: untrusted === 0 }, keys, counts);
  draft.save(listingTable, { id, feed, resource: resource.name, ...listingColumns(listing) }, stored ?? null);
}
