// Settled entries: reported in their place with the line they carry, and neither decided nor sent.
import { expect, it } from 'vitest';
import { type Entry, rawEntry, settledEntry } from '../../src/core/entry.js';
import { unchangedLine } from '../../src/core/unchanged-line.js';
import { batchReading, batchSource } from '../../src/importing/batch-source.js';
import type { Chunk } from '../../src/source/open-source.js';
import { given } from '../given.js';

const settled = (key: string): Entry => settledEntry({ sku: key }, unchangedLine(key, null, []));
const item = (key: string): Entry => rawEntry({ sku: key, currency: 'EUR' });

/** The sizes of the batches of these entries, which arrive in chunks. */
async function sizes(entries: readonly Entry[], inChunk: number, limit: number): Promise<number[]> {
  async function* chunks(): AsyncGenerator<Chunk> {
    for (let at = 0; at < entries.length; at += inChunk) {
      const some = entries.slice(at, at + inChunk);
      yield { entries: some, lines: some.map((_, i) => at + i) };
    }
  }
  const found: number[] = [];
  for await (const batch of batchSource({ chunks: chunks() }, limit, batchReading(), [])) found.push(batch.length);
  return found;
}

it('do not count towards the limit of a batch, and fill at most a thousand places of it', async () => {
  const mixed = Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? item(`${i}`) : settled(`${i}`)));
  for (const inChunk of [1, 7, 30]) expect(await sizes(mixed, inChunk, 4)).toEqual([10, 12, 8]);
  const many = Array.from({ length: 2_500 }, (_, i) => settled(`${i}`));
  expect(await sizes(many, 200, 40)).toEqual([1_000, 1_000, 500]);
});

it('are reported by a catalog in their place, and change nothing', () => {
  const shop = given();
  const { data, ...counts } = shop.sendBatches('product', [[item('A'), settled('B'), item('C')]])[0] ?? { data: [] };
  expect(data.map(({ index, external_id: key, action }) => [index, key, action])).toEqual([
    [0, 'A', 'created'],
    [1, 'B', 'unchanged'],
    [2, 'C', 'created'],
  ]);
  expect(counts).toMatchObject({ created: 2, unchanged: 1, total: 3 });
});
