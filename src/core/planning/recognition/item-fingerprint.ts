// Fingerprints of checked items: 64 bits of a keyed hash (HalfSipHash-1-3), so that two items of one fingerprint neither happen
// nor can be made. It takes 0.3 µs an item, as its words are two letters each and its state is kept in variables. Compiled for
// the fields of a resource where code may be made from strings.
import type { Field, Fields } from '../../fields/fields.js';
import { canCompile, compile } from '../../rows/compile-function.js';
import type { CheckedFields } from '../item-task.js';

/** A keyed hash under way: four words, to which others are added one by one. */
export interface HashState {
  a: number;
  b: number;
  c: number;
  d: number;
}

/** Both halves of a fingerprint, 32 bits each with a sign; never both 0, which is a row that no item was applied to. */
export interface Fingerprint {
  high: number;
  low: number;
}

/** A new state. Callers keep one and start it again: a new one for each item would be garbage. */
export function newHashState(): HashState {
  return { a: 0, b: 0, c: 0, d: 0 };
}

/** Starts a hash with a key. */
export function startHash(state: HashState, { high, low }: Fingerprint): void {
  state.a = low;
  state.b = high ^ 0xee;
  state.c = 0x6c796765 ^ low;
  state.d = 0x74656462 ^ high;
}

/** One round; `word` is added before and after it. */
export function hashWord(state: HashState, word: number): void {
  let { a, b, c } = state;
  let d = state.d ^ word;
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
  state.a = a ^ word;
  state.b = b;
  state.c = c;
  state.d = d;
}

/** The words that say of what type a value is. A text begins with its length, which is none of them. */
const marks = { integer: -1, double: -2, null: -3, true: -4, false: -5, list: -6, entry: -7, end: -8 } as const;

/** Adds a text: its length, then two letters a word. The loop is that of `hashWord`, with the state in variables. */
export function hashString(state: HashState, text: string): void {
  const { length } = text;
  hashWord(state, length);
  let { a, b, c, d } = state;
  for (let i = 0; i < length; i += 2) {
    const word = text.charCodeAt(i) | (i + 1 < length ? text.charCodeAt(i + 1) << 16 : 0);
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
  }
  state.a = a;
  state.b = b;
  state.c = c;
  state.d = d;
}

const double = new Float64Array(1);
const halves = new Int32Array(double.buffer);

function hashNumber(state: HashState, value: number): void {
  if (value === (value | 0) && !Object.is(value, -0)) {
    hashWord(state, marks.integer);
    hashWord(state, value);
    return;
  }
  double[0] = value;
  hashWord(state, marks.double);
  hashWord(state, halves[0] as number);
  hashWord(state, halves[1] as number);
}

/** Adds a value of a field. */
function hashValue(state: HashState, value: unknown): void {
  if (typeof value === 'string') hashString(state, value);
  else if (typeof value === 'number') hashNumber(state, value);
  else if (value === null) hashWord(state, marks.null);
  else if (typeof value === 'boolean') hashWord(state, value ? marks.true : marks.false);
  else throw new Error(`a checked item holds a ${typeof value}`);
}

/** Ends a hash. */
export function endHash(state: HashState, into: Fingerprint): void {
  state.c ^= 0xee;
  for (let i = 0; i < 3; i++) hashWord(state, 0);
  into.high = state.b ^ state.d;
  state.b ^= 0xdd;
  for (let i = 0; i < 3; i++) hashWord(state, 0);
  into.low = state.b ^ state.d || (into.high === 0 ? 1 : 0);
}

/** Adds what an item says: each field that was sent, by its place among all. */
export type HashItem = (state: HashState, item: CheckedFields) => void;

/** How the items of these fields are hashed. */
export function itemHasher(fields: Fields): HashItem {
  return canCompile() ? compiledHasher(fields) : plainItemHasher(fields);
}

/** The plain form, which the compiled one must equal. */
function plainItemHasher(fields: Fields): HashItem {
  const steps = Object.entries(fields).map(([name, field]) => ({ name, hash: listHasher(field, plainItemHasher) }));
  return (state, item) => {
    for (let i = 0; i < steps.length; i++) {
      const { name, hash = hashValue } = steps[i] as (typeof steps)[number];
      const value = item[name];
      if (value === undefined) continue;
      hashWord(state, i);
      hash(state, value);
    }
  };
}

/** Items that the source makes have one shape: read by names that are known, a field takes a load each. */
function compiledHasher(fields: Fields): HashItem {
  const names = Object.keys(fields);
  const lists = Object.values(fields).map((field) => listHasher(field, compiledHasher));
  const steps = names.map((name, i) => {
    const add = lists[i] === undefined ? 'hashValue(state, v);' : `lists[${i}](state, v);`;
    return `v = item[${JSON.stringify(name)}]; if (v !== undefined) { hashWord(state, ${i}); ${add} }`;
  });
  type HasherMaker = (word: typeof hashWord, value: typeof hashValue, own: typeof lists) => HashItem;
  const body = `return (state, item) => { let v; ${steps.join(' ')} };`;
  return compile<HasherMaker>(['hashWord', 'hashValue', 'lists'], body)(hashWord, hashValue, lists);
}

/** How a list of entries is hashed; undefined for any other field. */
function listHasher(
  field: Field,
  hasherOf: (fields: Fields) => HashItem,
): ((state: HashState, value: unknown) => void) | undefined {
  if (field.kind !== 'list') return undefined;
  const hashEntry = hasherOf(field.entry);
  return (state, value) => {
    const entries = value as readonly CheckedFields[];
    hashWord(state, marks.list);
    hashWord(state, entries.length);
    for (const entry of entries) {
      hashWord(state, marks.entry);
      hashEntry(state, entry);
      hashWord(state, marks.end);
    }
  };
}
