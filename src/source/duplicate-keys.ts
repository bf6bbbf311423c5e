// Detects duplicate keys while a file is read, and reports them with their chunk. The reading thread of a large file
// has time for it; on the deciding thread it would take 4 % of that thread's time.
import type { Entry } from '../core/entry.js';
import type { RecordKey } from '../core/fields/record-key.js';
import { newKeyHashSet } from './key-hash-set.js';
import type { Chunk, DuplicateEntry } from './record-reader.js';

/** The key of an entry, including one that will be refused, which counts as the first of its key. '' if it has none. */
export function keyOfEntry(key: RecordKey, entry: Entry): string {
  if (entry.kind === 'unreadable') return entry.externalId;
  if (entry.kind === 'settled') return entry.line.external_id;
  const { item } = entry;
  return typeof item === 'object' && item !== null ? key.of(item as Readonly<Record<string, unknown>>) : '';
}

/**
 * Annotates each chunk with the items whose key occurred before; keeps `most` distinct keys.
 * @returns the chunks, and whether the file has more distinct keys than that
 */
export function watchDuplicates(chunks: AsyncIterable<Chunk>, key: RecordKey, most: number) {
  const keys = newKeyHashSet(most);

  function repeatsIn({ entries, lines }: Chunk): DuplicateEntry[] {
    const repeats: DuplicateEntry[] = [];
    for (let index = 0; index < entries.length; index++) {
      const id = keyOfEntry(key, entries[index] as Entry);
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
