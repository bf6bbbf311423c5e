// The `Catalog` port. A local file and a remote instance implement it; every command and every endpoint uses only this
// port.

import type { Entry } from './entry.js';
import type { ReadShape, Report } from './import-report.js';
import type { OnlyAction } from './only-action.js';
import type { Resource } from './resource.js';

export interface ImportOptions {
  /** Nothing is saved; the report says what would happen. */
  readonly dryRun?: boolean;
  /** Each line lists its changes. */
  readonly diff?: boolean;
  /** In a dry run the lists of products are compared, too, as with `diff`. */
  readonly comparesLists?: boolean;
  /**
   * Called with the report on each batch before it is applied. If it returns false, the import stops: this batch and all
   * later ones are not applied and get no report.
   */
  readonly accept?: (report: Report) => boolean;
  /**
   * `make`: lines of items that change something contain the previous state of their record. `apply`: an item is
   * refused if its record has another state than in its plan.
   */
  readonly plan?: 'make' | 'apply';
  /** Items that would do something else are left out; undefined to create and to update. */
  readonly only?: OnlyAction;
  /** The lines of a batch's items in their file, for the ledger. */
  readonly linesOf?: (batch: Batch) => readonly number[];
  /** The name of their file. */
  readonly file?: string;
}

/** Selects a single record: by its key or by its identifier. */
export type Selector = { readonly key: string } | { readonly id: string };

export interface ListRequest {
  /** The identifier after which the page begins: `next` of the previous page. */
  readonly after?: string;
  /** Maximum records of the page; it may have fewer, even none, although more follow. */
  readonly limit: number;
  /** Only records that changed at this time or later, in Unix seconds. */
  readonly updatedSince?: number;
  /** Names from `Resource.details`. */
  readonly include?: readonly string[];
}

export interface RecordPage {
  readonly records: readonly ReadShape[];
  /** Where the next page begins; undefined after the last one. */
  readonly next: string | undefined;
}

/** The entries of one call, at most the resource's limit. Validated ones only for a catalog on this machine. */
export type Batch = readonly Entry[];

/** Batches in their order. */
export type BatchSource = (AsyncIterable<Batch> | Iterable<Batch>) & {
  /**
   * Whether the next batch is available; undefined if batches are not read in parallel. A transaction takes the
   * available batches and does not wait for others.
   */
  readonly isReady?: () => boolean;
};

/**
 * A catalog: the local one in SQLite, or a remote one over HTTP.
 *
 * `importBatches` applies batches in order and yields one report a batch, in the same order. Each batch is applied as a whole
 * or not at all, and its report is yielded only once it is durable; several batches may share a transaction or be in flight
 * at once, so it reads ahead of what it yields. If `accept` stops it, there are fewer reports than batches. It throws a
 * `CatalogError` when the call as a whole fails: reports yielded before remain valid.
 */
export interface Catalog {
  importBatches(resource: Resource, batches: BatchSource, options?: ImportOptions): AsyncIterable<Report>;
  /**
   * One record in its read shape, including deleted ones; undefined if it does not exist.
   * @param include names from `Resource.details`: what to add to it
   */
  read(resource: Resource, selector: Selector, include?: readonly string[]): Promise<ReadShape | undefined>;
  /** Several records at once, each in its read shape and at the place of its selector; undefined where there is none. */
  readAll(resource: Resource, selectors: readonly Selector[]): Promise<readonly (ReadShape | undefined)[]>;
  /**
   * Records page by page, deleted ones too, in an order that does not change. Each record is consistent in itself; what is
   * imported between two pages may be in those that follow.
   * @throws CatalogError `not_found` if no record has the identifier `after`
   */
  list(resource: Resource, request: ListRequest): Promise<RecordPage>;
  /**
   * A number that increases when anything in the catalog has changed since the last call, by any process: what was read
   * after a call is valid until the number changes. Undefined, or left out, where changes cannot be detected
   * without a read.
   * @throws CatalogError where the catalog cannot be reached
   */
  readonly changeCount?: () => number | undefined;
  close(): Promise<void>;
}
