// From the chunks of a source to the batches of a catalog, keeping what the report needs of them: the physical lines,
// and how many items were handed over. It can be stopped from outside, also while its source waits for more.
import type { Batch, BatchSource } from '../core/catalog.js';
import { batches } from '../source/batches.js';
import { type Chunk, giveTurns, type Source } from '../source/read.js';

export interface Feed {
  /** The items, at most `limit` in a batch. Ends without a failure; `failure` tells. */
  readonly batches: BatchSource;
  /** The batches handed over and not yet told, the earliest first. */
  readonly waiting: Chunk[];
  /** How many items were handed over. */
  handedOver(): number;
  /** What the source failed with, after the items before it were handed over. */
  failure(): { readonly cause: unknown } | undefined;
  /** Ends the batches after the one under way. */
  stop(): void;
  /** Whether `stop` ended it before the source did. */
  cutShort(): boolean;
}

/**
 * Feeds a source's chunks.
 * @param prepare a step between source and batches
 */
export function openFeed(
  { chunks, isAhead }: Pick<Source, 'chunks' | 'isAhead'>,
  limit: number,
  prepare: (chunks: AsyncIterable<Chunk>) => AsyncIterable<Chunk>,
): Feed {
  const waiting: Chunk[] = [];
  let count = 0;
  let failure: { readonly cause: unknown } | undefined;
  let stopping = false;
  let cutShort = false;
  let wake: (() => void) | undefined;

  /** The next chunk, or undefined once stopped. Racing a promise of the import's own length would keep every loser. */
  function nextOf(source: AsyncIterator<Chunk>): Promise<IteratorResult<Chunk> | undefined> {
    return new Promise((resolve, reject) => {
      wake = () => resolve(undefined);
      source.next().then(resolve, reject);
    });
  }

  async function* stoppable(): AsyncGenerator<Chunk> {
    const source = chunks[Symbol.asyncIterator]();
    // While chunks come from a thread of their own, all between them is microtasks.
    const turn = giveTurns();
    for (;;) {
      await turn();
      const next = stopping ? undefined : await nextOf(source);
      if (next === undefined) {
        // The source itself is left to its `close`: asking it to return would wait for what it waits for.
        cutShort = true;
        return;
      }
      if (next.done === true) return;
      yield next.value;
    }
  }

  async function* handOver(): AsyncGenerator<Batch> {
    try {
      for await (const batch of batches(prepare(stoppable()), limit)) {
        count += batch.entries.length;
        waiting.push(batch);
        yield batch.entries;
      }
    } catch (cause) {
      failure = { cause };
    }
  }

  return {
    batches: Object.assign(handOver(), isAhead && { isReady: isAhead }),
    waiting,
    handedOver: () => count,
    failure: () => failure,
    stop() {
      stopping = true;
      wake?.();
    },
    cutShort: () => cutShort,
  };
}
