// Locates the records of a JSON document if no path is given: `items`, else its only list of objects. Reads the document
// once before it is imported, and keeps only the current path in memory.
import { CatalogError } from '../../core/errors.js';
import { memberNames } from './member-names.js';
import { valueScanner } from './value-scanner.js';

interface ObjectList {
  /** The names of the members that lead to it. */
  readonly path: readonly string[];
  count: number;
}

/** Maximum members in a path. */
const deepest = 8;
const mostLists = 10;

/** @param isField whether a name is a field of the resource: an object that names one before `items` is itself the record */
export function listFinder(isField: (name: string) => boolean) {
  const lists: ObjectList[] = [];
  let found: 'items' | 'record' | undefined;
  /** Whether the document has a list `items`, which may be empty. */
  let hasItems = false;
  const names = memberNames((name) => {
    if (!hasItems && isField(name)) found ??= 'record';
  });
  const values = valueScanner();
  let isSkipping = false;
  /** The list whose objects are counted. */
  let list: ObjectList | undefined;

  /** Whether lists are looked for within what opens here. */
  function isEntered(isList: boolean): boolean {
    const path = names.levels.map(({ name = '' }) => name);
    if (names.levels.at(-1)?.isList !== true) {
      if (isList) list = undefined;
      hasItems ||= isList && path.length === 1 && path[0] === 'items';
      return path.length < deepest;
    }
    if (!isList && path.length === 2 && path[0] === 'items') found ??= 'items';
    // An object inside a list belongs to that list.
    if (!isList && list === undefined && lists.length < mostLists) {
      list = { path: path.slice(0, -1), count: 0 };
      lists.push(list);
    }
    if (!isList && list !== undefined) list.count++;
    return false;
  }

  /** Goes on to what opens next; the index after it. */
  function open(text: string, from: number): number {
    const at = names.next(text, from);
    if (at === text.length || found !== undefined) return at;
    const isList = text.charAt(at) === '[';
    isSkipping = !isEntered(isList);
    if (isSkipping) values.begin();
    else names.enter(isList);
    return isSkipping ? at : at + 1;
  }

  function skip(text: string, from: number): number {
    const end = values.end(text, from);
    isSkipping = end === -1;
    return isSkipping ? text.length : end;
  }

  return {
    /** Lists of objects that are not inside another list; at most ten. */
    lists: lists as readonly Readonly<ObjectList>[],
    hasItems: () => hasItems,
    /**
     * Takes the next text of the document. Invalid JSON is left for the reader to refuse.
     * @returns what the document is once that is known: `items` is the list of the records, or it is a record itself
     */
    take(text: string): typeof found {
      let at = 0;
      while (at < text.length && found === undefined) at = isSkipping ? skip(text, at) : open(text, at);
      return found;
    },
  };
}

/**
 * Finds the list of a document that is an object.
 * @param isField as in `listFinder`
 * @param texts the document from its beginning, as much of it as may be read before the import
 * @returns the list of the records; nothing if the document itself is a record
 * @throws CatalogError `usage` if several lists are possible
 */
export async function locateList(
  file: string,
  isField: (name: string) => boolean,
  texts: AsyncIterable<string>,
): Promise<{ readonly recordPath?: { readonly name: string; readonly isNamed: boolean } }> {
  const finder = listFinder(isField);
  for await (const text of texts) {
    const found = finder.take(text);
    if (found !== undefined) return found === 'items' ? { recordPath: { name: 'items', isNamed: true } } : {};
  }
  // The reader reports an empty list, or one without objects.
  const lists = finder.lists.map(({ path }) => path.join('.'));
  const keyed = keyedRecords(finder.lists.map(({ path }) => path));
  const found = finder.hasItems()
    ? lists.filter((name) => /\.items$/.test(name))
    : keyed === undefined
      ? recordsAmong(lists)
      : [keyed];
  const [name, ...others] = found;
  if (name !== undefined && others.length === 0) return { recordPath: { name, isNamed: false } };
  if (finder.hasItems()) return { recordPath: { name: 'items', isNamed: true } };
  if (name === undefined) return {};
  const shown = finder.lists.map(({ path, count }) => `${path.join('.')} (${count})`).join(', ');
  throw new CatalogError(
    'usage',
    `${file}: several lists could hold the records: ${shown}. Name one with --items, such as --items ${name}, or --items . where the document is one record.`,
  );
}

/** The members of one object, `products.*`, where each has a list of one name in it. */
function keyedRecords([first = [], ...more]: readonly (readonly string[])[]): string | undefined {
  const at = first.findIndex((part, i) => more.some((path) => path[i] !== part));
  const isOfOne = more.every(
    (path) => path.length === first.length && path.every((part, i) => i === at || part === first[i]),
  );
  return at > 0 && at < first.length - 1 && isOfOne ? [...first.slice(0, at), '*'].join('.') : undefined;
}

/** The lists that could be the records: `included` next to `data` is what these refer to, as JSON:API has it. */
const recordsAmong = (lists: readonly string[]): readonly string[] =>
  lists.includes('data') ? lists.filter((name) => name !== 'included') : lists;
