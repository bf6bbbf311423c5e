// The currency of a suggestion: next to the amounts, in a header, or next to other amounts of the file. What does not name
// one alone is a question.
import { currencies } from '../../../core/fields/currencies.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import type { Inspection } from '../../inspection/inspect-file.js';
import { type CurrencyRead, currencyIn } from '../values/parse-number.js';
import { hasFractions, numbersIn } from './column-kinds.js';
import { isCovered } from './compare-columns.js';
import { codesIn, currencyRemark, namesCurrencies, sharesNames } from './currency-values.js';
import { stemsOf, wordsOf } from './header-stems.js';
import words from './header-words.json' with { type: 'json' };
import { columnsOf, type Match, type Question, type QuestionCandidate, questionOf, sureOf } from './questions.js';
import {
  headerWords,
  type MoneyRole,
  moneyRole,
  otherAmounts,
  partsOf,
  plainWord,
  says,
  saysAmount,
  saysOnly,
} from './read-header.js';
import { type CurrencyAround, currenciesAround } from './texts-around.js';

/** The line of the field, or the question. */
type CurrencyFound = { readonly line: string } | { readonly question: Question };

/** Most candidates: a dollar is that of twenty-eight countries. */
const mostCandidates = 6;

/** Words of taxes in headers and cells → the currencies of countries that have them. */
const taxes: ReadonlyMap<string, readonly string[]> = new Map(
  'mwst EUR CHF|ust EUR|ttc EUR|tva EUR|btw EUR|iva EUR|alv EUR|gst AUD INR|moms SEK DKK|mva NOK|dph CZK EUR|áfa HUF|kdv TRY|ндс RUB'
    .split('|')
    .map((entry) => {
      const [word = '', ...codes] = entry.split(' ');
      return [word, codes] as const;
    }),
);

/**
 * The currency of the products of a file.
 * @param prices the columns that are the price, or could be
 * @param answer the code that a person gave
 */
export function currencyLine(
  prices: readonly ColumnProfile[],
  { columns, records, around }: Pick<Inspection, 'columns' | 'records' | 'around'>,
  answer: string | undefined,
): CurrencyFound {
  const line = (value: string) => ({ line: `  currency: ${value}` });
  if (answer !== undefined) return line(`{ value: ${answer} }`);
  const [price, ...others] = prices;
  const inCells = new Set((price?.samples ?? []).map(onlyCode));
  const amounts = [...prices, ...columns].filter(
    (column) => numbersIn(column) > 0 || namesCurrencies(column) || namesCurrency(column),
  );
  const isOfPrices = (column: ColumnProfile) => namesCurrency(column) && isOfAmounts(column, prices);
  const signs = prices.flatMap((column) => signsOf(column, true));
  const named = amounts.filter(isOfPrices);
  // `GEL` in a column whose header says nothing may be a form of soap: it is offered only. Other amounts may be in another one.
  const isShown = (column: ColumnProfile) => prices.some((one) => isCovered(one, column));
  const told = amounts.filter(
    (column) => !namesCurrencies(column) && (shopRoles.has(moneyRole(column.name)) || isShown(column)),
  );
  const beside = signs.length > 0 ? [] : told.flatMap((column) => signsOf(column, false));
  const all = [...signs, ...named.flatMap((column) => signsOf(column, false)), ...beside];
  // Cells after the samples may name theirs since it is another one: they are offered, and make others doubtful.
  const inAll = prices.flatMap((column) => column.currencies);
  const sure = new Set(all.flatMap(({ codes }) => (codes.length === 1 ? codes : [])));
  const [code, ...more] = sure;
  // `Preis USD` of 10,50 € says two things; so do candidates that have a currency each.
  const ofSome = amounts.filter(
    (column) =>
      namesCurrency(column) &&
      prices.some((one) => isInObjectOf(column, one)) &&
      currencyPart(column.name).outer.length > 0,
  );
  const isOne =
    more.length === 0 &&
    [...all, ...inAll, ...ofSome.flatMap((column) => signsOf(column, false))].every(({ codes }) =>
      codes.includes(code ?? ''),
    );
  const isEach = others.length === 0 && inCells.size > 0 && !inCells.has(undefined);
  if (
    price !== undefined &&
    isEach &&
    !amounts.some((one) => one.filled > 0 && isOfPrices(one)) &&
    headerAgrees(price, inCells)
  )
    return line(`{ from: ${JSON.stringify(price.name)} }`);
  // `Preis` next to `Preis USD` may be in another one.
  const isOfAll = signs.length === 0 || prices.every((column) => signsOf(column, true).length > 0);
  if (code !== undefined && isOne && isOfAll && !named.some(isSeveral))
    return line(`{ value: ${code} }   # is it this one?`);
  const outside = currenciesAround(around);
  const [ofAll, ...ofOthers] = new Set(outside.flatMap(({ codes }) => codes));
  const isTold = prices.length > 0 && outside[0]?.isNamed === true && ofOthers.length === 0;
  const isAlone =
    !amounts.some((column) => signsOf(column, prices.includes(column)).length > 0) &&
    inAll.every(({ codes }) => codes.includes(ofAll ?? ''));
  if (ofAll !== undefined && isTold && isAlone) return line(`{ value: ${ofAll} }   # is it this one?`);
  return { question: questionAbout(amounts, records, prices, outside) };
}

