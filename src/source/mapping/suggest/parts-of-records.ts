// Values inside the lists and deeper objects of records, which are no columns of their own: the price of a product may be
// in `variants[].price` only. What no column of the record says is asked, with what its parts say.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { hasFractions, holdsBarcodes, holdsObjects, isListed, isOtherThing, numbersIn } from './column-kinds.js';
import { isListPath } from './list-paths.js';
import { columnsOf, type Match, matchOf, sureOf } from './questions.js';
import { isPriceRole, moneyRole, partsOf, tierOf } from './read-header.js';
import { couldBeStock, stockColumns } from './stock-columns.js';
import { fitsField, longestName, tieredColumns } from './tiered-columns.js';

/** Maximum candidates of a question. */
const mostParts = 6;

/**
 * The matches of the fields of products, with a question for each field that matters and that only parts of records fill.
 * @param columns the columns of the records, those of parts that are known among them
 */
export function askedOfParts(
  matched: ReadonlyMap<string, Match>,
  columns: readonly ColumnProfile[],
  all: readonly ColumnProfile[],
): ReadonlyMap<string, Match> {
  const known = new Set(columns.map(({ name }) => name));
  const parts = all.filter(({ name, filled }) => filled > 0 && !known.has(name) && !isOtherThing(name));
  const asked = new Map(matched);
  const ask = (field: string, open: readonly ColumnProfile[]): void => {
    if (open.length > 0) asked.set(field, { open: open.slice(0, mostParts).map((column) => choiceOf(column, field)) });
  };
  for (const field of ['name', 'price', 'stock']) {
    const sure = sureOf(matched.get(field));
    if (sure !== undefined) ask(field, entriesOf(sure, all));
  }
  // A parent has an empty price, and its children have theirs.
  const lacks = (field: string) => columnsOf(matched.get(field)).every(({ filled }) => filled === 0);
  if (lacks('price')) ask('price', amountsIn(parts));
  if (lacks('stock')) {
    const counts = parts.filter((part) => isListPath(part.name) && couldBeStock(part));
    ask('stock', [stockColumns(parts), countsByPlace(all), counts].find(isFilled) ?? []);
  }
  if (lacks('ean')) ask('ean', parts.filter(holdsBarcodes));
  // A number of the other shop is less of a key than what the parts call one.
  const keys = columnsOf(matched.get('sku'));
  const named = tieredColumns(parts, 'sku').filter(isPlainKey);
  // Of those with the same values the one that is less deep.
  const inside = all.filter(isInsideKey).sort((one, other) => depthOf(one) - depthOf(other));
  const codes = named.length > 0 ? named : columnsOf(matchOf(inside));
  if (codes.length > 0 && !keys.some((one) => isPlainKey(one) || isInsideKey(one))) ask('sku', [...keys, ...codes]);
  if (lacks('name')) ask('name', tieredColumns(parts, 'name'));
  if (!asked.has('name')) {
    const used = new Set([...asked].flatMap(([field, match]) => (field === 'description' ? [] : columnsOf(match))));
    const most = Math.max(...columns.map(({ filled }) => filled));
    ask(
      'name',
      [...columns, ...parts].filter((column) => !used.has(column) && column.filled >= most && isName(column)),
    );
  }
  return asked;
}

const isPlainKey = ({ name }: ColumnProfile): boolean => tierOf(name, 'sku') === 0;

/** Whether what is in an object that is called a key tells records apart, whatever it is called: `SKU.rich_text[].plain_text`. */
const isInsideKey = (column: ColumnProfile): boolean =>
  column.filled > 1 &&
  column.repeats === 0 &&
  fitsField(column, 'sku') &&
  partsOf(column.name)
    .slice(0, -1)
    .some((part) => tierOf(part.replace('[]', ''), 'sku') === 0);

const depthOf = ({ name }: ColumnProfile): number => partsOf(name).length;

const isFilled = ({ length }: readonly unknown[]): boolean => length > 0;

/** The counts of an object that is called stock: `stock.north`. */
const countsByPlace = (all: readonly ColumnProfile[]): readonly ColumnProfile[] =>
  all.filter(
    (column) =>
      numbersIn(column) * 2 >= column.filled &&
      tierOf(partsOf(column.name).at(-2) ?? '', 'stock') === 0 &&
      !isOtherThing(column.name),
  );

/** The entries of a list of plain values: `price[@type=net]` where they have an attribute, else `price[]`. */
const entriesOf = ({ name }: ColumnProfile, all: readonly ColumnProfile[]): readonly ColumnProfile[] =>
  all.filter((part) => part.name.startsWith(`${name}[@`) || part.name === `${name}[]`);

/**
 * The nearest amounts: by their headers, those with decimals where some have them; else by the last part of their paths,
 * such as those of quantities; else what no header calls an amount.
 */
function amountsIn(parts: readonly ColumnProfile[]): readonly ColumnProfile[] {
  const numbers = parts.filter((part) => numbersIn(part) * 2 >= part.filled);
  const roles = numbers.map((part) => ({ part, role: moneyRole(part.name) }));
  const named = roles.flatMap(({ part, role }) => (isPriceRole(role) ? [part] : []));
  const ofQuantities = numbers.filter(({ name }) => isPriceRole(moneyRole(partsOf(name).at(-1) ?? '')));
  const unnamed = roles.flatMap(({ part, role }) => (role === undefined && part.longestFraction === 2 ? [part] : []));
  return [named.filter(hasFractions), named, ofQuantities, unnamed].find(isFilled) ?? [];
}

/** Whether all records have a short text of their own, in words. */
function isName(column: ColumnProfile): boolean {
  const { name, filled, distinct, repeats, spaced, longest } = column;
  // Two languages may have one name.
  const isTelling = name.includes('[') ? distinct * 2 > filled : repeats === 0;
  const isText = numbersIn(column) + column.measured === 0 && !holdsObjects(column) && !isListed(column);
  return isText && isTelling && spaced * 2 >= filled && longest <= longestName;
}

function choiceOf(column: ColumnProfile, field: string) {
  const take = field === 'stock' ? 'take: sum, take: first' : 'take: first';
  return { column, remark: isListPath(column.name) ? `of a list: ${take}, or a section with each` : undefined };
}
