// Keys that come more than once in a file: told with the chunk that repeats them. It is looked for where the file is
// read, as the thread of a large file has the time: done where its items are decided on, it takes a twenty-fifth of that
// thread's.
import type { KeyOf } from '../core/key-of.js';
import { isRefusedRow } from '../core/refused-row.js';
import { keyWatch } from './key-watch.js';
import type { Chunk, Repeat } from './records.js';

/** The chunks of a file on their way. */
export interface WatchedChunks {
  readonly chunks: AsyncIterable<Chunk>;
  /** Whether the file has more keys than are watched. */
  overflowed(): boolean;
}

/** The key of what a source gives; '' where it has none. */
export function keyOfItem(key: KeyOf, item: unknown): string {
  if (typeof item !== 'object' || item === null || isRefusedRow(item)) return '';
  return key.of(item as Readonly<Record<string, unknown>>);
}

/** Notes in each chunk which of its items repeat a key of a line before, of the first `most` keys. */
export function watchRepeats(chunks: AsyncIterable<Chunk>, key: KeyOf, most: number): WatchedChunks {
  const keys = keyWatch(most);

  function repeatsIn({ items, lines }: Chunk): Repeat[] {
    const repeats: Repeat[] = [];
    for (let index = 0; index < items.length; index++) {
      const id = keyOfItem(key, items[index]);
      if (id === '') continue;
      const first = keys.before(key.same(id), lines[index] ?? 0);
      if (first !== undefined) repeats.push({ index, id, first });
    }
    return repeats;
  }

  async function* watched(): AsyncGenerator<Chunk> {
    for await (const chunk of chunks) yield { ...chunk, repeats: repeatsIn(chunk) };
  }
  return { chunks: watched(), overflowed: keys.full };
}
