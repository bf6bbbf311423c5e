// A checked item as words of 32 bits, which its fingerprint is the hash of: two items have the same words only if they have the
// same fields with the same values. All texts of an item are joined and encoded at once: read letter by letter they took the main
// thread 1 % longer in an import of new products, and 2 to 3 % in one that changes nothing. Written by the thread that reads
// a file while it waits, the words saved the main thread of an import 2 %, for 6 MB more memory. Compiled for the fields of
// a resource where code may be made from strings.
import type { Field, Fields } from '../../fields/fields.js';
import { canCompile, compile } from '../../rows/compile-function.js';
import type { CheckedFields } from '../item-task.js';

/** Words that are written one behind the other: first the heads of values, and `seal` puts their texts in front. */
export interface WordBuffer {
  heads: Int32Array;
  headCount: number;
  /** The finished words. */
  words: Int32Array;
  length: number;
  /** The same memory as `words`. */
  bytes: Uint8Array;
}

/** Writes a well-formed text as UTF-8 to the beginning of an array that is large enough, and returns the count of bytes. */
export type EncodeText = (text: string, into: Uint8Array) => number;

/** An empty buffer. It grows; callers keep one and set its `headCount` to 0. */
export function newWordBuffer(): WordBuffer {
  const words = new Int32Array(1024);
  return { heads: new Int32Array(256), headCount: 0, words, length: 0, bytes: new Uint8Array(words.buffer) };
}

/**
 * The version of the words. It is part of the key of fingerprints, so that words of another version never match these.
 * Increment it with every change to how the words are written.
 */
export const wordForm = 2;

/**
 * A value begins with one word: the place of its field, and its length or, of another type than text, a mark, which are the
 * highest lengths. What follows is as long as this word says, so that no two items give the same words.
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

/** Ends an entry of a list. No value begins with it, as no field has this place. */
const entryEnd = -1;
const highestPlace = 126;

/** Adds a word to the heads. */
export function putWord(buffer: WordBuffer, word: number): void {
  const { heads, headCount } = buffer;
  if (headCount === heads.length) {
    buffer.heads = new Int32Array(2 * headCount);
    buffer.heads.set(heads);
  }
  buffer.heads[buffer.headCount++] = word;
}

/** Adds the head of a text, and returns the text. */
export function putText(buffer: WordBuffer, place: number, text: string): string {
  const { length } = text;
  putWord(buffer, placeOf(place) | (length < marks.long ? length : marks.long));
  if (length >= marks.long) putWord(buffer, length);
  return text;
}

/**
 * Finishes the words: the texts, then the heads, then twice the number of heads, plus one where the texts are not UTF-8.
 * @param texts all texts of the heads in order, joined
 */
export function seal(buffer: WordBuffer, texts: string, encode: EncodeText): void {
  const { heads, headCount } = buffer;
  const bytesNeeded = 3 * texts.length + 4 * (headCount + 2);
  if (bytesNeeded > buffer.bytes.length) {
    buffer.words = new Int32Array(bytesNeeded >> 1);
    buffer.bytes = new Uint8Array(buffer.words.buffer);
  }
  const isUtf8 = texts.isWellFormed();
  const { words, bytes } = buffer;
  let at = isUtf8 ? putUtf8(bytes, texts, encode) : putUtf16(words, texts);
  for (let i = 0; i < headCount; i++) words[at++] = heads[i] as number;
  words[at++] = 2 * headCount + (isUtf8 ? 0 : 1);
  buffer.length = at;
}

function putUtf8(bytes: Uint8Array, text: string, encode: EncodeText): number {
  let end = encode(text, bytes);
  while ((end & 3) !== 0) bytes[end++] = 0;
  return end >> 2;
}

/** Half of a surrogate pair has no UTF-8: two letters a word. */
function putUtf16(words: Int32Array, text: string): number {
  let at = 0;
  for (let i = 0; i < text.length; i += 2)
    words[at++] = text.charCodeAt(i) | (i + 1 < text.length ? text.charCodeAt(i + 1) << 16 : 0);
  return at;
}

/** The first byte of a letter, by the number of those that follow. */
const leads: readonly number[] = [0, 0xc0, 0xe0, 0xf0];

