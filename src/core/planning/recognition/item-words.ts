// A checked item as words of 32 bits, which its fingerprint is the hash of: two items have the same words only if they have the
// same fields with the same values. Compiled for the fields of a resource where code may be made from strings.
import type { Field, Fields } from '../../fields/fields.js';
import { canCompile, compile } from '../../rows/compile-function.js';
import type { CheckedFields } from '../item-task.js';
import { type Fingerprint, type KeyedHash, keyedHash } from './keyed-hash.js';

/**
 * The version of the words. It is part of the key of fingerprints, so that words of another version never match these.
 * Increment it with every change to how the words are written.
 */
export const wordForm = 3;

/**
 * A value ends with one word: the place of its field, and its length or, of another type than text, a mark, which are the
 * highest lengths. It says which words are before it, so that, read from the end, they are those of one item only. The bit
 * between the two is set by the hash (`wide`).
 */
const placeOf = (place: number): number => place << 25;
const marks = {
  integer: 0xffffff,
  double: 0xfffffe,
  null: 0xfffffd,
  true: 0xfffffc,
  false: 0xfffffb,
  list: 0xfffffa,
  long: 0xfffff9,
} as const;

/** Places are numbers of seven bits. */
const highestPlace = 127;

/** Adds a text and its last word. */
export function putText(hash: KeyedHash, place: number, text: string): void {
  const { length } = text;
  if (length < marks.long) return hash.text(text, placeOf(place) | length);
  hash.text(text, 0);
  hash.word(length);
  hash.word(placeOf(place) | marks.long);
}

const double = new Float64Array(1);
const halves = new Int32Array(double.buffer);

function putNumber(hash: KeyedHash, place: number, value: number): void {
  const isInteger = value === (value | 0) && !Object.is(value, -0);
  if (isInteger) hash.word(value);
  else {
    double[0] = value;
    hash.word(halves[0] as number);
    hash.word(halves[1] as number);
  }
  hash.word(placeOf(place) | (isInteger ? marks.integer : marks.double));
}

/** Adds the value of the field at a place. */
function putValue(hash: KeyedHash, place: number, value: unknown): void {
  if (typeof value === 'string') putText(hash, place, value);
  else if (typeof value === 'number') putNumber(hash, place, value);
  else if (value === null) hash.word(placeOf(place) | marks.null);
  else if (typeof value === 'boolean') hash.word(placeOf(place) | (value ? marks.true : marks.false));
  else throw new Error(`a checked item holds a ${typeof value}`);
}

/** Adds an item: each field that was sent, by its place among all, and at last how many these are. */
export type PutItem = (hash: KeyedHash, item: CheckedFields) => void;

/** How items of these fields are added. */
export function itemPutter(fields: Fields): PutItem {
  return canCompile() ? compiledPutter(fields) : plainItemPutter(fields);
}

/** The plain form, which the compiled one must equal. */
export function plainItemPutter(fields: Fields): PutItem {
  const names = namesOf(fields);
  const putters = Object.values(fields).map((field) => listPutter(field, plainItemPutter) ?? putValue);
  return (hash, item) => {
    let count = 0;
    for (let i = 0; i < names.length; i++) {
      const value = item[names[i] as string];
      if (value === undefined) continue;
      putters[i]?.(hash, i, value);
      count++;
    }
    hash.word(count);
  };
}

/** Items that the source makes have one shape: read by names that are known, a field takes a load each. */
function compiledPutter(fields: Fields): PutItem {
  const lists = Object.values(fields).map((field) => listPutter(field, compiledPutter));
  const steps = namesOf(fields).map((name, i) => {
    const isList = lists[i] !== undefined;
    const put = isList ? `lists[${i}]` : 'putValue';
    const isShortText = `typeof v === 'string' && v.length < ${marks.long}`;
    const text = isList ? '' : `if (${isShortText}) { n++; hash.text(v, ${placeOf(i)} | v.length); } else `;
    return `v = item[${JSON.stringify(name)}]; ${text}if (v !== undefined) { n++; ${put}(hash, ${i}, v); }`;
  });
  type PutterMaker = (value: typeof putValue, own: typeof lists) => PutItem;
  const body = `return (hash, item) => { let v; let n = 0; ${steps.join('\n')} hash.word(n); };`;
  return compile<PutterMaker>(['putValue', 'lists'], body)(putValue, lists);
}

function namesOf(fields: Fields): readonly string[] {
  const names = Object.keys(fields);
  if (names.length > highestPlace + 1) throw new Error(`items of ${names.length} fields have no words`);
  return names;
}

/** How a list of entries is added; undefined for any other field. */
function listPutter(field: Field, putterOf: (fields: Fields) => PutItem): typeof putValue | undefined {
  if (field.kind !== 'list') return undefined;
  const putEntry = putterOf(field.entry);
  return (hash, place, value) => {
    const entries = value as readonly CheckedFields[];
    for (const entry of entries) putEntry(hash, entry);
    hash.word(entries.length);
    hash.word(placeOf(place) | marks.list);
  };
}

/** Hashes an item with a key, and fills the hash. */
export type HashItem = (key: Readonly<Fingerprint>, item: CheckedFields, into: Fingerprint) => void;

/** How items of these fields are hashed. */
export function itemHasher(fields: Fields): HashItem {
  const hash = keyedHash();
  const putItem = itemPutter(fields);
  return (key, item, into) => {
    hash.begin(key);
    putItem(hash, item);
    hash.end(into);
  };
}
