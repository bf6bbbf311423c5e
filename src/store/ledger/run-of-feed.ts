// A run of a feed for the ranking of feeds: which keys it sent so far, by resource.
import type { FeedContext } from '../../core/planning/ranking/rank-item.js';
import type { RunRecorder } from './run-recorder.js';

/** The context of a resource's items, which collects their keys. */
interface KeepingContext extends FeedContext {
  /** Called with the hashes of keys when their transaction is committed. */
  keepSent(keys: Iterable<number>): void;
}

export interface FeedRun {
  readonly feed: string;
  /** @param recorder records the run; undefined for a dry run, and without history */
  contextOf(resource: string, recorder: RunRecorder | undefined): KeepingContext;
}

/** Differences to a run that imports a file. */
interface FeedRunOptions {
  /** Each item is marked with its run: over HTTP, where the server sees requests only. */
  readonly marksAll?: boolean;
  /** Items name the records that the feed no longer lists: the run that last sent each, by its key. */
  readonly sentBy?: ReadonlyMap<string, string>;
}

export function feedRun(feed: string, { marksAll = false, sentBy }: FeedRunOptions = {}): FeedRun {
  const sent = new Map<string, HashSet>();
  return {
    feed,
    contextOf(resource, recorder) {
      const own = sent.get(resource) ?? newHashSet();
      sent.set(resource, own);
      return {
        feed,
        marksAll,
        lists: sentBy === undefined,
        isSentSince: (key, run) => sentBy !== undefined && sentBy.get(key) !== run,
        hasSent: (hash) => own.has(hash),
        keepSent(keys) {
          for (const hash of keys) own.add(hash);
        },
        runOf(draft) {
          if (recorder === undefined) return '';
          if (recorder.run !== '') return recorder.run;
          return recorder.find(draft, Math.floor(Date.now() / 1000))?.id;
        },
      };
    },
  };
}

/** A set of hashes (`hashNumber`) in one typed array, with open addressing: a third of the memory of a Set of numbers. */
interface HashSet {
  has(hash: number): boolean;
  add(hash: number): void;
}

/** The maximum load before the array doubles. */
const fullest = 0.6;
/** Marks an empty slot: hashes are whole numbers and not negative. */
const free = -1;

function newHashSet(): HashSet {
  let slots = new Float64Array(1024).fill(free);
  let used = 0;

  /** The slot of a hash, or the empty one where it would go. */
  function slotOf(all: Float64Array, hash: number): number {
    const mask = all.length - 1;
    let at = (hash % 0x7fffffff) & mask;
    while (all[at] !== free && all[at] !== hash) at = (at + 1) & mask;
    return at;
  }

  function grow(): void {
    const larger = new Float64Array(2 * slots.length).fill(free);
    for (const hash of slots) if (hash !== free) larger[slotOf(larger, hash)] = hash;
    slots = larger;
  }

  return {
    has: (hash) => slots[slotOf(slots, hash)] === hash,
    add(hash) {
      const at = slotOf(slots, hash);
      if (slots[at] === hash) return;
      slots[at] = hash;
      if (++used > fullest * slots.length) grow();
    },
  };
}
