// A refused row as a page shows it: cut to a bounded size, with the cells at fault. The shape that both sides of the page
// know: the one that writes it and the script that reads it.

/** A refused row. Names are short, as there are thousands of them in a page. */
export interface RefusedRow {
  /** The index of its file, and its line there. */
  readonly f: number;
  readonly l: number;
  /** Its key as it was sent. */
  readonly k: string;
  /** The index of its cause; -1 where it has none of its own. */
  readonly c: number;
  readonly code: string;
  readonly reason: string;
  /** What else is wrong with it. */
  readonly more?: readonly string[];
  /** Its cells; of records that are objects with their own names. */
  readonly cells?: readonly string[];
  readonly names?: readonly string[];
  /** The cells at fault. */
  readonly bad?: readonly number[];
  /** How many further rows make the item. */
  readonly rows?: number;
}

/** What the script of a page is given beside the rows. */
export interface RefusedPage {
  readonly files: readonly string[];
  readonly heads: readonly (readonly string[])[];
  /** Code and column of each cause. */
  readonly causes: readonly { readonly code: string; readonly column: string }[];
}
