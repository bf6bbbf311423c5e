// Prices that are 0 in all records of one kind, and in no other: parents of variants, whose price their children have.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import type { ExampleRow } from '../mapping.js';
import { choicesOf, numbersIn } from './column-kinds.js';
import { askAmong, type Match, sureOf } from './questions.js';

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
  const [remark] = columns.flatMap((kind) => {
    const only =
      (choicesOf(kind)?.length ?? 0) <= mostKinds && numbersIn(kind) === 0 && kind.repeats > 0
        ? kindOfZeros(kind, column, first)
        : undefined;
    const condition = `{ of: ${JSON.stringify(kind.name)}, is: ${JSON.stringify(only)} }`;
    return only === undefined
      ? []
      : [`it is 0 where ${JSON.stringify(kind.name)} is ${only}: skip: ${condition} leaves these out`];
  });
  return remark === undefined ? matched : new Map([...matched, ['price', askAmong([column], remark)]]);
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
