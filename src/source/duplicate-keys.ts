// Keys that come more than once in a file: told with the chunk that repeats them. It is looked for where the file is
// read, as the thread of a large file has the time: done where its items are decided on, it takes a twenty-fifth of that
// thread's.
import type { Entry } from '../core/entry.js';
import type { KeyOf } from '../core/key-of.js';
import { newKeyHashSet } from './key-hash-set.js';
import type { Chunk, DuplicateEntry } from './record-reader.js';

/** The chunks of a file on their way. */
export interface CheckedChunks {
  readonly chunks: AsyncIterable<Chunk>;
  /** Whether the file has more keys than are watched. */
  overflowed(): boolean;
}

/** The key of an entry; '' where it has none. */
export function keyOfEntry(key: KeyOf, entry: Entry): string {
  if (entry.kind === 'unreadable') return '';
  const { item } = entry;
  return typeof item === 'object' && item !== null ? key.of(item as Readonly<Record<string, unknown>>) : '';
}

/** Notes in each chunk which of its items repeat a key of a line before, of the first `most` keys. */
export function watchDuplicates(chunks: AsyncIterable<Chunk>, key: KeyOf, most: number): CheckedChunks {
  const keys = newKeyHashSet(most);

  function repeatsIn({ entries, lines }: Chunk): DuplicateEntry[] {
    const repeats: DuplicateEntry[] = [];
    for (const [index, entry] of entries.entries()) {
      const id = keyOfEntry(key, entry);
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
