// Chunks of any size → chunks of at most the limit of a resource, for one batch each.
import { type Chunk, type OpenChunk, openChunk } from './records.js';

/**
 * Regroups chunks so that each but the last has exactly `limit` items. A chunk is passed on as soon as it is full; where
 * the source fails, what was read before is passed on first.
 */
export async function* batches(chunks: AsyncIterable<Chunk>, limit: number): AsyncGenerator<Chunk> {
  let rest: OpenChunk = openChunk(false);
  let failure: { readonly cause: unknown } | undefined;
  const source = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await source.next().catch((cause: unknown) => {
        failure = { cause };
        return undefined;
      });
      if (next === undefined || next.done === true) break;
      const { entries, lines, raws } = next.value;
      let at = 0;
      if (rest.entries.length > 0) {
        at = Math.min(limit - rest.entries.length, entries.length);
        rest.entries.push(...entries.slice(0, at));
        rest.lines.push(...lines.slice(0, at));
        rest.raws?.push(...(raws ?? []).slice(0, at));
        if (rest.entries.length < limit) continue;
        yield rest;
      }
      for (; at + limit <= entries.length; at += limit) yield slice(next.value, at, at + limit);
      rest = slice(next.value, at);
    }
    if (rest.entries.length > 0) yield rest;
    if (failure !== undefined) throw failure.cause;
  } finally {
    await source.return?.();
  }
}

function slice({ entries, lines, raws }: Chunk, from: number, to?: number): OpenChunk {
  return {
    entries: entries.slice(from, to),
    lines: lines.slice(from, to),
    ...(raws && { raws: raws.slice(from, to) }),
  };
}
