// Tables of the ledger: runs, what each changed, what feeds list, and what they no longer list. Plain tables, written
// in the transaction of the changes they describe, so that every store keeps them alike.

import type { Warning } from '../diagnostics/warning-codes.js';
import { column, defineTable, type RowOf } from '../rows/table.js';
import type { EndCounts } from './feed-end.js';
import type { FilledFields } from './filled-fields.js';
import type { GuardFigure } from './guard-figure.js';
import type { PlanProgress } from './plan-progress.js';

/**
 * The states of a run. `open`: running, or its process died. `done`: the whole file was read. `stopped`: ended early by
 * a limit. `blocked`: stopped by a guard before its first write. `received`: POSTs with one `Catalog-Run`
 * whose end did not come (yet); `daily`: those without, by key and day.
 */
export type RunStatus = 'open' | 'done' | 'stopped' | 'failed' | 'interrupted' | 'blocked' | 'received' | 'daily';

/** One import: a command, or the POSTs that came with one `Catalog-Run`. Times are Unix seconds. */
export const runTable = defineTable(
  'run',
  {
    /** Its number, with leading zeros so that the order of identifiers is that of runs. */
    id: column.text,
    /** The client's name for it: key and token. For a run of this machine its `id`. */
    key: column.text,
    /** '' for none. */
    feed: column.text,
    state: column.text,
    created_at: column.integer,
    ended_at: column.nullableInteger,
    /** When the run was last active. */
    seen_at: column.integer,
    /** Its process (files/process-identity.ts), '' over HTTP. */
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

/** The same table without its large column. */
export const runHeadTable = defineTable(
  'run',
  { id: column.text, state: column.text, created_at: column.integer },
  { id: ['id'] },
);

/** The number of the last run: one row. */
export const runSeries = defineTable('run_series', { id: column.text, last: column.integer }, { id: ['id'] });

/** The changes of one transaction of a run. `created_at` is that of the run. */
export const changeTable = defineTable(
  'run_change',
  {
    /** The run's `id` and the index of this chunk: see `chunkId`. */
    id: column.text,
    created_at: column.integer,
    /** A filter that excludes most records that are not in `body`. */
    filter: column.text,
    body: column.text,
  },
  { id: ['id'] },
);

/** The same table without its large column. */
export const changeFilterTable = defineTable(
  'run_change',
  { id: column.text, created_at: column.integer, filter: column.text },
  { id: ['id'] },
);

/** The settings of feeds: one row. */
export const feedSettingsTable = defineTable(
  'feed_settings',
  {
    id: column.text,
    /** `FeedSettings` as JSON. */
    settings: column.text,
  },
  { id: ['id'] },
);

/** What the last complete runs of a feed read of a resource (listing.ts). */
export const listingTable = defineTable(
  'feed_listing',
  {
    /** Feed and resource: see `listingId`. */
    id: column.text,
    feed: column.text,
    resource: column.text,
    /** The runs, and what was missing before them, as JSON. */
    runs: column.text,
    /** The hashes of the keys that they read, sorted, and the bits of the runs that read each: as base64. */
    keys: column.text,
    read_by: column.text,
  },
  { id: ['id'] },
);

/**
 * A record that was suspended because its run was undone or its feed no longer lists it. It regains its status when it
 * is listed again.
 */
export const suspensionTable = defineTable(
  'suspension',
  {
    id: column.text,
    /** Its former status; '' where the suspension is over. */
    status: column.text,
    /** The run that suspended it; `byUndo` of an undo that took back its creation. '' where it regained the former status. */
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
    record: column.text,
    /** The run and the line that first sent this offer. */
    run: column.text,
    line: column.integer,
    /** The fields and their values as JSON; '' if the feed no longer lists the record. */
    fields: column.text,
    /** 0 if the feed no longer lists it. */
    created_at: column.integer,
  },
  { id: ['id'], parent: 'record' },
);

const digits = 10;

export function runId(number: number): string {
  return String(number).padStart(digits, '0');
}

export function runNumber(id: string): number {
  return Number(id);
}

export function chunkId(run: string, nth: number): string {
  return `${run}-${String(nth).padStart(digits, '0')}`;
}

export function runOfChunk(id: string): string {
  return id.slice(0, digits);
}

/** The identifier of a listing. Names of feeds do not contain a slash. */
export function listingId(feed: string, resource: string): string {
  return `${feed}/${resource}`;
}

export interface RunFile {
  readonly file: string;
  readonly resource: string;
  readonly size?: number;
  /** The SHA-256 of its bytes, as base64url. */
  readonly digest?: string;
}

export interface RunDetail {
  /** The typed command: `products`, `run`, `undo 67`; over HTTP `POST`. */
  readonly command: string;
  /** The given options, without any that name a secret. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly files: readonly RunFile[];
  /** Over HTTP, the name of the key. */
  readonly user?: string;
  /** Whether nothing of it is kept (`--no-history`): it is a run only so that two imports of its feed never interleave. */
  readonly unrecorded?: true;
  /** The SHA-256 of the plan it applies. */
  readonly plan?: string;
  /** Which items of that plan it did; absent until its first transaction. */
  readonly progress?: PlanProgress;
  /** In how many rows each field had a value, by resource: of a complete run of a feed. */
  readonly filled?: Readonly<Record<string, FilledFields>>;
  readonly warnings?: readonly Warning[];
  /** What its guards found: what is not zero with words. Those of accepted runs are what a week adds up to. */
  readonly guards?: readonly GuardFigure[];
  /** Why it ended early. */
  readonly failure?: string;
  /** How many records its end changed. */
  readonly effects?: EndCounts;
  /** Over HTTP, the resources for which its client told that it has ended. */
  readonly ended?: readonly string[];
  /** Over HTTP, the number of the catalog's latest run at the client's last request; absent if that was this run. */
  readonly seen?: number;
  /** The numbers of the runs that it undoes. */
  readonly undoes?: readonly number[];
}
