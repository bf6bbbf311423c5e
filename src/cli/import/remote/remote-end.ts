// The end of a run into a remote: keeps on this machine what its feed lists, and tells the remote.
import type { WarningLog } from '../../../core/diagnostics/warning-log.js';
import type { Resource } from '../../../core/resource.js';
import type { RemoteCatalog } from '../../../http/client/remote-catalog.js';
import type { Outcome } from '../../../importing/observer.js';
import type { FeedEnding } from '../history/ending-observer.js';
import type { ImportFlags } from '../options/import-options.js';
import { type RemoteListing, remoteListing } from './remote-listing.js';

/** Where a run into a remote ends. */
interface RemoteRun {
  readonly log: WarningLog;
  /** The remote, after it was opened. */
  readonly remote: () => RemoteCatalog | undefined;
}

/** Makes the end of a run into a remote. */
export function remoteEnd(flags: ImportFlags, env: NodeJS.ProcessEnv, { log, remote }: RemoteRun): FeedEnding {
  const listing = flags.feed === undefined ? undefined : remoteListing(flags, env, log);
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
      if (opened !== undefined && flags.dryRun !== true) await endRuns(opened, flags, { sent, total, listing });
      return [];
    },
  };
}

/** A run whose end is reported to a remote. */
interface SentRun {
  readonly sent: ReadonlySet<Resource>;
  readonly total: Outcome;
  readonly listing: RemoteListing | undefined;
}

/**
 * Tells a remote that the run has ended, with the keys its feed lists, if the whole file was read. Otherwise the remote ends
 * it after a time of silence, as after a crash. If the keys exceed a request, the remote takes the sent ones for the listed ones.
 */
async function endRuns(
  remote: RemoteCatalog,
  { limit, changedOnly, resume }: ImportFlags,
  { sent, total: { counts }, listing }: SentRun,
): Promise<void> {
  const sentAll = !changedOnly && !resume;
  for (const resource of sent) {
    const read = await listing?.listed(resource);
    const isComplete = counts.refused === 0 && limit === undefined && (listing === undefined || read !== undefined);
    if (read?.keys !== undefined) await remote.endRun(resource, { isComplete: true, listed: read.keys });
    // Without a list of keys, the remote would take the records that were not sent for gone.
    else await remote.endRun(resource, { isComplete: isComplete && sentAll });
  }
}
