// The types of the library. They are its own, so that what is inside may change.

/** The resources, in the order of an import: each refers to earlier ones. */
export type ResourceName = 'characteristics' | 'categories' | 'groups' | 'products' | 'reviews';

/** A record as a read shows it: `id`, `status`, `created_at`, and the fields of its resource. */
export type CatalogRecord = Readonly<Record<string, unknown>>;

export interface OpenCatalogOptions {
  /** Make the catalog where there is none; true by default. */
  readonly create?: boolean;
  /** Milliseconds to wait for another process that writes; 30,000 by default. */
  readonly lockTimeout?: number;
}

export interface ReadOptions {
  /** Details next to the read shape: of a product `names`, `grades`, `attributes`, `media`, `lowest_price_30d`. */
  readonly include?: readonly string[];
}

export interface ListOptions extends ReadOptions {
  /** Only records that changed at this time or later. */
  readonly changedSince?: Date;
}

export interface LibraryCatalog {
  /** A record by its key: the SKU of a product, the external_id of a review, the name of the others. Deleted ones, too. */
  read(resource: ResourceName, key: string, options?: ReadOptions): Promise<CatalogRecord | undefined>;
  /** All records of a resource, read page by page. */
  list(resource: ResourceName, options?: ListOptions): AsyncIterable<CatalogRecord>;
  /** Waits for nothing: end imports first. */
  close(): Promise<void>;
}

/** What was found about an item: a notice, or a further problem of a refused one. */
export interface ItemNotice {
  readonly code: string;
  /** The path of the field, as `grades[0].price`; '' for the whole item. */
  readonly field: string;
  readonly message: string;
}

/** What became of one item. It is passed once it is saved. */
export interface ImportedItem {
  /** The line of the file where it begins; of items that are given, their number from 1 on. */
  readonly line: number;
  readonly key: string;
  readonly action: 'created' | 'updated' | 'unchanged' | 'refused';
  /** Null for a record that is not there: one that was refused, or that a dry run would create. */
  readonly id: string | null;
  /** Of a refused item: a stable code, and what is wrong in words. */
  readonly code: string | null;
  readonly reason: string | null;
  readonly notices: readonly ItemNotice[];
  /** With `changes: true`. */
  readonly changes?: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
}

export interface ItemImportOptions {
  /** Save nothing, and tell what would happen. */
  readonly dryRun?: boolean;
  /** Leave out what would create, or what would update. */
  readonly only?: 'create' | 'update';
  /**
   * Of items with one key: apply all in order, so that the last stays (the default), only the first, or none. To refuse them,
   * items are read twice, and have to be an array.
   */
  readonly onDuplicate?: 'last' | 'first' | 'refuse';
  /** Stop before the batch with which more items than this would be refused. */
  readonly maxRefused?: number;
  readonly changes?: boolean;
  /** Keep what the import changes as a run, so that it can be undone and explained; true by default. */
  readonly history?: boolean;
  /** Ends the import after the batch in progress: it rejects with the code `interrupted`. */
  readonly signal?: AbortSignal;
  /** Called with each item, in order. The import waits for a promise that it returns. */
  readonly onItem?: (item: ImportedItem) => void | Promise<void>;
}

export interface ImportFileOptions extends ItemImportOptions {
  /** By default it is found by the name of the file, or its first bytes; so are workbooks and archives. */
  readonly format?: 'csv' | 'tsv' | 'json' | 'ndjson' | 'xml';
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
  /** An empty cell leaves the field as it is (`skip`, the default), or clears it. */
  readonly empty?: 'skip' | 'clear';
  /** The sheet of a workbook, or the file of an archive. */
  readonly sheet?: string;
  /** Read no more than so many records. */
  readonly limit?: number;
  readonly map?: string;
}

export interface LibraryImportResult {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly total: number;
  /** The number of the run, for `catalog-import undo`; null where none is kept. */
  readonly run: number | null;
  /** Columns, or members of JSON records, that no field is called like. */
  readonly ignored: readonly string[];
  /** What was noticed about the file as a whole. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}
