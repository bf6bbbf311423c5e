// The width of a text in terminal columns: two for each Chinese, Japanese or Korean character and for an emoji, none
// for a combining mark. string-width takes 45 ms to load, so that it is loaded only for texts beyond the usual
// alphabets.
import { ellipsize } from '../../core/text/sanitize.js';

/** Measures the width of a text. */
export type DisplayWidth = (text: string) => number;

/** Latin, Greek, Cyrillic and punctuation: one column for each character. */
const narrow = /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0377\u0384-\u0482\u048a-\u052f\u2010-\u2027→]*$/;

/** @returns a function that measures these texts, and others in the same alphabets */
export async function loadDisplayWidth(texts: readonly string[]): Promise<DisplayWidth> {
  if (texts.every((text) => narrow.test(text))) return ({ length }) => length;
  const { default: stringWidth } = await import('string-width');
  return (text) => (narrow.test(text) ? text.length : stringWidth(text));
}

/** A text cut to at most `most` columns, with … at its end where it was longer. Characters are kept whole. */
export function cutToWidth(text: string, most: number, widthOf: DisplayWidth): string {
  if (narrow.test(text)) return ellipsize(text, most);
  // A text with more code units than that is too wide, whatever it contains: at most 20 units make a character.
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

/** Pads a text with spaces to a width. */
export function padToWidth(text: string, columns: number, widthOf: DisplayWidth): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/** Breaks words that are wider than `columns`, since cli-table3 would cut them. */
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
