// A set of hashes (`hashNumber`) in one typed array, by open addressing: a third of what a Set of numbers takes.
export interface HashSet {
  has(hash: number): boolean;
  add(hash: number): void;
}

/** The fullest that the array gets before it doubles. */
const fullest = 0.6;
/** Marks a free place: hashes are whole and not negative. */
const free = -1;

/** An empty set. */
export function newHashSet(): HashSet {
  let places = new Float64Array(1024).fill(free);
  let used = 0;

  /** The place of a hash, or the free one that it would take. */
  function placeOf(all: Float64Array, hash: number): number {
    const mask = all.length - 1;
    let at = (hash % 0x7fffffff) & mask;
    while (all[at] !== free && all[at] !== hash) at = (at + 1) & mask;
    return at;
  }

  function grow(): void {
    const larger = new Float64Array(2 * places.length).fill(free);
    for (const hash of places) if (hash !== free) larger[placeOf(larger, hash)] = hash;
    places = larger;
  }

  return {
    has: (hash) => places[placeOf(places, hash)] === hash,
    add(hash) {
      const at = placeOf(places, hash);
      if (places[at] === hash) return;
      places[at] = hash;
      if (++used > fullest * places.length) grow();
    },
  };
}
