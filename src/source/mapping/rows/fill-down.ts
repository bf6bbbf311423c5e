// `fill`: fills empty cells with the value of the row above (fill down).

import type { FileScope } from '../file-scope.js';
import type { Section } from '../mapping.js';

/** What became of a row: `unsure` where a cell repeats that of a row which could not be read. */
type Filled = 'whole' | 'filled' | 'unsure';

/** Ways to read unreadable rows that are kept. */
const mostWays = 100;

/** Fills empty cells from the rows above. */
export interface FillDown {
  /** Fills the empty cells of a row in place. */
  fill(cells: string[]): Filled;
  /** Takes a row for the one above, without filling it. */
  follow(cells: readonly string[]): void;
  /** A row as it may be filled: from the last one that could be read, or from one behind it that could not. */
  variants(cells: readonly string[]): string[][];
  /**
   * Notes a row that could not be read.
   * @param ways the ways in which it may be read
   * @returns the row above it, unless that could not be read either
   */
  interrupt(text: string, ways: readonly (readonly string[])[]): readonly string[] | undefined;
}

/**
 * Makes the filler of a section; undefined if it fills nothing.
 * @throws CatalogError `usage` for columns that are not there
 */
export function fillDown(
  { section: { fill }, place }: { readonly section: Section; readonly place: string },
  scope: FileScope,
  columns: readonly string[] | undefined,
): FillDown | undefined {
  if (fill === undefined) return undefined;
  const at = `${place}.fill`;
  if (columns === undefined) return scope.fail(at, 'JSON records have no row above; fill is only for tables');
  const indexOf = (name: string): number => scope.indexOf(name) ?? scope.noColumn(name, at);
  const filled = fill.columns.flatMap((name) => (fill.optional ? (scope.indexOf(name) ?? []) : indexOf(name)));
  const within = fill.within === undefined ? -1 : indexOf(fill.within);
  let above: readonly string[] = [];
  let inside: string | undefined;
  /** Columns in which a row that could not be read may have a value of its own, and the text of such rows. */
  let unsure = new Set<number>();
  let unread = '';
  let unreadWays: (readonly string[])[] = [];

  const groupOf = (cells: readonly string[]): string | undefined => (within === -1 ? undefined : cells[within]?.trim());
  const follow = (cells: readonly string[]): void => {
    inside = groupOf(cells);
    above = cells;
  };

  return {
    follow(cells) {
      unsure = new Set();
      follow(cells);
    },
    fill(cells) {
      const group = groupOf(cells);
      const isSame = group === inside;
      // A row that does not have the words of this group is in another one, as the one above it is.
      if (unsure.size > 0 && group !== undefined && !isSame && !unread.includes(group)) unsure = new Set();
      let state: Filled = 'whole';
      for (const index of filled) {
        if (cells[index]?.trim() !== '') unsure.delete(index);
        else if (unsure.has(index)) state = 'unsure';
        else {
          const value = above[index];
          if (!isSame || value === undefined || value === '') continue;
          cells[index] = value;
          if (state === 'whole') state = 'filled';
        }
      }
      follow(cells);
      return state;
    },
    variants(cells) {
      const rows = [above, ...unreadWays].filter((row) => groupOf(row) === groupOf(cells));
      return [[], ...rows].map((row) =>
        cells.map((cell, index) => (cell.trim() === '' && filled.includes(index) ? (row[index] ?? '') : cell)),
      );
    },
    interrupt(text, ways) {
      const isFirst = unsure.size === 0;
      if (isFirst) unreadWays = [];
      if (unreadWays.length + ways.length <= mostWays) unreadWays.push(...ways);
      unsure = new Set(filled);
      unread = isFirst ? text : unread + text;
      return isFirst && above.length > 0 ? above : undefined;
    },
  };
}
