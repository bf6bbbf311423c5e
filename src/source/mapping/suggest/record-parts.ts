// What is inside records, by its path: values, also those of lists, and the lists themselves.
import { type ColumnProfile, profilesOf } from '../../inspection/column-profile.js';
import type { ExampleRow } from '../mapping.js';

export type ListedPart = Readonly<Record<string, unknown>>;

/** The values of parts by their paths; of lists those of all entries. @param first the first records */
export const partsOfRecords = (first: readonly ExampleRow[]): readonly ColumnProfile[] =>
  profilesOf(first.flatMap((record, i) => valuesIn(record, '').map(([path, value]) => [path, value, i] as const)));

/** The members of a record or entry, those of objects in it by their paths; lists are none. */
export const leavesOf = (record: object): ReadonlyMap<string, string> =>
  new Map(valuesIn(record, '').filter(([path]) => !path.includes('[')));

/** The members of a record that hold objects, one or several, by their paths. */
export function listsIn(record: object, prefix: string): [string, ListedPart[]][] {
  return Object.entries(record).flatMap(([name, value]): [string, ListedPart[]][] => {
    const entries: unknown[] = [value].flat();
    if (!entries.every((one): one is ListedPart => typeof one === 'object' && one !== null && !Array.isArray(one)))
      return [];
    const own: [string, ListedPart[]] = [prefix + name, entries];
    return Array.isArray(value) ? [own] : [own, ...entries.flatMap((one) => listsIn(one, `${prefix}${name}.`))];
  });
}

function valuesIn(record: object, prefix: string): [path: string, value: string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] => {
    const path = prefix + name;
    if (!Array.isArray(value)) return isObject(value) ? valuesIn(value, `${path}.`) : [[path, String(value ?? '')]];
    const entries: readonly unknown[] = value;
    const typed = Object.keys(record).find((other) => other.startsWith(`${name}@`));
    const types = typed === undefined ? undefined : record[typed as keyof typeof record];
    return entries.flatMap((entry, i): [string, string][] => {
      if (isObject(entry)) return valuesIn(entry, `${path}[].`);
      const type: unknown = Array.isArray(types) ? types[i] : undefined;
      const which = isWord(type) ? `${typed?.slice(name.length)}=${type}` : '';
      return [[`${path}[${which}]`, Array.isArray(entry) ? '' : String(entry ?? '')]];
    });
  });
}

const isWord = (value: unknown): value is string => typeof value === 'string' && /^[\p{L}\d_-]{1,40}$/u.test(value);
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
