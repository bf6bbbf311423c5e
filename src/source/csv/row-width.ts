// Compares the width of rows with that of the header: trailing delimiters are ignored, and a header whose width differs from
// nearly all rows is reported.

/** Lines that are named. */
const mostLines = 5;
/** Rows that must have one other length, of a hundred, before the first line is doubted. */
const nearlyAll = 0.9;
const fewest = 3;

/** Fits rows to the header's width and collects oddities. */
export interface RowWidthCheck {
  /** The row with as many cells as the header: empty cells beyond it are nothing. Unchanged where it has another shape. */
  fit(cells: string[]): string[];
  /** Notes quotes inside cells that are not quoted themselves. */
  watchQuotes(cells: readonly string[], line: number, raw: string): void;
  /** Notices to show at the end. */
  words(): string[];
}

/**
 * Begins with the cells of a header; those at its end that are empty name no column, and rows may lack them.
 * @param isNamed the names of the columns were given, and are not in the file
 * @param takesShort cells that a row lacks at its end are empty
 */
export function rowWidthCheck(
  header: readonly string[],
  { isNamed, takesShort }: { readonly isNamed: boolean; readonly takesShort: boolean },
): RowWidthCheck {
  const width = header.length;
  let named = width;
  while (named > 1 && (takesShort || header[named - 1]?.trim() === '')) named--;
  const others = new Map<number, number>();
  const quotes: number[] = [];
  let quoted = 0;
  let rows = 0;
  /** Rows with as many cells as the header, and rows with empty ones beyond it. */
  let exact = 0;
  let trailing = 0;
  const isSpaced = header.some((cell, i) => i > 0 && /^\s/.test(cell));

  /**
   * Whether a row with empty cells beyond the header may be one whose text has a delimiter without quotes, and whose last
   * cell is empty ("Kestrel K3, lost its quotes"): its values would land in the columns of others. A text goes on after a
   * comma with a space. Where all rows end in a delimiter, that is how the file is written.
   */
  function looksShifted(cells: readonly string[]): boolean {
    if (isSpaced || (exact === 0 && trailing > 0)) return false;
    return cells.some((cell, i) => i > 0 && /^\s\S/.test(cell));
  }

  function other(cells: string[]): string[] {
    others.set(cells.length, (others.get(cells.length) ?? 0) + 1);
    return cells;
  }

  return {
    fit(cells) {
      rows++;
      if (cells.length === width) {
        exact++;
        return cells;
      }
      if (cells.length < width) {
        if (cells.length < named) return other(cells);
        return [...cells, ...new Array<string>(width - cells.length).fill('')];
      }
      for (let i = width; i < cells.length; i++) if (cells[i]?.trim() !== '') return other(cells);
      if (looksShifted(cells)) return other(cells);
      trailing++;
      return cells.slice(0, width);
    },
    watchQuotes(cells, line, raw) {
      // A quoted cell has its quotes doubled in the text of the row.
      if (!cells.some((cell) => /[^"]"|"[^"]/.test(cell) && raw.includes(cell))) return;
      if (quoted++ < mostLines) quotes.push(line);
    },
    words() {
      const [length = 0, count = 0] = [...others].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0]);
      const isOdd = count >= fewest && count >= rows * nearlyAll;
      const more = quoted > quotes.length ? ` and ${quoted - quotes.length} more` : '';
      return [
        ...(isOdd
          ? [
              `${isNamed ? 'columns: names' : 'the first line has'} ${width}, ${count} of ${rows} rows have ${length} cells: ` +
                (isNamed
                  ? 'name all of them'
                  : 'is it the header? Remove the lines above it, or name the columns in a mapping: read: {columns: […]}'),
            ]
          : []),
        ...(quoted > 0
          ? [
              `${quoted === 1 ? '1 row has' : `${quoted} rows have`} a quote inside a cell that is not quoted itself; ` +
                `it was kept as it is (${quoted === 1 ? 'line' : 'lines'} ${quotes.join(', ')}${more})`,
            ]
          : []),
      ];
    },
  };
}

/** A row as text: cells with the delimiter, a quote or a line break are quoted. */
export function rowText(cells: readonly string[], delimiter: string): string {
  return cells
    .map((cell) =>
      cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
    )
    .join(delimiter);
}
