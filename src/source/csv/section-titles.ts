// Titles above the rows of a section, in a table: counted where a mapping says so (`read: {sections: …}`), else found for a
// mapping that is suggested.
import { quote } from '../../core/text/text.js';
import { isPageRow } from './page-rows.js';

/** Rows that seem to be titles of sections. */
export interface SectionTitles {
  readonly count: number;
  readonly lines: readonly number[];
  readonly first: string;
}

const mostLines = 5;
/** Cells that a row has besides a title, and the share of records that titles may be. */
const fewestCells = 3;

/**
 * Finds titles of sections: rows with words in a single cell, each followed by full rows. A row that has nothing but its
 * code is a record: codes have digits.
 */
export function sectionTitles(): {
  take(cells: readonly string[], line: number): void;
  end(): SectionTitles | undefined;
} {
  const lines: number[] = [];
  let first = '';
  let count = 0;
  let full = 0;
  let isDoubted = false;
  let last = '';
  return {
    take(cells, line) {
      const filled = cells.filter((cell) => cell.trim() !== '');
      const [title = ''] = filled;
      if (isPageRow(title)) return;
      if (cells.length < fewestCells || filled.length !== 1) {
        if (filled.length * 2 >= cells.length) full++;
        last = '';
        return;
      }
      if (/\p{N}/u.test(title) || !/\p{L}{2}/u.test(title)) isDoubted = true;
      if (last !== '') isDoubted = true;
      last = title;
      first ||= title.trim().slice(0, 40);
      count++;
      if (lines.length < mostLines) lines.push(line);
    },
    end: () => (isDoubted || count < 2 || full < count * 2 || last !== '' ? undefined : { count, lines, first }),
  };
}

/** Counts the rows that are taken for titles. A row that has nothing but a code looks the same: what was taken is said. */
export function sectionCount(): { take(title: string, line: number): void; notes(): string[] } {
  const told: string[] = [];
  let count = 0;
  return {
    take(title, line) {
      if (count++ < mostLines) told.push(`${quote(title)} on line ${line}`);
    },
    notes() {
      if (count === 0) return [];
      const what =
        count === 1
          ? '1 row with a single filled cell is the title of a section'
          : `${count} rows with a single filled cell are titles of sections`;
      return [`${what}, and no record: ${told.join(', ')}${count > told.length ? ', …' : ''}`];
    },
  };
}
