// Decides which records get their former slugs back when runs are undone.
import type { Resource } from '../resource.js';
import type { Draft } from '../rows/snapshot.js';
import type { Table } from '../rows/table.js';

/**
 * The records that can get their former slug back: it is free, or its holder gives it up for a former one of its own,
 * as where two exchanged theirs. A record that cannot keeps its slug, and so do those that wait for that slug.
 * @param wanted the former slugs by record
 */
export function regainedSlugs(
  wanted: ReadonlyMap<string, string>,
  draft: Draft,
  { tables }: Resource,
): ReadonlySet<string> {
  const [root] = tables as [Table];
  const former = new Map(wanted);
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
