// The currency of a suggestion: next to the amounts, in a header, or next to other amounts of the file. If nothing names it,
// none is suggested.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { currencyIn } from '../values/parse-number.js';
import { numbersIn } from './column-kinds.js';

/** @param prices the columns that are the price, or could be */
export function currencyLine(prices: readonly ColumnProfile[], columns: readonly ColumnProfile[]) {
  const [price, ...others] = prices;
  const inCells = new Set((price?.samples ?? []).map(onlyCode));
  if (price !== undefined && others.length === 0 && inCells.size > 0 && !inCells.has(undefined))
    return { line: `  currency: { from: ${JSON.stringify(price.name)} }`, isUnknown: false };
  const [code, ...more] = new Set([...prices, ...columns].flatMap(namedBy));
  return code !== undefined && more.length === 0
    ? { line: `  currency: { value: ${code} }   # is it this one?`, isUnknown: false }
    : { line: '  # currency: { value: … }   # which one is it? A new product needs it', isUnknown: true };
}

/** The only currency that a column of amounts names in its header or next to its samples. */
function namedBy(column: ColumnProfile): string[] {
  const { name, samples, priced } = column;
  if (numbersIn(column) === 0) return [];
  const codes = priced > 0 ? samples.map(onlyCode) : /[\s,(_-]/.test(name) ? [onlyCode(name)] : [];
  return codes.flatMap((code) => code ?? []);
}

function onlyCode(text: string): string | undefined {
  const codes = currencyIn(text)?.codes ?? [];
  return codes.length === 1 ? codes[0] : undefined;
}
