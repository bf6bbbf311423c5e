// Paths through members that are an object in some records and a list of objects in others: `offer.price` is read as
// `offer[].price`, which holds for all of them.
import { type ColumnProfile, columnProfiler } from '../../inspection/column-profile.js';
import type { ExampleRow } from '../mapping.js';
import { headerWords, plainWord } from './read-header.js';

/** The columns, with the paths that hold for all records. */
export function withListPaths(columns: readonly ColumnProfile[]): readonly ColumnProfile[] {
  const lists = columns.filter(({ values }) => values.some((value) => value.startsWith('[{'))).map(({ name }) => name);
  if (lists.length === 0) return columns;
  return columns.map((column) => {
    const outer = lists.find((list) => column.name.startsWith(`${list}.`));
    return outer === undefined ? column : { ...column, name: `${outer}[]${column.name.slice(outer.length)}` };
  });
}

const nameMembers = ['name', 'title', 'label', 'path'];

/** The columns, with the names of lists of categories: `categories[].name`. @param first the first records */
export function withNamesOfCategories(
  columns: readonly ColumnProfile[],
  first: readonly ExampleRow[],
): readonly ColumnProfile[] {
  const lists = columns.filter(({ name }) => headerWords['category']?.includes(plainWord(name)));
  const named = lists.flatMap(({ name, filled }) => {
    const entries = first.map((record) => (Array.isArray(record[name]) ? (record[name] as readonly unknown[]) : []));
    const member = nameMembers.find((one) => entries.some(([entry]) => memberOf(entry, one) !== undefined));
    const profiler = columnProfiler(`${name}[].${member}`);
    entries.forEach((some, record) => {
      for (const entry of some) profiler.take(memberOf(entry, member ?? '') ?? '', 0, record);
    });
    return member === undefined ? [] : [{ ...profiler.facts(), filled }];
  });
  return [...columns, ...named];
}

function memberOf(entry: unknown, member: string): string | undefined {
  const value: unknown = typeof entry === 'object' && entry !== null ? entry[member as keyof typeof entry] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Whether a path leads through a list, of which a record may have several entries. */
export function isListPath(name: string): boolean {
  return /\[\](?:\.|$)/.test(name);
}
