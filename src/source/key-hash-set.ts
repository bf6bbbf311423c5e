// A set of key hashes with the line of each key's first occurrence, in one typed array (open addressing). 64 bits of hash
// are kept instead of the text: among 2,000,000 keys, a false duplicate occurs once in ten million files.

import { hashText, type TextHash } from '../core/text/hash-text.js';

/** Key hashes with line numbers. */
export interface KeyHashSet {
  /** The line of the key's first occurrence; undefined for a new key, which is added with `line`. */
  before(key: string, line: number): number | undefined;
  /** Whether keys were dropped because the set is full. */
  full(): boolean;
  /** The lines of a key's first and second occurrence (0 if there is no second). */
  linesOf(key: string): { readonly first: number; readonly second: number } | undefined;
}

/** Maximum load factor. */
const fullest = 0.7;
/** Numbers per slot: two hashes (the second is 0 in a free slot) and the line. */
const width = 3;

/** Makes a set for `most` keys. */
export function newKeyHashSet(most: number): KeyHashSet {
  // Allocated at full size: the system commits memory as it is written to, and a table that doubles as it fills spends as
  // much time again on rehashing.
  const slots = 2 ** Math.ceil(Math.log2(most / fullest));
  const table = new Uint32Array(slots * width);
  let used = 0;
  let overflowed = false;
  // Few keys repeat: their second line is worth a map.
  const seconds = new Map<number, number>();
  const hash: TextHash = { low: 0, high: 0 };
  // The hashes of the current key. A mark of 0 means that a slot is free.
  let low = 0;
  let mark = 0;

  function take(key: string): void {
    hashText(key, hash);
    low = hash.low;
    mark = hash.high || 1;
  }

  /** The offset of the slot with the current hashes, or of the free slot they would take. */
  function find(): number {
    for (let slot = low & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
      const at = slot * width;
      if (table[at + 1] === 0 || (table[at] === low && table[at + 1] === mark)) return at;
    }
  }

  return {
    before(key, line) {
      take(key);
      const at = find();
      if (table[at + 1] !== 0) {
        const first = table[at + 2] ?? 0;
        if (!seconds.has(first)) seconds.set(first, line);
        return first;
      }
      if (used >= most) {
        overflowed = true;
        return undefined;
      }
      table[at] = low;
      table[at + 1] = mark;
      table[at + 2] = line;
      used++;
      return undefined;
    },
    full: () => overflowed,
    linesOf(key) {
      take(key);
      const at = find();
      if (table[at + 1] === 0) return undefined;
      const first = table[at + 2] ?? 0;
      return { first, second: seconds.get(first) ?? 0 };
    },
  };
}
