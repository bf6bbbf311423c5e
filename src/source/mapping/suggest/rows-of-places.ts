// Rows that share a key and differ in a place and a quantity, as one row for each warehouse: the last row would count alone.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import type { ExampleRow } from '../mapping.js';
import { choicesOf, numbersIn } from './column-kinds.js';
import { askAmong, columnsOf, type Match, sureOf } from './questions.js';
import { leavesOf } from './record-parts.js';

/** The matches, with questions about the key and the stock of such rows. @param first the first records */
export function askedOfPlaces(
  matched: ReadonlyMap<string, Match>,
  columns: readonly ColumnProfile[],
  first: readonly ExampleRow[],
): ReadonlyMap<string, Match> {
  const keys = columnsOf(matched.get('sku'));
  const stock = sureOf(matched.get('stock'));
  const key = keys.find(({ repeats }) => repeats > 0);
  if (key === undefined || stock === undefined) return matched;
  const differing = differingIn(first, key.name);
  const place = columns.find((column) => differing.has(column.name) && isOfFewWords(column));
  if (place === undefined || !differing.has(stock.name)) return matched;
  const [rows, of, counted] = [key, place, stock].map(({ name }) => JSON.stringify(name));
  const sum = `rows: ${rows} above the fields, and here { column: ${counted}, aggregate: sum }`;
  const kept = `keep: { of: ${of}, is: ${JSON.stringify(place.values[0])} }`;
  return new Map([
    ...matched,
    ['sku', askAmong(keys, `its rows differ in ${of}`)],
    ['stock', askAmong([stock], `rows of one ${rows} differ in ${of}: for all write ${sum}; for one ${kept}`)],
  ]);
}

/** Whether a column has a few texts that occur again. */
const isOfFewWords = (column: ColumnProfile): boolean =>
  numbersIn(column) === 0 &&
  choicesOf(column) !== undefined &&
  column.distinct > 1 &&
  column.repeats >= column.distinct;

/** The columns in which records with the same key differ. */
function differingIn(records: readonly ExampleRow[], key: string): ReadonlySet<string> {
  const known = new Map<string, ReadonlyMap<string, string>>();
  const differing = new Set<string>();
  for (const record of records) {
    const leaves = leavesOf(record);
    const value = leaves.get(key) ?? '';
    const before = value === '' ? undefined : known.get(value);
    if (before === undefined) known.set(value, leaves);
    else for (const [name, one] of leaves) if (before.get(name) !== one) differing.add(name);
  }
  return differing;
}
