// Which keys of a file were there before, and on which line. What is kept of a key is not its text but 64 bits of a
// hash and its line, side by side. That two different ones of 2,000,000 are taken for one happens once in ten million
// files.

/** Keys by their line. */
export interface KeyHashSet {
  /** The line where the key was first, or undefined where it is there for the first time, and is remembered with `line`. */
  before(key: string, line: number): number | undefined;
  /** Whether there were more keys than are remembered. */
  full(): boolean;
  /** The first line of a key, and the first of those that repeat it (0 where none does). */
  linesOf(key: string): { readonly first: number; readonly second: number } | undefined;
}

/** Share of slots that are in use at most. */
const fullest = 0.7;
/** Numbers in a slot: two hashes, the second 0 where it is free, and the line. */
const width = 3;

/** Begins to watch `most` keys. */
export function newKeyHashSet(most: number): KeyHashSet {
  // Whole from the beginning: the system gives memory as it is written to, and a table that doubles as it fills takes as
  // long again to be filled anew each time.
  const slots = 2 ** Math.ceil(Math.log2(most / fullest));
  const table = new Uint32Array(slots * width);
  let used = 0;
  let overflowed = false;
  // Few keys repeat: their second line is worth a map.
  const seconds = new Map<number, number>();
  // The hashes of the key that is looked at: a list of them for each costs more than the look.
  let low = 0;
  let mark = 0;

  /** Hashes a key (cyrb53). */
  function hash(text: string): void {
    let a = 0xdeadbeef;
    let b = 0x41c6ce57;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      a = Math.imul(a ^ unit, 2654435761);
      b = Math.imul(b ^ unit, 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    low = a >>> 0;
    mark = b >>> 0 || 1;
  }

  /** Where the slot of the hashes begins: their own, or the free one they would take. */
  function find(): number {
    for (let slot = low & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
      const at = slot * width;
      if (table[at + 1] === 0 || (table[at] === low && table[at + 1] === mark)) return at;
    }
  }

  return {
    before(key, line) {
      hash(key);
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
      hash(key);
      const at = find();
      if (table[at + 1] === 0) return undefined;
      const first = table[at + 2] ?? 0;
      return { first, second: seconds.get(first) ?? 0 };
    },
  };
}
