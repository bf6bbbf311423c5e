// A cache of what was made of texts, bounded in characters: a bound in entries is none where each entry may be as long as
// who sends it likes (5,000 texts of 15 MB).

/** A cache from a text to what was made of it. */
export interface TextCache<V> {
  get(text: string): V | undefined;
  set(text: string, made: V): void;
  /** The characters it holds, keys and texts that were made of them; each takes one or two bytes. */
  size(): number;
}

/** What an entry takes beside its characters, in the same unit. */
const perEntry = 32;

/**
 * Makes an empty cache. When it is full it is emptied: entries in use come back at once, and no entry has
 * to remember when it was asked for last.
 * @param most the characters that it may hold; a text of more than a sixteenth of them is never kept
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
