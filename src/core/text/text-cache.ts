// A cache of values derived from texts, bounded in characters: a bound on entries would not limit memory, since a
// sender chooses their length (5,000 texts of 15 MB).

export interface TextCache<V> {
  get(text: string): V | undefined;
  set(text: string, made: V): void;
  /** The number of characters it holds, in keys and derived texts; each takes one or two bytes. */
  size(): number;
}

/** The overhead of an entry, in characters. */
const perEntry = 32;

/**
 * Makes an empty cache. A full cache is emptied: entries in use return at once, and no entry needs a time of its last
 * use.
 * @param most maximum characters; a text of more than a sixteenth of them is never cached
 */
export function textCache<V>(most: number): TextCache<V> {
  const entries = new Map<string, V>();
  let size = 0;
  return {
    get: (text) => entries.get(text),
    set(text, made) {
      const taken = perEntry + text.length + (typeof made === 'string' ? made.length : 0);
      if (taken > most / 16) return;
      if (size + taken > most) {
        entries.clear();
        size = 0;
      }
      entries.set(text, made);
      size += taken;
    },
    size: () => size,
  };
}
