// Decides which records get their former slugs back when a run is undone.
import type { Resource } from '../resource.js';
import type { Draft } from '../rows/snapshot.js';
import type { Row, Table } from '../rows/table.js';
import { isStill, type RecordedChange } from './recorded-change.js';

/**
 * The records that can get their former slug back: it is free, or its holder gives it up for a former one of its own,
 * as where two exchanged theirs. A record that cannot keeps its slug, and so do those that wait for that slug.
 */
export function regainedSlugs(
  records: ReadonlyMap<string, readonly RecordedChange[]>,
  draft: Draft,
  { tables }: Resource,
): Set<string> {
  const [root] = tables as [Table];
  const former = new Map<string, string>();
  if (root.lookups['slug'] === undefined) return new Set();
  for (const [id, changes] of records) {
    const slug = formerSlug(changes, root, draft.find(root, 'id', id));
    if (slug !== undefined) former.set(id, slug);
  }
  for (;;) {
    const holders = new Map([...former].map(([id, slug]) => [slug, id]));
    const staying = [...former].filter(([id, slug]) => {
      const holder = String(draft.find(root, 'slug', slug)?.['id'] ?? id);
      return holder !== id && ((former.get(holder) ?? slug) === slug || holders.get(slug) !== id);
    });
    if (staying.length === 0) return new Set(former.keys());
    for (const [id] of staying) former.delete(id);
  }
}

/** The slug of a record before some changes, the latest first; undefined if they did not change it. */
function formerSlug(changes: readonly RecordedChange[], { name }: Table, stored: Row | undefined): string | undefined {
  let slug = stored?.['slug'] ?? null;
  let isTheirs = false;
  for (const { table, isNew, columns, before, after } of changes) {
    const at = columns.indexOf('slug');
    if (table !== name || isNew || at === -1 || slug === (before[at] ?? null)) continue;
    if (!isStill(slug, after[at] ?? null)) break;
    slug = before[at] ?? null;
    isTheirs = true;
  }
  return isTheirs && typeof slug === 'string' ? slug : undefined;
}
