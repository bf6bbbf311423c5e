// Paths through members that are an object in some records and a list of objects in others: `offer.price` is read as
// `offer[].price`, which holds for all of them.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import type { Match } from './questions.js';

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

/** Fields of which the first of several values would be a guess. */
const telling: ReadonlySet<string> = new Set(['sku', 'name', 'price', 'price_compare', 'stock']);

/** The match of a field; one of several entries of a record is asked about. */
export function askedOfLists(field: string, match: Match): Match {
  if (!('sure' in match) || !telling.has(field) || !isListPath(match.sure.name)) return match;
  const outer = match.sure.name.split('[].', 1)[0] ?? '';
  const remark = `${outer} is a list in some records: take: first, or a section with each`;
  return { open: [{ column: match.sure, remark }] };
}
