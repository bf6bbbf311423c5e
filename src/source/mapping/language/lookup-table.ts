// A lookup table of a mapping, as expressions see it.
import type { RawPart } from '../../record-reader.js';

/** A row of a lookup table. */
export type TableRow = Readonly<Record<string, string>>;

/** A record that is not a row of a lookup table. */
export interface MissedRecord {
  readonly line: number;
  readonly text: string;
  /** Its key, where that could be read. */
  readonly key?: string;
  /** Its text and those of the records it looks up, where that is kept. */
  readonly parts?: readonly RawPart[];
}

/** A lookup table: what its rows have, and the rows by their key. */
export interface LookupTable {
  readonly columns: readonly string[];
  readonly rows: { get(key: string): readonly TableRow[] | undefined };
  /** A record that could not be read or mapped and may be the first of this key, or any of it. */
  readonly missed?: (key: string, which: 'first' | 'any') => MissedRecord | undefined;
  /** The records of this file that a row was made of, where their text is kept. */
  readonly origins?: ReadonlyMap<TableRow, readonly RawPart[]>;
}
