// The end of a run into a remote: keeps on this machine what its feed lists, and tells the remote.
import { namedAtMost } from '../../../core/diagnostics/warning-kind.js';
import type { WarningLog } from '../../../core/diagnostics/warning-log.js';
import type { EndLine } from '../../../core/ledger/feed-end.js';
import type { Resource } from '../../../core/resource.js';
import type { RemoteCatalog } from '../../../http/client/remote-catalog.js';
import type { Outcome } from '../../../importing/observer.js';
import type { EndedRun, FeedEnding } from '../history/ending-observer.js';
import type { ImportFlags } from '../options/import-options.js';
import { type RemoteListing, type RunFindings, remoteListing } from './remote-listing.js';

/** Where a run into a remote ends. */
interface RemoteRun extends RunFindings {
  /** The remote, after it was opened. */
  readonly remote: () => RemoteCatalog | undefined;
}

export function remoteEnd(flags: ImportFlags, env: NodeJS.ProcessEnv, { log, guards, remote }: RemoteRun): FeedEnding {
  const listing = flags.feed === undefined ? undefined : remoteListing(flags, env, { log, guards });
  const sent = new Set<Resource>();
  return {
    observer: {
      ...listing?.observer,
      begin(file) {
        sent.add(file.resource);
        return listing?.observer.begin?.(file);
      },
    },
    async end(total) {
      await listing?.complete();
      const opened = remote();
      if (opened === undefined || flags.dryRun === true) return { lines: [] };
      return endRuns(opened, flags, { sent, total, listing, log });
    },
  };
}

/** A run whose end is reported to a remote. */
interface SentRun {
  readonly sent: ReadonlySet<Resource>;
  readonly total: Outcome;
  readonly listing: RemoteListing | undefined;
  readonly log: WarningLog;
}

/**
 * Tells a remote that the run has ended, with the keys its feed lists, if the whole file was read. Otherwise the remote ends
 * it after a time of silence, as after a crash. If the keys exceed a request, the remote takes the sent ones for the listed ones.
 */
async function endRuns(
  remote: RemoteCatalog,
  { limit, changedOnly, resume, feed = '' }: ImportFlags,
  { sent, total: { counts }, listing, log }: SentRun,
): Promise<EndedRun> {
  const sentAll = !changedOnly && !resume;
  const lines: EndLine[] = [];
  let count = 0;
  for (const resource of sent) {
    const read = await listing?.listed(resource);
    const isComplete = counts.refused === 0 && limit === undefined && (listing === undefined || read !== undefined);
    const { keys: listed } = read ?? {};
    // Without a list of keys, the remote would take the records that were not sent for gone.
    const end = listed === undefined ? { isComplete: isComplete && sentAll } : { isComplete: true, listed };
    const ended = await remote.endRun(resource, end);
    if (ended === undefined && feed !== '') log.warn('run_end_unconfirmed', { feed, resource: resource.name });
    lines.push(...(ended?.lines ?? []));
    count += ended?.passedOn ?? 0;
  }
  const keys = lines.slice(0, namedAtMost).map(({ external_id }) => external_id);
  if (count > 0) log.warn('records_passed_on', { feed, count, keys });
  return { lines, unnamed: count - lines.length };
}
