// Detects repeated header rows, as in concatenated files.
import type { FileNote } from '../../core/diagnostics/file-notes.js';
import { CatalogError } from '../../core/errors.js';
import { fold } from '../../core/text/text.js';
import { listColumns } from '../column-targets.js';
import { linesOf, rowTally, type SeenRows } from './row-tally.js';

export interface RepeatedHeaders {
  readonly same: SeenRows;
  readonly reordered: SeenRows;
}

/** Recognizes repeated header rows. */
export interface RepeatedHeaderDetector {
  /**
   * Whether a row with as many cells as the header repeats the names of the columns, in any case. The first row of a
   * concatenated file may begin with a byte order mark, after which a quote is not recognized.
   * @throws CatalogError `input_unreadable` if the names come in another order, which applies to the rows after it too
   */
  sees(cells: readonly string[], line: number): boolean;
  readonly seen: RepeatedHeaders;
}

/**
 * Makes the detector for one table.
 * @param file the file's name, for messages
 * @param stops whether another order ends the reading; otherwise it is only recorded
 */
export function repeatedHeaderDetector(
  file: string,
  columns: readonly string[],
  stops: boolean,
): RepeatedHeaderDetector {
  const folded = columns.map(fold);
  const names = new Set(folded);
  // Few rows begin with a text as long as one of the names, which is faster to check than comparing letters.
  const lengths = new Set(columns.map((name) => name.length));
  // A single name has no other order.
  const sorted = columns.filter((name) => name !== '').length > 1 ? inOrder(folded) : undefined;
  const same = rowTally();
  const reordered = rowTally();

  return {
    sees(cells, line) {
      const first = cells[0] ?? '';
      if (!lengths.has(first.length) && first.charCodeAt(0) !== 0xfeff) return false;
      const bare = first.replace(/^\ufeff"(.*)"$|^\ufeff/, '$1');
      if (!names.has(fold(bare))) return false;
      const named = [bare, ...cells.slice(1)];
      const found = named.map(fold);
      const isSame = found.every((cell, i) => cell === folded[i]);
      if (!isSame && inOrder(found) !== sorted) return false;
      if (!isSame && stops)
        throw new CatalogError(
          'input_unreadable',
          `${file}: line ${line} repeats the column names in another order: ${listColumns(named)}. ` +
            'Split the file there, or, if it is a record, send it in a JSON file.',
        );
      (isSame ? same : reordered).take(line);
      return true;
    },
    seen: { same, reordered },
  };
}

function inOrder(names: readonly string[]): string {
  return JSON.stringify([...names].sort());
}

/** The notice about skipped header rows. */
export function repeatedHeaderNotes(seen: RepeatedHeaders | undefined): FileNote[] {
  if (seen === undefined || seen.same.count === 0) return [];
  const { same } = seen;
  const rows = same.count === 1 ? 'row' : 'rows';
  return [{ code: 'rows_skipped', words: `${same.count} repeated header ${rows} skipped (${linesOf(same)})` }];
}
