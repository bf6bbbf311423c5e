// Compares the width of rows with that of the header: trailing delimiters are ignored, and a header whose width differs from
// nearly all rows is reported.
import type { FileNote } from '../../core/diagnostics/file-notes.js';
import { isBlankRow } from '../mapping/rows/blank-row.js';
import { cutAmounts } from './row-faults.js';
import { linesOf, rowTally } from './row-tally.js';

/** How many of a hundred rows must have the same other width before the header is doubted. */
const nearlyAll = 0.9;
const fewest = 3;

/** Fits rows to the header's width, and collects irregularities. */
export interface RowWidthCheck {
  /** The row with as many cells as the header: empty cells beyond it are removed. Unchanged if it does not fit. @param raw its text */
  fit(cells: string[], raw: string): string[];
  /** The amount for which `fit` left a row as it is: its comma may have made two cells of it. */
  cutAmount(cells: readonly string[], raw: string): string | undefined;
  /** Records quotes inside unquoted cells. */
  watchQuotes(cells: readonly string[], line: number, raw: string): void;
  words(): FileNote[];
}

/**
 * Starts with the cells of a header; empty ones at its end name no columns, and rows may lack them.
 * @param isNamed whether the names of the columns were given, and are not in the file
 * @param takesShort whether missing cells at the end of a row count as empty
 * @param isAmount whether a column may hold amounts whose comma is the delimiter
 */
export function rowWidthCheck(
  header: readonly string[],
  {
    isNamed,
    takesShort,
    isAmount,
  }: {
    readonly isNamed: boolean;
    readonly takesShort: boolean;
    readonly isAmount: (column: number) => boolean;
  },
): RowWidthCheck {
  const width = header.length;
  let named = width;
  while (named > 1 && (takesShort || header[named - 1]?.trim() === '')) named--;
  const others = new Map<number, number>();
  const quoted = rowTally();
  let rows = 0;
  /** Counts of rows with as many cells as the header, and of rows with empty ones beyond it. */
  let exact = 0;
  let endsEmpty = false;
  let trailing = 0;
  /** Counts of refused rows in which the commas of amounts may have made the empty cells beyond the header. */
  let cut = 0;
  const isSpaced = header.some((cell, i) => i > 0 && /^\s/.test(cell));

  /**
   * Whether a row with empty cells beyond the header may contain a delimiter without quotes ("Kestrel K3, lost its
   * quotes") and an empty last cell: its values would be in the wrong columns. In prose a space follows the comma. If
   * all rows end in a delimiter, that is how the file is written.
   */
  function looksShifted(cells: readonly string[]): boolean {
    if (isSpaced || (exact === 0 && trailing > 0)) return false;
    return cells.some((cell, i) => i > 0 && /^\s\S/.test(cell));
  }

  /**
   * Whether as many amounts may be cut at their decimal comma as the row has cells too many: 12,50 would be price and stock.
   * Their row would have nothing in the last column, which other rows show to be possible. `12,5` is rarely an amount.
   */
  function looksCut(cells: readonly string[], raw: string): boolean {
    if (exact === 0 ? trailing > cut : !endsEmpty) return false;
    const amounts = cutAmounts(cells, raw, isAmount);
    return amounts.length >= cells.length - width && (cut > 0 || amounts.some((amount) => !/,\d$/.test(amount)));
  }

  function other(cells: string[]): string[] {
    others.set(cells.length, (others.get(cells.length) ?? 0) + 1);
    return cells;
  }

  return {
    fit(cells, raw) {
      rows++;
      if (cells.length === width) {
        exact++;
        endsEmpty ||= cells.at(-1)?.trim() === '';
        return cells;
      }
      if (cells.length < width) {
        const isEmpty = cells.length > 1 && isBlankRow(cells);
        if (cells.length < named && !isEmpty) return other(cells);
        return [...cells, ...new Array<string>(width - cells.length).fill('')];
      }
      for (let i = width; i < cells.length; i++) if (cells[i]?.trim() !== '') return other(cells);
      if (looksShifted(cells)) return other(cells);
      if (looksCut(cells, raw)) {
        cut++;
        return cells;
      }
      trailing++;
      return cells.slice(0, width);
    },
    cutAmount(cells, raw) {
      const isEmptyBeyond = cells.length > width && cells.slice(width).every((cell) => cell.trim() === '');
      return isEmptyBeyond && !looksShifted(cells) ? cutAmounts(cells, raw, isAmount)[0] : undefined;
    },
    watchQuotes(cells, line, raw) {
      // The text of a row has the quotes of a quoted cell doubled.
      if (!cells.some((cell) => cell.includes('"') && /[^"]"|"[^"]/.test(cell) && raw.includes(cell))) return;
      quoted.take(line);
    },
    words() {
      const [length = 0, count = 0] = [...others].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0]);
      const isOdd = count >= fewest && count >= rows * nearlyAll;
      return [
        ...(isOdd
          ? [
              {
                code: 'rows_guessed' as const,
                words:
                  `${isNamed ? 'columns: names' : 'the first line has'} ${width}, ${count} of ${rows} rows have ${length} cells: ` +
                  (isNamed
                    ? 'name all of them'
                    : 'is it the header? Remove the lines above it, or name the columns in a mapping: read: {columns: […]}'),
              },
            ]
          : []),
        ...(quoted.count > 0
          ? [
              {
                code: 'quotes_kept' as const,
                words:
                  `${quoted.count === 1 ? '1 row has' : `${quoted.count} rows have`} a quote inside a cell that is not quoted itself; ` +
                  `it was kept as it is (${linesOf(quoted)})`,
              },
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
