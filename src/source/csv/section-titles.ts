// Titles of sections in a table: counted if a mapping uses them (`read: {sections: …}`), or detected for a suggested
// mapping.
import type { FileNote } from '../../core/diagnostics/file-notes.js';
import { quote } from '../../core/text/text.js';
import { isPageRow } from './page-rows.js';
import { rowTally, type SeenRows } from './row-tally.js';

/** Rows that look like titles of sections. */
export interface SectionTitles extends SeenRows {
  readonly first: string;
}

/** Rows that are titles or notes, with the texts of the first and last ones. */
export interface NoteRows extends SeenRows {
  readonly texts: readonly string[];
}

/** What rows with words in a single cell are. */
export interface LoneRows {
  readonly sections?: SectionTitles;
  /** Those that are no titles of sections for sure: a title alone, a note below the table. */
  readonly notes?: NoteRows;
}

const mostTitles = 5;
const longestNote = 200;
/** Maximum filled cells next to a title, and maximum share of titles among records. */
const fewestCells = 3;

/** Whether a row has a single filled cell among several. */
export const isSectionTitle = (cells: readonly string[]): boolean =>
  cells.length >= fewestCells && cells.filter((cell) => cell.trim() !== '').length === 1;

/**
 * Detects titles of sections: rows with words in a single cell, each followed by full rows. A row with only a code is a
 * record: codes are one word with digits.
 */
export function sectionTitles(): {
  take(cells: readonly string[], line: number): void;
  end(): LoneRows;
} {
  const titles = rowTally();
  let first = '';
  const texts: string[] = [];
  let full = 0;
  let isCode = false;
  let isDoubted = false;
  let isFirst = true;
  /** Of the rows since the last full one: whether some, or all, are in the first column. */
  let closing = { some: false, all: true };
  let last = '';
  return {
    take(cells, line) {
      const filled = cells.filter((cell) => cell.trim() !== '');
      const [title = ''] = filled;
      if (isPageRow(title)) return;
      if (!isSectionTitle(cells)) {
        if (filled.length * 2 >= cells.length) full++;
        last = '';
        if (filled.length === 0) return;
        isFirst &&= closing.all;
        closing = { some: false, all: true };
        return;
      }
      const isWord = !/\s/.test(title.trim());
      if ((isWord && /\p{N}/u.test(title)) || !/\p{L}{2}/u.test(title)) isCode = true;
      if (last !== '') isDoubted = true;
      const isInFirst = (cells[0] ?? '').trim() !== '';
      closing = { some: closing.some || isInFirst, all: closing.all && isInFirst };
      last = title;
      first ||= title.trim().slice(0, 40);
      if (texts.length > mostTitles) texts.pop();
      texts.push(title.trim().slice(0, longestNote));
      titles.take(line);
    },
    end() {
      const { count, lines } = titles;
      if (isCode || count === 0 || full < count * 2) return {};
      if (!isDoubted && count > 1 && last === '') return { sections: { count, lines, first } };
      // A cell in another column continues the row above, as another picture does. Next to a closing note, it is a note as well.
      return isFirst && (closing.all || closing.some) ? { notes: { count, lines, texts } } : {};
    },
  };
}

/** Counts the rows taken as titles. Since a row with only a code looks the same, the taken ones are reported. */
export function sectionCount(): { take(title: string, line: number): void; notes(): FileNote[] } {
  const reported: string[] = [];
  let count = 0;
  return {
    take(title, line) {
      if (count++ < mostTitles) reported.push(`${quote(title)} on line ${line}`);
    },
    notes() {
      if (count === 0) return [];
      const what =
        count === 1
          ? '1 row with a single filled cell is the title of a section'
          : `${count} rows with a single filled cell are titles of sections`;
      const words = `${what}, and no record: ${reported.join(', ')}${count > reported.length ? ', …' : ''}`;
      return [{ code: 'rows_guessed', words }];
    },
  };
}
