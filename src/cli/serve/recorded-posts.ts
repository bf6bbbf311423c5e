// The catalog that each POST is imported into: what it changes is recorded under its run.
import type { IdempotentCatalog } from '../../core/planning/idempotency-records.js';
import type { ImportPost } from '../../http/server/import-batch.js';
import { feedRun } from '../../store/ledger/feed-run.js';
import { receivedRun } from '../../store/ledger/received-runs.js';
import type { LocalCatalog } from '../../store/open.js';

/** Runs that are remembered at once; another one of the same name goes on with what is stored. */
const mostRuns = 100;

/** @returns the catalog for a POST; that of one run is made once */
export function recordingFor(catalog: LocalCatalog): (post: ImportPost, dryRun: boolean) => IdempotentCatalog {
  const known = new Map<string, IdempotentCatalog>();
  return ({ resource, owner, run: { user, token, feed = '' } }, dryRun) => {
    if (dryRun) return feed === '' ? catalog : catalog.importing({ feed: feedRun(feed) });
    const name = [owner, token, feed, resource.name].join('\0');
    const found =
      known.get(name) ??
      catalog.importing({
        recorder: receivedRun({ owner, user, token, feed }, resource.name),
        feed: feed === '' ? undefined : feedRun(feed, { marksAll: true }),
      });
    known.delete(name);
    known.set(name, found);
    const [oldest] = known.keys();
    if (known.size > mostRuns && oldest !== undefined) known.delete(oldest);
    return found;
  };
}
