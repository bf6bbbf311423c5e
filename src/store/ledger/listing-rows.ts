// Listings as they are stored: keys and bits as base64, the rest as JSON.
import type { CompleteRun, Listing } from '../../core/ledger/listing.js';
import { listingId, listingTable } from '../../core/ledger/run-tables.js';
import type { RowOf } from '../../core/rows/table.js';
import type { Store } from '../store.js';

type ListingRow = RowOf<typeof listingTable>;

export interface StoredListing {
  readonly row: ListingRow;
  readonly listing: Listing;
}

export async function feedListings(store: Store): Promise<StoredListing[]> {
  return (await store.readAll(listingTable)).map((row) => ({ row, listing: listingOf(row) }));
}

/** What one feed lists of these resources: other feeds may list millions of records. */
export function listingsOfFeed(store: Store, feed: string, resources: readonly string[]): Promise<StoredListing[]> {
  return store.read(function* (draft) {
    const find = (resource: string) => draft.find(listingTable, 'id', listingId(feed, resource));
    for (const resource of resources) find(resource);
    yield;
    return resources.flatMap((resource) => {
      const row = find(resource);
      return row === undefined ? [] : [{ row, listing: listingOf(row) }];
    });
  });
}

/** What is stored as JSON. */
interface StoredRuns extends Pick<Listing, 'former'> {
  readonly runs: readonly CompleteRun[];
  readonly missing: readonly (readonly [hash: number, last: number, since: number, before: number])[];
}

export function listingOf(row: ListingRow): Listing {
  const { runs, former, missing } = JSON.parse(row.runs) as StoredRuns;
  return {
    ...{ runs, former },
    keys: new Float64Array(bytesOf(row.keys)),
    readBy: new Uint16Array(bytesOf(row.read_by)),
    missing: new Map(missing.map(([hash, last, since, before]) => [hash, { last, since, before }])),
  };
}

export function listingColumns({
  runs,
  former,
  keys,
  readBy,
  missing,
}: Listing): Pick<ListingRow, 'runs' | 'keys' | 'read_by'> {
  const stored: StoredRuns = {
    ...{ runs, former },
    missing: [...missing].map(([hash, { last, since, before }]) => [hash, last, since, before]),
  };
  return { runs: JSON.stringify(stored), keys: textOf(keys), read_by: textOf(readBy) };
}

function textOf({ buffer, byteOffset, byteLength }: Float64Array | Uint16Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function bytesOf(text: string): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'base64');
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}
