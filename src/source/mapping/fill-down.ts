// `fill`: fills empty cells with the value of the row above (fill down).

import type { FileScope } from './file-scope.js';
import type { Section } from './mapping.js';

/** Fills the empty cells of a row in place; returns whether any was filled. */
export type FillDown = (cells: string[]) => boolean;

/**
 * Makes the filler of a section; undefined where it fills nothing.
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
  return (cells) => {
    const same = within === -1 || cells[within]?.trim() === inside;
    if (within !== -1) inside = cells[within]?.trim();
    let any = false;
    for (const index of filled) {
      const value = above[index];
      if (!same || value === undefined || value === '' || cells[index]?.trim() !== '') continue;
      cells[index] = value;
      any = true;
    }
    above = cells;
    return any;
  };
}
