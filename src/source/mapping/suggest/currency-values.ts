// Finds the currencies in the values of a column: codes, signs, or words such as `US Dollar`.
import { currencies } from '../../../core/fields/currencies.js';
import { fold } from '../../../core/text/text.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { amountKind } from '../values/amount-words.js';
import { currenciesOf } from '../values/currency-signs.js';
import { areAll } from './column-kinds.js';
import { columnWith } from './given.js';
import { withoutAccents, wordsOf } from './header-stems.js';

const languages = 'en de fr es it pt nl pl cs sk hu ro sl hr sv da nb fi et lv lt el tr ru uk bg he ja zh ko'.split(
  ' ',
);

/** The likeliest currency for a word that several currencies share: `Pound` is the British one. */
const usual = 'EUR USD GBP CHF JPY CNY SEK NOK DKK PLN CZK HUF RON TRY RUB INR'.split(' ');

/** Metals, units of account and codes of funds, which no price is in: `Silver` is rather a colour, and `Euro` no WIR euro. */
const isNone = (code: string): boolean => /^(?:X(?!AF|CD|CG|OF|PF)|CHE|CHW|CLF|COU|BOV|MXV|US[NS]|UY[IW])/.test(code);

const wordsIn = (name: string): string[] => wordsOf(name).map(withoutAccents);

/** The words of each name of a currency, with its code. */
let names: readonly (readonly [words: readonly string[], code: string])[] | undefined;

function namesOfCurrencies() {
  names ??= languages.flatMap((language) => {
    const named = new Intl.DisplayNames([language], { type: 'currency' });
    return [...currencies]
      .filter((code) => !isNone(code))
      .map((code) => [wordsIn(named.of(code) ?? code), code] as const);
  });
  return names;
}

/** Letters of an ending: `Pounds`. */
const ending = 2;
const isSameWord = (one: string, other: string): boolean =>
  one === other ||
  (Math.min(one.length, other.length) > ending &&
    Math.abs(one.length - other.length) <= ending &&
    (one.startsWith(other) || other.startsWith(one)));

/** The codes of the currencies that a text names and nothing else, the likeliest first; none for another text. */
export function codesIn(text: string): readonly string[] {
  const known = currenciesOf(text.replace(/\.$/, ''));
  if (known !== undefined) return inOrder(known);
  const written = wordsIn(text);
  if (written.length === 0 || text.length > longestName || /\p{N}/u.test(text)) return [];
  const coded = codeAmong(text, written);
  if (coded !== undefined) return [coded];
  const alike = namesOfCurrencies().filter(([words]) =>
    written.every((word) => words.some((one) => isSameWord(one, word))),
  );
  // A whole name counts before those that have its words, too: `US Dollar`, and not `US Dollar (Next day)`.
  const whole = alike.filter(([words]) => words.length === written.length);
  return inOrder(new Set((whole.length > 0 ? whole : alike).map(([, code]) => code)));
}
const longestName = 40;

/** The only code among words of which the others are its name, or say which amounts are in it: `Euro (EUR)`, `EUR netto`. */
function codeAmong(text: string, written: readonly string[]): string | undefined {
  const [code, ...more] = new Set((text.match(/\p{L}+/gu) ?? []).filter((word) => currencies.has(word)));
  if (code === undefined || more.length > 0) return undefined;
  const names = namesOfCurrencies().flatMap(([words, of]) => (of === code ? words : []));
  const isOfCode = (word: string) =>
    word.toUpperCase() === code || amountKind(word) !== undefined || names.some((one) => isSameWord(one, word));
  return written.every(isOfCode) ? code : undefined;
}

function inOrder(codes: Iterable<string>): readonly string[] {
  const place = (code: string) => (usual.indexOf(code) + usual.length) % usual.length;
  const [known, others] = [[...codes].filter((code) => usual.includes(code)), [...codes]];
  return [...new Set([...known.sort((one, other) => place(one) - place(other)), ...others])];
}

/** Whether all values are codes of currencies. */
export function holdsCurrencies(column: ColumnProfile): boolean {
  return column.filled > 0 && areAll(column, (one) => currencies.has(one.toUpperCase()));
}

/** Whether all values are currencies in some form. */
export const areCurrencies = (column: ColumnProfile): boolean =>
  column.filled > 0 && areAll(column, (value) => codesIn(value).length > 0);

/** Whether codes and signs tell that all values are currencies, whatever their column is called: `ft` alone is a measure. */
export function namesCurrencies(column: ColumnProfile): boolean {
  const isSure = (value: string) => currencies.has(value.toUpperCase()) || /\p{Sc}/u.test(value);
  return column.values.some(isSure) && areCurrencies(column);
}

/** Whether a value of a column may be several currencies. */
export const sharesNames = (column: ColumnProfile): boolean => column.values.some((value) => codesIn(value).length > 1);

/** The steps that make codes of the values. */
export function currencySteps(column: ColumnProfile): string[] {
  // A `map` has each word once, in any case.
  const words = new Map(column.values.map((value) => [fold(value), value] as const).reverse());
  const pairs = [...words.values()].reverse().flatMap((value) => {
    const [code] = codesIn(value);
    return code === undefined || code === value.toUpperCase() ? [] : [`${JSON.stringify(value)}: ${code}`];
  });
  return pairs.length === 0 ? [] : [`map: { ${pairs.join(', ')} }`, 'else: keep'];
}

/** What to write for a column of currencies that are no codes. */
export function currencyRemark(column: ColumnProfile): string | undefined {
  const steps = currencySteps(column);
  return steps.length === 0 ? undefined : `write ${columnWith(column.name, ...steps)}, with the code that each means`;
}