function questionAbout(
  columns: readonly ColumnProfile[],
  records: number,
  prices: readonly ColumnProfile[],
  outside: readonly CurrencyAround[],
): Question {
  const ofRecords = columns.filter((column) => (namesCurrencies(column) || isNamedColumn(column)) && isSeveral(column));
  const reasons = new Map<string, string>();
  const add = (codes: readonly string[], reason: string) => {
    for (const code of codes) if (!reasons.has(code)) reasons.set(code, reason);
  };
  // One currency for all is wrong where the records of a column differ. A column of currencies tells more than a `$` in a cell.
  const ofAll = columns.filter((one) => !ofRecords.includes(one));
  for (const column of [...ofAll.filter(isNamedColumn), ...ofAll.filter((one) => !isNamedColumn(one))]) {
    const name = JSON.stringify(column.name.trim());
    const isPrice = prices.includes(column);
    for (const { codes, written } of [...signsOf(column, isPrice), ...(isPrice ? column.currencies : [])])
      add(codes, `${name} has ${written}`);
  }
  for (const { codes, why } of outside) add(codes, why);
  for (const { name, samples } of columns)
    for (const word of [name, ...samples].join(' ').match(/\p{L}+/gu) ?? [])
      add(taxes.get(word.toLowerCase()) ?? [], `${JSON.stringify(name.trim())} has ${word}, a tax there`);
  const choices = ofRecords.map((column) => ({ column, remark: currencyRemark(column) }));
  const values = [...reasons].map(([value, relation]): QuestionCandidate => ({ value, relation }));
  const candidates = [...questionOf('currency', choices, records).candidates, ...values].slice(0, mostCandidates);
  const form = `${candidates.length === 0 ? 'no header or sample names it: ' : 'or '}the code of all its prices, such as { value: EUR }`;
  const known = '; without the line only products that are in the catalog can be changed';
  return { field: 'currency', candidates, form: prices.length === 0 ? form + known : form };
}

const namesCurrency = ({ name }: ColumnProfile): boolean =>
  currencyWords.some((word) => plainWord(name).endsWith(word));

/** Whether the header of a column names currencies, and its values are some. */
const isNamedColumn = (column: ColumnProfile): boolean =>
  namesCurrency(column) && column.values.some((value) => codesIn(value).length > 0);

/** Whether values are not all the same currency. */
function isSeveral({ distinct, values }: ColumnProfile): boolean {
  const [first = [], ...others] = values.map(codesIn);
  return distinct > 1 && !(first.length === 1 && others.every((codes) => codes.length === 1 && codes[0] === first[0]));
}

/** The currencies of a value that is one, or is next to one. */
function readIn(value: string): CurrencyRead | undefined {
  const codes = codesIn(value);
  return codes.length > 0 ? { written: value, codes } : currencyIn(value);
}

/**
 * The currencies that a column names in its values, next to its amounts, or else in its header. Letters are a sign only
 * next to amounts: `R-101` among numbers of articles is not 101 rand, and `Cup 1` no peso of Cuba.
 */
