// The currency of a suggestion: next to the amounts, in a header, or next to other amounts of the file. What does not name
// one alone is a question.
import { currencies } from '../../../core/fields/currencies.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import type { Inspection } from '../../inspection/inspect-file.js';
import { currencyIn } from '../values/parse-number.js';
import { areAll, hasFractions, numbersIn } from './column-kinds.js';
import { type Question, type QuestionCandidate, questionOf } from './questions.js';
import { headerWords, moneyRole, plainWord, saysAmount } from './read-header.js';

/** The line of the field, or the question. */
type CurrencyFound = { readonly line: string } | { readonly question: Question };

/** Most candidates: a dollar is that of twenty-eight countries. */
const mostCandidates = 6;

/** Words of taxes in headers and cells → the currencies of countries that have them. */
const taxes: ReadonlyMap<string, readonly string[]> = new Map(
  'mwst EUR CHF|ust EUR|ttc EUR|tva EUR|btw EUR|iva EUR|alv EUR|vat GBP EUR|gst AUD INR|moms SEK DKK|mva NOK|dph CZK EUR|áfa HUF|kdv TRY|ндс RUB'
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
  { columns, records }: Pick<Inspection, 'columns' | 'records'>,
  answer: string | undefined,
): CurrencyFound {
  const line = (value: string) => ({ line: `  currency: ${value}` });
  if (answer !== undefined) return line(`{ value: ${answer} }`);
  const [price, ...others] = prices;
  const inCells = new Set((price?.samples ?? []).map(onlyCode));
  if (price !== undefined && others.length === 0 && inCells.size > 0 && !inCells.has(undefined))
    return line(`{ from: ${JSON.stringify(price.name)} }`);
  const amounts = [...prices, ...columns].filter(
    (column) => numbersIn(column) > 0 || holdsCurrencies(column) || namesCurrency(column),
  );
  const isPrice = (column: ColumnProfile) => prices.includes(column);
  // `GEL` in a column whose header says nothing may be a form of soap: it is offered only.
  // What the shop pays may be in another one.
  const told = amounts.filter(
    (column) =>
      (namesCurrency(column) ? column.distinct === 1 : !holdsCurrencies(column)) && moneyRole(column.name) !== 'cost',
  );
  const codesOf = (some: readonly ColumnProfile[]): ReadonlySet<string> => {
    const signs = some.flatMap((column) => signsOf(column, isPrice(column)));
    return new Set(signs.flatMap(({ codes }) => (codes.length === 1 ? codes : [])));
  };
  const ofPrices = codesOf(prices);
  const [code, ...more] = ofPrices.size > 0 ? ofPrices : codesOf(told);
  // `Preis` next to `Preis USD` may be in another one.
  const isOfAll = ofPrices.size === 0 || prices.every((column) => codesOf([column]).size > 0);
  if (code !== undefined && more.length === 0 && isOfAll) return line(`{ value: ${code} }   # is it this one?`);
  return { question: questionAbout(amounts, records, prices) };
}

function questionAbout(columns: readonly ColumnProfile[], records: number, prices: readonly ColumnProfile[]): Question {
  const ofRecords = columns.filter((column) => holdsCurrencies(column) && column.distinct > 1);
  const reasons = new Map<string, string>();
  const add = (codes: readonly string[], reason: string) => {
    for (const code of codes) if (!reasons.has(code)) reasons.set(code, reason);
  };
  for (const column of columns) {
    const name = JSON.stringify(column.name.trim());
    for (const { codes, written } of signsOf(column, prices.includes(column))) add(codes, `${name} has ${written}`);
  }
  for (const { name, samples } of columns)
    for (const word of [name, ...samples].join(' ').match(/\p{L}+/gu) ?? [])
      add(taxes.get(word.toLowerCase()) ?? [], `${JSON.stringify(name.trim())} has ${word}, a tax there`);
  const choices = ofRecords.map((column) => ({ column }));
  const values = [...reasons].map(([value, relation]): QuestionCandidate => ({ value, relation }));
  const candidates = [...questionOf('currency', choices, records).candidates, ...values].slice(0, mostCandidates);
  const form = `${candidates.length === 0 ? 'nothing in this file names it: ' : 'or '}the code of all its prices, such as { value: EUR }`;
  const known = '; without the line only products that are in the catalog can be changed';
  return { field: 'currency', candidates, form: prices.length === 0 ? form + known : form };
}

const namesCurrency = ({ name }: ColumnProfile): boolean =>
  headerWords['currency']?.some((word) => plainWord(name).endsWith(word)) === true;

/** Whether all values are codes of currencies. */
export function holdsCurrencies(column: ColumnProfile): boolean {
  return column.filled > 0 && areAll(column, (one) => currencies.has(one.toUpperCase()));
}

/**
 * The currencies that a column names in its values, next to its amounts, or else in its header. Letters are a sign only
 * next to amounts: `R-101` among numbers of articles is not 101 rand, and `Cup 1` no peso of Cuba.
 */
function signsOf(column: ColumnProfile, isPrice: boolean) {
  const { name, samples, values, priced, shownCurrency } = column;
  const isCurrency = holdsCurrencies(column) || namesCurrency(column);
  const inName = /[\s,(_-]/.test(name) ? [name.replace(/^\$(?=\p{L})/u, '')] : [];
  const inCells = shownCurrency === undefined ? samples : [shownCurrency];
  const texts = isCurrency ? values : priced > 0 ? inCells : inName;
  const isMoney = isPrice || isCurrency || hasFractions(column) || saysAmount(name);
  const signs = texts.flatMap((text) => currencyIn(text) ?? []);
  return isMoney ? signs : signs.filter(({ written }) => !/^\p{Script=Latin}/u.test(written));
}

function onlyCode(text: string): string | undefined {
  const codes = currencyIn(text)?.codes ?? [];
  return codes.length === 1 ? codes[0] : undefined;
}
