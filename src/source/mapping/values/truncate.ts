// Truncates a text to a limit, at the end of a word and never inside a character.

import { graphemesOf } from '../../../core/text/graphemes.js';

/** How long a text may be: in UTF-8 bytes, or in characters (code points). */
export type Limit = { readonly bytes: number } | { readonly characters: number };

/**
 * Cuts a text that is longer than its limit. It ends after a word, unless that would lose more than half of what fits (one
 * long word, or a script without blanks): then after a character as people see it, with its accents.
 */
export function truncate(text: string, limit: Limit): string {
  const end = fitting(text, limit);
  if (end === text.length) return text;
  if (/\s/.test(text.charAt(end))) return text.slice(0, end).trimEnd();
  const blank = lastBlank(text, end);
  if (blank > end / 2) return text.slice(0, blank);
  const inside = graphemesOf(text).containing(end)?.index ?? end;
  // One sign that is longer than the limit is cut, and does not end in what joins its parts.
  return inside === 0 ? text.slice(0, end).replace(/\u200d+$/, '') : text.slice(0, inside);
}

/** Where the blanks before the last word of a beginning of a text begin; 0 where it is one word. A regular expression would look at each run of blanks again from each of them. */
function lastBlank(text: string, end: number): number {
  let word = end;
  while (word > 0 && !/\s/.test(text.charAt(word - 1))) word--;
  return text.slice(0, word).trimEnd().length;
}

/** How many UTF-16 units of a text fit. */
function fitting(text: string, limit: Limit): number {
  const isBytes = 'bytes' in limit;
  const most = isBytes ? limit.bytes : limit.characters;
  // No unit takes more than three bytes.
  if (text.length * (isBytes ? 3 : 1) <= most) return text.length;
  let used = 0;
  let at = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    used += !isBytes || code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (used > most) return at;
    at += character.length;
  }
  return at;
}
