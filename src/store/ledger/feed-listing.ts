// The listings of feeds: the keys that the last complete run of each feed read, as a sorted set of hashes, and the
// records that a feed used to list and no longer does.

import type { AcceptedRows } from '../../core/ledger/filled-fields.js';
import { hashNumber } from '../../core/ledger/recorded-change.js';
import {
  listingId,
  listingTable,
  missingTable,
  type RunDetail,
  runId,
  runTable,
} from '../../core/ledger/run-tables.js';
import { hasKey, type SeenKeys } from '../../core/ledger/seen-keys.js';
import type { Resource } from '../../core/resource.js';
import type { Draft } from '../../core/rows/snapshot.js';
import { column, defineTable, type Row, type RowOf, type Table } from '../../core/rows/table.js';
import type { Store } from '../store.js';

type ListingRow = RowOf<typeof listingTable>;
export type MissingRow = RowOf<typeof missingTable>;

/** The listing of a feed for one resource. */
export interface Listing {
  readonly row: ListingRow;
  /** Hashes of keys, sorted. */
  readonly keys: Float64Array;
}

function encodeKeys(keys: Float64Array): string {
  return Buffer.from(keys.buffer, keys.byteOffset, keys.byteLength).toString('base64');
}

function decodeKeys(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64');
  const keys = new Float64Array(bytes.length / 8);
  Buffer.from(keys.buffer).set(bytes);
  return keys;
}

/** The number of keys in a stored listing. */
export function countKeys(text: string): number {
  return Buffer.byteLength(text, 'base64') / 8;
}

/** The hashes of a sorted set that are missing in another. */
function difference(keys: Float64Array, others: Float64Array): Set<number> {
  const found = new Set<number>();
  let at = 0;
  for (const key of keys) {
    while (at < others.length && (others[at] as number) < key) at++;
    if (others[at] !== key) found.add(key);
  }
  return found;
}

function union(keys: Float64Array, others: Float64Array): Float64Array {
  const more = [...difference(others, keys)];
  const all = new Float64Array(keys.length + more.length);
  all.set(keys);
  all.set(more, keys.length);
  return all.sort();
}

function listingOf(row: ListingRow): Listing {
  return { row, keys: decodeKeys(row.keys) };
}

/** All listings of a resource, by feed. */
export async function listingsOf(store: Store, resource: string): Promise<ReadonlyMap<string, Listing>> {
  const rows = (await store.readAll(listingTable)).filter((row) => row.resource === resource);
  return new Map(rows.map((row) => [row.feed, listingOf(row)]));
}

/** What a feed's last accepted run read, by resource. */
export async function acceptedRows(store: Store, feed: string): Promise<ReadonlyMap<string, AcceptedRows>> {
  const listings = (await store.readAll(listingTable)).filter((row) => row.feed === feed);
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
  const gone = before === undefined ? new Set<number>() : difference(before.keys, seen.keys);
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
  { seen, vanished, before }: ListingChange,
): Generator<void> {
  const id = listingId(feed, seen.resource.name);
  const isTrusted = seen.untrusted === 0;
  const { row, missing } = yield* loadListing(draft, id, isTrusted ? vanished.map(({ key }) => `${id}/${key}`) : []);
  const runs = (row?.runs ?? 0) + (isTrusted ? 1 : 0);
  const keys = isTrusted || before === undefined ? seen.keys : union(before.keys, seen.keys);
  const next: ListingRow = {
    ...{ id, feed, resource: seen.resource.name, run: runId(run), runs, total: seen.total },
    keys: encodeKeys(keys),
  };
  draft.save(listingTable, next, row ?? null);
  for (const one of missing) {
    if (one.since > 0 && hasKey(seen.keys, hashNumber(one.key))) draft.save(missingTable, { ...one, since: 0 }, one);
  }
  if (!isTrusted) return;
  for (const { key } of vanished) {
    const known = draft.find(missingTable, 'id', `${id}/${key}`);
    const made = {
      id: `${id}/${key}`,
      listing: id,
      key,
      last_run: row?.run ?? '',
      since_run: runId(run),
      since: runs,
    };
    draft.save(missingTable, made, known ?? null);
  }
}

function* loadListing(
  draft: Draft,
  id: string,
  missing: readonly string[],
): Generator<void, { readonly row: ListingRow | undefined; readonly missing: readonly MissingRow[] }> {
  for (;;) {
    const row = draft.find(listingTable, 'id', id);
    const rows = draft.children(missingTable, id);
    for (const one of missing) draft.find(missingTable, 'id', one);
    if (!draft.hasPending()) return { row, missing: rows };
    yield;
  }
}
