// Validated items on their way from one thread to another: the values of all in one list, since cloning an object spells
// the name of each field once more. What arrives is made at once and alike, which all that is done with it gains by:
// an import of 200,000 items with attributes takes a twelfth less, and a twentieth less again with the entries of their
// lists among the values. All texts of an item joined into one travel faster still, and the slices they are cut into
// again cost more than that: the import of plain rows takes 5 % longer.
import { type Entry, validatedEntry } from '../core/entry.js';
import type { Checked } from '../core/task.js';
import { areWords, fewestItems, newRoom, newWords, type Room } from './words.js';

/** The fields of items, in their order; of those that hold lists also the fields of the entries. */
interface Outline {
  readonly names: readonly string[];
  readonly entries: readonly (readonly string[] | undefined)[];
}

/** The fields, and which of them hold texts that repeat, as those of the entries do. */
interface Shape extends Outline {
  readonly words: readonly boolean[];
  readonly entryWords: readonly (readonly boolean[])[];
}

/** Items that have the same fields. */
export interface Packed {
  readonly shape: Shape;
  /** Where each stands in its chunk. */
  readonly at: readonly number[];
  /**
   * The values of each, one item after another, `perList` items in a list. Of a list of entries first their number, then
   * the values of each; or `whole` and the list, where its entries have other fields.
   */
  readonly values: readonly (readonly unknown[])[];
}

/** Items in a list: with a thousand in one, the collector keeps the list among large objects, which costs 10 MB. */
const perList = 200;

const whole = -1;

/** A place in a list of values, from which items are made. */
interface Place {
  readonly values: readonly unknown[];
  at: number;
}

/** How a value is taken apart, behind those of others, and made again. */
interface Form<T> {
  take(value: T, values: unknown[]): void;
  make(from: Place): T;
}

/** Forms that are remembered; a hostile file may have each item fill other fields. */
const mostForms = 100;

/** The form of objects with these fields. */
function formOf(shape: Shape, room: Room): Form<Checked> {
  const { names, entries, words, entryWords } = shape;
  const lists = entries.map((fields, i) => fields && listOf(fields, entryWords[i] ?? [], room));
  const coded = words.map((repeat) => (repeat ? newWords(room) : undefined));
  const take = names.map((name, i) => {
    const value = `item[${JSON.stringify(name)}]`;
    if (lists[i] !== undefined) return `lists[${i}].take(${value}, values);`;
    return `values.push(${coded[i] === undefined ? value : `coded[${i}].code(${value})`});`;
  });
  const fill = names.map((name, i) => {
    const field = `this[${JSON.stringify(name)}]`;
    if (lists[i] !== undefined) return `from.at = at; ${field} = lists[${i}].make(from); at = from.at;`;
    return `${field} = ${coded[i] === undefined ? 'values[at++]' : `coded[${i}].value(values[at++])`};`;
  });
  const make = `return function (from) { const { values } = from; let { at } = from; ${fill.join(' ')} from.at = at; };`;
  const Item = new Function('lists', 'coded', make)(lists, coded) as new (from: Place) => Checked;
  const takeAll = `return (item, values) => { ${take.join(' ')} };`;
  return {
    take: new Function('lists', 'coded', takeAll)(lists, coded) as Form<Checked>['take'],
    make: (from) => new Item(from),
  };
}

/** The form of a list of entries with these fields. */
function listOf(fields: readonly string[], words: readonly boolean[], room: Room): Form<unknown> {
  const form = formOf({ names: fields, entries: [], words, entryWords: [] }, room);
  return {
    take(list, values) {
      if (!Array.isArray(list) || !list.every((entry) => hasFields(entry, fields))) {
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

/** Knows the forms of a source's items; nearly all have the same. */
function formsOf(): (shape: Shape) => Form<Checked> {
  const forms = new Map<string, Form<Checked>>();
  const room = newRoom();
  return (shape) => {
    const key = JSON.stringify(shape);
    const form = forms.get(key) ?? formOf(shape, room);
    if (forms.size < mostForms) forms.set(key, form);
    return form;
  };
}

/** Whether an item, or an entry of a list, has these fields, in this order. */
function hasFields(item: object, names: readonly string[]): boolean {
  let i = 0;
  for (const name in item) if (name !== names[i++]) return false;
  return i === names.length;
}

/** The fields of the first of some items; the entries of its lists are those of the first list that is not empty. */
function outlineOf(items: readonly Checked[]): Outline {
  const first = items[0] as Checked;
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

/** Looks which texts repeat in these items. */
function shapeOf({ names, entries }: Outline, items: readonly Checked[]): Shape {
  const repeat = (objects: readonly unknown[]) => (name: string) =>
    areWords(objects.map((object) => (object as Checked | null | undefined)?.[name]));
  const entryWords = names.map((name, i) => {
    const all = items.flatMap((item) => (Array.isArray(item[name]) ? (item[name] as unknown[]) : []));
    return entries[i]?.map(repeat(all)) ?? [];
  });
  return { names, entries, words: names.map(repeat(items)), entryWords };
}

/** The entries of a chunk as they travel: the validated ones that have the fields of the first of them are packed. */
export interface PackedEntries {
  /** The entries in their order; undefined where one is packed. */
  readonly entries: readonly (Entry | undefined)[];
  readonly packed: Packed | undefined;
}

/** Makes the packer of a source. */
export function packer(): (entries: readonly Entry[]) => PackedEntries {
  const formFor = formsOf();
  // Decided by the first chunk that has enough of them, as both ends begin anew with another shape.
  const shapes = new Map<string, Shape>();

  function shapeFor(sample: readonly Checked[]): Shape {
    const outline = outlineOf(sample);
    const key = JSON.stringify(outline);
    const shape = shapes.get(key) ?? shapeOf(outline, sample);
    if (sample.length >= fewestItems && shapes.size < mostForms) shapes.set(key, shape);
    return shape;
  }

  return (entries) => {
    const sample: Checked[] = [];
    for (const entry of entries) if (entry.kind === 'validated') sample.push(entry.item);
    if (sample.length === 0) return { entries, packed: undefined };
    const shape = shapeFor(sample);
    const { take } = formFor(shape);
    const values: unknown[][] = [];
    const at: number[] = [];
    const left = entries.map((entry, index) => {
      if (entry.kind !== 'validated' || !hasFields(entry.item, shape.names)) return entry;
      if (at.length % perList === 0) values.push([]);
      take(entry.item, values.at(-1) as unknown[]);
      at.push(index);
      return undefined;
    });
    return { entries: left, packed: { shape, at, values } };
  };
}

/** Makes the unpacker of a source: it gives the entries as they were before they were packed. */
export function unpacker(): (travelled: PackedEntries) => readonly Entry[] {
  const formFor = formsOf();
  return ({ entries: left, packed }) => {
    const entries = left as Entry[];
    if (packed === undefined) return entries;
    const { shape, at, values } = packed;
    const { make } = formFor(shape);
    let place: Place = { values: [], at: 0 };
    for (let k = 0; k < at.length; k++) {
      if (k % perList === 0) place = { values: values[k / perList] ?? [], at: 0 };
      entries[at[k] as number] = validatedEntry(make(place));
    }
    return entries;
  };
}
