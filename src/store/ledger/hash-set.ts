// A set of hashes (`hashNumber`) in one typed array, with open addressing: a third of the memory of a Set of numbers.
export interface HashSet {
  has(hash: number): boolean;
  add(hash: number): void;
}

/** The maximum load before the array doubles. */
const fullest = 0.6;
/** Marks an empty slot: hashes are whole numbers and not negative. */
const free = -1;

/** An empty set. */
export function newHashSet(): HashSet {
  let places = new Float64Array(1024).fill(free);
  let used = 0;

  /** The slot of a hash, or the empty one where it would go. */
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
