// Caches responses to reads as text. They are valid as long as the catalog has not changed: the caller passes the
// current count of changes, and when it differs from the last one the cache is emptied.

/** A response as JSON text, with its ETag. */
export interface Answer {
  readonly body: string;
  readonly etag: string;
}

export interface AnswerCache {
  /**
   * The response to a target (path and query), if cached.
   * @param changes the current count of changes
   */
  get(target: string, changes: number): Answer | undefined;
  /**
   * Caches a response if its target was requested before: a client that reads every record once would only evict
   * repeated ones, and pay for the garbage (a third more processor time for each of its reads).
   * @param changes the count of changes before it was read; a response that was read before the last change is not
   * cached
   */
  set(target: string, changes: number, answer: Answer): void;
  /** The bytes it holds. */
  size(): number;
}

/** The overhead of an entry: a slot in a map, an object, three strings. */
const perEntry = 200;

/** A response larger than this share of the cache would evict too many others. */
const mostOfAll = 1 / 64;

/** Slots for the hashes of requested targets; two that share a slot overwrite each other. A power of 2. */
const places = 64 * 1024;

/**
 * Makes an empty cache. It has two generations: when the young one fills half of the capacity, it becomes the old one,
 * and the previous old one is dropped. A response that is requested repeatedly stays, and a hit costs only a look-up.
 * @param mostBytes maximum size of both generations together
 */
export function answerCache(mostBytes: number): AnswerCache {
  const asked = new Int32Array(places);
  let young = new Map<string, Answer>();
  let old = new Map<string, Answer>();
  let youngBytes = 0;
  let oldBytes = 0;
  let known = Number.NaN;

  function keep(target: string, answer: Answer): void {
    const bytes = bytesOf(target, answer);
    if (bytes > mostBytes * mostOfAll) return;
    if (youngBytes + bytes > mostBytes / 2) {
      old = young;
      oldBytes = youngBytes;
      young = new Map();
      youngBytes = 0;
    }
    young.set(target, answer);
    youngBytes += bytes;
  }

  /** Empties the cache if there were changes. */
  function follow(changes: number): void {
    if (changes === known) return;
    known = changes;
    if (young.size + old.size === 0) return;
    young = new Map();
    old = new Map();
    youngBytes = 0;
    oldBytes = 0;
  }

  /** Whether a target was requested before, as far as that is remembered. */
  function wasAsked(target: string): boolean {
    const hash = hashOf(target);
    const place = hash & (places - 1);
    if (asked[place] === hash) return true;
    asked[place] = hash;
    return false;
  }

  return {
    get(target, changes) {
      follow(changes);
      const fresh = young.get(target);
      if (fresh !== undefined) return fresh;
      const answer = old.get(target);
      if (answer !== undefined) {
        old.delete(target);
        oldBytes -= bytesOf(target, answer);
        keep(target, answer);
      }
      return answer;
    },
    set(target, changes, answer) {
      // Another request has seen a later count meanwhile, or has cached it already.
      if (changes !== known || young.has(target)) return;
      if (wasAsked(target)) keep(target, answer);
    },
    size: () => youngBytes + oldBytes,
  };
}

/** A character takes up to two bytes. */
function bytesOf(target: string, { body, etag }: Answer): number {
  return perEntry + 2 * (target.length + body.length + etag.length);
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0;
}
