// `--on-duplicate keep-last`: of rows with the same key only the last is applied. Superseded rows are settled: the catalog
// reports them and decides nothing, so that every row of the file has its line.
import type { Catalog } from '../core/catalog.js';
import { messageText } from '../core/diagnostics/message-text.js';
import { type Entry, settledEntry } from '../core/entry.js';
import { CatalogError } from '../core/errors.js';
import { recordKey } from '../core/fields/record-key.js';
import type { Resource } from '../core/resource.js';
import { groupDigits } from '../core/text/sanitize.js';
import { unchangedLine } from '../core/unchanged-line.js';
import { type Chunk, keyOfEntry, type Source } from '../source/open-source.js';
import { type Duplicates, listedAtMost } from './duplicate-policy.js';
import type { DuplicateRows } from './observer.js';

/** Distinct keys that are kept in memory, in about 150 MB; a file with more is an error. */
const mostKeys = 2_000_000;

/** The row of a key that is applied: its position among the entries of the file, and its line. */
interface LastRow {
  readonly place: number;
  readonly line: number;
}

export async function readLastRows(source: Source, resource: Resource): Promise<ReadonlyMap<string, LastRow>> {
  const key = recordKey(resource.fields, resource.key);
  const last = new Map<string, LastRow>();
  let place = 0;
  for await (const { entries, lines } of source.chunks) {
    entries.forEach((entry, i) => {
      const id = keyOfEntry(key, entry);
      if (id !== '') last.set(key.same(id), { place, line: lines[i] ?? 0 });
      place++;
    });
    if (last.size > mostKeys)
      throw new CatalogError(
        'usage',
        `--on-duplicate keep-last remembers ${groupDigits(mostKeys)} keys, and the file has more; split it, or leave the option out.`,
      );
  }
  return last;
}

/**
 * Settles superseded rows.
 * @param last the last row of each key
 */
export function keepLast(
  resource: Resource,
  last: ReadonlyMap<string, LastRow>,
  { catalog }: { readonly catalog: Pick<Catalog, 'readAll'> },
): Duplicates {
  const key = recordKey(resource.fields, resource.key);
  const listed: DuplicateRows['listed'][number][] = [];
  let place = 0;
  let count = 0;

  async function step(chunk: Chunk): Promise<Chunk> {
    const rows = new Map<number, { readonly key: string; readonly by: number }>();
    for (const [i, entry] of chunk.entries.entries()) {
      const id = keyOfEntry(key, entry);
      const counts = id === '' ? undefined : last.get(key.same(id));
      const isLast = counts === undefined || counts.place === place;
      place++;
      if (isLast) continue;
      count++;
      if (listed.length < listedAtMost) listed.push({ key: id, lines: [chunk.lines[i] ?? 0, counts.line] });
      rows.set(i, { key: id, by: counts.line });
    }
    if (rows.size === 0) return chunk;
    const keys = [...new Set([...rows.values()].map((row) => row.key))];
    const stored = await catalog.readAll(
      resource,
      keys.map((one) => ({ key: one })),
    );
    const ids = new Map(keys.map((one, i) => [one, stored[i]?.['id']]));
    const entries = chunk.entries.map((entry, i) => {
      const row = rows.get(i);
      return row === undefined ? entry : superseded(entry, row, ids.get(row.key));
    });
    return { ...chunk, entries };
  }

  return { step, found: () => (count === 0 ? undefined : { count, listed, applied: 'last-only' }) };
}

/** The entry of a row that a later one supersedes: it is reported, and not decided. */
function superseded(entry: Entry, { key, by }: { readonly key: string; readonly by: number }, id: unknown): Entry {
  const notice = { code: 'superseded', field: '', message: messageText('superseded', '', undefined, { line: by }) };
  return settledEntry(entry.item, unchangedLine(key, typeof id === 'string' ? id : null, [notice]));
}
