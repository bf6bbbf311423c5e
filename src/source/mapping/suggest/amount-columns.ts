// Whether columns hold amounts of money, by their values and what their headers say of these, and which may be codes.
import { isPiece } from '../../../core/text/units.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { areAll, choicesOf, holdsBarcodes, isWhole, numbersIn } from './column-kinds.js';
import { isPlainPrice, namesPriceQuantity } from './price-header.js';
import { type MoneyRole, moneyRole, namesOther, plainWord, tierOf } from './read-header.js';

/** Whether whole numbers could be amounts, as far as their header and their values tell. */
export const mayBeWholeAmounts = (column: ColumnProfile): boolean =>
  isWhole(column) &&
  moneyRole(column.name) === undefined &&
  !holdsBarcodes(column) &&
  !namesOther(column.name, 'stock') &&
  tierOf(column.name, 'stock') === -1 &&
  column.distinct * 2 > column.filled;

/** The share of numbers in a column of amounts. */
const mostlyNumbers = 0.9;
const halfNumbers = 0.5;
/** A column of the field's own name may have words in most of its cells, whose rows are refused. */
export const fewNumbers = 0.2;

/** Whether a column holds amounts: where its header says so at least half, else nearly all, as amounts are written. */
export function isAmounts(column: ColumnProfile, role: MoneyRole | undefined): boolean {
  const { numbers, measured, filled, longestFraction } = column;
  const count = numbersIn(column);
  if (column.values.every((value) => /^0\d+$/.test(value))) return false;
  if (plainWord(column.name) === 'price') return count + measured >= filled * fewNumbers;
  if (role !== undefined) return count + measured >= filled * halfNumbers;
  // `F-12` is a code, and not minus twelve francs.
  if ((column.range?.[0] ?? 0) < 0) return false;
  const withDecimals = numbers.point + numbers.comma + numbers.either;
  const isMoney = isPriced(column) || (withDecimals >= filled * halfNumbers && longestFraction === 2);
  return count >= filled * mostlyNumbers && isMoney;
}

/** Whether half of the values are written as money is: with a currency, or with a dash for its cents. */
export const isPriced = (column: ColumnProfile): boolean =>
  Math.max(column.priced, column.dashed) >= column.filled * halfNumbers && !holdsNumberedLetters(column);

/** Digits of a code that an amount seldom has, such as that of a customs tariff. */
const longCode = 6;

/** Whether values may be codes, of many digits or of few: `Price group` of 1, 2 and 3. */
export const mayBeCodes = (column: ColumnProfile): boolean =>
  isLongCode(column) ||
  (isWhole(column) &&
    column.priced + column.dashed === 0 &&
    (column.range?.[1] ?? 0) < leastAmounts &&
    !isPlainPrice(column.name));

/** Whole amounts of which all are less are rather codes. */
const leastAmounts = 100;

/** Whether all values have the same many digits and are no round amounts, under a header that says more than price. */
export function isLongCode(column: ColumnProfile): boolean {
  const { name, filled, range, amounts } = column;
  const [least, most] = range ?? [0, 0];
  const { length } = String(least);
  return (
    isWhole(column) &&
    filled > 1 &&
    length >= longCode &&
    length === String(most).length &&
    !isPlainPrice(name) &&
    !amounts.every((amount = 0) => amount % 1000 === 0)
  );
}

export const hasDigits = (text: string): boolean => /\p{Nd}/u.test(text) && !/^[[{]/.test(text);

/** `F1` and `R2` are codes where each record has its own, though amounts are written so as well. */
const holdsNumberedLetters = ({ repeats, samples }: ColumnProfile): boolean =>
  repeats === 0 && samples.every((sample) => /^\p{L}\d+$/u.test(sample));

/** Whether prices are for the quantities of a column: by its header or by words such as `per 100`, or since some are 1 and others a hundred or more. */
export function isPriceQuantity(column: ColumnProfile): boolean {
  if (!isPowersOfTen(column)) return false;
  const choices = choicesOf(column) ?? [];
  const pieces = choices.map(piecesOfValue);
  const isTelling = pieces.includes(1) && pieces.some((one = 0) => one >= 100);
  const isWorded = choices.some((one) => /^\s*(?:per|pro|je|\/)/i.test(one));
  return namesPriceQuantity(column.name) || ((isTelling || isWorded) && !namesOther(column.name, 'stock'));
}

/** Whether a column says for some records that amounts are for ten, a hundred or a thousand. */
function isPowersOfTen(column: ColumnProfile): boolean {
  return (
    areAll(column, (one) => piecesOfValue(one) !== undefined) && column.values.some((one) => piecesOfValue(one) !== 1)
  );
}

/** The pieces of a quantity: `100`, `100 Stk`, `per 100`; `Stk` is one. Undefined for another text. */
export function piecesOfValue(value: string): number | undefined {
  const [whole, digits, word] =
    /^\s*(?:(?:per|pro|je|par|por|za)\s+|\/\s*)?(10{0,4})?\s*(\p{L}+\.?)?\s*$/iu.exec(value) ?? [];
  const isQuantity = whole !== undefined && (word === undefined ? digits !== undefined : isPiece(word));
  return isQuantity ? Number(digits ?? 1) : undefined;
}
