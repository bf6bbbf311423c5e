// Products in a list of each record, such as the variants of a shop: entries with keys and prices of their own, where the
// record has no price or no key. Each entry is read as a record, with the members of the record around it next to its own.
import { type ColumnProfile, profilesOf } from '../../inspection/column-profile.js';
import type { Inspection } from '../../inspection/inspect-file.js';
import type { ExampleRow } from '../mapping.js';
import { holdsBarcodes, numbersIn } from './column-kinds.js';
import { isListPath } from './list-paths.js';
import { codeTier, isPriceRole, moneyRole, plainWord, tierOf } from './read-header.js';
import { leavesOf, listsIn } from './record-parts.js';

/** The records that are in the lists, and how a mapping reads them. */
export interface VariantRecords {
  readonly inspection: Inspection;
  /** The name of a column in a mapping → its path: `$price` → `variants[].price`. */
  readonly paths: ReadonlyMap<string, string>;
  /** Columns of the records around them whose values the entries have themselves. */
  readonly hidden: readonly ColumnProfile[];
  /** The list that they are in. */
  readonly list: string;
  /** Whether its name does not say that it has variants: it may have the lines of orders, or what a bundle contains. */
  readonly isDoubted: boolean;
}

interface Variant {
  /** The index of the record around it. */
  readonly record: number;
  readonly members: ReadonlyMap<string, string>;
}

/** The variants of a file; undefined where its records are products themselves. */
export function variantRecords(inspection: Inspection): VariantRecords | undefined {
  const { columns, first } = inspection;
  const lists = new Map<string, Variant[]>();
  first.forEach((record, i) => {
    for (const [path, entries] of listsIn(record, ''))
      lists.set(path, [
        ...(lists.get(path) ?? []),
        ...entries.map((entry) => ({ record: i, members: leavesOf(entry) })),
      ]);
  });
  for (const [list, variants] of lists) {
    const own = columns.filter(({ name, filled }) => filled > 0 && !isWithin(name, list));
    const filled = new Set(variants.map(({ record }) => record)).size;
    const isNamed = isVariantList(list);
    // A record without variants and without a price gives no product, and an import says how many there are.
    const isOfEnough = filled === first.length || (isNamed && filled * 2 > first.length && !own.some(isAmount));
    const isWhole = isNamed ? areProducts(own) : own.some((one) => isKeyAmong(one, own));
    if (isOfEnough && variants.length > filled && !isWhole && areProducts(profilesIn(variants)))
      return { ...asRecords(inspection, list, variants, own), list, isDoubted: !isNamed };
  }
  return undefined;
}

/** Whether a list is called one of variants. */
const isVariantList = (list: string): boolean => /vari|вари|child|kinder|sizes|größen/iu.test(list);

/** Whether lists of variants have keys, prices or barcodes. @param parts what is inside the records */
export function haveProducts(parts: readonly ColumnProfile[]): boolean {
  const isTrait = (one: ColumnProfile) => tierOf(one.name, 'sku') === 0 || isAmount(one) || holdsBarcodes(one);
  return parts.some((one) => one.filled > 0 && isListPath(one.name) && isVariantList(one.name) && isTrait(one));
}

const isAmount = (one: ColumnProfile): boolean => isPriceRole(moneyRole(one.name)) && numbersIn(one) > 0;

const isWithin = (name: string, list: string): boolean => name === list || name.startsWith(`${list}.`);

/** Whether each has a key of its own, and most have a price. */
function areProducts(columns: readonly ColumnProfile[]): boolean {
  const most = mostFilled(columns);
  const isPrice = (one: ColumnProfile) => isAmount(one) && numbersIn(one) * 2 >= most;
  return columns.some((one) => isKeyAmong(one, columns)) && columns.some(isPrice);
}

const mostFilled = (columns: readonly ColumnProfile[]): number => Math.max(...columns.map(({ filled }) => filled));

/** Whether a column is called a key, and tells all records apart. */
function isKeyAmong({ name, filled, repeats }: ColumnProfile, columns: readonly ColumnProfile[]): boolean {
  const tier = tierOf(name, 'sku');
  return tier !== -1 && tier <= codeTier && repeats === 0 && filled === mostFilled(columns);
}

const profilesIn = (variants: readonly Variant[]): readonly ColumnProfile[] =>
  profilesOf(variants.flatMap(({ members }, i) => [...members].map(([name, value]) => [name, value, i] as const)));

function asRecords(
  inspection: Inspection,
  list: string,
  variants: readonly Variant[],
  around: readonly ColumnProfile[],
): Omit<VariantRecords, 'list' | 'isDoubted'> {
  const { first, records } = inspection;
  const scale = (count: number) => Math.round((count / first.length) * records);
  const isName = ({ name }: ColumnProfile) => tierOf(name, 'name') === 0;
  const shared = (one: ColumnProfile) =>
    around.filter((outer) => plainWord(outer.name) === plainWord(lastOf(one.name)) || (isName(outer) && isName(one)));
  // `title` of a variant is its size, next to that of the product; its price counts before one of the product.
  const members = profilesIn(variants).filter(
    (one) => one.filled > 0 && (shared(one).length === 0 || one.repeats === 0 || numbersIn(one) === one.filled),
  );
  const own = members.map((one) => ({ ...one, name: `$${lastOf(one.name)}`, path: `${list}[].${one.name}` }));
  const named = own.filter(({ name }, i) => own.findIndex((one) => one.name === name) === i);
  const hidden = new Set(members.flatMap(shared));
  const outer = around.flatMap((one) =>
    hidden.has(one) ? [] : [repeated(one, variants, scale(variants.length) / records)],
  );
  const columns = [...outer, ...named.map(({ path: _, ...one }) => ({ ...one, filled: scale(one.filled) }))];
  const paths = new Map(named.map(({ name, path }) => [name, path]));
  const rows = variants.map(({ record, members: values }): ExampleRow => {
    const inner = named.map(({ name, path }) => [name, values.get(path.slice(list.length + 3)) ?? '']);
    return { ...without(first[record] ?? {}, list), ...Object.fromEntries(inner) };
  });
  return {
    inspection: { ...inspection, records: scale(variants.length), columns, first: rows },
    paths,
    hidden: [...hidden],
  };
}

/** The last part of a path, as the name of a variable: `sku` of `node.sku` and `@sku`. */
const lastOf = (path: string): string =>
  (path.split('.').at(-1) ?? '').replace(/^@/, '').replace(/[^\p{L}\p{N}_]+/gu, '_');

/** A column of the records around the variants, whose values occur in each of them. */
function repeated(column: ColumnProfile, variants: readonly Variant[], times: number): ColumnProfile {
  const filled = Math.round(column.filled * times);
  return {
    ...column,
    filled,
    repeats: column.repeats + filled - column.filled,
    amounts: variants.map(({ record }) => column.amounts[record]),
  };
}

/** A record without the list at a path. */
function without(record: ExampleRow, list: string): ExampleRow {
  const [member = '', ...rest] = list.split('.');
  const inner = record[member];
  if (rest.length === 0) return Object.fromEntries(Object.entries(record).filter(([name]) => name !== member));
  return typeof inner === 'object' && inner !== null
    ? { ...record, [member]: without(inner as ExampleRow, rest.join('.')) }
    : record;
}
