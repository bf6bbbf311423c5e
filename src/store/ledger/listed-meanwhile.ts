// What other runs of a feed sent during one of its runs. The end of that run must not treat it as no longer listed.
import { readingsOf } from '../../core/ledger/listing.js';
import { runId, runNumber } from '../../core/ledger/run-tables.js';
import type { Resource } from '../../core/resource.js';
import type { Store } from '../store.js';
import { type AllRuns, countingRuns } from './listing-change.js';
import { listingsOfFeed } from './listing-rows.js';
import type { LedgerRun } from './runs.js';

/** Whether a feed lists a record: by the hash of its key, and by the run that last sent it. */
export type IsListed = (keyHash: number, sentBy: string) => boolean;

/** The run of a feed that ends for a resource. */
export interface EndingRun {
  readonly feed: string;
  readonly resource: Resource;
  /** Its number; undefined if it sent nothing, or is a dry run. */
  readonly run: number | undefined;
  /** Every stored run. */
  readonly runs: AllRuns;
}

/**
 * Finds what other runs of the feed sent or listed since a run began. While an import of a file for the feed is open, everything counts
 * as listed: the end of that import passes on what is not.
 */
export async function listedMeanwhile(store: Store, { feed, resource, run, runs }: EndingRun): Promise<IsListed> {
  const others = runs.filter((one) => one.feed === feed && one.number !== run && one.detail.undoes === undefined);
  if (others.some((one) => one.state === 'open')) return () => true;
  const began = runs.find(({ number }) => number === run);
  if (began === undefined) return () => false;
  const senders = new Set(others.filter((one) => isSince(one, began)).map(({ number }) => number));
  // A run with a higher number may have begun after `runs` was read.
  const isSentSince = (sentBy: string): boolean => sentBy > runId(began.number) || senders.has(runNumber(sentBy));
  if (senders.size === 0) return (_, sentBy) => isSentSince(sentBy);
  const isCounting = countingRuns(runs);
  const isMeant = (number: number): boolean => senders.has(number) && isCounting(number);
  const [stored] = await listingsOfFeed(store, feed, [resource.name]);
  return (hash, sentBy) =>
    isSentSince(sentBy) ||
    (stored !== undefined && readingsOf(stored.listing, hash, isMeant).some(({ reads }) => reads));
}

/** Whether a run began after another one, or was still sending when that one began. */
function isSince({ number, ended, detail }: LedgerRun, began: LedgerRun): boolean {
  if (number > began.number) return true;
  return detail.command === 'POST' ? (detail.seen ?? number) >= began.number : (ended ?? 0) > began.started;
}
