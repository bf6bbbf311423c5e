// Detects the dialect of a CSV file: its delimiter and line ends.
import { CatalogError } from '../../core/errors.js';

/** The delimiters that are detected. */
export const delimiters: readonly string[] = [',', ';', '\t', '|'];
/** Delimiters of files whose header has none of the others. */
const rareDelimiters: readonly string[] = ['\x1f', '^', '~', '¦', '§'];

export interface CsvDialect {
  readonly delimiter: string;
  /** What ends a line; `\n` includes CRLF, which may be mixed with LF. */
  readonly newline: '\n' | '\r';
  /** The rows of a sheet: each is one line, whatever line breaks its cells have. */
  readonly isSheet?: boolean;
}

/** Rows below the header that are looked at, and the characters in which they have to be. */
const looked = 20;
const lookedCharacters = 65_536;
/** How many of these rows must have as many cells as the header, for a delimiter that is rarer in it. */
const nearlyAll = 0.8;

/**
 * Detects the dialect of a file from its header line. Where the rows below have fewer cells than its header by the most
 * frequent sign, as in `Nr;Preis (netto,brutto,UVP)`, it is the sign by which they have as many.
 * @param text the beginning of the file with the whole header line, or all available text
 * @param delimiter the delimiter, if known
 */
export function detectDialect(text: string, delimiter?: string): CsvDialect {
  const start = Math.max(text.search(/[^\r\n\ufeff]/), 0);
  const [header = { signs: '', tight: '', end: start }, ...rows] = rowsFrom(text, start);
  const newline = text.charAt(header.end) === '\r' && text.charAt(header.end + 1) !== '\n' ? '\r' : '\n';
  const named = delimiter ?? /^\s*sep=(.)\r?\n/.exec(text)?.[1];
  return { delimiter: named ?? delimiterOf(header, rows), newline };
}

/** The delimiters of a row outside quoted cells, all and those without punctuation; and where its line ends. */
interface RowSigns {
  readonly signs: string;
  /** Those that no blank follows, and that are in no brackets: `Preis, netto`, `Size (S|M|L)`. */
  readonly tight: string;
  readonly end: number;
}

/** The header, and some rows below it. */
function rowsFrom(text: string, start: number): RowSigns[] {
  const rows: RowSigns[] = [];
  let [signs, tight] = ['', ''];
  let quoted = false;
  // A quote within a cell, as in מק"ט, is a letter.
  let isCellStart = true;
  let brackets = 0;
  let at = start;
  for (; at < text.length && rows.length <= looked && (rows.length === 0 || at < start + lookedCharacters); at++) {
    const char = text.charAt(at);
    const isLineEnd = !quoted && (char === '\n' || char === '\r');
    if (char === '"' && (quoted || isCellStart)) quoted = !quoted;
    else if (isLineEnd && (signs !== '' || rows.length === 0)) {
      rows.push({ signs, tight, end: at });
      [signs, tight, brackets] = ['', '', 0];
    } else if (!quoted && char === '(') brackets++;
    else if (!quoted && char === ')') brackets = Math.max(0, brackets - 1);
    else if (!quoted && isDelimiter(char)) {
      signs += char;
      if (brackets === 0 && text.charAt(at + 1) !== ' ') tight += char;
    }
    if (!quoted && char !== '"' && char !== ' ') isCellStart = isLineEnd || isDelimiter(char);
  }
  if (signs !== '' || rows.length === 0) rows.push({ signs, tight, end: at });
  return rows;
}

function delimiterOf(header: RowSigns, rows: readonly RowSigns[]): string {
  const isPlain = delimiters.some((sign) => header.signs.includes(sign));
  const candidates = (isPlain ? delimiters : rareDelimiters).filter((sign) => header.signs.includes(sign));
  // In some files all delimiters have a blank.
  const telling = candidates.some((sign) => header.tight.includes(sign)) ? header.tight : header.signs;
  // Of equally frequent ones no comma: it is in names and amounts, too.
  const [best = ',', ...others] = candidates.sort(
    (a, b) => count(telling, b) - count(telling, a) || Number(a === ',') - Number(b === ','),
  );
  const shorter = rows.filter(({ signs }) => count(signs, best) < count(header.signs, best));
  if (shorter.length * 2 <= rows.length) return best;
  // Rows may lack their last cells: then another sign, as a comma in amounts, is not the more frequent one in them.
  const fits = (sign: string) => (row: RowSigns) =>
    count(row.signs, sign) === count(header.signs, sign) &&
    count(row.signs, sign) >= count(row.signs, best) + (sign === ',' ? 1 : 0);
  return others.find((sign) => rows.filter(fits(sign)).length >= rows.length * nearlyAll) ?? best;
}

function count(signs: string, sign: string): number {
  return signs.split(sign).length - 1;
}

function isDelimiter(char: string): boolean {
  return delimiters.includes(char) || rareDelimiters.includes(char);
}

/**
 * The delimiter as the user names it.
 * @throws CatalogError `usage` for an invalid one
 */
export function namedDelimiter(named: string | undefined): string | undefined {
  if (named === undefined) return undefined;
  const delimiter = named === '\\t' || named.toLowerCase() === 'tab' ? '\t' : named;
  if (/^[^"\r\n]$/.test(delimiter)) return delimiter;
  throw new CatalogError(
    'usage',
    `--delimiter: ${JSON.stringify(named)} is not one character; name one such as ; or tab.`,
  );
}
