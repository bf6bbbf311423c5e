// A refused row as a page shows it: cut to a bounded size, with the faulty cells. The shape is shared by the code that
// writes the page and the script that reads it.

/** A refused row. Names are short, since a page has thousands of rows. */
export interface RefusedRow {
  /** The index of its file, and its line there. */
  readonly f: number;
  readonly l: number;
  /** Its key, as sent. */
  readonly k: string;
  /** The index of its cause; -1 if it has none of its own. */
  readonly c: number;
  readonly code: string;
  readonly reason: string;
  /** Its further problems. */
  readonly more?: readonly string[];
  /** Its cells; for records that are objects with their own names. */
  readonly cells?: readonly string[];
  readonly names?: readonly string[];
  /** The faulty cells. */
  readonly bad?: readonly number[];
}

/** The data for the script of a page, in addition to the rows. */
export interface RefusedPage {
  readonly files: readonly string[];
  readonly heads: readonly (readonly string[])[];
  /** Code and column of each cause. */
  readonly causes: readonly { readonly code: string; readonly column: string }[];
}
