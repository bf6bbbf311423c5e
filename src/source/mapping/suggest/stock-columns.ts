// Finds the stock. It is certain only where nothing else counts what there is: what is free or reserved may stand next to
// what is on hand, and a count of metres or pallets is none of pieces.

import { isMeasure, isPiece } from '../../../core/text/units.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { areWhole, choicesOf, isFlag, isNested, isUnordered, isWhole, mayCount, numbersIn } from './column-kinds.js';
import { isCovered, relate } from './compare-columns.js';
import { remarksOf } from './given.js';
import { isListPath } from './list-paths.js';
import { namesPriceQuantity } from './price-header.js';
import { askAmong, type Choice, choicesIn, columnsOf, type Match, matchOf } from './questions.js';
import {
  isOfOrders,
  isPackage,
  moneyRole,
  namesCount,
  namesOther,
  numberTier,
  partsOf,
  saysMore,
  shareWord,
  tierOf,
  unitsIn,
} from './read-header.js';
import { fitsField } from './tiered-columns.js';
import { namesWeight } from './weight-columns.js';
import { unknownRemark } from './whole-header.js';

/** Maximum candidates where no header says stock. */
const mostCounts = 6;

/** The columns of a file, and those of them that fill nothing surely. */
interface FileColumns {
  readonly columns: readonly ColumnProfile[];
  /** Those that are or could be the price. */
  readonly prices: readonly ColumnProfile[];
  readonly free: readonly ColumnProfile[];
}

/** The stock by its header, or the columns that could be it. @param columns those that fill nothing yet */
export function stockColumns(columns: readonly ColumnProfile[]): readonly ColumnProfile[] {
  const named = columns.filter((column) => fitsField(column, 'stock') && tierOf(column.name, 'stock') !== -1);
  const counting = named.filter((column) => !isFlag(column));
  // `Availability` of 1 says that there are some, and not how many.
  const counts = counting.length > 0 ? counting : named.filter(({ name }) => tierOf(name, 'stock') === 0);
  const first = counts.find((one) => counts.every((other) => isCovered(other, one)));
  if (first === undefined) return counts;
  // `Preferred stock` may be another number than what is there.
  const isOther = (one: ColumnProfile) => couldBeStock(one) && (saysMore(first.name, 'stock') || isPartOf(one, first));
  return [first, ...columns.filter((one) => !counts.includes(one) && isOther(one))];
}

/** Whether one column is nowhere above the other, as what is free or reserved is not above what there is. */
function isPartOf(one: ColumnProfile, other: ColumnProfile): boolean {
  const { both, notAbove, notBelow } = relate(one, other);
  return both > 1 && (notAbove === 1 || notBelow === 1);
}

/** Whether a column counts something of which its header says nothing that is known. */
export function couldBeStock(column: ColumnProfile): boolean {
  const { name } = column;
  const keyTier = tierOf(name, 'sku');
  const isKnown =
    namesOther(name, 'stock') ||
    namesPriceQuantity(name) ||
    // `Goods number` may be how many there are; `stock.committed` is inside of the stock, and no amount.
    (keyTier !== numberTier && (keyTier !== -1 || moneyRole(partsOf(name).at(-1) ?? '') !== undefined));
  const counts = (isListPath(name) ? countsInLists(column) : isTally(column)) && !isFlag(column);
  // `7 EUR` is an amount of money, and `R-7` a place or a code.
  return !isKnown && counts && column.priced === 0 && fitsField(column, 'stock');
}

/** Whether the entries of lists have small whole numbers, more of them than a list has entries: no positions. */
const countsInLists = (column: ColumnProfile): boolean =>
  isWhole(column) && (column.range?.[0] ?? 0) < 100 && column.distinct * column.amounts.length > column.filled;

/** Records from which on numbers that only grow are those of a database. */
const fewestOrdered = 5;

/** Whether numbers are whole and small, or of different lengths as codes are not, and in no order. */
function isTally(column: ColumnProfile): boolean {
  const [least, most] = column.range ?? [0, 0];
  const isVaried = String(least).length !== String(most).length;
  return mayCount(column) || (areWhole(column) && isVaried && (isUnordered(column) || column.filled < fewestOrdered));
}

/** The matches, with a question about a stock that may not be of pieces, and about counts where no header says stock. */
export function askedOfStock(
  matched: ReadonlyMap<string, Match>,
  { columns, free }: Omit<FileColumns, 'prices'>,
): ReadonlyMap<string, Match> {
  const prices = columnsOf(matched.get('price'));
  const worded = free.filter(isWorded);
  const match =
    matched.get('stock') ??
    (worded.length > 0 ? askAmong(worded) : undefined) ??
    matchOf(free.filter(couldBeStock).slice(0, mostCounts));
  if (match === undefined) return matched;
  const choices = choicesIn(match).map((choice) => withRemark(choice, { columns, prices, free }));
  // If all stock columns with counts may be a supplier's, a stock column in words is probably the shop's own.
  const known = columnsOf(match);
  const beside = choices.every(({ remark }) => remark !== undefined)
    ? worded.filter((one) => !known.includes(one))
    : [];
  const open = [...choices, ...beside.map((column) => withRemark({ column }, { columns, prices, free }))];
  const isSure = matched.has('stock') && 'sure' in match && open.every(({ remark }) => remark === undefined);
  return isSure ? matched : new Map([...matched, ['stock', { open }]]);
}

