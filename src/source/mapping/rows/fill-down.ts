// `fill`: fills empty cells with the value of the row above (fill down).

import type { FileScope } from '../file-scope.js';
import type { Section } from '../mapping.js';
import type { OneValue } from '../values/known-number.js';
import { type GroupGap, mayHaveCell, widened } from './group-gap.js';

/** The result for a row: `unsure` if a cell repeats that of an unreadable row. */
type Filled = 'whole' | 'filled' | 'unsure';

/** Maximum fillings by unreadable rows that are kept. */
const mostWays = 100;

/** Fills empty cells from the rows above. */
export interface FillDown {
  /** Fills the empty cells of a row in place. */
  fill(cells: OneValue[]): Filled;
  /** The possible fillings of a row: from the last readable row, or from an unreadable one after it. */
  variants(cells: readonly OneValue[]): OneValue[][];
  /**
   * Handles an unreadable row.
   * @param ways its possible alignments
   */
  interrupt(text: string, line: number, ways: readonly (readonly OneValue[])[]): void;
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
  { section: { fill }, place }: { readonly section: Pick<Section, 'fill'>; readonly place: string },
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
  let above: readonly OneValue[] = [];
  let inside: string | undefined;
  /** Columns in which an unreadable row may have a value of its own, and such rows. */
  const unsure = new Set<number>();
  let gap: GroupGap | undefined;
  /** Their possible alignments, one for each filling of the rows below. */
  const unreadWays = new Map<string, readonly OneValue[]>();
  /** The last row before the unreadable ones. */
  let before: readonly OneValue[] = [];

  const groupOf = (cells: readonly OneValue[]): string | undefined =>
    within === -1 ? undefined : String(cells[within] ?? '').trim();
  const filledFrom = (cells: readonly OneValue[], row: readonly OneValue[]): OneValue[] =>
    cells.map((cell, index) => (String(cell).trim() === '' && filled.includes(index) ? (row[index] ?? '') : cell));

  return {
    hint: `; write out what it repeats of the rows above (${filled.map((index) => columns[index]).join(', ')})`,
    fill(cells) {
      const group = groupOf(cells);
      const isSame = group === inside;
      // A row without the values of this group belongs to another one, as the one above it does.
      if (unsure.size > 0 && group !== undefined && !isSame && gap && !mayHaveCell(gap, group)) unsure.clear();
      let state: Filled = 'whole';
      for (const index of filled) {
        if (String(cells[index]).trim() !== '') unsure.delete(index);
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
      const ways = [...unreadWays.values()];
      const unread = unsure.size === 0 ? [] : [before, ...ways, ...ways.map((way) => filledFrom(way, before))];
      const rows = [above, ...unread].filter((row) => groupOf(row) === groupOf(cells));
      return [[], ...rows].map((row) => filledFrom(cells, row));
    },
    interruptedAt: () => gap?.line ?? 0,
    interrupt(text, line, ways) {
      const isFirst = unsure.size === 0;
      if (isFirst) {
        unreadWays.clear();
        before = above;
      }
      for (const way of ways)
        if (unreadWays.size < mostWays) unreadWays.set([within, ...filled].map((index) => way[index]).join('\0'), way);
      for (const index of filled) unsure.add(index);
      gap = widened(isFirst ? undefined : gap, { line, number: 0 }, text);
    },
  };
}
