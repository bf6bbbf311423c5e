// `once`: one item a key, over the whole file. `first` lets the first through and leaves the others out; `merge` makes
// one of all, with the entries of all their lists, and hands them over at the end.

import { type Entry, rawEntry, type UnreadableEntry, unreadableEntry } from '../../core/entry.js';
import { CatalogError } from '../../core/errors.js';
import type { Fields } from '../../core/fields.js';
import type { KeyOf } from '../../core/key-of.js';
import { fold, quote } from '../../core/text.js';

type Item = Record<string, unknown>;

/** Keys that are remembered; a file with more of them is no list of categories or characteristics. */
const mostKeys = 500_000;

/** Lets items through, once a key. */
export interface Once {
  /** What goes on now: the item itself, a refusal, or nothing. */
  take(item: Item, line: number): Entry | undefined;
  /** What was held back, in the order of the first of each key. */
  rest(): readonly { readonly item: Item; readonly line: number }[];
}

/** Remembers keys in the way that `mode` says. */
export function onceOf(mode: 'first' | 'merge', key: KeyOf, file: string): Once {
  const held = new Map<string, { item: Item; line: number; seen: Set<string> }>();
  const parents = new Map<string, string>();
  const name = (item: Item) => fold(key.of(item));
  const check = (size: number): void => {
    if (size < mostKeys) return;
    throw new CatalogError(
      'usage',
      `${file}: once: more than ${mostKeys} different keys; leave once out, or split the file.`,
    );
  };
  return {
    take(item, line) {
      const id = name(item);
      // Without a key it is refused as such.
      if (id === '') return rawEntry(item);
      if (mode === 'merge') {
        const before = held.get(id);
        if (before !== undefined) mergeInto(before.item, item, key.fields, before.seen);
        else {
          check(held.size);
          const fresh = { item: {}, line, seen: new Set<string>() };
          mergeInto(fresh.item, item, key.fields, fresh.seen);
          held.set(id, fresh);
        }
        return undefined;
      }
      const parent = typeof item['parent'] === 'string' ? fold(item['parent']) : '';
      const before = parents.get(id);
      if (before === undefined) {
        check(parents.size);
        parents.set(id, parent);
        return rawEntry(item);
      }
      if (before === parent || parents.has(`${id}\0${parent}`)) return undefined;
      parents.set(`${id}\0${parent}`, parent);
      return twoPlaces(item, key);
    },
    rest: () => [...held.values()],
  };
}

/** A name that stands in two places of the tree would be moved to and fro. */
function twoPlaces(item: Item, key: KeyOf): UnreadableEntry {
  const name = key.of(item);
  const message =
    `${quote(name)} stands in another place too, and names are unique; ` +
    'give the whole path as name with names: path, or rename one of them';
  return unreadableEntry({ code: 'field_not_allowed_value', field: 'parent', message }, name);
}

/** Adds what `more` says: fields that are not there yet, and entries of lists by what they are recognised by. */
function mergeInto(item: Item, more: Item, fields: Fields, seen: Set<string>): void {
  for (const [name, value] of Object.entries(more)) {
    const field = fields[name];
    if (field?.kind !== 'list' || !Array.isArray(value)) {
      if (item[name] === undefined) item[name] = value;
      continue;
    }
    const list = (item[name] ?? []) as unknown[];
    item[name] = list;
    for (const entry of value as readonly Item[]) {
      const id = `${name}\0${fold(String(entry[field.entryKey]))}`;
      if (seen.has(id)) continue;
      seen.add(id);
      list.push(entry);
    }
  }
}
