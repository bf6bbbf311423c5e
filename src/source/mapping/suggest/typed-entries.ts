// Lists of amounts of several types, such as the prices of BMEcat, and of counts by place: `prices[type=net_list].amount` is a column of its own, so
// that a person chooses between the types, and never the first one that is there.

import { type ColumnProfile, profilesOf } from '../../inspection/column-profile.js';
import type { ExampleRow } from '../mapping.js';
import { saysAmount, tierOf } from './read-header.js';
import { type ListedPart, listsIn } from './record-parts.js';

/** Maximum types that are columns of their own. */
const mostTypes = 12;

/**
 * The columns, with those of the types of lists in place of those of all entries.
 * @param file.first the first records
 * @param file.own the names of lists that this program has, which are used as they are
 */
export function withTypedEntries(
  columns: readonly ColumnProfile[],
  {
    first,
    records,
    own,
  }: { readonly first: readonly ExampleRow[]; readonly records: number; readonly own: ReadonlySet<string> },
): readonly ColumnProfile[] {
  const lists = new Map<string, ListedPart[][]>();
  first.forEach((record, i) => {
    for (const [path, entries] of listsIn(record, '')) {
      const known = lists.get(path) ?? [];
      known[i] = entries;
      lists.set(path, known);
    }
  });
  return [...lists].reduce((all, [path, found]) => {
    const type = own.has(path) ? undefined : typeOf(found, path);
    if (type === undefined) return all;
    const typed = typedColumns(path, found, type).map((column) => ({
      ...column,
      filled: Math.round((column.filled / first.length) * records),
    }));
    return [...all.filter(({ name }) => !name.startsWith(`${path}.`) && !name.startsWith(`${path}[].`)), ...typed];
  }, columns);
}

/** The member by which entries of a record differ and that names few kinds, where another one is an amount or a count. */
function typeOf(found: readonly (readonly ListedPart[])[], path: string): string | undefined {
  const filled = found.filter((entries) => entries.length > 0);
  const [entry = {}] = filled.flat();
  if (!filled.some(({ length }) => length > 1)) return undefined;
  const isAmount = (name: string) => saysAmount(`${path}.${name}`);
  const names = Object.keys(entry);
  if (names.some((name) => isKey(name, filled.flat()))) return undefined;
  // Entries with codes are sizes or packages, and no places.
  const counts = names.filter((name) => isCount(`${path}.${name}`, name, filled.flat()));
  const isOfCounts =
    counts.length > 0 && !names.some((name) => !counts.includes(name) && areCodes(name, filled.flat()));
  if (!names.some(isAmount) && !isOfCounts && !areIdentifiers(names, filled.flat())) return undefined;
  const types = names.filter((name) => {
    if (tierOf(name, 'sku') === 0) return false;
    const values = filled.map((entries) => entries.map((one) => one[name]));
    const kinds = new Set(values.flat());
    const isInAll = [...kinds].some((kind) => values.every((some) => some.includes(kind)));
    // Numbers distinguish entries by chance: those of steps have a first one in every record.
    const isKind = (value: unknown) => isWord(value) || (isInAll && !isAmount(name) && isStep(value));
    return (
      values.every((some) => some.every(isKind) && new Set(some).size === some.length) &&
      kinds.size <= mostTypes &&
      kinds.size * 2 <= values.flat().length
    );
  });
  // `useType: Default` says more than `useTypeID: 1`.
  return types.find((name) => filled.flat().every((one) => isWord(one[name]))) ?? types[0];
}

/** Whether a member says stock, and is a whole number in all entries. */
const isCount = (path: string, name: string, entries: readonly ListedPart[]): boolean =>
  tierOf(path, 'stock') !== -1 && entries.every((one) => /^\d+$/.test(String(one[name])));

/** Whether each entry has a key of its own: variants are products, and no amounts of one. */
function isKey(name: string, entries: readonly ListedPart[]): boolean {
  const values = entries.map((one) => one[name]);
  return tierOf(name, 'sku') === 0 && new Set(values).size === values.length;
}

/** Whether entries have codes, and next to these their type, and at most words: what counts something is no identifier. */
function areIdentifiers(names: readonly string[], entries: readonly ListedPart[]): boolean {
  const others = names.filter((name) => !areCodes(name, entries));
  const types = others.filter((name) => !entries.every((one) => isWord(one[name])));
  return others.length < names.length && types.length <= 1;
}

/** Whether each entry has a code of its own, as a record has that is known by several: its number, its barcode. */
function areCodes(name: string, entries: readonly ListedPart[]): boolean {
  const values = entries.map((one) => one[name]);
  const isCode = (one: unknown) => /^(?=.*\d)[\p{L}\d._-]{3,40}$/u.test(String(one));
  return new Set(values).size === values.length && values.every(isCode);
}

const isWord = (value: unknown): boolean => typeof value === 'string' && /^\p{L}[^,;=[\]]{0,40}$/u.test(value);
/** A number of pieces, a group of customers, or whether an entry is the default. */
const isStep = (value: unknown): boolean => /^(?:\d{1,6}|true|false)$/.test(String(value));

function typedColumns(path: string, found: readonly (readonly ListedPart[])[], type: string): readonly ColumnProfile[] {
  return profilesOf(
    found.flatMap((entries, record) =>
      entries.flatMap((entry) =>
        Object.entries(entry).flatMap(([member, value]): [string, string, number][] =>
          member === type || typeof value === 'object'
            ? []
            : [[`${path}[${type}=${String(entry[type])}].${member}`, String(value), record]],
        ),
      ),
    ),
  );
}
