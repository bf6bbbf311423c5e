// The description of a resource. Commands, routes, scopes, limits, help and statements are derived from it.

import type { Fields } from './fields/fields.js';
import type { ReadShape } from './import-report.js';
import type { CheckedFields, Environment, FurtherSteps, Task } from './planning/item-task.js';
import type { ReadFields } from './reading/read-shapes.js';
import type { Snapshot } from './rows/snapshot.js';
import type { Row, Table } from './rows/table.js';

/** A prefetch step. A method, so that a resource may use the item type of its own fields. */
export type Prefetch<I extends CheckedFields = CheckedFields> = {
  // biome-ignore lint/suspicious/noConfusingVoidType: most steps return nothing
  step(items: readonly I[], snapshot: Snapshot, environment: Environment): FurtherSteps | void;
}['step'];

/** Optional members of a read. */
export interface Detail {
  readonly shape: ReadFields;
  /** Other resources whose names it shows. */
  readonly names?: readonly string[];
  /** It changes as time passes: what was read once is not kept. */
  readonly isOfNow?: true;
  /** @param now in Unix seconds */
  read(row: Row, snapshot: Snapshot, now: number): ReadShape;
}

/** How the items of a resource are recognized. */
export interface Recognition {
  /** Whether what is decided of an item depends on the item and its record alone, and on what is named below. */
  readonly isSteady: (item: CheckedFields) => boolean;
  /** Whether it depends on records whose changes move the epoch on (`Table.isReferredTo`). */
  readonly usesEpoch: (item: CheckedFields) => boolean;
  /** Tables of which only whether they have rows matters, for an item that refers to them. */
  readonly shop: readonly Table[];
  readonly usesShop: (item: CheckedFields) => boolean;
}

export interface Resource {
  /** The name in reports and scopes: `product_group`. The path segment is the same with hyphens. */
  readonly name: string;
  /** The name on the command line: `groups`; `words` are its aliases. */
  readonly command: string;
  readonly words: readonly string[];
  /** The specification's name in sentences: `Product group`. */
  readonly title: string;
  /** Maximum items in one POST. */
  readonly limit: number;
  /** The field that identifies a record; also the query parameter of a GET. */
  readonly key: string;
  readonly keyAlias?: string;
  /** The field that no two records of a file should share. */
  readonly barcode?: string;
  readonly prefix: string;
  readonly fields: Fields;
  /** A second item with the same key in one batch is refused, instead of being applied on top of the first. */
  readonly oncePerBatch?: boolean;
  /**
   * Fields that exclude each other if several feeds send them: a higher-ranked feed's value of one overrides a
   * lower-ranked feed's values of the others.
   */
  readonly excludes?: Readonly<Record<string, readonly string[]>>;
  /** Fields that give the unit of others: an amount is overridden together with its currency. */
  readonly measures?: Readonly<Record<string, readonly string[]>>;
  /** Every table of its rows: the record's own first, parents before children. */
  readonly tables: readonly Table[];
  /** Reads the `external_id` of the report from an item as it was sent; '' if it has none. */
  externalId(item: Readonly<Record<string, unknown>>): string;
  /**
   * Looks up in the snapshot what deciding these items needs, so that it is loaded in bulk. A later step may use what
   * earlier ones found: a product by its SKU, then its grades.
   */
  readonly prefetch: readonly Prefetch[];
  /** How items that can only be unchanged are recognized; if undefined, every item is decided. */
  readonly recognition?: Recognition;
  /** Decides one item: adds diagnostics and saves rows through the task. */
  decide(task: Task): void;
  /** Tells what is to be noticed of an accepted item whatever is stored: of items that need not be decided, too. */
  remark?(item: CheckedFields, tell: Task['notice']): void;
  find(selector: { readonly key: string } | { readonly id: string }, snapshot: Snapshot): Row | undefined;
  /** The type of what `view` returns. */
  readonly readShape: ReadFields;
  view(row: Row, snapshot: Snapshot): ReadShape;
  /**
   * Optional details of a read, by name for `include`: lists in the form in which they can be sent back. `names`
   * gives the names in addition to the identifiers.
   */
  readonly details: Readonly<Record<string, Detail>>;
}
