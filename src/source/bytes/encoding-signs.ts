// Signs that a text was decoded by a wrong encoding, and letters that tell encodings apart.

/** The encoding by where the zeros of the first line are: `s\0k\0u\0` or `\0s\0k\0u`. */
export function wideEncoding(raw: string): string {
  const end = raw.indexOf('\0') % 2 === 0 ? 'be' : 'le';
  return `utf-${raw.includes('\0\0\0') ? 32 : 16}${end}`;
}

// Signs and capitals within words: `C¾digo`, `CategorÝa`, `Ni├▒o`. Written text has them nearly never.

/**
 * A control character, or a frame of old code pages next to a letter, or a sign or a character of East Asia between small Latin
 * letters, or a capital after one; none of them ASCII.
 */
const broken =
  /[\x80-\x9f]|[\u2500-\u259f](?=\p{L})|(?<=\p{L})[\u2500-\u259f]|(?<=\p{L})[\p{S}\p{No}\p{Cf}\x80-\x9f¶§¿¡†‡‰]+(?=\p{Ll})|(?<=\p{Ll})(?![A-Z])\p{Lu}|(?<=[A-Za-z])[\p{sc=Han}\p{sc=Hang}\p{sc=Kana}](?=[a-z])/gu;
const beyondAscii = /[^\0-\x7f]/g;

/** Whether a fifth of the characters beyond ASCII are within words to which they cannot belong. */
export function breaksWords(text: string): boolean {
  const count = text.match(beyondAscii)?.length ?? 0;
  return count > 0 && (text.match(broken)?.length ?? 0) * 5 >= count;
}

// Scripts that are mixed within words: `ééן`, `Gr№n`. Written text mixes them nearly never.

/** A Latin letter of ASCII next to one of another script. */
const mixed =
  /[A-Za-z][\p{sc=Cyrl}\p{sc=Greek}\p{sc=Hebr}\p{sc=Arab}\p{sc=Thai}]|[\p{sc=Cyrl}\p{sc=Greek}\p{sc=Hebr}\p{sc=Arab}\p{sc=Thai}][A-Za-z]/u;
const foreign = /[\p{sc=Cyrl}\p{sc=Greek}\p{sc=Hebr}\p{sc=Arab}\p{sc=Thai}]/u;

/**
 * Whether half of the words with letters of another script have Latin letters in them, too. A single letter is no word: `€`
 * of windows-1252 is one in many encodings.
 */
export function mixesScripts(text: string): boolean {
  const words = (text.match(/[\p{L}\p{M}]{2,}/gu) ?? []).filter((word) => foreign.test(word));
  return words.length > 0 && words.filter((word) => mixed.test(word)).length * 2 >= words.length;
}

/** Letters beyond ASCII, by language: `Śillet` next to `Désignation` is a wrong encoding. */
const alphabets: readonly ReadonlySet<string>[] = [
  'äöüß', // German
  'àâæçéèêëîïôœùûüÿ', // French
  'áéíñóúüç', // Spanish
  'àáâãçéêíóôõúü', // Portuguese
  'àèéìíîòóùú', // Italian
  'àáâäçèéêëíîïóôöúüû', // Dutch
  'àçéèíïóòúü', // Catalan
  'åäöéüà', // Swedish
  'æøåéóòôäöü', // Danish, Norwegian
  'åäöšž', // Finnish
  'áðéíóúýþæö', // Icelandic
  'ąćęłńóśźż', // Polish
  'áčďéěíňóřšťúůýž', // Czech
  'áäčďéíĺľňóôŕšťúýž', // Slovak
  'áéíóöőúüű', // Hungarian
  'ăâîșțşţ', // Romanian
  'čćđšž', // Croatian, Serbian, Slovene
  'çğıi\u0307öşüâîû', // Turkish
  'āčēģīķļņšūž', // Latvian
  'ąčęėįšųūž', // Lithuanian
  'äöõüšž', // Estonian
  'çë', // Albanian
].map((letters) => new Set(letters));

/** Whether the text has Latin letters beyond ASCII, all of them of one language. */
export function fitsAlphabet(text: string): boolean {
  const letters = new Set(text.toLowerCase().match(/(?![a-z])\p{sc=Latn}/gu) ?? []);
  return letters.size > 0 && alphabets.some((alphabet) => [...letters].every((letter) => alphabet.has(letter)));
}

/** windows-1252 and windows-1254 differ in six letters: ğ İ ı Ş ş Ğ of Turkish are ð Ý ý Þ þ Ð of Icelandic. */
const shared = new Set([0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe]);
/** Ç Ü ç ü, which Icelandic lacks. */
const turkish = new Set([0xc7, 0xdc, 0xe7, 0xfc]);
/** Á Æ É Í Ó Ú á æ é í ó ú, which Turkish lacks. */
const icelandic = new Set([0xc1, 0xc6, 0xc9, 0xcd, 0xd3, 0xda, 0xe1, 0xe6, 0xe9, 0xed, 0xf3, 0xfa]);

/** Whether bytes that seem to be of western Europe are Turkish, by their letters other than the six. */
export function isTurkish(encoding: string, bytes: Buffer): boolean {
  if (encoding !== 'windows-1252' && encoding !== 'iso-8859-1') return false;
  const count = (letters: ReadonlySet<number>) => bytes.reduce((sum, byte) => sum + (letters.has(byte) ? 1 : 0), 0);
  return count(shared) > 0 && count(turkish) > count(icelandic);
}

/**
 * Whether a file has parts in UTF-8 in addition to parts in another encoding, which would spoil the former: of the characters in
 * question a fourth is UTF-8, each a Latin letter next to another (`M\xc3\xbctze`). In other encodings such pairs are chance.
 */
export function mixesEncodings(pieces: readonly Buffer[]): boolean {
  let whole = 0;
  let odd = 0;
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      if (byte < 0x80) continue;
      const next = piece[at + 1] ?? 0;
      const isPair = byte >= 0xc3 && byte <= 0xc5 && next >= 0x80 && next <= 0xbf;
      if (isPair && (isLetter(piece[at - 1]) || isLetter(piece[at + 2]))) whole++;
      else odd++;
      if (isPair) at++;
    }
  return whole > 0 && whole * 3 >= odd;
}

function isLetter(byte = 0): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}
