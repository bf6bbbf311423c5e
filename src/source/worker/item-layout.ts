// Splits items of one shape into flat lists of values, and restores them. Compiled for their fields where code may be
// made from strings: compiled code gives all items one hidden class, and an import of 200,000 items with attributes
// takes a twelfth less.

import type { CheckedFields } from '../../core/planning/item-task.js';
import { canCompile, compile } from '../../core/rows/compile-function.js';
import { type Budget, type StringDictionary, stringDictionary } from './string-dictionary.js';

/** The fields of items in order; for lists also the fields of their entries. */
export interface Outline {
  readonly names: readonly string[];
  readonly entries: readonly (readonly string[] | undefined)[];
}

/** The fields, and which of them have repeating texts. */
export interface ItemShape extends Outline {
  readonly repeated: readonly boolean[];
  readonly entryRepeated: readonly (readonly boolean[])[];
}

/** A position in a list of values, from which items are restored. */
export interface Cursor {
  readonly values: readonly unknown[];
  at: number;
}

/** How a value is appended to a list, and restored. */
export interface ItemLayout<T> {
  take(value: T, values: unknown[]): void;
  make(from: Cursor): T;
}

/** How the fields of a layout are encoded: by the layout of a list, a dictionary, or not at all. */
interface LayoutParts {
  readonly names: readonly string[];
  readonly lists: readonly (ItemLayout<unknown> | undefined)[];
  readonly dictionaries: readonly (StringDictionary | undefined)[];
}

/** Marks a list whose entries have other fields: it is sent as a whole. */
const whole = -1;

/** The functions for items of a layout. */
export function itemLayout(shape: ItemShape, budget: Budget): ItemLayout<CheckedFields> {
  const parts = partsOf(shape, budget);
  return canCompile() ? compiledForm(parts) : plainForm(parts);
}

/** The plain form, which runs where code from strings is forbidden. The compiled one does the same. */
export function plainItemLayout(shape: ItemShape, budget: Budget): ItemLayout<CheckedFields> {
  return plainForm(partsOf(shape, budget));
}

function partsOf({ names, entries, repeated, entryRepeated }: ItemShape, budget: Budget): LayoutParts {
  return {
    names,
    lists: entries.map((fields, i) => fields && listOf(fields, entryRepeated[i] ?? [], budget)),
    dictionaries: repeated.map((repeats) => (repeats ? stringDictionary(budget) : undefined)),
  };
}

function plainForm({ names, lists, dictionaries }: LayoutParts): ItemLayout<CheckedFields> {
  return {
    take(item, values) {
      names.forEach((name, i) => {
        const value = item[name];
        if (lists[i] !== undefined) lists[i].take(value, values);
        else values.push(dictionaries[i] === undefined ? value : dictionaries[i].encode(value));
      });
    },
    make(from) {
      const item: Record<string, unknown> = {};
      names.forEach((name, i) => {
        if (lists[i] !== undefined) item[name] = lists[i].make(from);
        else {
          const value = from.values[from.at++];
          item[name] = dictionaries[i] === undefined ? value : dictionaries[i].decode(value);
        }
      });
      return item;
    },
  };
}

function compiledForm({ names, lists, dictionaries }: LayoutParts): ItemLayout<CheckedFields> {
  const take = names.map((name, i) => {
    const value = `item[${JSON.stringify(name)}]`;
    if (lists[i] !== undefined) return `lists[${i}].take(${value}, values);`;
    return `values.push(${dictionaries[i] === undefined ? value : `dictionaries[${i}].encode(${value})`});`;
  });
  const fill = names.map((name, i) => {
    const field = `this[${JSON.stringify(name)}]`;
    if (lists[i] !== undefined) return `from.at = at; ${field} = lists[${i}].make(from); at = from.at;`;
    return `${field} = ${dictionaries[i] === undefined ? 'values[at++]' : `dictionaries[${i}].decode(values[at++])`};`;
  });
  const make = `return function (from) { const { values } = from; let { at } = from; ${fill.join(' ')} from.at = at; };`;
  const given = ['lists', 'dictionaries'];
  type Maker<T> = (one: LayoutParts['lists'], other: LayoutParts['dictionaries']) => T;
  const Item = compile<Maker<new (from: Cursor) => CheckedFields>>(given, make)(lists, dictionaries);
  const takeAll = `return (item, values) => { ${take.join(' ')} };`;
  return {
    take: compile<Maker<ItemLayout<CheckedFields>['take']>>(given, takeAll)(lists, dictionaries),
    make: (from) => new Item(from),
  };
}

/** The functions for a list of entries with these fields. */
function listOf(names: readonly string[], repeated: readonly boolean[], budget: Budget): ItemLayout<unknown> {
  const form = itemLayout({ names, entries: [], repeated, entryRepeated: [] }, budget);
  return {
    take(list, values) {
      if (!Array.isArray(list) || !list.every((entry) => hasFields(entry, names))) {
        values.push(whole, list);
        return;
      }
      values.push(list.length);
      for (const entry of list) form.take(entry, values);
    },
    make(from) {
      const length = from.values[from.at++] as number;
      if (length === whole) return from.values[from.at++];
      const list: unknown[] = [];
      while (list.length < length) list.push(form.make(from));
      return list;
    },
  };
}

/** Whether an item or a list entry has these fields, in this order. */
export function hasFields(item: object, names: readonly string[]): boolean {
  let i = 0;
  for (const name in item) if (name !== names[i++]) return false;
  return i === names.length;
}
