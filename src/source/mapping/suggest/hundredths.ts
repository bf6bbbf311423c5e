// Prices that are whole numbers in all records of JSON, where others have decimals: they may be hundredths, as `4990` for 49.90.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { choicesOf, isWhole } from './column-kinds.js';
import { holdsCurrencies } from './currency-line.js';
import { remarksOf } from './given.js';
import { choicesIn, columnsOf, type Match } from './questions.js';
import { namesHundredths } from './read-header.js';

/** Records and amounts from which on the numbers say so. */
const fewestRecords = 3;
const leastHundredths = 100;

/** The matches, with a question about a price that may be in hundredths, or not. */
export function askedOfHundredths(
  matched: ReadonlyMap<string, Match>,
  columns: readonly ColumnProfile[],
): ReadonlyMap<string, Match> {
  const match = matched.get('price');
  if (match === undefined || !columnsOf(match).some(mayBeHundredths) || columns.some(holdsWholeCurrencies))
    return matched;
  const choices = choicesIn(match);
  const open = choices.map(({ column, remark }) => ({
    column,
    remark: remarksOf(remark, mayBeHundredths(column) && partsIn(column)),
  }));
  return new Map([...matched, ['price', { open }]]);
}

/** Whether all are whole numbers, of which a header does not say already that they are hundredths. */
const mayBeHundredths = (column: ColumnProfile): boolean =>
  isWhole(column) &&
  column.filled >= fewestRecords &&
  (column.range?.[0] ?? 0) >= leastHundredths &&
  !namesHundredths(column.name);

/** What whole numbers may be: those of which each is whole cents of a million are millionths, `19990000` for 19.99. */
function partsIn({ amounts }: ColumnProfile): string {
  const isOfMillions = amounts.every((amount = 0) => amount % 10_000 === 0);
  return isOfMillions ? 'may be millionths: shift: -6' : 'may be hundredths: shift: -2';
}

/** Whether amounts are in currencies without hundredths, such as yen. */
function holdsWholeCurrencies(column: ColumnProfile): boolean {
  const codes = holdsCurrencies(column) ? (choicesOf(column) ?? []) : [];
  return codes.length > 0 && codes.every((code) => digitsOf(code) === 0);
}

const digitsOf = (currency: string): number | undefined =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
