// A text in a wrong encoding has signs and capitals within its words: `C¾digo`, `CategorÝa`, `Ni├▒o`. Written text does so
// nearly never.

/** A control character, or a sign, a capital or a character of East Asia between two small Latin letters, none of them ASCII. */
const broken =
  /[\x80-\x9f]|(?<=\p{L})[\p{S}\p{No}\p{Cf}\x80-\x9f¶§¿¡]+(?=\p{Ll})|(?<=\p{Ll})(?![A-Z])\p{Lu}(?=\p{Ll})|(?<=[a-z])[\p{sc=Han}\p{sc=Hang}\p{sc=Kana}](?=[a-z])/gu;
const foreign = /[^\0-\x7f]/g;

/** Whether a fifth of the characters beyond ASCII are within words to which they cannot belong. */
export function breaksWords(text: string): boolean {
  const count = text.match(foreign)?.length ?? 0;
  return count > 0 && (text.match(broken)?.length ?? 0) * 5 >= count;
}
