// The header in the middle of a table, left by someone who put files one behind the other.
import { CatalogError } from '../core/errors.js';
import { shown } from './header.js';

/** Most lines that are kept to be named. */
const mostLines = 5;

/** How often the header came again, and the first of the lines it stood on. */
export interface HeadersAgain {
  readonly count: number;
  readonly lines: readonly number[];
}

/** Watches the rows of a table for its header. */
export interface HeaderWatch {
  /**
   * Whether a row, which has as many cells as the header, is the header. What stood at the top of a file may begin with a
   * byte order mark, behind which a quote is none.
   * @throws CatalogError `input_unreadable` where it names the columns in another order: so do the rows behind it
   */
  sees(cells: readonly string[], line: number): boolean;
  readonly seen: HeadersAgain;
}

/**
 * Makes the watch of one table.
 * @param file the file's name, for messages
 */
export function headerWatch(file: string, columns: readonly string[]): HeaderWatch {
  const names = new Set(columns);
  const seen = { count: 0, lines: [] as number[] };

  return {
    sees(cells, line) {
      const first = cells[0] ?? '';
      if (!names.has(first) && first.charCodeAt(0) !== 0xfeff) return false;
      const found = [first.replace(/^\ufeff"(.*)"$|^\ufeff/, '$1'), ...cells.slice(1)];
      if (!found.every((cell) => names.has(cell)) || new Set(found).size < names.size) return false;
      if (found.some((cell, i) => cell !== columns[i]))
        throw new CatalogError(
          'input_unreadable',
          `${file}: line ${line} names the columns once more, in another order: ${shown(found)}. Split the file there.`,
        );
      seen.count++;
      if (seen.lines.length < mostLines) seen.lines.push(line);
      return true;
    },
    seen,
  };
}

/** What is said of them, if there are any. */
export function againWords(seen: HeadersAgain | undefined): string[] {
  if (seen === undefined || seen.count === 0) return [];
  const { count, lines } = seen;
  const more = count > lines.length ? ` and ${count - lines.length} more` : '';
  return [
    `${count} repeated header ${count === 1 ? 'row' : 'rows'} left out (${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more})`,
  ];
}
