// How the amounts of two columns relate, record by record: equal, a fixed multiple, always below.
import type { ColumnProfile } from '../../inspection/column-profile.js';

/** The amounts of one column compared with those of another. */
export interface Relation {
  /** Records in which both have an amount. */
  readonly both: number;
  /** The share of these in which the amount is not above the other's, and not below it. */
  readonly notAbove: number;
  readonly notBelow: number;
  /** In words; undefined where they have nothing to do with each other. */
  readonly words: string | undefined;
}

const name = (column: ColumnProfile) => JSON.stringify(column.name.trim());

/** Whether two columns have the same values in the same order, as far as they are kept. */
export const haveSameValues = (one: ColumnProfile, other: ColumnProfile): boolean =>
  one.filled === other.filled && one.distinct === other.distinct && one.values.join('\n') === other.values.join('\n');

/**
 * Whether what a column has is what another one has too, in each record: then the other one is enough. Columns with several
 * values in a record, of which only the last amount is kept, have to be the same altogether.
 */
export function isCovered(column: ColumnProfile, other: ColumnProfile): boolean {
  const isSame = column.amounts.every((amount, record) => amount === undefined || amount === other.amounts[record]);
  return isSame && (!column.isSeveral || haveSameValues(column, other));
}

/** @param column the column that the words are about */
export function relate(column: ColumnProfile, other: ColumnProfile): Relation {
  const pairs: [number, number][] = [];
  column.amounts.forEach((amount, record) => {
    const against = other.amounts[record];
    if (amount !== undefined && against !== undefined) pairs.push([amount, against]);
  });
  const both = pairs.length;
  const shareOf = (holds: (amount: number, against: number) => boolean) =>
    both === 0 ? 0 : pairs.filter(([amount, against]) => holds(amount, against)).length / both;
  const notAbove = shareOf((amount, against) => amount <= against + rounding);
  const notBelow = shareOf((amount, against) => amount >= against - rounding);
  // Of several values in a record only the last was compared.
  const isTold = both > 0 && (!(column.isSeveral || other.isSeveral) || isCovered(column, other));
  return { both, notAbove, notBelow, words: isTold ? wordsFor(pairs, other) : undefined };
}

/** Half a hundredth on either side is what rounding makes. */
const rounding = 0.0051;

function wordsFor(pairs: readonly [number, number][], other: ColumnProfile): string {
  const factor = factorOf(pairs);
  if (factor === 1) return `= ${name(other)}`;
  if (factor !== undefined) return `= ${factor} × ${name(other)}`;
  const shares = pairs.flatMap(([amount, against]) => (against === 0 ? [] : [1 - amount / against]));
  const percent = (share: number) => Math.round(Math.abs(share) * 100);
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  if (shares.length > 0 && least > 0) return `always below ${name(other)}, by ${percent(least)} to ${percent(most)} %`;
  if (shares.length > 0 && most < 0) return `always above ${name(other)}, by ${percent(most)} to ${percent(least)} %`;
  const below = shares.filter((share) => share > 0).length;
  return `below ${name(other)} in ${below} of ${pairs.length} records`;
}

/** What all amounts of the one are of the other, to the rounding of cents; undefined where it differs. */
function factorOf(pairs: readonly [number, number][]): number | undefined {
  const [amount, against] = pairs.reduce((one, pair) => (pair[1] > one[1] ? pair : one));
  if (pairs.length < 2 && amount !== against) return undefined;
  const exact = amount / against;
  const rounded = [0, 1, 2, 3, 4].map((digits) => Number(exact.toFixed(digits))).find((factor) => fits(factor, pairs));
  return rounded === 0 ? undefined : rounded;
}

function fits(factor: number, pairs: readonly [number, number][]): boolean {
  // Both columns may be rounded, where one was calculated from the other.
  const most = factor === 1 ? 0 : rounding * (1 + factor);
  return pairs.every(([amount, against]) => Math.abs(amount - factor * against) <= most);
}
