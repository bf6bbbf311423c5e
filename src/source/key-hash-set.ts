// A set of key hashes with the line of each key's first occurrence, in one typed array (open addressing). 64 bits of hash
// are kept instead of the text: among 2,000,000 keys, a false duplicate occurs once in ten million files.

import { hashText, type TextHash } from '../core/text/hash-text.js';

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

/** Keys that fit at first: most files have fewer. */
const fewKeys = 10_000;

/**
 * How many times as many keys fit into the table that replaces a full one. Made for two million keys at once, it takes 48 MB for
 * any file, and twice the time for 200,000 keys, which are written all over it.
 */
const growth = 4;

/** Makes a set for `most` keys. */
export function newKeyHashSet(most: number): KeyHashSet {
  let room = Math.min(most, fewKeys);
  let table = emptyTable(room);
  let slots = table.length / width;
  let used = 0;
  let overflowed = false;
  // Few keys repeat: their second line is worth a map. Several may be on one line, so that the line does not tell them apart.
  const seconds = new Map<string, number>();
  const hash: TextHash = { low: 0, high: 0 };

  /** The offset of the slot with these hashes, or of the free slot they would take. */
  function find(low: number, mark: number): number {
    for (let slot = low & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
      const at = slot * width;
      if (table[at + 1] === 0 || (table[at] === low && table[at + 1] === mark)) return at;
    }
  }

  function enlarge(): void {
    const former = table;
    room = Math.min(most, room * growth);
    table = emptyTable(room);
    slots = table.length / width;
    for (let from = 0; from < former.length; from += width) {
      const mark = former[from + 1] as number;
      if (mark === 0) continue;
      const at = find(former[from] as number, mark);
      table[at] = former[from] as number;
      table[at + 1] = mark;
      table[at + 2] = former[from + 2] as number;
    }
  }

  return {
    before(key, line) {
      hashText(key, hash);
      const { low } = hash;
      const mark = markOf(hash);
      let at = find(low, mark);
      if (table[at + 1] !== 0) {
        const name = `${low} ${mark}`;
        if (!seconds.has(name)) seconds.set(name, line);
        return table[at + 2] ?? 0;
      }
      if (used >= most) {
        overflowed = true;
        return undefined;
      }
      if (used >= room) {
        enlarge();
        at = find(low, mark);
      }
      table[at] = low;
      table[at + 1] = mark;
      table[at + 2] = line;
      used++;
      return undefined;
    },
    full: () => overflowed,
    linesOf(key) {
      hashText(key, hash);
      const { low } = hash;
      const mark = markOf(hash);
      const at = find(low, mark);
      if (table[at + 1] === 0) return undefined;
      return { first: table[at + 2] ?? 0, second: seconds.get(`${low} ${mark}`) ?? 0 };
    },
  };
}

/** A table for so many keys. The system commits its memory as it is written to. */
function emptyTable(keys: number): Uint32Array {
  return new Uint32Array(2 ** Math.ceil(Math.log2(keys / fullest)) * width);
}

/** The second hash of a key as it is kept: 0 means that a slot is free. */
function markOf({ high }: TextHash): number {
  return high || 1;
}
