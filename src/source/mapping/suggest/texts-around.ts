// What the text around the records says of all of them: their currency, and whether their prices are without tax.
import { currencies } from '../../../core/fields/currencies.js';
import { currenciesOf } from '../values/currency-signs.js';
import { codesIn } from './currency-values.js';
import { hasAny, wordsOf } from './header-stems.js';
import { headerWords, moneyStems, plainWord, says } from './read-header.js';

/** The currencies in the text around the records. */
export interface CurrencyAround {
  readonly codes: readonly string[];
  readonly why: string;
  /** Whether it is the value of something that is called a currency: `Waehrung="EUR"`. */
  readonly isNamed: boolean;
}

const currencyWords = headerWords['currency'] ?? [];
/** `<currency>EUR<`, `"currency": "EUR"`, `Waehrung="EUR"`, `Währung;EUR`. */
const named = /([\p{L}\p{M}_-]+)["']?[\s"]*[:=>;,\t][\s"']*([^"'<>{}[\],;:\t\n]{1,40})/gu;
const signs = /\p{Sc}|(?<![\p{L}\p{N}])(?:[A-Z]{3}|Euro)(?![\p{L}\p{N}])/gu;

/** The currencies in a text; those next to a word for a currency come first. */
export function currenciesAround(text: string): readonly CurrencyAround[] {
  const ofNames = [...text.matchAll(named)].flatMap(([, name = '', value = '']): CurrencyAround[] => {
    const codes = currencyWords.some((word) => plainWord(name).endsWith(word)) ? codesIn(value.trim()) : [];
    const why = `${JSON.stringify(name)} around the records has ${value.trim()}`;
    return codes.length === 0 ? [] : [{ codes, why, isNamed: true }];
  });
  // `ALL PRICES` are none in lek.
  const isShouted = !/\p{Ll}/u.test(text);
  const isCode = (sign: string) => !currencies.has(sign) || !isShouted || !englishWords.has(sign);
  const ofSigns = [...text.matchAll(signs)].flatMap(([sign]): CurrencyAround[] => {
    const codes = isCode(sign) ? currenciesOf(sign) : undefined;
    return codes === undefined ? [] : [{ codes, why: `the text around the records has ${sign}`, isNamed: false }];
  });
  return [...ofNames, ...ofSigns];
}
const englishWords: ReadonlySet<string> = new Set([
  'ALL',
  'TOP',
  'TRY',
  'CUP',
  'PEN',
  'MOP',
  'MAD',
  'COP',
  'SOS',
  'GEL',
]);

/** Words between one for without and one for a tax: `exkl. gesetzlicher MWST`. */
const mostBetween = 2;

/** The words of a text that say that prices are without tax: `exkl. MWST`, `Nettopreise`. */
export function withoutTax(text: string): string | undefined {
  // `MwSt` is one word.
  const words = wordsOf(text.toLowerCase());
  const at = words.findIndex((word, i) => {
    if (/^net(?:t?o)?(?:pr|$)/.test(word)) return true;
    const after = words.slice(i + 1, i + 2 + mostBetween);
    return hasAny([word], without) && after.some(isTax);
  });
  if (at === -1) return undefined;
  const end = words.slice(at, at + 2 + mostBetween).findIndex(isTax);
  return words.slice(at, at + 1 + Math.max(end, 0)).join(' ');
}
const isTax = (word: string): boolean => says([word], 'tax') || word === 'taxes';
const without = [...(moneyStems['net'] ?? []), 'zzgl', 'zuzüglich', '=plus'];
