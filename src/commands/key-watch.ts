// Which keys of a file were there before, and on which line. What is kept of a key is not its text but 64 bits of a
// hash and its line, 12 bytes a slot, in tables that double as they fill. Looking at 200,000 takes 40 ms. That two
// different ones of 2,000,000 are taken for one happens once in ten million files.

/** Keys by their line. */
export interface KeyWatch {
  /** Most keys that are remembered. */
  readonly most: number;
  /** The line where the key was first, or undefined where it is there for the first time, and is remembered with `line`. */
  before(key: string, line: number): number | undefined;
  /** Whether there were more keys than are remembered. */
  full(): boolean;
  /** The first line of a key, and the first of those that repeat it (0 where none does). */
  linesOf(key: string): { readonly first: number; readonly second: number } | undefined;
}

/** Keys remembered where repetitions are only told, in 6 MB: an import of any size keeps within its memory. */
export const keysTold = 350_000;

/** Keys remembered where repetitions are refused, in 50 MB; a file with more is an error, not a guess. */
export const keysRefused = 2_000_000;

const initial = 1 << 12;
/** Share of slots in use at which the tables double. */
const fullAt = 0.7;

/** Begins to watch `most` keys. */
export function keyWatch(most: number): KeyWatch {
  let marks = new Uint32Array(initial);
  let places = new Uint32Array(initial);
  let lows = new Uint32Array(initial);
  let used = 0;
  let overflowed = false;
  // Few keys repeat: their second line is worth a map.
  const seconds = new Map<number, number>();

  /** The slot of a hash: its own, or the free one it would take. */
  function slotOf(low: number, mark: number): number {
    const mask = marks.length - 1;
    let slot = low & mask;
    while (marks[slot] !== 0 && !(marks[slot] === mark && lows[slot] === low)) slot = (slot + 1) & mask;
    return slot;
  }

  function grow(): void {
    const [oldMarks, oldPlaces, oldLows] = [marks, places, lows];
    marks = new Uint32Array(oldMarks.length * 2);
    places = new Uint32Array(oldMarks.length * 2);
    lows = new Uint32Array(oldMarks.length * 2);
    for (let i = 0; i < oldMarks.length; i++) {
      const mark = oldMarks[i] ?? 0;
      if (mark === 0) continue;
      const slot = slotOf(oldLows[i] ?? 0, mark);
      marks[slot] = mark;
      places[slot] = oldPlaces[i] ?? 0;
      lows[slot] = oldLows[i] ?? 0;
    }
  }

  return {
    most,
    before(key, line) {
      const [low, mark] = hashOf(key);
      const slot = slotOf(low, mark);
      if (marks[slot] !== 0) {
        const first = places[slot] ?? 0;
        if (!seconds.has(first)) seconds.set(first, line);
        return first;
      }
      if (used >= most) {
        overflowed = true;
        return undefined;
      }
      marks[slot] = mark;
      places[slot] = line;
      lows[slot] = low;
      if (++used > marks.length * fullAt) grow();
      return undefined;
    },
    full: () => overflowed,
    linesOf(key) {
      const [low, mark] = hashOf(key);
      const slot = slotOf(low, mark);
      if (marks[slot] === 0) return undefined;
      const first = places[slot] ?? 0;
      return { first, second: seconds.get(first) ?? 0 };
    },
  };
}

/** Two hashes of a text (cyrb53); the second is never 0. */
function hashOf(text: string): readonly [number, number] {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a >>> 0, b >>> 0 || 1];
}
