// Cached responses to reads, as the text that is sent. They are valid as long as the catalog has not changed: the caller
// gives what the count of changes is now, and with any other count than before everything is forgotten.

/** An answer that is JSON already, with its ETag. */
export interface Answer {
  readonly body: string;
  readonly etag: string;
}

export interface AnswerCache {
  /**
   * The answer to a target (path and query), where it is known.
   * @param changes the count of changes now
   */
  get(target: string, changes: number): Answer | undefined;
  /**
   * Keeps an answer where its target was asked for before: a client that reads every record once would only push out what
   * is asked for again, and pay for the garbage (a third more processor time for each of its reads).
   * @param changes the count of changes before it was read; an answer that was read before the last change is not kept
   */
  set(target: string, changes: number, answer: Answer): void;
  /** The bytes it holds. */
  size(): number;
}

/** What an entry takes beside its texts: a place in a map, an object, three strings. */
const perEntry = 200;

/** An answer that takes more than this share of the cache would push out too many others. */
const mostOfAll = 1 / 64;

/** Places for the hashes of targets that were asked for; two that fall on one place forget each other. A power of 2. */
const places = 64 * 1024;

/**
 * Makes an empty cache. It has two generations: when the young one has filled half of the room, it becomes the old one, and
 * what was not asked for since it was young last is forgotten. So an answer that is asked for stays, and asking costs
 * nothing but a look-up.
 * @param mostBytes what it may hold, both generations together
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

  /** Forgets everything where there were changes. */
  function follow(changes: number): void {
    if (changes === known) return;
    known = changes;
    if (young.size + old.size === 0) return;
    young = new Map();
    old = new Map();
    youngBytes = 0;
    oldBytes = 0;
  }

  /** Whether a target was asked for before, as far as that is remembered. */
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
      // Another request has seen a later count meanwhile, or has kept it already.
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