/** Whether a column is called stock, and tells counts in other ways than by numbers: `skladem 5 ks`, `> 10`, `na dotaz`. */
const isWorded = (column: ColumnProfile): boolean =>
  tierOf(column.name, 'stock') === 0 &&
  !isNested(column) &&
  column.values.some((one) => /\d/.test(one)) &&
  column.values.some(isNoCount);

/** Whether a value is a text, a bound or a range: `more than 5`, `>10`, `10+`, `10-20`; `+10` may be one, or a change. */
const isNoCount = (text: string): boolean => !/^-?\p{N}[\p{N}.,'’\s]*\p{L}*[²³.]?$/u.test(text);

/** Values of a column that its remark names. */
const mostTexts = 3;

/** The choice, with what says that its numbers may not be of pieces. */
function withRemark({ column, remark }: Choice, file: FileColumns): Choice {
  const [unit] = unitsIn(column.name).filter((word) => !isPiece(word) && tierOf(word, 'stock') === -1);
  const units = column.unitWords.filter((word) => !isPiece(word));
  const others = file.columns.filter((one) => one !== column && namesCount(one.name));
  const isNamed = tierOf(column.name, 'stock') !== -1;
  const unknown = isNamed && unknownRemark(column.name, 'stock', others);
  const odd = column.values.filter(isNoCount);
  // A few words among numbers are rows to refuse.
  const isOdd = odd.some((value) => /\d/.test(value)) || (odd.length > 0 && numbersIn(column) * 2 < column.filled);
  const beside = unitsBeside(column, file);
  // In a file of orders, `Qty` is the ordered quantity.
  const isPlain = tierOf(column.name, 'stock') === 0;
  const order = isPlain ? undefined : file.columns.find(({ name }) => isOfOrders(name));
  const total = isPlain ? undefined : totalOf(column, file);
  const remarks = remarksOf(
    remark,
    unit === undefined ? unknown : `its header says ${unit}`,
    isOdd && `some values are no counts: ${odd.slice(0, mostTexts).join(', ')}`,
    units.length > 0 && `its values say ${units.join(', ')}`,
    beside && `${JSON.stringify(beside.name)} says ${beside.samples.join(', ')}`,
    order && `it may be the ordered quantity: ${JSON.stringify(order.name)} belongs to an order`,
    total && `it may be the ordered quantity: ${JSON.stringify(total.name)} is what it costs`,
    // The values may say whether there is stock, and not how much.
    isFlag(column) && column.holds('1') && `only ${[...column.values].sort().reverse().join(' and ')}`,
    isOneNumber(column) && !isFlag(column) && `${column.values[0]} in all records`,
    column.amounts.some((amount = 0) => !Number.isInteger(amount)) && 'some values have decimals',
  );
  return { column, remark: remarks };
}

/** The column whose values are the quantity times the price in all records. */
function totalOf(count: ColumnProfile, { columns, prices }: FileColumns): ColumnProfile | undefined {
  const several = count.amounts.filter((amount = 0) => amount > 1);
  if (several.length === 0 || count.filled < 2) return undefined;
  return columns.find(
    (total) =>
      total !== count &&
      prices.some(
        (price) => total !== price && count.amounts.every((_, record) => isTotal(record, count, price, total)),
      ),
  );
}

function isTotal(record: number, ...columns: readonly ColumnProfile[]): boolean {
  const [count = Number.NaN, price = Number.NaN, total = Number.NaN] = columns.map(({ amounts }) => amounts[record]);
  return Math.abs(count * price - total) < halfCent;
}
const halfCent = 0.0051;

/** Whether all records have one number below a header that does not plainly say stock: it may be the code of a state. */
const isOneNumber = ({ name, distinct, filled }: ColumnProfile): boolean =>
  distinct === 1 && filled > 2 && tierOf(name, 'stock') !== 0;

/** A column of units of what another counts, some of which are no pieces; that of a weight says nothing of the stock. */
function unitsBeside(stock: ColumnProfile, { columns, free }: FileColumns): ColumnProfile | undefined {
  const isOfAnother = ({ name }: ColumnProfile) =>
    namesWeight(name) ||
    columns.some(
      (one) => one !== stock && numbersIn(one) > 0 && shareWord(one.name, name) && !shareWord(stock.name, name),
    );
  return free.find((one) => {
    const units = numbersIn(one) === 0 ? (choicesOf(one) ?? []) : [];
    const known = units.filter((unit) => isPiece(unit) || isPackage(unit) || isMeasure(unit));
    return known.length * 2 >= units.length && !known.every(isPiece) && !areSizes(units) && !isOfAnother(one);
  });
}

/** Whether `M` and `L` are sizes: next to each other, or to other ones. */
const areSizes = (units: readonly string[]): boolean =>
  units.length > 1 && units.every((unit) => /^(?:\d*x*[sl]|m)$/i.test(unit));