function signsOf(column: ColumnProfile, isPrice: boolean): readonly CurrencyRead[] {
  const { name, values, priced } = column;
  const isCurrency = namesCurrencies(column) || namesCurrency(column);
  const inName = /[\s,(_-]/.test(name) ? [name.replace(/^\$(?=\p{L})/u, '')] : [];
  const ofTexts = (texts: readonly string[]) => texts.flatMap((text) => currencyIn(text) ?? []);
  if (isPrice && !isCurrency && priced > 0) return [...cellSigns(column), ...headerSigns(name)];
  const signs = isCurrency
    ? values.flatMap((value) => readIn(value) ?? [])
    : priced > 0
      ? cellSigns(column)
      : ofTexts(inName);
  const isMoney = isPrice || isCurrency || hasFractions(column) || saysAmount(name);
  return isMoney ? signs : signs.filter(({ written }) => !/^\p{Script=Latin}/u.test(written));
}

/** The currencies next to amounts, also those that only the format of a workbook's cells shows. */
function cellSigns({ samples, priced, shownCurrency }: ColumnProfile): readonly CurrencyRead[] {
  const texts = shownCurrency === undefined ? samples : [shownCurrency];
  return priced > 0 ? texts.flatMap((text) => currencyIn(text) ?? []) : [];
}

/** What a header says for sure next to amounts that say it, too: codes and signs. `FR` may be a country, `F` a group of customers. */
const headerSigns = (name: string) => {
  const sign = currencyIn(name);
  return sign !== undefined && (currencies.has(sign.written) || /^\p{Sc}$/u.test(sign.written)) ? [sign] : [];
};

const headerAgrees = ({ name }: ColumnProfile, codes: Iterable<string | undefined>): boolean =>
  headerSigns(name).every((sign) => [...codes].every((code) => code !== undefined && sign.codes.includes(code)));

/** What the shop asks; a recommended price, a cost or a fee may be in another currency. */
const shopRoles: ReadonlySet<MoneyRole | undefined> = new Set<MoneyRole>([
  'price',
  'regular',
  'each',
  'promo',
  'net',
  'per',
  'minor',
]);

const otherKinds = ['cost', 'supplier', 'standard', 'reference', 'tax', 'rate', ...otherAmounts] as const;
const currencyWords = headerWords['currency'] ?? [];

/** Words next to that of a currency that say nothing of whose it is: `Currency ISO code`. */
const plainWords = stemsOf(`${currencyWords.join(' ')} ${words.fields.sku.code} ${words.fields.sku.id} iso`);

/**
 * Whether a column of currencies is that of the prices: its header says no other amount (`msrp_currency`, `Currency cost`),
 * and the prices are in the object that it is in (`competitor.currency`).
 */
function isOfAmounts(column: ColumnProfile, prices: readonly ColumnProfile[]): boolean {
  const { own, outer } = currencyPart(column.name);
  const isBeside = (price: ColumnProfile) => isInObjectOf(column, price);
  const saysPrice = (part: string) => moneyRole(part) === 'standard' || shopRoles.has(moneyRole(part));
  const isIn = outer.some(saysPrice) ? prices.some(isBeside) : prices.every(isBeside);
  return (
    (currencyWords.includes(plainWord(own)) || saysOnly(own, plainWords)) &&
    !otherKinds.some((kind) => says(wordsOf(own), kind)) &&
    isIn
  );
}

const pathOf = (path: string) => partsOf(path).filter((part) => part !== '');

/** The part of a path that names a currency, and those around it. */
function currencyPart(name: string): { readonly own: string; readonly outer: readonly string[] } {
  const parts = pathOf(name);
  const at = parts.findLastIndex((part) => currencyWords.some((word) => plainWord(part).includes(word)));
  return { own: parts[at] ?? name, outer: parts.slice(0, Math.max(at, 0)) };
}

const isInObjectOf = (column: ColumnProfile, price: ColumnProfile): boolean =>
  currencyPart(column.name).outer.every((part, i) => pathOf(price.name)[i] === part);

/** Whether a column of currencies surely belongs to the prices: each value is a currency, and no price has another one next to its amounts or in its header. */
function isCurrencyOf(column: ColumnProfile, prices: readonly ColumnProfile[]): boolean {
  const codes = new Set(column.values.flatMap((value) => readIn(value)?.codes ?? []));
  const isKnown = (sign: CurrencyRead) => sign.codes.some((code) => codes.has(code));
  return (
    isOfAmounts(column, prices) &&
    !sharesNames(column) &&
    prices.every((price) => headerAgrees(price, codes) && cellSigns(price).every(isKnown))
  );
}

interface FieldColumns {
  readonly matched: ReadonlyMap<string, Match>;
  readonly own: ReadonlyMap<string, string>;
}

/** A guess without the column of a currency that may be that of other amounts than the prices, or may be several. */
export function withoutOtherCurrency<Guess extends FieldColumns>(guess: Guess): Guess {
  const column = sureOf(guess.matched.get('currency'));
  if (column === undefined || isCurrencyOf(column, columnsOf(guess.matched.get('price')))) return guess;
  const without = <Of>(fields: ReadonlyMap<string, Of>) =>
    new Map([...fields].filter(([field]) => field !== 'currency'));
  return { ...guess, matched: without(guess.matched), own: without(guess.own) };
}

function onlyCode(text: string): string | undefined {
  const codes = currencyIn(text)?.codes ?? [];
  return codes.length === 1 ? codes[0] : undefined;
}
