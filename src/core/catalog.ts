// The nouns of the whole house. Local file and remote instance are the same `Catalog`; every command and every
// endpoint speaks to this port and to nothing behind it.
import type { Resource } from './resource.js';

/** One thing worth saying about an item that was accepted, or a further problem of one that was refused. */
export interface Notice {
  readonly code: string;
  /** The path of the field it concerns (`axes[1].price_mode`), or '' for the whole item. */
  readonly field: string;
  readonly message: string;
}

/** A field that an item changed, in the form a read shows it. `from` is null on a record that was not there. */
export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

export type Action = 'created' | 'updated' | 'unchanged' | 'refused';

/** What happened to one submitted item: an entry of the report's `data`. */
export interface Line {
  readonly index: number;
  readonly external_id: string;
  readonly action: Action;
  readonly id: string | null;
  readonly code: string | null;
  readonly title: string | null;
  readonly reason: string | null;
  readonly notice: readonly Notice[];
  /** Only where `diff` was asked for. */
  readonly changes?: readonly Change[];
}

/** How many items ended in which way. */
export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  refused: number;
  total: number;
}

/** The answer to one batch: the `response` of a POST. */
export interface Report extends Readonly<Counts> {
  readonly object: 'list';
  readonly resource: string;
  readonly dry_run: boolean;
  readonly data: readonly Line[];
}

export interface ImportOptions {
  /** Nothing is kept; the report says what would happen. */
  readonly dryRun?: boolean;
  /** Each line carries what changed. */
  readonly diff?: boolean;
  /**
   * Asked about each batch once it is decided and before it is applied; answering false stops there: that batch and
   * those after it are not applied, and get no report.
   */
  readonly accept?: (report: Report) => boolean;
  /** Rows that belong into the transaction of the one batch sent: the report kept under an Idempotency-Key. */
  readonly receipt?: Receipt;
}

/** Where the report of a batch is kept so that sending the batch again answers the same. */
export interface Receipt {
  /** Whose key it is and where it was used: an idempotency key belongs to an API key and a path. */
  readonly owner: string;
  readonly key: string;
  /** A digest of the body's bytes. */
  readonly fingerprint: string;
}

/** A record in the read shape of its resource. */
export type ReadShape = Readonly<Record<string, unknown>>;

/** How a single record is asked for: by its key or by its identifier. */
export type Selector = { readonly key: string } | { readonly id: string };

/** The items of one call, no more than the resource's limit. An entry made by `refusedRow` is refused as it says. */
export type Batch = readonly unknown[];

/**
 * A catalog: the local one in SQLite, or a remote one over HTTP.
 *
 * `importBatches` applies batches in order and yields one report a batch, in the same order. Each batch is all there
 * or not there at all, and its report is yielded only once it is durable; several batches may share a transaction or
 * be in flight at once, so it reads ahead of what it yields. Where `accept` stops it, it ends with fewer reports than
 * batches. It throws a `CatalogError` when the call as a whole fails: what was yielded before stands.
 */
export interface Catalog {
  importBatches(
    resource: Resource,
    batches: AsyncIterable<Batch> | Iterable<Batch>,
    options?: ImportOptions,
  ): AsyncIterable<Report>;
  /** One record in its read shape, also a deleted one; undefined where there is none. */
  read(resource: Resource, selector: Selector): Promise<ReadShape | undefined>;
  close(): Promise<void>;
}
