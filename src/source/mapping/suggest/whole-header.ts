// Which part of a header is not known. A column is taken in silence for a field where a wrong guess costs money only where the
// words of the field, and others that change nothing, make up its whole header: `Partnerpreis` may be what a dealer pays.

import { isPiece, kilograms } from '../../../core/text/units.js';
import { currenciesOf } from '../values/currency-signs.js';
import harmless from './harmless-words.json' with { type: 'json' };
import { hasAny, isJoined, type Stems, shortest, stemsOf, withoutAccents, wordsOf } from './header-stems.js';
import words from './header-words.json' with { type: 'json' };
import { headerWords, moneyStems, namingWords } from './read-header.js';

/** What may be in the header of a field. */
interface KnownParts {
  /** Stems of the field itself. */
  readonly fieldStems: Stems;
  readonly own: ReadonlySet<string>;
  /** Those that may have any ending: `Recomendado`. */
  readonly beginnings: Stems;
  /** Those that are a word or a part of one, and those that are a whole word only. */
  readonly parts: ReadonlySet<string>;
  readonly whole: ReadonlySet<string>;
  readonly phrases: readonly string[];
  readonly numbers: RegExp;
}

const all = stemsOf(harmless.all);
const things = stemsOf(words.things);

function knownOf(own: Stems, others: Stems, numbers: RegExp, beginnings: Stems = []): KnownParts {
  const found = [...own, ...others, ...things, ...all].map(withoutAccents);
  const isPart = (stem: string) => isJoined(stem) || stem.length >= (own.includes(stem) ? shortestOwn : shortest);
  const isWhole = (stem: string) => stem.startsWith('=') || !isPart(stem);
  return {
    fieldStems: own,
    beginnings: beginnings.filter(({ length }) => length >= shortest).map(withoutAccents),
    own: new Set(own.map(withoutAccents)),
    parts: new Set(found.filter((stem) => !isWhole(stem) && !stem.includes('_'))),
    whole: new Set(found.map((stem) => stem.replace(/^=/, ''))),
    phrases: found.filter((stem) => stem.includes('_')).map((stem) => ` ${stem.replaceAll('_', ' ')} `),
    numbers,
  };
}

/** Letters of the shortest stem of a field that may be part of a compound; `for` is no part of `forn`. */
const shortestOwn = 3;

const money = (...roles: readonly (keyof typeof words.money)[]): Stems =>
  roles.flatMap((role) => moneyStems[role] ?? []);
const price = money('price');
const besidePrice = [...money('standard', 'regular', 'each', 'minor', 'tax'), ...stemsOf(harmless.price)];
const besideReference = [...money('promo', 'net'), ...stemsOf(harmless.price_compare), ...besidePrice];
const { ean, stock, name, sku } = words.fields;
const weight = headerWords['weight'] ?? [];
const oneOrYear = /^(?:0?1|20\d\d)$/;

/** By field the words that may be in its header, and the numbers. */
const known = {
  price: knownOf(price, besidePrice, oneOrYear),
  price_compare: knownOf([...price, ...money('reference')], besideReference, oneOrYear, money('reference')),
  stock: knownOf(stemsOf(stock.is), stemsOf(harmless.stock), oneOrYear),
  ean: knownOf(stemsOf(ean.is), stemsOf(`${sku.code} ${sku.number} ${harmless.ean}`), /^(?:0?1|8|10|12|13)$/),
  name: knownOf(stemsOf(name.is), stemsOf(`${name.else} ${harmless.name}`), /^\d+$/),
  weight: knownOf(weight, [...Object.keys(kilograms), ...stemsOf(harmless.weight)], oneOrYear),
} satisfies Record<string, KnownParts>;

/** Fields whose columns are taken in silence only by a header that is known as a whole. */
export type GuardedField = keyof typeof known;

const calls: Readonly<Record<GuardedField, string>> = {
  price: 'the selling price',
  price_compare: 'the reference price',
  stock: 'the stock that is sold',
  ean: 'the barcode of a single product',
  name: 'the name of the product',
  weight: 'the weight of the product',
};

/** What a question says about a column of whose header a part is not known; undefined where all is. */
export function unknownRemark(
  name: string,
  field: GuardedField,
  others: readonly { readonly name: string }[] = [],
): string | undefined {
  const unknown = unknownIn(name, field, others);
  return unknown && `${JSON.stringify(unknown)} is not known: say whether it is ${calls[field]}`;
}

/**
 * The part of a header that is not known next to the words of a field; undefined where all is.
 * @param others columns with a word of the field: what they say, too, tells nothing, as the name of a shop does
 */
