// Checked items on their way from one thread to another: the values of all in one list, since cloning an object spells
// the name of each field once more. What arrives is made at once and alike, which all that is done with it gains by:
// an import of 200,000 items with attributes takes a twelfth less. All texts of an item joined into one travel faster
// still, and the slices they are cut into again cost more than that: the import of plain rows takes 5 % longer.
import { markChecked } from '../core/sound-item.js';
import type { Checked } from '../core/task.js';

/** Items that have the same fields. */
export interface Packed {
  /** Their fields, in their order. */
  readonly names: readonly string[];
  /** Where each stands in its chunk. */
  readonly at: readonly number[];
  /** The values of each, one item after another, `perList` items in a list. */
  readonly values: readonly (readonly unknown[])[];
}

/** Items in a list: with a thousand in one, the collector keeps the list among large objects, which costs 10 MB. */
const perList = 200;

/** How items with some fields are taken apart and made again. */
interface Form {
  readonly names: readonly string[];
  readonly take: (item: Checked, values: unknown[]) => void;
  readonly make: (values: readonly unknown[], from: number) => Checked;
}

/** Forms that are remembered; a hostile file may have each item fill other fields. */
const mostForms = 100;

function formOf(names: readonly string[]): Form {
  const quoted = names.map((name) => JSON.stringify(name));
  const take = `values.push(${quoted.map((name) => `item[${name}]`).join()});`;
  const fill = quoted.map((name, i) => `this[${name}] = values[from + ${i}];`).join(' ');
  const Item = new Function('values', 'from', fill) as unknown as new (...given: Parameters<Form['make']>) => Checked;
  // The mark is what these items have in common: each with its own takes a third more memory.
  markChecked(Item.prototype);
  return {
    names,
    take: new Function('item', 'values', take) as Form['take'],
    make: (values, from) => new Item(values, from),
  };
}

/** Knows the forms of a source's items; nearly all have the same. */
function formsOf(): (names: readonly string[]) => Form {
  const forms = new Map<string, Form>();
  return (names) => {
    const key = names.join();
    const form = forms.get(key) ?? formOf(names);
    if (forms.size < mostForms) forms.set(key, form);
    return form;
  };
}

/** Whether an item has these fields, in this order. */
function hasFields(item: Checked, names: readonly string[]): boolean {
  let i = 0;
  for (const name in item) if (name !== names[i++]) return false;
  return i === names.length;
}

/**
 * Makes the packer of a source.
 * @returns what takes those checked items out of a chunk that have the fields of its first
 */
export function packer(): (items: unknown[], isChecked: readonly boolean[]) => Packed | undefined {
  const formFor = formsOf();
  return (items, isChecked) => {
    const first = isChecked.indexOf(true);
    if (first === -1) return undefined;
    const { names, take } = formFor(Object.keys(items[first] as Checked));
    const values: unknown[][] = [];
    const at: number[] = [];
    for (let i = first; i < items.length; i++) {
      const item = items[i] as Checked;
      if (isChecked[i] !== true || !hasFields(item, names)) continue;
      if (at.length % perList === 0) values.push([]);
      take(item, values.at(-1) as unknown[]);
      items[i] = undefined;
      at.push(i);
    }
    return { names, at, values };
  };
}

/** Makes the unpacker of a source: it puts packed items back into their chunk, marked as checked. */
export function unpacker(): (packed: Packed, items: unknown[]) => void {
  const formFor = formsOf();
  return ({ names, at, values }, items) => {
    const { make } = formFor(names);
    for (let k = 0; k < at.length; k++) {
      const list = values[Math.floor(k / perList)] as readonly unknown[];
      items[at[k] as number] = make(list, (k % perList) * names.length);
    }
  };
}
