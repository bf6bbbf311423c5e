// Rows of a printed page, not of its table: page numbers, totals, amounts carried over. Rows named in a mapping
// (`leave_out`) are skipped; similar ones are reported, since they are read as records.
import type { FileNote } from '../../core/diagnostics/file-notes.js';
import { counted } from '../../core/text/counted.js';
import { fold, quote } from '../../core/text/text.js';
import { linesOf, type RowTally, rowTally, type SeenRows } from './row-tally.js';
import { isAmountOrCount, totalRows } from './total-rows.js';

/** Rows of one kind: their first word, their number, and the lines of the first ones. */
interface PageRowKind extends SeenRows {
  readonly word: string;
}

export interface PageRows {
  /**
   * What a row is, if it is no record: it begins with one of the given words, and is mostly empty or has only amounts after
   * the word; or it looks as if it should be left out.
   */
  sees(cells: readonly string[], line: number): 'left_out' | 'doubted' | undefined;
  /** Rows that look like page headers or totals and were not left out. */
  seen(): readonly PageRowKind[];
  notes(): FileNote[];
}

/** Most different words that are counted. */
const mostKinds = 20;
/** The longest text that is a page number or a word for a total. */
const longest = 60;

const pages =
  'page|seite|blatt|página|pagina|страница|стр|сторінка|стор|strona|str|sayfa|sida|side|sivu|oldal|ページ|頁|页|第|صفحة|trang';
/** Words of which rows of totals without another sign are known. */
const totals =
  'grand total|sub-?total|totals?|(?:zwischen|gesamt|end)?summe|übertrag|carried forward|brought forward|(?:sous-)?total|somme|suma|totale|totaal|sum';
const pageRow = new RegExp(`^(${pages})[\\s.:]*(?:nr\\.?|no\\.?|№)?\\s*\\p{N}+(?![\\p{L}\\p{N}])`, 'u');
const totalRow = new RegExp(`^(${totals})(?![\\p{L}\\p{N}])(.*)$`, 'iu');
/** The first two characters of every word and of its optional beginnings. */
const beginnings = new Set(`${pages}|${totals}`.split(/\||\(\?:|\)\?/).map((word) => word.slice(0, 2)));
/** What may follow the word, in addition to amounts and currency codes. */
const totalQualifiers = new Set(
  'excl incl inkl exkl zzgl net netto brutto ht ttc vat mwst ust of page général de'.split(' '),
);

/**
 * Makes the finder for a table.
 * @param leaveOut the first words of rows to skip
 * @param addsUp whether totals are also found by their sums
 */
export function pageRows(leaveOut: readonly string[], addsUp = false): PageRows {
  const words = leaveOut.map((word) => ({ word, folded: fold(word.trim()) }));
  const left = new Map<string, RowTally>();
  const seen = new Map<string, RowTally>();
  const isTotal = totalRows(addsUp);

  /** The text of a total, or the word that it begins with like another. */
  function totalWord(first: string): string {
    const text = first.replace(/[\s:.]+$/u, '').trim();
    const [word = text] = text.split(/\s/u, 1);
    const alike = [...seen].find(([other]) => other !== text && other.split(/\s/u, 1)[0] === word);
    if (alike === undefined || alike[0] === word) return alike === undefined ? text : word;
    seen.delete(alike[0]);
    seen.set(word, alike[1]);
    return word;
  }

  function count(kinds: typeof left, word: string, line: number): void {
    const known = kinds.get(word);
    if (known === undefined && kinds.size >= mostKinds) return;
    const rows = known ?? rowTally();
    kinds.set(word, rows);
    rows.take(line);
  }

  /** The word that a row begins with, if it is one of those to skip. */
  function named(first: string): string | undefined {
    const text = fold(first.trim());
    return words.find(({ folded }) => text.startsWith(folded) && !isLetter(text, folded))?.word;
  }

  return {
    sees(cells, line) {
      const first = firstFilled(cells);
      if (first === '') return undefined;
      const isShort = first.length <= longest;
      const word = isShort && words.length > 0 ? named(first) : undefined;
      if (word !== undefined && isSparse(cells, fold(first.trim()) === fold(word.trim()))) {
        count(left, word, line);
        return 'left_out';
      }
      const page = isShort && word === undefined ? pageWord(first) : undefined;
      const doubted =
        page !== undefined && isSparse(cells) ? page : isTotal(cells, first) && isShort ? totalWord(first) : undefined;
      if (doubted === undefined) return undefined;
      count(seen, doubted, line);
      return 'doubted';
    },
    seen: () => [...seen].map(([word, { count: rows, lines }]) => ({ word, count: rows, lines })),
    notes() {
      const lost = [...left].map(
        ([word, rows]): FileNote => ({
          code: 'rows_skipped',
          words: `${counted(rows.count, 'rows')} left out by ${quote(word)} (${linesOf(rows)})`,
        }),
      );
      if (seen.size === 0) return lost;
      const all = [...seen].map(([word, rows]) => `${quote(word)} on ${linesOf(rows)}`);
      const list = [...seen.keys()].map((word) => JSON.stringify(word)).join(', ');
      const words =
        `rows that look like page headers or totals were read as records: ${all.join('; ')}. ` +
        `Leave them out with read: { leave_out: [${list}] } in a mapping`;
      return [...lost, { code: 'rows_guessed', words }];
    },
  };
}

/** Whether the first text of a row is a page number or a word for a total. */
export function isPageRow(first: string): boolean {
  return first.length <= longest && pageWord(first) !== undefined;
}

/** The word for a page or a total in a text. */
function pageWord(first: string): string | undefined {
  const text = first.trim();
  if (!mayBeginWord(text)) return undefined;
  const page = pageRow.exec(text.toLowerCase())?.[1];
  if (page !== undefined) return text.slice(0, page.length);
  const [, total, after = ''] = totalRow.exec(text) ?? [];
  const others = after.replace(/\(?\p{N}+ \p{L}+\.?\)?$/u, '').match(/\p{L}+/gu) ?? [];
  return others.every((word) => /^[A-Z]{3}$/.test(word) || totalQualifiers.has(fold(word))) ? total : undefined;
}

/** Whether a text may begin with one of the words. Its first two characters rule out nearly every key without a regular expression. */
function mayBeginWord(text: string): boolean {
  if (text.length < 2 || text.charCodeAt(0) > 127 || text.charCodeAt(1) > 127) return true;
  return beginnings.has(text.slice(0, 2).toLowerCase());
}

/**
 * At most half of the cells of such a row are filled, or it has only amounts and counts after its first text, since a total
 * may sum up every column of amounts, and count the names. In a narrow table that may be a record.
 */
function isSparse(cells: readonly string[], isNamed = false): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (filled.length * 2 <= cells.length || cells.length === 1) return true;
  const isNarrow = filled.length === cells.length && cells.length < fewestColumns;
  return (isNamed || !isNarrow) && filled.slice(1).every(isAmountOrCount);
}

const fewestColumns = 4;

function firstFilled(cells: readonly string[]): string {
  const [first = ''] = cells;
  return first !== '' ? first : (cells.find((cell) => cell.trim() !== '') ?? '');
}

/** Whether a letter follows the word: "Pagers" is not a page. */
function isLetter(text: string, word: string): boolean {
  return /^\p{L}$/u.test(text.charAt(word.length)) && /\p{L}$/u.test(word);
}
