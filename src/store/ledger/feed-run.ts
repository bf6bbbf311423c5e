// One run of a feed, as far as the ranking of feeds goes: which keys it sent so far, by resource.
import type { FeedContext } from '../../core/planning/ranking/rank-item.js';
import { type HashSet, newHashSet } from './hash-set.js';
import type { RunRecorder } from './run-recorder.js';

/** The context of a resource's items, which remembers their keys. */
interface KeepingContext extends FeedContext {
  /** Called with the hashes of keys once their transaction is committed. */
  keepSent(keys: Iterable<number>): void;
}

export interface FeedRun {
  readonly feed: string;
  /** @param recorder under which run it is; undefined for a dry run, and without history */
  contextOf(resource: string, recorder: RunRecorder | undefined): KeepingContext;
}

/** How a run of a feed differs from that of a file. */
interface FeedRunOptions {
  /** Each item is marked with its run: over HTTP, where requests are all there is of it. */
  readonly marksAll?: boolean;
  /** Items name what the feed does not list any more. */
  readonly lists?: boolean;
}

/** A run of a feed. */
export function feedRun(feed: string, { marksAll = false, lists = true }: FeedRunOptions = {}): FeedRun {
  const sent = new Map<string, HashSet>();
  return {
    feed,
    contextOf(resource, recorder) {
      const own = sent.get(resource) ?? newHashSet();
      sent.set(resource, own);
      return {
        feed,
        marksAll,
        lists,
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
