// Cuts the chunks of a source into batches for a catalog. The lines and entries of a batch are kept until it is reported.
// Reading can be stopped from outside, even while the source waits for input.
import type { Batch, BatchSource } from '../core/catalog.js';
import { type Chunk, eventLoopYield, type Source } from '../source/open-source.js';

/** A step between source and batches: refuses repeated keys, resolves names. */
export type ChunkStep = (chunk: Chunk) => Chunk | Promise<Chunk>;

/** How far a source has been read. */
export interface BatchReading {
  /** The batches handed over and not reported yet, the earliest first. */
  readonly waiting: Chunk[];
  /** The lines of the batches that somebody still holds. */
  readonly linesOf: WeakMap<Batch, readonly number[]>;
  /** How many entries were handed over. */
  handedOver: number;
  /** What the source failed with, after the entries before it were handed over. */
  failure: { readonly cause: unknown } | undefined;
  /** Whether it was stopped before the source ended. */
  cutShort: boolean;
  stopping: boolean;
  wake: () => void;
}

/** Nothing is read yet. */
export function batchReading(): BatchReading {
  return {
    waiting: [],
    linesOf: new WeakMap(),
    handedOver: 0,
    failure: undefined,
    cutShort: false,
    stopping: false,
    wake: () => undefined,
  };
}

/** Ends the batches after the one under way. */
export function stopReading(reading: BatchReading): void {
  reading.stopping = true;
  reading.wake();
}

/**
 * The batches of a source, at most `limit` entries in each. They end without a failure: `reading` tells it.
 * @param steps what is done with each chunk, in this order
 */
export function batchSource(
  { chunks, isAhead }: Pick<Source, 'chunks' | 'isAhead'>,
  limit: number,
  reading: BatchReading,
  steps: readonly ChunkStep[],
): BatchSource & AsyncIterable<Batch> {
  const source = { next: chunks[Symbol.asyncIterator](), isAhead };
  return Object.assign(batchesOf(source, limit, reading, steps), isAhead && { isReady: isAhead });
}

/** A source while it is read. */
interface OpenChunks {
  readonly next: AsyncIterator<Chunk>;
  /** Whether the next chunk is there already, where that is known. */
  readonly isAhead: (() => boolean) | undefined;
}

async function* batchesOf(
  source: OpenChunks,
  limit: number,
  reading: BatchReading,
  steps: readonly ChunkStep[],
): AsyncGenerator<Batch> {
  // While chunks come from a thread of their own, all between them is microtasks.
  const yieldIfDue = eventLoopYield();
  let rest: Chunk = { entries: [], lines: [] };
  try {
    for (;;) {
      await yieldIfDue();
      const next = await nextChunk(source, reading);
      if (next === undefined || next.done === true) break;
      const cut = cutBatches(rest, await prepared(next.value, steps), limit);
      rest = cut.rest;
      for (const batch of cut.batches) yield handOver(batch, reading);
    }
  } catch (cause) {
    reading.failure = { cause };
  }
  if (rest.entries.length > 0) yield handOver(rest, reading);
}

/**
 * The next chunk, or undefined once stopped. A source that waits is left to its `close`: asking it to return would wait for
 * what it waits for.
 *
 * A chunk that is there already is taken without a race: with one, the collector takes nearly all items of a large import for
 * long-lived ones (38 MB of 200,000 instead of 4), and has three times as many full collections to do. Racing a promise of
 * the import's own length would keep every loser.
 */
async function nextChunk(
  { next: chunks, isAhead }: OpenChunks,
  reading: BatchReading,
): Promise<IteratorResult<Chunk> | undefined> {
  if (!reading.stopping && isAhead?.() === true) return chunks.next();
  const next = reading.stopping
    ? undefined
    : await new Promise<IteratorResult<Chunk> | undefined>((resolve, reject) => {
        reading.wake = () => resolve(undefined);
        chunks.next().then(resolve, reject);
      });
  if (next === undefined) reading.cutShort = true;
  return next;
}

/** A chunk after some steps. */
export async function prepared(chunk: Chunk, steps: readonly ChunkStep[]): Promise<Chunk> {
  let done = chunk;
  for (const step of steps) {
    const next = step(done);
    done = next instanceof Promise ? await next : next;
  }
  return done;
}

/** Cuts what is left over of the chunks before, and a chunk, into batches of exactly `limit` entries. */
function cutBatches(
  before: Chunk,
  chunk: Chunk,
  limit: number,
): { readonly batches: readonly Chunk[]; readonly rest: Chunk } {
  const isFirst = before.entries.length === 0 && before.superseded === undefined;
  const all = isFirst ? chunk : joined(before, chunk);
  const batches: Chunk[] = [];
  let at = 0;
  for (; at + limit <= all.entries.length; at += limit) batches.push(slice(all, at, at + limit));
  return { batches, rest: slice(all, at) };
}

function joined(before: Chunk, { entries, lines, raws, superseded }: Chunk): Chunk {
  const later = superseded?.map((row) => ({ ...row, at: row.at + before.entries.length }));
  const all = [...(before.superseded ?? []), ...(later ?? [])];
  return {
    entries: [...before.entries, ...entries],
    lines: [...before.lines, ...lines],
    ...(raws && { raws: [...(before.raws ?? []), ...raws] }),
    ...(all.length > 0 && { superseded: all }),
  };
}

/** The part of a chunk from one index to below another. */
export function slice({ entries, lines, raws, superseded }: Chunk, from: number, to?: number): Chunk {
  const end = to ?? Number.POSITIVE_INFINITY;
  const within = superseded?.filter(({ at }) => at >= from && at < end).map((row) => ({ ...row, at: row.at - from }));
  return {
    entries: entries.slice(from, to),
    lines: lines.slice(from, to),
    ...(raws && { raws: raws.slice(from, to) }),
    ...(within !== undefined && within.length > 0 && { superseded: within }),
  };
}

function handOver(batch: Chunk, reading: BatchReading): Batch {
  reading.handedOver += batch.entries.length + (batch.superseded?.length ?? 0);
  reading.waiting.push(batch);
  reading.linesOf.set(batch.entries, batch.lines);
  return batch.entries;
}
