// Asks about net prices: their headers do not say that they are net, but a text around the records or another column does.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { areAll, choicesOf } from './column-kinds.js';
import { remarksOf } from './given.js';
import { wordsOf } from './header-stems.js';
import { choicesIn, columnsOf, type Match } from './questions.js';
import { moneyRole, says } from './read-header.js';
import { withoutTax } from './texts-around.js';

/** The matches, with a question about prices that something else says to be without tax. @param around the text around the records */
export function askedOfTax(
  matched: ReadonlyMap<string, Match>,
  columns: readonly ColumnProfile[],
  around: string,
): ReadonlyMap<string, Match> {
  const match = matched.get('price');
  const prices = columnsOf(match);
  const kind = columns.find((one) => !prices.includes(one) && saysOfTax(one));
  const words = withoutTax(around);
  const remark =
    kind !== undefined
      ? `${JSON.stringify(kind.name)} says ${choicesOf(kind)?.join(', ')}: without tax${areAll(kind, (one) => net.test(one)) ? '' : ', or with it'}`
      : words && `the text around the records says ${words}`;
  if (match === undefined || remark === undefined) return matched;
  const open = choicesIn(match).map((choice) => ({
    column: choice.column,
    remark: saysTax(choice.column.name) ? choice.remark : remarksOf(choice.remark, remark),
  }));
  return open.every(({ column }) => saysTax(column.name)) ? matched : new Map([...matched, ['price', { open }]]);
}

/** Whether a header says if its amounts are net or gross: `Preis inkl. MwSt`, `Brutto`. */
const saysTax = (name: string): boolean => {
  const words = wordsOf(name.toLowerCase());
  return moneyRole(name) === 'net' || says(words, 'tax') || words.some((word) => included.test(word));
};
const included = /^(?:brutto|gross|ttc)/;

const net = /^(?:n|nett?o?)$/i;
const gross = /^(?:b|g|brutto|gross)$/i;

/** Whether a column says for each record if its prices are net or gross, and some are net. It may do so by words or by their first letters. */
function saysOfTax(column: ColumnProfile): boolean {
  const isCalled = wordsOf(column.name).some((word) => /^nett?o?$/.test(word));
  const isWord = (value: string) => isCalled || value.length > 1;
  return (
    (choicesOf(column) ?? []).some((value) => net.test(value)) &&
    areAll(column, (value) => isWord(value) && (net.test(value) || gross.test(value)))
  );
}
