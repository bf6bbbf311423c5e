// A text in a wrong encoding mixes scripts within its words: `ééן`, `Gr№n`. Written text does so nearly never.

/** A Latin letter of ASCII next to one of another script. */
const mixed =
  /[A-Za-z][\p{sc=Cyrl}\p{sc=Greek}\p{sc=Hebr}\p{sc=Arab}\p{sc=Thai}]|[\p{sc=Cyrl}\p{sc=Greek}\p{sc=Hebr}\p{sc=Arab}\p{sc=Thai}][A-Za-z]/u;
const foreign = /[\p{sc=Cyrl}\p{sc=Greek}\p{sc=Hebr}\p{sc=Arab}\p{sc=Thai}]/u;

/** Whether half of the words with letters of another script have Latin letters in them, too. */
export function mixesScripts(text: string): boolean {
  const words = (text.match(/[\p{L}\p{M}]+/gu) ?? []).filter((word) => foreign.test(word));
  return words.length > 0 && words.filter((word) => mixed.test(word)).length * 2 >= words.length;
}
