// The words of a header, and stems to find among them: beginnings and ends of words in the languages of suppliers.

/** Scripts that write words together, or put articles before them: a stem may be anywhere in a word. */
const joined = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Arab}\p{sc=Hebr}\p{sc=Deva}]/u;
/** The shortest stem that may begin a longer word, or end a compound. */
export const shortest = 4;

/** A list of stems: `=cent` is a whole word only, `list_price` are two words in a row. */
export type Stems = readonly string[];

export const stemsOf = (text: string): Stems =>
  withoutTonos(text)
    .split(' ')
    .filter((stem) => stem !== '|');

/** Greek without accents, which capitals have not. */
export function withoutTonos(text: string): string {
  return text
    .normalize('NFD')
    .replace(/(?<=\p{sc=Greek})\u0301/gu, '')
    .normalize('NFC');
}

/** Initials as one word: `P.V.P.` is the PVP. */
export const joinInitials = (header: string): string =>
  header.replace(/(?<!\p{L})\p{L}(?:\.\p{L})+(?!\p{L})/gu, (initials) => initials.replaceAll('.', ''));

/** The words of a header, in lower case: `Brutto-VK`, `grossPrice` and `EANCode` have two each, and `Item #` ends in a number. */
export function wordsOf(header: string): string[] {
  // The number by which an entry of a list is known says nothing of its members: `offers[minQuantity=1].price`.
  const parted = withoutTonos(joinInitials(header.replace(/\[[^\]=]+=(?:\d+|true|false)\]/g, '')))
    .replace(/№|#(?!\p{L})/gu, ' no ')
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/gu, ' ');
  return parted.toLowerCase().match(/[\p{L}\p{M}]+(?:["'’״׳][\p{L}\p{M}]+)*|\d+/gu) ?? [];
}

const plain = /^[!-~]*$/;

/** Latin letters without their accents. */
function withoutAccents(word: string): string {
  return plain.test(word)
    ? word
    : word
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC');
}

function hasStem(header: readonly string[], stem: string, isPlain: boolean): boolean {
  if (stem.startsWith('=')) return header.includes(stem.slice(1));
  if (stem.includes('_')) return ` ${header.join(' ')} `.includes(` ${stem.replaceAll('_', ' ')} `);
  if (!isPlain && joined.test(stem)) return header.some((word) => word.replace(/["'’״׳]/gu, '').includes(stem));
  return header.some(
    (word) => word === stem || (stem.length >= shortest && (word.startsWith(stem) || word.endsWith(stem))),
  );
}

/** Whether a header has a word of one of the stems. A stem without accents stands for words with them as well. */
export function hasAny(header: readonly string[], stems: Stems): boolean {
  const unaccented = header.map(withoutAccents);
  return stems.some((stem) => {
    const isPlain = plain.test(stem);
    return hasStem(isPlain ? unaccented : header, stem, isPlain);
  });
}
