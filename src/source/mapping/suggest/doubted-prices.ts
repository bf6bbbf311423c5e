// Prices that their values put in doubt: whole numbers in all records of JSON may be hundredths, as `4990` for 49.90; those that
// are 0 in all records of one kind, and in no other, are of parents of variants, whose price their children have.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import type { ExampleRow } from '../mapping.js';
import { choicesOf, isWhole, numbersIn } from './column-kinds.js';
import { holdsCurrencies } from './currency-values.js';
import { remarksOf } from './given.js';
import { askAmong, choicesIn, columnsOf, type Match, sureOf } from './questions.js';
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

/** Values of a column that says of which kind records are. */
const mostKinds = 6;

/** The matches, with a question about such a price. @param first the first records */
export function askedOfZeros(
  matched: ReadonlyMap<string, Match>,
  columns: readonly ColumnProfile[],
  first: readonly ExampleRow[],
): ReadonlyMap<string, Match> {
  const column = sureOf(matched.get('price'));
  if (column?.range?.[0] !== 0) return matched;
  for (const kind of columns) {
    const isOfKinds = (choicesOf(kind)?.length ?? Number.POSITIVE_INFINITY) <= mostKinds && numbersIn(kind) === 0;
    const only = isOfKinds && kind.repeats > 0 ? kindOfZeros(kind, column, first) : undefined;
    if (only === undefined) continue;
    const name = JSON.stringify(kind.name);
    const remark = `it is 0 where ${name} is ${only}: skip: { of: ${name}, is: ${JSON.stringify(only)} } leaves these out`;
    return new Map([...matched, ['price', askAmong([column], remark)]]);
  }
  return matched;
}

/** The kind of all records with a price of 0, if no others are of it. */
function kindOfZeros(kind: ColumnProfile, price: ColumnProfile, first: readonly ExampleRow[]): string | undefined {
  const kinds = (isZero: boolean) =>
    new Set(
      first.flatMap((record, i) => {
        const amount = price.amounts[i];
        const value = record[kind.name];
        return amount === undefined || typeof value !== 'string' || (amount === 0) !== isZero ? [] : [value];
      }),
    );
  const [only, ...more] = kinds(true);
  const others = kinds(false);
  return only !== '' && more.length === 0 && others.size > 0 && !others.has(only ?? '') ? only : undefined;
}
