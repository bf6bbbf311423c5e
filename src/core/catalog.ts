// The nouns of the whole house. Local file and remote instance are the same `Catalog`; every command and every
// endpoint speaks to this port and to nothing behind it.
import type { Entry } from './entry.js';
import type { ReadShape, Report } from './import-report.js';
import type { Resource } from './resource.js';

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
  /** The lines of a batch's items in their file, for who keeps what an import changes. */
  readonly linesOf?: (batch: Batch) => readonly number[];
}

/** How a single record is asked for: by its key or by its identifier. */
export type Selector = { readonly key: string } | { readonly id: string };

/** What is asked for of a list. */
export interface ListRequest {
  /** The identifier of the record that the page begins behind: `next` of the page before. */
  readonly after?: string;
  /** Most records of the page; it may have fewer, even none, where there are more. */
  readonly limit: number;
  /** Only records that changed at this time or later, in Unix seconds. */
  readonly updatedSince?: number;
  /** Words of `Resource.details`. */
  readonly include?: readonly string[];
}

/** A page of a list. */
export interface RecordPage {
  readonly records: readonly ReadShape[];
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
}

/** The entries of one call, no more than the resource's limit. Validated ones are for a catalog on this machine only. */
export type Batch = readonly Entry[];

/** Batches in their order. */
export type BatchSource = (AsyncIterable<Batch> | Iterable<Batch>) & {
  /**
   * Known where batches are read beside their import: whether the next one is there already. A transaction takes in what
   * is there and does not wait for what is not.
   */
  readonly isReady?: () => boolean;
};

/**
 * A catalog: the local one in SQLite, or a remote one over HTTP.
 *
 * `importBatches` applies batches in order and yields one report a batch, in the same order. Each batch is all there
 * or not there at all, and its report is yielded only once it is durable; several batches may share a transaction or
 * be in flight at once, so it reads ahead of what it yields. Where `accept` stops it, it ends with fewer reports than
 * batches. It throws a `CatalogError` when the call as a whole fails: what was yielded before stands.
 */
export interface Catalog {
  importBatches(resource: Resource, batches: BatchSource, options?: ImportOptions): AsyncIterable<Report>;
  /**
   * One record in its read shape, also a deleted one; undefined where there is none.
   * @param include words of `Resource.details`: what to give beside it
   */
  read(resource: Resource, selector: Selector, include?: readonly string[]): Promise<ReadShape | undefined>;
  /**
   * Records page by page, deleted ones too, in an order that does not change. Each record is consistent in itself; what is
   * imported between two pages may be in those that follow.
   * @throws CatalogError `not_found` where no record has the identifier `after`
   */
  list(resource: Resource, request: ListRequest): Promise<RecordPage>;
  /**
   * A number that is higher once anything of the catalog changed since it was asked for last, whoever changed it: what was
   * read after asking stays true while it stays. Undefined, or no such method, where only a read can tell.
   * @throws CatalogError where the catalog cannot be reached
   */
  readonly changeCount?: () => number | undefined;
  close(): Promise<void>;
}
