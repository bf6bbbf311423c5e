import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rawEntry } from '../../src/core/entry.js';
import { batches } from '../../src/source/batches.js';
import type { Chunk } from '../../src/source/read.js';

async function* chunksOf(sizes: readonly number[], failure?: Error): AsyncGenerator<Chunk> {
  let next = 0;
  for (const size of sizes) {
    const lines = Array.from({ length: size }, () => next++);
    yield { entries: lines.map((line) => rawEntry({ line })), lines };
  }
  if (failure !== undefined) throw failure;
}

it('every item comes through once, in order, with its line, in batches that are full but for the last', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(30)), fc.integer({ min: 1, max: 12 }), async (sizes, limit) => {
      const found: Chunk[] = [];
      for await (const batch of batches(chunksOf(sizes), limit)) found.push(batch);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      expect(found.flatMap((batch) => batch.lines)).toEqual(Array.from({ length: total }, (_, i) => i));
      for (const { entries, lines } of found) expect(entries).toEqual(lines.map((line) => rawEntry({ line })));
      expect(found.map((batch) => batch.entries.length)).toEqual([
        ...Array.from({ length: Math.floor(total / limit) }, () => limit),
        ...(total % limit === 0 ? [] : [total % limit]),
      ]);
    }),
  );
});

it('what was read before a failure comes out before it', async () => {
  const found: number[] = [];
  const reading = async () => {
    for await (const batch of batches(chunksOf([3, 4], new Error('torn')), 5)) found.push(batch.entries.length);
  };
  await expect(reading()).rejects.toThrow('torn');
  expect(found).toEqual([5, 2]);
});

it('leaving early closes the source', async () => {
  let closed = false;
  async function* source(): AsyncGenerator<Chunk> {
    try {
      for (;;) yield { entries: [rawEntry(1)], lines: [1] };
    } finally {
      closed = true;
    }
  }
  for await (const _ of batches(source(), 2)) break;
  expect(closed).toBe(true);
});
