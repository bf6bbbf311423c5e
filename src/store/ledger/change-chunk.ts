// The stored form of a transaction's changes: JSON, grouped by table and changed columns, column by column; deflated, as
// base64, unless it is short. Prices and stocks of 200,000 products take 11 bytes a change this way; as rows of their own they
// took 60 bytes, and a third of the import's time.
import type { Value } from '../../core/rows/table.js';

/** Changes of one kind: of the same columns of a table, or new rows. */
export interface PackedGroup {
  readonly table: string;
  readonly columns: readonly string[];
  readonly isNew: boolean;
  /** Records and lines, each as the difference from the one before in the list. */
  readonly records: readonly string[];
  readonly lines: readonly number[];
  /** The record's marks after and before the change, each as the difference from the one before in the list. */
  readonly marksAfter: readonly number[];
  readonly marksBefore: readonly number[];
  /** The indexes of the changes within the chunk, if their lines do not give the order. */
  readonly order?: readonly number[];
  /** The columns that identify a child in addition to its parent, and their values, column by column. */
  readonly keyColumns?: readonly string[];
  readonly keys?: readonly (readonly Value[])[];
  /** The former values and those after, column by column. */
  readonly before?: readonly (readonly Value[])[];
  readonly after?: readonly (readonly PackedValue[])[];
}

/**
 * A value after a change: `[hash]` for a long text. Where both values are numbers the difference, which most often is small, or
 * `[number]` if the sum would not be exact.
 */
export type PackedValue = Value | readonly [string | number];

export interface PackedChunk {
  readonly resource: string;
  /** The index of the run's file. */
  readonly file: number;
  readonly groups: readonly PackedGroup[];
}

/** The character for no shared characters before the rest of a record. */
export const firstMark = 0x30;

/** The most characters that a record shares with the one before: their marks need no escape in JSON. */
export const mostShared = 40;
