// Makes invisible characters, and those that change the writing direction, visible in supplier text. Used where the
// page is written and where it is read, so that it depends on nothing but text.

/** A piece of a text: as it is, or the name of an invisible character. */
export interface TextPiece {
  readonly text: string;
  readonly isNamed: boolean;
}

/**
 * C0 and C1, soft hyphen, marks and overrides of direction, separators and joiners without width (but for those that emoji
 * and Persian are written with), byte order mark, annotations, halves of surrogate pairs, tags.
 */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is made visible
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff]|\u034f|[\u{e0000}-\u{e007f}]|[\ud800-\udfff]/gu;

const names: Readonly<Record<string, string>> = { '\n': '⏎', '\r': '␍', '\t': '⇥', '\0': '␀', '\u001b': '␛' };

function nameOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return names[character] ?? `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The pieces of a text, in their order. */
export function visiblePieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const { 0: character, index } of text.matchAll(unseen)) {
    if (index > at) pieces.push({ text: text.slice(at, index), isNamed: false });
    pieces.push({ text: nameOf(character), isNamed: true });
    at = index + character.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isNamed: false });
  return pieces;
}

/** The same as one text, where nothing can be marked: in the title of the page. */
export function visibleText(text: string): string {
  return visiblePieces(text)
    .map((piece) => piece.text)
    .join('');
}
