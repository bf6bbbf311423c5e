// Records POSTs as runs in the ledger: their changes, and their end.
import type { Counts } from '../../core/import-report.js';
import type { IdempotentCatalog } from '../../core/planning/idempotency-records.js';
import type { ImportPost, PostedRuns } from '../../http/server/imports/import-batch.js';
import { type PostedFile, type PostedRun, recordPostedRun } from '../../store/ledger/posted-runs.js';
import { feedRun } from '../../store/ledger/run-of-feed.js';
import type { LocalCatalog } from '../../store/open.js';

/** Maximum runs whose feeds, and catalogs of runs and files, are kept in memory; another one continues from the stored state. */
const mostRuns = 100;

function postedRun({ owner, run: { user, token, feed = '' } }: ImportPost): PostedRun {
  return { owner, user, token, feed };
}

/** Keeps a value as the newest, and not more than so many. */
function keepNewest<T>(values: Map<string, T>, name: string, value: T): void {
  values.delete(name);
  values.set(name, value);
  const [oldest] = values.keys();
  if (values.size > mostRuns && oldest !== undefined) values.delete(oldest);
}

/** A file of a run: the catalog that records its changes, and the counts of requests that changed nothing since it was written to. */
interface PostedFileOfRun {
  readonly posted: PostedRun;
  readonly catalog: IdempotentCatalog;
  readonly unwritten: Counts;
}

/** The runs of a catalog's POSTs. The catalog for a run and file is created once. */
export function postedRuns(catalog: LocalCatalog): PostedRuns {
  const known = new Map<string, PostedFileOfRun>();
  const feeds = new Map<string, string>();

  function importingUnder(post: ImportPost): IdempotentCatalog {
    const posted = postedRun(post);
    const { feed } = posted;
    const file = decodeURIComponent(post.run.file ?? '');
    const name = [posted.owner, posted.token, feed, post.resource.name, file].join('\0');
    const found = known.get(name) ?? importingFile(posted, { resource: post.resource.name, file });
    keepNewest(known, name, found);
    return found.catalog;
  }

  function importingFile(posted: PostedRun, file: PostedFile): PostedFileOfRun {
    const recorder = recordPostedRun(posted, file);
    const feed = posted.feed === '' ? undefined : feedRun(posted.feed, { marksAll: true });
    return { posted, catalog: catalog.importing({ recorder, feed }), unwritten: recorder.unwritten };
  }

  /** Counts of a run that are in no row yet. */
  function unwrittenOf({ owner, token }: PostedRun): Counts[] {
    const own = [...known.values()].filter(({ posted }) => posted.owner === owner && posted.token === token);
    return own.map(({ unwritten }) => unwritten);
  }

  return {
    async feedOf(post) {
      const posted = postedRun(post);
      if (posted.token === undefined) return post.run.feed;
      const name = `${posted.owner} ${posted.token}`;
      const ledger = await catalog.ledger();
      const feed = feeds.get(name) ?? (await ledger.feedOfPosted(posted)) ?? posted.feed;
      keepNewest(feeds, name, feed);
      return feed === '' ? undefined : feed;
    },
    importing(post, dryRun) {
      const { feed } = postedRun(post);
      if (!dryRun) return importingUnder(post);
      return feed === '' ? catalog : catalog.importing({ feed: feedRun(feed) });
    },
    async end(post, end) {
      const ledger = await catalog.ledger();
      const posted = postedRun(post);
      return ledger.endPosted(posted, { resource: post.resource, unwritten: unwrittenOf(posted), ...end });
    },
  };
}
