// The width of a text in terminal columns: two for each Chinese, Japanese or Korean character and for an emoji, none
// for a combining mark or a colour.
import { eastAsianWidth } from 'get-east-asian-width';
import { graphemesOf } from '../../core/text/graphemes.js';
import { ellipsize } from '../../core/text/sanitize.js';

/** Latin, Greek, Cyrillic and punctuation: one column for each character. */
const narrow = /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0377\u0384-\u0482\u048a-\u052f\u2010-\u2027→]*$/;

/** What begins with none of these takes no column. */
const visible = /[^\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}]/u;
/** A letter of a flag is one only next to the other. */
const emoji = /(?![\u{1f1e6}-\u{1f1ff}]$)\p{Emoji_Presentation}|\ufe0f/u;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
const colour = /\u001b\[\d+m/g;

export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  const plain = text.replace(colour, '');
  if (narrow.test(plain)) return plain.length;
  return [...graphemesOf(plain)].reduce((sum, { segment }) => sum + graphemeWidth(segment), 0);
}

function graphemeWidth(grapheme: string): number {
  const [first] = visible.exec(grapheme) ?? [];
  if (first === undefined) return 0;
  return emoji.test(grapheme) ? 2 : eastAsianWidth(first.codePointAt(0) ?? 0);
}

/** A text cut to at most `most` columns, with … at its end where it was longer. Characters are kept whole. */
export function cutToWidth(text: string, most: number): string {
  if (narrow.test(text)) return ellipsize(text, most);
  // A text with more code units than that is too wide, whatever it contains: at most 20 units make a character.
  if (text.length <= most * 20 && displayWidth(text) <= most) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of graphemesOf(text)) {
    width += graphemeWidth(segment);
    if (width > most - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

/**
 * Breaks words that are wider than `columns`: after a sign such as `-`, next to a character of two columns, as Chinese is broken,
 * and elsewhere only where a part without these is too wide itself.
 */
export function breakWideWords(text: string, columns: number): string {
  return text
    .split(' ')
    .map((word) => (displayWidth(word) <= columns ? word : broken(word, columns)))
    .join(' ');
}

function broken(word: string, columns: number): string {
  const lines: string[] = [];
  let [line, width, end, last] = ['', 0, 0, ''];
  for (const { segment } of graphemesOf(word)) {
    const own = graphemeWidth(segment);
    if (own === 2 || /^[-/_.,:;]$/.test(last) || (last !== '' && graphemeWidth(last) === 2)) end = line.length;
    if (width + own > columns && line !== '') {
      const at = end === 0 ? line.length : end;
      lines.push(line.slice(0, at));
      line = line.slice(at);
      width = displayWidth(line);
      end = 0;
    }
    line += segment;
    width += own;
    last = segment;
  }
  return [...lines, line].join('\n');
}
