// The listings of feeds: the keys that the last complete run of each feed read, as a sorted set of hashes, and the
// records that a feed used to list and no longer does.

import type { AcceptedRows } from '../../core/ledger/filled-fields.js';
import { difference, stepForward, stepOf } from '../../core/ledger/listing-step.js';
import { hashNumber } from '../../core/ledger/recorded-change.js';
import { listingId, type RunDetail, runId, runTable } from '../../core/ledger/run-tables.js';
import type { SeenKeys } from '../../core/ledger/seen-keys.js';
import type { Resource } from '../../core/resource.js';
import type { Draft } from '../../core/rows/snapshot.js';
import { column, defineTable, type Row, type Table } from '../../core/rows/table.js';
import type { Store } from '../store.js';
import { decodeKeys, type ListingRow, listingRows, loadState, saveState, saveStep } from './listing-rows.js';

/** The listing of a feed for one resource. */
export interface Listing {
  readonly row: ListingRow;
  /** Hashes of keys, sorted. */
  readonly keys: Float64Array;
}

function listingOf(row: ListingRow): Listing {
  return { row, keys: decodeKeys(row.keys) };
}

/** All listings of a resource, by feed. */
export async function listingsOf(store: Store, resource: string): Promise<ReadonlyMap<string, Listing>> {
  const rows = (await listingRows(store)).filter((row) => row.resource === resource);
  return new Map(rows.map((row) => [row.feed, listingOf(row)]));
}

/** What a feed's last accepted run read, by resource. */
export async function acceptedRows(store: Store, feed: string): Promise<ReadonlyMap<string, AcceptedRows>> {
  const listings = (await listingRows(store)).filter((row) => row.feed === feed);
  const runs = await store.read(function* (draft) {
    for (;;) {
      const found = listings.map(({ run }) => draft.find(runTable, 'id', run));
      if (!draft.hasPending()) return found;
      yield;
    }
  });
  return new Map(
    listings.map(({ resource, total }, i) => {
      const { filled } = JSON.parse(runs[i]?.detail ?? '{}') as Pick<RunDetail, 'filled'>;
      const own = filled?.[resource];
      return [resource, { rows: total, ...(own && { filled: own }) }];
    }),
  );
}

/** A record that a feed used to list. */
export interface VanishedRecord {
  readonly id: string;
  readonly key: string;
  readonly status: string;
}

const pageSize = 1000;

/** A record's own table with only its key and status. */
function slimTable({ tables, keyColumn }: Resource & { readonly keyColumn: string }): Table {
  const [root] = tables as [Table];
  const columns = { id: column.text, [keyColumn]: column.text, status: column.text };
  return defineTable(root.name, columns, { id: ['id'], lookups: root.lookups as never });
}

/** The column of a record's key: the folded one where names are compared case-insensitively. */
function keyColumnOf({ tables, key }: Resource): string {
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
  for (let after: string | undefined; ; ) {
    const page = { limit: pageSize, ...(after !== undefined && { after }) };
    const rows: readonly Row[] = await store.scan(table, page, given);
    for (const row of rows) {
      const key = String(row[keyColumn]);
      if (hashes.has(hashNumber(key))) found.push({ id: String(row['id']), key, status: String(row['status']) });
    }
    if (rows.length < pageSize) return found;
    after = String(rows.at(-1)?.['id']);
  }
}

// biome-ignore lint/correctness/useYield: a plan yields only where something is pending
function* given<R>(rows: readonly R[]): Generator<void, readonly R[]> {
  return rows;
}

/** The difference between a run and the previous listing of its feed. */
export interface ListingChange {
  /** The previous listing; undefined for the first run. */
  readonly before: Listing | undefined;
  readonly seen: SeenKeys;
  /** Records that were listed before, and are not now. */
  readonly vanished: readonly VanishedRecord[];
}

/** Compares what a run read with the previous listing of its feed. */
export async function compareListing(store: Store, feed: string, seen: SeenKeys): Promise<ListingChange> {
  const before = (await listingsOf(store, seen.resource.name)).get(feed);
  const gone = new Set(before === undefined ? [] : difference(before.keys, seen.keys));
  return { before, seen, vanished: await recordsOf(store, seen.resource, gone) };
}

/**
 * Plans to save what a complete run read. If a key could not be trusted, no record counts as missing, and the previous
 * listing is kept.
 * @param run the number of the run
 */
export function* planListing(
  draft: Draft,
  { feed, run }: { readonly feed: string; readonly run: number },
  { seen: { resource, keys, total, untrusted }, vanished }: ListingChange,
): Generator<void> {
  const id = listingId(feed, resource.name);
  const stored = yield* loadState(draft, id);
  const names = new Map(vanished.map(({ key }) => [hashNumber(key), key]));
  const step = stepOf(stored.state, { run: runId(run), total, keys, isTrusted: untrusted === 0 }, names);
  saveState(draft, { id, feed, resource: resource.name }, stored, stepForward(stored.state, step));
  yield* saveStep(draft, resource.name, step);
}
