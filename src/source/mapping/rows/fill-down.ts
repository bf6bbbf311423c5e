// `fill`: fills empty cells with the value of the row above (fill down).

import type { FileScope } from '../file-scope.js';
import type { Section } from '../mapping.js';

/** The result for a row: `unsure` if a cell repeats that of an unreadable row. */
type Filled = 'whole' | 'filled' | 'unsure';

/** Maximum alignments of unreadable rows that are kept. */
const mostWays = 100;

/** Fills empty cells from the rows above. */
export interface FillDown {
  /** Fills the empty cells of a row in place. */
  fill(cells: string[]): Filled;
  /** The possible fillings of a row: from the last readable row, or from an unreadable one after it. */
  variants(cells: readonly string[]): string[][];
  /**
   * Handles an unreadable row.
   * @param ways its possible alignments
   */
  interrupt(text: string, line: number, ways: readonly (readonly string[])[]): void;
  /** What is to be done about the cells of an unreadable row, which nothing fills when it comes back. */
  readonly hint: string;
  /** The line of the first unreadable row whose cells an unsure row may repeat. */
  interruptedAt(): number;
}

/**
 * Makes the filler of a section; undefined if it fills nothing.
 * @throws CatalogError `usage` for unknown columns
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
  if (fill.optional) for (const name of fill.columns) scope.named?.([name], { place: at, optional: true });
  const filled = fill.columns.flatMap((name) => (fill.optional ? (scope.indexOf(name) ?? []) : indexOf(name)));
  const within = fill.within === undefined ? -1 : indexOf(fill.within);
  let above: readonly string[] = [];
  let inside: string | undefined;
  /** Columns in which an unreadable row may have a value of its own, and the text of such rows. */
  let unsure = new Set<number>();
  let unread = '';
  let unreadLine = 0;
  let unreadWays: (readonly string[])[] = [];
  /** The last row before the unreadable ones. */
  let before: readonly string[] = [];

  const groupOf = (cells: readonly string[]): string | undefined => (within === -1 ? undefined : cells[within]?.trim());
  const filledFrom = (cells: readonly string[], row: readonly string[]): string[] =>
    cells.map((cell, index) => (cell.trim() === '' && filled.includes(index) ? (row[index] ?? '') : cell));

  return {
    hint: `; write out what it repeats of the rows above (${filled.map((index) => columns[index]).join(', ')})`,
    fill(cells) {
      const group = groupOf(cells);
      const isSame = group === inside;
      // A row without the values of this group belongs to another one, as the one above it does.
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
      inside = group;
      above = cells;
      return state;
    },
    variants(cells) {
      // Rows after an unreadable one repeat its cells, or those of the row before it where its own are empty.
      const unread =
        unsure.size === 0 ? [] : [before, ...unreadWays, ...unreadWays.map((way) => filledFrom(way, before))];
      const rows = [above, ...unread].filter((row) => groupOf(row) === groupOf(cells));
      return [[], ...rows].map((row) => filledFrom(cells, row));
    },
    interruptedAt: () => unreadLine,
    interrupt(text, line, ways) {
      const isFirst = unsure.size === 0;
      if (isFirst) {
        unreadWays = [];
        before = above;
        unreadLine = line;
      }
      if (unreadWays.length + ways.length <= mostWays) unreadWays.push(...ways);
      unsure = new Set(filled);
      unread = isFirst ? text : unread + text;
    },
  };
}
