// How many columns of a terminal a text takes: two for each character of Chinese, Japanese or Korean and for an emoji, none
// for a combining mark. string-width takes 45 ms to load, and so is loaded for texts beyond the usual alphabets only.
import { ellipsize } from '../../core/text/sanitize.js';

/** Counts the columns of a text. */
export type DisplayWidth = (text: string) => number;

/** Latin, Greek, Cyrillic and punctuation: one column for each character. */
const narrow = /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0377\u0384-\u0482\u048a-\u052f\u2010-\u2027→]*$/;

/** @returns what counts the columns of these texts, and of others of the same alphabets */
export async function loadDisplayWidth(texts: readonly string[]): Promise<DisplayWidth> {
  if (texts.every((text) => narrow.test(text))) return ({ length }) => length;
  const { default: stringWidth } = await import('string-width');
  return (text) => (narrow.test(text) ? text.length : stringWidth(text));
}

/** A text cut to at most `most` columns, with … at its end where it was longer. Characters are kept whole. */
export function cutToWidth(text: string, most: number, widthOf: DisplayWidth): string {
  if (narrow.test(text)) return ellipsize(text, most);
  // What takes more than that many code units is too wide, whatever it consists of: at most 20 units make a character.
  if (text.length <= most * 20 && widthOf(text) <= most) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += widthOf(segment);
    if (width > most - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** A text filled up with blanks to so many columns. */
export function padToWidth(text: string, columns: number, widthOf: DisplayWidth): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/** A text whose words are broken where they are wider than `columns`: cli-table3 would cut their ends off. */
export function breakWideWords(text: string, columns: number, widthOf: DisplayWidth): string {
  const broken = (word: string): string => {
    if (widthOf(word) <= columns) return word;
    let width = 0;
    return [...new Intl.Segmenter().segment(word)]
      .map(({ segment }) => {
        const own = widthOf(segment);
        width += own;
        if (width <= columns) return segment;
        width = own;
        return `\n${segment}`;
      })
      .join('');
  };
  return text.split(' ').map(broken).join(' ');
}
