// Locates the records of a JSON document if no path is given: `items`, else its only list of objects.
import { CatalogError } from '../../core/errors.js';
import { listFinder } from './find-list.js';

/** The list of the records; empty if the document itself is a record. */
interface LocatedList {
  readonly place?: { readonly name: string; readonly isNamed: boolean };
}

const items: LocatedList = { place: { name: 'items', isNamed: true } };

/**
 * Finds the list of a document that is an object.
 * @param head the beginning of the document
 * @param isField whether a name is a field of the resource: an object that names one before `items` is itself the
 * record
 * @param whole the whole document, read again; for a pipe only its beginning
 * @throws CatalogError `usage` if several lists are possible
 */
export async function locateList(
  file: string,
  head: string,
  isField: (name: string) => boolean,
  whole: () => AsyncIterable<string>,
): Promise<LocatedList> {
  if (/^\s*\{\s*"items"\s*:\s*\[/.test(head)) return items;
  const [, first] = /^\s*\{\s*"([^"\\]*)"\s*:/.exec(head) ?? [];
  if (first !== undefined && isField(first)) return {};
  const finder = listFinder();
  if (file === '-') finder.take(head);
  else for await (const text of whole()) finder.take(text);
  const names = finder.names();
  const at = names.indexOf('items');
  if (names.slice(0, at === -1 ? undefined : at).some(isField)) return {};
  const lists = finder.lists();
  if (lists.some(({ path }) => path.length === 1 && path[0] === 'items')) return items;
  // The reader reports an empty list, or one without objects; for a pipe the rest is unknown.
  const [list, ...others] = lists;
  if (list === undefined || at !== -1 || file === '-') return {};
  if (others.length === 0) return { place: { name: list.path.join('.'), isNamed: false } };
  const found = lists.map(({ path, count }) => `${path.join('.')} (${count})`).join(', ');
  throw new CatalogError(
    'usage',
    `${file}: several lists could hold the records: ${found}. Name one with --items, such as --items ${list.path.join('.')}, or --items . where the document is one record.`,
  );
}
