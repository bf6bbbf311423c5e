// The fingerprint of an item: 64 bits of a keyed hash of its fields. Nobody without the key, which only the catalog has, can make
// two items with the same one. A value counts by the position of its field: the key includes the names of the fields.
import type { Field, Fields } from '../../fields/fields.js';
import { compile } from '../../rows/compile-function.js';
import type { CheckedFields } from '../item-task.js';

/** Both halves, 32 bits each with a sign; never both 0, which stands for none. */
export interface Fingerprint {
  readonly high: number;
  readonly low: number;
}

/** The state of a hash between two pieces. */
interface HashState {
  a: number;
  b: number;
  c: number;
  d: number;
}

/** What a piece is, in addition to the position of its field: a text, another value as its text, the end of a list or of its entry, a number. */
const kinds = { text: 0, value: 1 << 12, list: 2 << 12, entry: 3 << 12, number: 4 << 12 } as const;

/**
 * The fingerprint of a checked item. As one text, made by JSON.stringify, it took five times as long, which were 15 % of the work
 * of an import of unchanged items.
 */
export function hashItem(key: Fingerprint, fields: Fields, item: CheckedFields): Fingerprint {
  const state = initialState(key);
  addFields(state, fields, item);
  return end(state);
}

export function hashText(key: Fingerprint, text: string): Fingerprint {
  const state = initialState(key);
  addPiece(state, text, kinds.text);
  return end(state);
}

/** Adds the fields that were sent, then how many these are: read from the end, pieces are those of one item only. */
function addFields(state: HashState, fields: Fields, item: CheckedFields): void {
  const { inOrder, valuesOf } = layoutOf(fields);
  const values = valuesOf(item);
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === undefined) continue;
    count++;
    const position = i + 1;
    if (typeof value === 'string') addPiece(state, value, kinds.text | position);
    else if (typeof value === 'number') addNumber(state, value, kinds.number | position);
    else if (!Array.isArray(value)) addPiece(state, String(value), kinds.value | position);
    else {
      const { entry } = inOrder[i] as Extract<Field, { readonly kind: 'list' }>;
      for (const one of value as readonly CheckedFields[]) addFields(state, entry, one);
      addPiece(state, String(value.length), kinds.list | position);
    }
  }
  addPiece(state, String(count), kinds.entry);
}

interface FieldLayout {
  readonly inOrder: readonly Field[];
  /** The values of an item, in the same order. */
  readonly valuesOf: (item: CheckedFields) => readonly unknown[];
}

const layouts = new WeakMap<Fields, FieldLayout>();

/** Compiled: read by names that are only known at run time, the values took a third of the time of the hash. */
function layoutOf(fields: Fields): FieldLayout {
  const known = layouts.get(fields);
  if (known !== undefined) return known;
  const values = Object.keys(fields).map((name) => `item[${JSON.stringify(name)}]`);
  const valuesOf = compile<FieldLayout['valuesOf']>(['item'], `return [${values}];`);
  const made = { inOrder: Object.values(fields), valuesOf };
  layouts.set(fields, made);
  return made;
}

/** HalfSipHash-1-3, two letters in a word. */
function initialState({ high, low }: Fingerprint): HashState {
  return { a: low, b: high ^ 0xee, c: 0x6c796765 ^ low, d: 0x74656462 ^ high };
}

/** Adds letters, then a word of their kind with the last odd letter, and one of their number. */
function addPiece(state: HashState, text: string, kind: number): void {
  const { length } = text;
  const even = length & ~1;
  for (let at = 0; at < even; at += 2) addWord(state, text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
  addWord(state, (kind << 16) | (even < length ? text.charCodeAt(even) : 0));
  addWord(state, length);
}

const float = new Float64Array(1);
const halves = new Int32Array(float.buffer);

/** Adds a number by its 64 bits, in as many words as four letters. As texts, the numbers of a product took a fifth of its hash. */
function addNumber(state: HashState, value: number, kind: number): void {
  float[0] = value;
  addWord(state, halves[0] as number);
  addWord(state, halves[1] as number);
  addWord(state, kind << 16);
  addWord(state, 4);
}

function addWord(state: HashState, word: number): void {
  let { a, b, c, d } = state;
  d ^= word;
  a = (a + b) | 0;
  b = ((b << 5) | (b >>> 27)) ^ a;
  a = (a << 16) | (a >>> 16);
  c = (c + d) | 0;
  d = ((d << 8) | (d >>> 24)) ^ c;
  a = (a + d) | 0;
  d = ((d << 7) | (d >>> 25)) ^ a;
  c = (c + b) | 0;
  b = ((b << 13) | (b >>> 19)) ^ c;
  c = (c << 16) | (c >>> 16);
  a ^= word;
  state.a = a;
  state.b = b;
  state.c = c;
  state.d = d;
}

/** Three more rounds, before either half is read. */
const lastRounds = '\0\0';

function end(state: HashState): Fingerprint {
  state.c ^= 0xee;
  addPiece(state, lastRounds, 0);
  const high = state.b ^ state.d;
  state.b ^= 0xdd;
  addPiece(state, lastRounds, 0);
  return { high, low: state.b ^ state.d || (high === 0 ? 1 : 0) };
}