/** The plain form of encoding, which that of the platform must equal. */
export function plainEncodeText(text: string, into: Uint8Array): number {
  let at = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) as number;
    if (code < 0x80) into[at++] = code;
    else {
      const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
      into[at++] = (leads[more] ?? 0) | (code >> (6 * more));
      for (let shift = 6 * (more - 1); shift >= 0; shift -= 6) into[at++] = 0x80 | ((code >> shift) & 0x3f);
    }
  }
  return at;
}

const double = new Float64Array(1);
const halves = new Int32Array(double.buffer);

function putNumber(buffer: WordBuffer, place: number, value: number): void {
  const isInteger = value === (value | 0) && !Object.is(value, -0);
  putWord(buffer, placeOf(place) | (isInteger ? marks.integer : marks.double));
  if (isInteger) return putWord(buffer, value);
  double[0] = value;
  putWord(buffer, halves[0] as number);
  putWord(buffer, halves[1] as number);
}

/** Adds the head of the value of the field at a place, and returns its texts. */
function putValue(buffer: WordBuffer, place: number, value: unknown): string {
  if (typeof value === 'string') return putText(buffer, place, value);
  if (typeof value === 'number') putNumber(buffer, place, value);
  else if (value === null) putWord(buffer, placeOf(place) | marks.null);
  else if (typeof value === 'boolean') putWord(buffer, placeOf(place) | (value ? marks.true : marks.false));
  else throw new Error(`a checked item holds a ${typeof value}`);
  return '';
}

/** Adds the heads of an item: each field that was sent, by its place among all. Returns its texts, joined. */
export type WriteItem = (buffer: WordBuffer, item: CheckedFields) => string;

/** How items of these fields are written. */
export function itemWriter(fields: Fields): WriteItem {
  return canCompile() ? compiledWriter(fields) : plainItemWriter(fields);
}

/** The plain form, which the compiled one must equal. */
export function plainItemWriter(fields: Fields): WriteItem {
  const names = namesOf(fields);
  const writers = Object.values(fields).map((field) => listWriter(field, plainItemWriter) ?? putValue);
  return (buffer, item) => {
    let texts = '';
    for (let i = 0; i < names.length; i++) {
      const value = item[names[i] as string];
      if (value !== undefined) texts += writers[i]?.(buffer, i, value) ?? '';
    }
    return texts;
  };
}

/**
 * Items that the source makes have one shape: read by names that are known, a field takes a load each. Texts, which most values
 * are, are written in place; a head that does not fit is left to `putValue`, which makes room.
 */
function compiledWriter(fields: Fields): WriteItem {
  const lists = Object.values(fields).map((field) => listWriter(field, compiledWriter));
  const steps = namesOf(fields).map((name, i) => {
    const isList = lists[i] !== undefined;
    const put = isList ? `lists[${i}]` : 'putValue';
    const other = `buffer.headCount = n; t += ${put}(buffer, ${i}, v); n = buffer.headCount; heads = buffer.heads;`;
    const isShortText = `typeof v === 'string' && v.length < ${marks.long} && n < heads.length`;
    const text = isList ? '' : `if (${isShortText}) { heads[n++] = ${placeOf(i)} | v.length; t += v; } else `;
    return `v = item[${JSON.stringify(name)}]; ${text}if (v !== undefined) { ${other} }`;
  });
  type WriterMaker = (value: typeof putValue, own: typeof lists) => WriteItem;
  const body = `return (buffer, item) => {
    let v; let t = ''; let n = buffer.headCount; let { heads } = buffer;
    ${steps.join('\n')}
    buffer.headCount = n; return t; };`;
  return compile<WriterMaker>(['putValue', 'lists'], body)(putValue, lists);
}

function namesOf(fields: Fields): readonly string[] {
  const names = Object.keys(fields);
  if (names.length > highestPlace) throw new Error(`items of ${names.length} fields have no words`);
  return names;
}

/** How a list of entries is written; undefined for any other field. */
function listWriter(field: Field, writerOf: (fields: Fields) => WriteItem): typeof putValue | undefined {
  if (field.kind !== 'list') return undefined;
  const putEntry = writerOf(field.entry);
  return (buffer, place, value) => {
    const entries = value as readonly CheckedFields[];
    putWord(buffer, placeOf(place) | marks.list);
    putWord(buffer, entries.length);
    let texts = '';
    for (const entry of entries) {
      texts += putEntry(buffer, entry);
      putWord(buffer, entryEnd);
    }
    return texts;
  };
}
