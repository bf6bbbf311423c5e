// A row with too many or too few cells, as it may have been meant: with cells taken out, or empty ones put in, at one place.
// Each is tried to find out which records the row may concern.

/** Columns at whose places cells are taken out or put in. */
const mostPlaces = 100;

/** The rows of `width` cells that a row may have been. */
export function rowAlignments(cells: readonly string[], width: number): string[][] {
  const missing = width - cells.length;
  const places = Math.min(missing > 0 ? cells.length : width, mostPlaces);
  return Array.from({ length: places + 1 }, (_, at) =>
    missing > 0
      ? [...cells.slice(0, at), ...new Array<string>(missing).fill(''), ...cells.slice(at)]
      : [...cells.slice(0, at), ...cells.slice(at - missing)],
  );
}
