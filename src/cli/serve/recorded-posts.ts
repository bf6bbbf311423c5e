// Records POSTs as runs in the ledger: their changes, and their end.
import type { IdempotentCatalog } from '../../core/planning/idempotency-records.js';
import type { ImportPost, PostedRuns } from '../../http/server/imports/import-batch.js';
import { feedRun } from '../../store/ledger/feed-run.js';
import { type PostedRun, recordPostedRun } from '../../store/ledger/posted-runs.js';
import type { LocalCatalog } from '../../store/open.js';

/** Maximum catalogs of runs and files kept in memory; another one continues from the stored state. */
const mostRuns = 100;

function postedRun({ owner, run: { user, token, feed = '' } }: ImportPost): PostedRun {
  return { owner, user, token, feed };
}

/** The runs of a catalog's POSTs. The catalog for a run and file is created once. */
export function postedRuns(catalog: LocalCatalog): PostedRuns {
  const known = new Map<string, IdempotentCatalog>();

  function importingUnder(post: ImportPost): IdempotentCatalog {
    const posted = postedRun(post);
    const { feed } = posted;
    const file = decodeURIComponent(post.run.file ?? '');
    const name = [posted.owner, posted.token, feed, post.resource.name, file].join('\0');
    const found =
      known.get(name) ??
      catalog.importing({
        recorder: recordPostedRun(posted, { resource: post.resource.name, file }),
        feed: feed === '' ? undefined : feedRun(feed, { marksAll: true }),
      });
    known.delete(name);
    known.set(name, found);
    const [oldest] = known.keys();
    if (known.size > mostRuns && oldest !== undefined) known.delete(oldest);
    return found;
  }

  return {
    importing(post, dryRun) {
      const { feed } = postedRun(post);
      if (!dryRun) return importingUnder(post);
      return feed === '' ? catalog : catalog.importing({ feed: feedRun(feed) });
    },
    async end(post, isComplete, listed) {
      const { resource } = post;
      const ledger = await catalog.ledger();
      await ledger.endPosted(postedRun(post), { resource, isComplete, ...(listed && { listed }) });
    },
  };
}
