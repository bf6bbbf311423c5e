// The words of a header, and stems to find among them: beginnings and ends of words in the languages of suppliers.

/** Scripts that write words together, or put articles before them: a stem may be anywhere in a word. */
const joined = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Arab}\p{sc=Hebr}\p{sc=Deva}]/u;
export const isJoined = (text: string): boolean => joined.test(text);
/** The shortest stem that may begin a longer word, or end a compound. */
export const shortest = 4;

/** A list of stems: `=cent` is a whole word only, `list_price` are two words in a row. */
export type Stems = readonly string[];

export const stemsOf = (text: string): Stems =>
  withoutTonos(text)
    .split(' ')
    .filter((stem) => stem !== '|');

/** Greek without accents, which capitals have not. */
function withoutTonos(text: string): string {
  return text
    .normalize('NFD')
    .replace(/(?<=\p{sc=Greek})\u0301/gu, '')
    .normalize('NFC');
}

/** Initials as one word: `P.V.P.` is the PVP. */
export const joinInitials = (header: string): string =>
  header.replace(/(?<!\p{L})\p{L}(?:\.\p{L})+(?!\p{L})/gu, (initials) => initials.replaceAll('.', ''));

/** The words of a header, in lower case: `Brutto-VK`, `grossPrice` and `EANCode` have two each, and `Item #` ends in a number. `MwSt` is one word. */
export function wordsOf(header: string): string[] {
  // The number by which an entry of a list is known says nothing of its members: `offers[minQuantity=1].price`.
  const parted = withoutTonos(joinInitials(header.replace(/\[[^\]=]+=(?:\d+|true|false)\]/g, '')))
    .replace(/№|#(?!\p{L})/gu, ' no ')
    .replaceAll('MwSt', 'Mwst')
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/gu, ' ');
  return parted.toLowerCase().match(/[\p{L}\p{M}]+(?:["'’״׳][\p{L}\p{M}]+)*|\d+/gu) ?? [];
}

const plain = /^[!-~]*$/;

/** Letters without their accents. */
export function withoutAccents(word: string): string {
  return plain.test(word)
    ? word
    : word
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC');
}

/** A list of stems by how they are looked for. */
interface StemIndex {
  /** Those that are a whole word, each of them. */
  readonly whole: ReadonlySet<string>;
  /** Those that may begin or end a longer word. */
  readonly parts: ReadonlySet<string>;
  readonly phrases: readonly string[];
  /** Those that may be anywhere in a word. */
  readonly inside: readonly string[];
}

function indexOf(stems: Stems): StemIndex {
  const phrases = stems.filter((stem) => !stem.startsWith('=') && stem.includes('_'));
  const words = stems.filter((stem) => stem.startsWith('=') || !stem.includes('_'));
  const inside = words.filter((stem) => !stem.startsWith('=') && joined.test(stem));
  const others = words.filter((stem) => !inside.includes(stem));
  return {
    whole: new Set(others.map((stem) => stem.replace(/^=/, ''))),
    parts: new Set(others.filter((stem) => !stem.startsWith('=') && stem.length >= shortest)),
    phrases: phrases.map((stem) => ` ${stem.replaceAll('_', ' ')} `),
    inside,
  };
}

function isIn(header: readonly string[], { whole, parts, phrases, inside }: StemIndex): boolean {
  if (header.some((word) => whole.has(word))) return true;
  if (parts.size > 0 && header.some((word) => beginsOrEnds(word, parts))) return true;
  const text = phrases.length > 0 ? ` ${header.join(' ')} ` : '';
  if (phrases.some((phrase) => text.includes(phrase))) return true;
  const plainer = inside.length > 0 ? header.map((word) => word.replace(/["'’״׳]/gu, '')) : [];
  return inside.some((stem) => plainer.some((word) => word.includes(stem)));
}

function beginsOrEnds(word: string, parts: ReadonlySet<string>): boolean {
  for (let length = shortest; length <= word.length; length++)
    if (parts.has(word.slice(0, length)) || parts.has(word.slice(-length))) return true;
  return false;
}

/** For each list its stems without accents, and those with them. A header is asked for dozens of lists. */
const indexes = new WeakMap<Stems, readonly [plain: StemIndex, others: StemIndex]>();

/** Stems of at least so many letters are also found in headers without accents: `preço` in `preco`. Of shorter ones, such as `ár`, too little is left. */
const shortestBare = 5;

/** Whether a header has a word of one of the stems, with or without accents. */
export function hasAny(header: readonly string[], stems: Stems): boolean {
  let both = indexes.get(stems);
  if (both === undefined) {
    const others = stems.filter((stem) => !plain.test(stem));
    const bare = others.filter(({ length }) => length >= shortestBare).map(withoutAccents);
    both = [indexOf([...stems.filter((stem) => plain.test(stem)), ...bare]), indexOf(others)];
    indexes.set(stems, both);
  }
  return isIn(header.map(withoutAccents), both[0]) || isIn(header, both[1]);
}
