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

/** Maximum shapes of codes that are kept. */
const mostShapes = 100;

/** The shape of a code, which is one word with digits, in its column. */
function shapeOf(cell: string, column: number): string | undefined {
  const code = cell.trim();
  if (!/^\S*\p{N}\S*$/u.test(code)) return undefined;
  return `${column} ${code.replace(/\p{N}+/gu, '0').replace(/\p{L}+/gu, 'a')}`;
}

/** Tells titles from records, and counts them. A row with only a title may look like one with only a code: they are reported. */
export function sectionCount(): {
  /** The title that a row is, unless it has the code of a record only: one like those of the records above it. */
  title(cells: readonly string[], line: number): string | undefined;
  notes(): FileNote[];
} {
  const reported: string[] = [];
  const shapes = new Set<string>();
  let count = 0;
  return {
    title(cells, line) {
      const filled = [...cells.entries()].filter(([, cell]) => cell.trim() !== '');
      const codes = filled.flatMap(([i, cell]) => shapeOf(cell, i) ?? []);
      const [[, first] = [0, '']] = filled;
      if (filled.length !== 1 || codes.some((code) => shapes.has(code))) {
        for (const code of codes) if (shapes.size < mostShapes) shapes.add(code);
        return undefined;
      }
      if (count++ < mostTitles) reported.push(`${quote(first.trim())} on line ${line}`);
      return first.trim();
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
