// What a resource says about itself. Commands, routes, scopes, limits, help and statements are read off this.

import type { Fields } from './fields/fields.js';
import type { ReadShape } from './import-report.js';
import type { CheckedFields, Environment, Task } from './planning/item-task.js';
import type { Recognition } from './planning/recognition/applied-items.js';
import type { ReadFields } from './reading/read-shapes.js';
import type { Snapshot } from './rows/snapshot.js';
import type { Row, Table } from './rows/table.js';

/** A step of asking for what a batch refers to. A method, so that a resource may name the items of its own fields. */
export type Prefetch<I extends CheckedFields = CheckedFields> = {
  step(items: readonly I[], snapshot: Snapshot, environment: Environment): void;
}['step'];

/** Members that a read gives of a record on request. */
export interface Detail {
  readonly shape: ReadFields;
  read(row: Row, snapshot: Snapshot): ReadShape;
}

export interface Resource {
  /** The name in reports and scopes: `product_group`. The path segment is the same with hyphens. */
  readonly name: string;
  /** The word on the command line: `groups`; `words` are the others that are understood. */
  readonly command: string;
  readonly words: readonly string[];
  /** The specification's word in sentences: `Product group`. */
  readonly title: string;
  /** Most items in one POST. */
  readonly limit: number;
  /** The field a record is recognised by, also the parameter of a GET. */
  readonly key: string;
  readonly keyAlias?: string;
  /** The prefix of the record's identifiers. */
  readonly prefix: string;
  readonly fields: Fields;
  /** A second item for the same key in one batch is refused, and not applied on top of the first. */
  readonly oncePerBatch?: boolean;
  /**
   * Fields that exclude each other where several feeds send them: what a higher feed sends in one keeps out what a lower one
   * sends in the others.
   */
  readonly excludes?: Readonly<Record<string, readonly string[]>>;
  /** Fields that say what others are counted in: an amount is kept out with its currency. */
  readonly measures?: Readonly<Record<string, readonly string[]>>;
  /** Every table its rows are kept in, the record's own first, parents before children. */
  readonly tables: readonly Table[];
  /** What the report echoes as `external_id`, read off the item as it was sent; '' where it has none. */
  externalId(item: Readonly<Record<string, unknown>>): string;
  /**
   * Ask the snapshot for what deciding these items takes, so that it is loaded at once and not one by one. A step may
   * ask by what the ones before it found: a product by its SKU, then its grades.
   */
  readonly prefetch: readonly Prefetch[];
  /** How items that can only be unchanged are recognised; such items are decided at length where this is not given. */
  readonly recognition?: Recognition;
  /** Decides one item: complains, notes and saves through the task. */
  decide(task: Task): void;
  /** Finds the record's row, for a read. */
  find(selector: { readonly key: string } | { readonly id: string }, snapshot: Snapshot): Row | undefined;
  /** What `view` gives. */
  readonly readShape: ReadFields;
  /** The read shape of a record's row. */
  view(row: Row, snapshot: Snapshot): ReadShape;
  /**
   * What is added to the read shape where it is asked for, by the word of `include`: lists in the form in which they can be
   * sent back. `names`, which goes with any other, has the names beside the identifiers.
   */
  readonly details: Readonly<Record<string, Detail>>;
}
