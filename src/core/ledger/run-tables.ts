// What is kept of imports: runs, what each changed, what feeds list, and what they no longer list. Plain tables, written in
// the transaction of the change they tell of, so that every store keeps them alike.
import { column, defineTable, type RowOf } from '../rows/table.js';

/**
 * The states of a run. `open`: under way, or its process died. `done`: the whole file was read. `stopped`: ended early by a
 * limit. `blocked`: a guard kept it from writing. `received`: POSTs with one `Catalog-Run`, `daily`: those without, of a key
 * and a day.
 */
export type RunStatus = 'open' | 'done' | 'stopped' | 'failed' | 'interrupted' | 'blocked' | 'received' | 'daily';

/** One import: a command, or the POSTs that came with one `Catalog-Run`. Times are Unix seconds. */
export const runTable = defineTable(
  'run',
  {
    /** Its number, with leading zeros so that the order of identifiers is that of runs. */
    id: column.text,
    /** What a client calls it: key and token. Of a run of this machine its `id`. */
    key: column.text,
    /** '' for none. */
    feed: column.text,
    state: column.text,
    created_at: column.integer,
    ended_at: column.nullableInteger,
    /** When it was last seen at work. */
    seen_at: column.integer,
    /** The process that runs it (store/ledger/process-identity.ts), '' over HTTP. */
    process: column.text,
    exit: column.nullableInteger,
    /** How many chunks of changes it has. */
    chunks: column.integer,
    created: column.integer,
    updated: column.integer,
    unchanged: column.integer,
    refused: column.integer,
    total: column.integer,
    /** `RunDetail` as JSON. */
    detail: column.text,
  },
  { id: ['id'], lookups: { key: ['key'] } },
);

export type RunRow = RowOf<typeof runTable>;

/** The number that the last run was given: one row. */
export const runSeries = defineTable('run_series', { id: column.text, last: column.integer }, { id: ['id'] });

/** What one transaction of a run changed. `created_at` is that of the run, so that all of a run is forgotten at once. */
export const changeTable = defineTable(
  'run_change',
  {
    /** The run's `id` and which of its chunks this is: see `chunkId`. */
    id: column.text,
    created_at: column.integer,
    /** Tells of most records that they are not in `body`. */
    filter: column.text,
    body: column.text,
  },
  { id: ['id'] },
);

/** The same table without what is large. */
export const changeFilterTable = defineTable(
  'run_change',
  { id: column.text, created_at: column.integer, filter: column.text },
  { id: ['id'] },
);

/** What was set for feeds: one row. */
export const feedSettingsTable = defineTable(
  'feed_settings',
  {
    id: column.text,
    /** `FeedSettings` as JSON. */
    settings: column.text,
  },
  { id: ['id'] },
);

/** What a feed lists of a resource, since its last complete run. */
export const listingTable = defineTable(
  'feed_listing',
  {
    /** Feed and resource: see `listingId`. */
    id: column.text,
    feed: column.text,
    resource: column.text,
    /** The last accepted run, how many accepted ones there were, and how many rows that one had. */
    run: column.text,
    runs: column.integer,
    total: column.integer,
    /** The hashes of the keys it read, sorted, as base64. */
    keys: column.text,
  },
  { id: ['id'] },
);

/** A record that a feed listed once and does not list now. */
export const missingTable = defineTable(
  'feed_missing',
  {
    /** Listing and key. */
    id: column.text,
    listing: column.text,
    key: column.text,
    /** The last run that read it. */
    last_run: column.text,
    /** The first complete run that did not, and the count of accepted runs at that time. */
    since_run: column.text,
    since: column.integer,
  },
  { id: ['id'], parent: 'listing' },
);

/** A record that was suspended because its run was undone or its feed no longer lists it: it regains its status when listed again. */
export const suspensionTable = defineTable(
  'suspension',
  {
    /** The record's identifier. */
    id: column.text,
    /** The status it had. */
    status: column.text,
    /** The run that suspended it. */
    run: column.text,
  },
  { id: ['id'] },
);

/** What a feed last sent of a record, while feeds are ranked (feed-offer.ts). */
export const offerTable = defineTable(
  'feed_offer',
  {
    /** Feed, resource and the record's key: see `offerId`. */
    id: column.text,
    /** The record's identifier. */
    record: column.text,
    /** The run and its line that sent it so for the first time. */
    run: column.text,
    line: column.integer,
    /** The fields and their values, as JSON; '' where the feed no longer lists the record. */
    fields: column.text,
    /** 0 where it no longer lists it. */
    created_at: column.integer,
  },
  { id: ['id'], parent: 'record' },
);

const digits = 10;

/** The identifier of a run by its number. */
export function runId(number: number): string {
  return String(number).padStart(digits, '0');
}

/** The number of a run by its identifier. */
export function runNumber(id: string): number {
  return Number(id);
}

/** The identifier of the n-th chunk of a run, from 0. */
export function chunkId(run: string, nth: number): string {
  return `${run}-${String(nth).padStart(digits, '0')}`;
}

/** The run that a chunk is of. */
export function runOfChunk(id: string): string {
  return id.slice(0, digits);
}

/** The identifier of a listing. Names of feeds hold no slash. */
export function listingId(feed: string, resource: string): string {
  return `${feed}/${resource}`;
}

/** One file of a run. */
export interface RunFile {
  readonly file: string;
  readonly resource: string;
  readonly size?: number;
  /** The SHA-256 of its bytes, as base64url. */
  readonly digest?: string;
}

/** What is kept of a run beside its counts. */
export interface RunDetail {
  /** What was typed: `products`, `run`, `undo 67`; over HTTP `POST`. */
  readonly command: string;
  /** The options that were given, but for what names a secret. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly files: readonly RunFile[];
  /** Over HTTP, the name of the key. */
  readonly user?: string;
  /** The SHA-256 of the plan that it applies. */
  readonly plan?: string;
  /** The number of the run that this one takes back. */
  readonly undoes?: number;
}
