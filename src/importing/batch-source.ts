// Cuts the chunks of a source into batches for a catalog. The lines and entries of a batch are kept until it is reported.
// Reading can be stopped from outside, even while the source waits for input.
import type { Batch, BatchSource } from '../core/catalog.js';
import { type Chunk, eventLoopYield, type Source } from '../source/open-source.js';

/** A step between source and batches: refuses repeated keys, resolves names. */
export type ChunkStep = (chunk: Chunk) => Chunk | Promise<Chunk>;

/** The progress of reading a source. */
export interface BatchReading {
  /** The batches that were yielded and are not reported yet, the oldest first. */
  readonly waiting: Chunk[];
  readonly linesOf: WeakMap<Batch, readonly number[]>;
  /** How many entries were yielded. */
  handedOver: number;
  /** The failure of the source, set after the entries before it were yielded. */
  failure: { readonly cause: unknown } | undefined;
  /** Whether it was stopped before the source ended. */
  cutShort: boolean;
  stopping: boolean;
  wake: () => void;
}

/** The state before reading. */
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

export function stopReading(reading: BatchReading): void {
  reading.stopping = true;
  reading.wake();
}

/**
 * The batches of a source, at most `limit` entries in each. They end without throwing: a failure is in `reading`.
 * @param steps applied to each chunk, in this order
 */
export function batchSource(
  { chunks, isAhead, hashWith }: Pick<Source, 'chunks' | 'isAhead' | 'hashWith'>,
  limit: number,
  reading: BatchReading,
  steps: readonly ChunkStep[],
): BatchSource & AsyncIterable<Batch> & Pick<Source, 'hashWith'> {
  const source = { next: chunks[Symbol.asyncIterator](), isAhead };
  return Object.assign(
    batchesOf(source, limit, reading, steps),
    isAhead && { isReady: isAhead },
    hashWith && { hashWith },
  );
}

interface OpenChunks {
  readonly next: AsyncIterator<Chunk>;
  /** Whether the next chunk is available already, if that is known. */
  readonly isAhead: (() => boolean) | undefined;
}

async function* batchesOf(
  source: OpenChunks,
  limit: number,
  reading: BatchReading,
  steps: readonly ChunkStep[],
): AsyncGenerator<Batch> {
  // Chunks from another thread arrive in microtasks only, so that timers would never run.
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
      if (next.value.endsBatch !== true || rest.entries.length === 0) continue;
      yield handOver(rest, reading);
      rest = { entries: [], lines: [] };
    }
  } catch (cause) {
    reading.failure = { cause };
  }
  if (rest.entries.length > 0) yield handOver(rest, reading);
}

/**
 * Maximum settled entries in a batch. They do not count towards its limit, so that without this bound they would be
 * reported late: where 3 % of the items are sent, a batch of 40 fills after 1,300 rows.
 */
const mostSettled = { alone: 1_000, withOthers: 10_000 };

/**
 * The next chunk, or undefined when stopped. A waiting source is ended by its `close`, since its `return` would wait
 * for the same input. An available chunk is taken without a race: with one, the garbage collector promotes nearly all
 * items of a large import (38 MB of 200,000 instead of 4) and runs three times as many full collections. Racing a
 * promise that lives as long as the import would retain every loser.
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

/** A chunk after some of the steps. */
async function prepared(chunk: Chunk, steps: readonly ChunkStep[]): Promise<Chunk> {
  let done = chunk;
  for (const step of steps) {
    const next = step(done);
    done = next instanceof Promise ? await next : next;
  }
  return done;
}

/**
 * The batches after the given steps, which run when the batch is requested: until their report the entries of the file
 * stay as they were read.
 */
export function preparedBatches(batches: BatchSource, reading: BatchReading, steps: readonly ChunkStep[]): BatchSource {
  const { isReady } = batches;
  async function* all(): AsyncGenerator<Batch> {
    for await (const batch of batches) {
      const lines = reading.linesOf.get(batch) ?? [];
      const { entries } = await prepared({ entries: batch, lines }, steps);
      reading.linesOf.set(entries, lines);
      yield entries;
    }
  }
  return Object.assign(all(), isReady && { isReady });
}

/** Cuts a chunk, after the rest of earlier chunks, into batches of exactly `limit` entries that are to be decided. */
function cutBatches(
  before: Chunk,
  chunk: Chunk,
  limit: number,
): { readonly batches: readonly Chunk[]; readonly rest: Chunk } {
  const all = before.entries.length === 0 ? chunk : joined(before, chunk);
  const batches: Chunk[] = [];
  let from = 0;
  let settled = 0;
  for (let at = 0; at < all.entries.length; at++) {
    if (all.entries[at]?.kind === 'settled') settled++;
    const decided = at + 1 - from - settled;
    if (decided < limit && settled < (decided === 0 ? mostSettled.alone : mostSettled.withOthers)) continue;
    batches.push(slice(all, from, at + 1));
    from = at + 1;
    settled = 0;
  }
  return { batches, rest: slice(all, from) };
}

function joined(before: Chunk, { entries, lines, raws, numbers }: Chunk): Chunk {
  return {
    entries: [...before.entries, ...entries],
    lines: [...before.lines, ...lines],
    ...(raws && { raws: [...(before.raws ?? []), ...raws] }),
    ...(numbers && { numbers: [...(before.numbers ?? []), ...numbers] }),
  };
}

/** The part of a chunk from one index to below another. */
function slice({ entries, lines, raws, numbers }: Chunk, from: number, to?: number): Chunk {
  return {
    entries: entries.slice(from, to),
    lines: lines.slice(from, to),
    ...(raws && { raws: raws.slice(from, to) }),
    ...(numbers && { numbers: numbers.slice(from, to) }),
  };
}

function handOver(batch: Chunk, reading: BatchReading): Batch {
  reading.handedOver += batch.entries.length;
  reading.waiting.push(batch);
  reading.linesOf.set(batch.entries, batch.lines);
  return batch.entries;
}