export function unknownIn(
  name: string,
  field: GuardedField,
  others: readonly { readonly name: string }[] = [],
): string | undefined {
  const { own, fieldStems, beginnings, parts, whole, phrases, numbers } = known[field];
  // `field[@name=stock]` is called stock, and `stock[@place=North]` is that of the north.
  const [, below = ''] = /\[[^\]=]+=([^\]]*)\][^[\]]*$/.exec(name) ?? [];
  const called = below !== '' && hasAny(wordsOf(below), fieldStems) ? below : name;
  const plain = called
    .replace(ratesAndDates, ' ')
    .replace(/\[@?[^\]=]+=/g, '[')
    .replace(prefix, '');
  const header = namingWords(plain).flatMap((word) => withoutAccents(word).split(/['’]/));
  const shared = new Set(others.flatMap((other) => namingWords(other.name)).map(withoutAccents));
  let text = ` ${header.join(' ')} `;
  for (const phrase of phrases) text = text.replace(phrase, ' ');
  const unknown = text
    .split(' ')
    .filter((word) => word !== '')
    // `Preis in EUR`
    .filter((word, i, header) => !(/^(?:in|en|em|i|w|v)$/.test(word) && isCurrency(header[i + 1] ?? '')))
    .flatMap((word) => {
      if (/^\d+$/.test(word)) return numbers.test(word) ? [] : [word];
      if (beginnings.some((stem) => word.startsWith(stem))) return [];
      if (whole.has(word) || isCurrency(word) || isPiece(word) || shared.has(word)) return [];
      return runsOf(word).flatMap((run) => (isKnown(run, parts) ? [] : [restOf(run, own)]));
    });
  return unknown.length === 0 ? undefined : unknown.map((word) => asWritten(word, name)).join(' ');
}

/** `F` may be a group of customers. */
const isCurrency = (word: string): boolean => word.length > 1 && currenciesOf(word) !== undefined;

/** What the names of a table begin with: `AR_PrixVen`, `p_stock`. */
const prefix = /^\p{L}{1,2}_/u;

/** A rate of a tax, and a date from which prices are valid. */
const ratesAndDates = /\d+(?:[.,]\d+)?\s*%|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|(?<!\d)\d{1,2}[./]\d{1,2}(?!\d)/g;

/** The parts of a word by whether their script writes words together: `JANコード`. */
const runsOf = (word: string): readonly string[] => {
  const runs: string[] = [];
  let last: boolean | undefined;
  for (const letter of word) {
    // The line of a long vowel belongs to no script.
    const is = /\p{sc=Common}|\p{M}/u.test(letter) ? last : isJoined(letter);
    if (is === last) runs[runs.length - 1] += letter;
    else runs.push(letter);
    last = is;
  }
  return runs;
};

/** Letters that may follow a stem: `prezz-o`, `λιανικ-ής`. Latin endings are short, as `part` is no `partner`. */
const longestEnding = (word: string): number => (/^\p{Script=Latin}/u.test(word) ? 2 : 3);
/** Letters around the stems of a word that are articles, prepositions or endings, in scripts that write these together. */
const mostAffixes = (word: string): number => (affixed.test(word) ? 2 : 0);
const affixed = /[\p{sc=Thai}\p{sc=Arab}\p{sc=Hebr}\p{sc=Deva}]/u;

/** Whether stems and endings make up a word. */
function isKnown(word: string, parts: ReadonlySet<string>): boolean {
  const ending = isJoined(word) ? mostAffixes(word) : longestEnding(word);
  const reached = new Set(affixed.test(word) ? [0, 1, 2] : [0]);
  for (let from = 0; from < word.length; from++) {
    if (!reached.has(from)) continue;
    for (let to = from + 1; to <= word.length; to++) {
      if (!parts.has(word.slice(from, to))) continue;
      for (let more = 0; more <= ending; more++) reached.add(to + more);
    }
  }
  return reached.has(word.length);
}

/** What is left of a word without the stem of the field at its end, or in it where words are written together. */
function restOf(word: string, own: ReadonlySet<string>): string {
  const stems = [...own].sort((one, other) => other.length - one.length);
  const stem = stems.find((one) =>
    isJoined(word) ? word.includes(one) : one.length >= shortest && word.endsWith(one) && one !== word,
  );
  return stem === undefined ? word : word.replace(isJoined(word) ? stem : new RegExp(`${stem}$`), '') || word;
}

/** A part of a header with its own letters. */
function asWritten(part: string, name: string): string {
  const at = withoutAccents(name.toLowerCase()).indexOf(part);
  return at === -1 ? part : name.slice(at, at + part.length);
}
