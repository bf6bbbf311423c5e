// Encodes validated items for postMessage: the values of all items in one list, since structured cloning repeats the
// name of each field, which costs 5 % of an import of items with attributes. Joining the texts of an item into one
// transfers faster still, but slicing them again costs more: the import of plain rows takes 5 % longer.
import { type Entry, validatedEntry } from '../../core/entry.js';
import type { CheckedFields } from '../../core/planning/item-task.js';
import { type Cursor, hasFields, type ItemLayout, type ItemShape, itemLayout } from './item-layout.js';

/** Items that have the same fields. */
interface EncodedItems {
  readonly shape: ItemShape;
  /** The index of each in its chunk. */
  readonly at: readonly number[];
  /**
   * The values of the items one after another, `perList` items in a list. For a list of entries first their number,
   * then the values of each; or `whole` and the list itself, if its entries have other fields.
   */
  readonly values: readonly (readonly unknown[])[];
  /** The halves of their hashes. */
  readonly hashes: Int32Array;
}

/** Items per list: with a thousand, the collector keeps the list among large objects, which costs 10 MB. */
const perList = 200;

/** Maximum layouts kept; in a hostile file each item may have other fields. */
const maxForms = 100;

/** The item layouts of a source; nearly all items have the same. */
function formsOf(): (shape: ItemShape) => ItemLayout<CheckedFields> {
  const forms = new Map<string, ItemLayout<CheckedFields>>();
  return (shape) => {
    const key = JSON.stringify(shape);
    const form = forms.get(key) ?? itemLayout(shape);
    if (forms.size < maxForms) forms.set(key, form);
    return form;
  };
}

/** The fields of the first item; for its lists those of the first list that is not empty. */
function shapeOf(items: readonly CheckedFields[]): ItemShape {
  const first = items[0] as CheckedFields;
  const names = Object.keys(first);
  const entries = names.map((name) => {
    if (!Array.isArray(first[name])) return undefined;
    for (const item of items) {
      const list = item[name];
      if (!Array.isArray(list) || list.length === 0) continue;
      const entry: unknown = list[0];
      const fields = typeof entry === 'object' && entry !== null ? Object.keys(entry) : [];
      return fields.length > 0 && !Array.isArray(entry) ? fields : undefined;
    }
    return undefined;
  });
  return { names, entries };
}

/** The transferred entries of a chunk: validated ones with the fields of the first are encoded. */
export interface EncodedEntries {
  /** The entries in order; undefined for an encoded one. */
  readonly entries: readonly (Entry | undefined)[];
  readonly encoded: EncodedItems | undefined;
}

export function itemEncoder(): (entries: readonly Entry[]) => EncodedEntries {
  const formFor = formsOf();
  return (entries) => {
    const sample: CheckedFields[] = [];
    for (const entry of entries) if (entry.kind === 'validated') sample.push(entry.item);
    if (sample.length === 0) return { entries, encoded: undefined };
    const shape = shapeOf(sample);
    const { take } = formFor(shape);
    const values: unknown[][] = [];
    const at: number[] = [];
    const hashes = new Int32Array(2 * sample.length);
    const left = entries.map((entry, index) => {
      if (entry.kind !== 'validated' || !hasFields(entry.item, shape.names)) return entry;
      if (at.length % perList === 0) values.push([]);
      take(entry.item, values.at(-1) as unknown[]);
      hashes[2 * at.length] = entry.high;
      hashes[2 * at.length + 1] = entry.low;
      at.push(index);
      return undefined;
    });
    return { entries: left, encoded: { shape, at, values, hashes } };
  };
}

export function itemDecoder(): (travelled: EncodedEntries) => readonly Entry[] {
  const formFor = formsOf();
  return ({ entries: left, encoded }) => {
    const entries = left as Entry[];
    if (encoded === undefined) return entries;
    const { shape, at, values, hashes } = encoded;
    const { make } = formFor(shape);
    let cursor: Cursor = { values: [], at: 0 };
    for (let k = 0; k < at.length; k++) {
      if (k % perList === 0) cursor = { values: values[k / perList] ?? [], at: 0 };
      entries[at[k] as number] = validatedEntry(make(cursor), hashes[2 * k], hashes[2 * k + 1]);
    }
    return entries;
  };
}
