// Paths through members that are an object in some records and a list of objects in others: `offer.price` is read as
// `offer[].price`, which holds for all of them.
import type { ColumnProfile } from '../../inspection/column-profile.js';

/** The columns, with the paths that hold for all records. */
export function withListPaths(columns: readonly ColumnProfile[]): readonly ColumnProfile[] {
  const lists = columns.filter(({ values }) => values.some((value) => value.startsWith('[{'))).map(({ name }) => name);
  if (lists.length === 0) return columns;
  return columns.map((column) => {
    const outer = lists.find((list) => column.name.startsWith(`${list}.`));
    return outer === undefined ? column : { ...column, name: `${outer}[]${column.name.slice(outer.length)}` };
  });
}

/** Whether a path leads through a list, of which a record may have several entries. */
export function isListPath(name: string): boolean {
  return name.includes('[].');
}
