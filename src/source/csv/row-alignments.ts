// Alignments of a row with too many or too few cells: cells removed, or empty ones inserted, at one position. Each is
// tried, to find out which records the row may concern.

/** Maximum positions at which cells are removed or inserted. */
const mostPlaces = 100;

/** The possible rows of `width` cells. */
export function rowAlignments(cells: readonly string[], width: number): string[][] {
  const missing = width - cells.length;
  if (missing === 0) return [[...cells]];
  const places = Math.min(missing > 0 ? cells.length : width, mostPlaces);
  return Array.from({ length: places + 1 }, (_, at) =>
    missing > 0
      ? [...cells.slice(0, at), ...new Array<string>(missing).fill(''), ...cells.slice(at)]
      : [...cells.slice(0, at), ...cells.slice(at - missing)],
  );
}
