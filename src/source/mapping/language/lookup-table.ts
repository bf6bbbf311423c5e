// A lookup table of a mapping, as expressions see it.
import type { RawPart } from '../../record-reader.js';

/** A row of a lookup table. */
export type TableRow = Readonly<Record<string, string>>;

/** A record that is not a row of a lookup table. */
export interface MissedRecord {
  readonly line: number;
  readonly text: string;
  /** Its key, if it could be read. */
  readonly key?: string;
  /** Its text and those of the records it looks up, if these are kept. */
  readonly parts?: readonly RawPart[];
}

/** A lookup table: the columns of its rows, and the rows by key. */
export interface LookupTable {
  readonly columns: readonly string[];
  readonly rows: { get(key: string): readonly TableRow[] | undefined };
  /** A record that could not be read or mapped and may have this key, as the first one or at all. */
  readonly missed?: (key: string, which: 'first' | 'any') => MissedRecord | undefined;
  /** The records of this file behind a row, if their text is kept. */
  readonly origins?: ReadonlyMap<TableRow, readonly RawPart[]>;
}
