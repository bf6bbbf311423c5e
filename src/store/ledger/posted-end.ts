// Ends a run over HTTP: the values of records its feed no longer lists pass to other feeds, and the listing is saved if
// the client sends it.
import { recordKey } from '../../core/fields/record-key.js';
import { hashNumber } from '../../core/ledger/recorded-change.js';
import { runNumber } from '../../core/ledger/run-tables.js';
import { hasKey, type SeenKeys } from '../../core/ledger/seen-keys.js';
import type { Resource } from '../../core/resource.js';
import { compareListing, planListing } from './listing-change.js';
import { type ImportingStore, passOnUnlisted } from './listing-unlisted.js';
import { findPosted, hasSent, type PostedRun, planPostedEnd, recordPostedRun } from './posted-runs.js';

/** Stands for the file name in changes that follow from a shorter listing. */
export const notListed = '(no longer listed)';

/** Stands for the file name in suspensions. */
export const suspendedSection = '(missing from the feed)';

/** Whether a file of a run stands for what its end changed. */
export function isEndSection(file: string): boolean {
  return file === notListed || file === suspendedSection;
}

/** What a client sends at the end of its run. */
export interface PostedRunEnd {
  readonly resource: Resource;
  /** Whether it sent every record that its feed lists for the resource. */
  readonly isComplete: boolean;
  /**
   * The keys of all these records, including those that were not sent or were refused; undefined if the client does not
   * send them.
   */
  readonly listed?: readonly string[];
  /** Nothing is done where the run has ended: the request is sent again, and the feed may have had later runs. */
  readonly isRepeated?: boolean;
}

/**
 * Ends the run of POSTs. If the client sends its listing, it is saved like that of a local run; otherwise the listing
 * is what the run sent, which is only known for ranked feeds.
 */
export async function endPostedRun(of: ImportingStore, posted: PostedRun, end: PostedRunEnd): Promise<void> {
  const { store } = of;
  const { resource, isComplete, listed = [] } = end;
  const isOfFeed = isComplete && posted.feed !== '';
  if (end.isRepeated && (await store.read((draft) => findPosted(draft, posted)))?.state === 'done') return;
  // An empty list never means that all records are gone.
  if (isOfFeed && listed.length > 0) return endListed(of, posted, seenOf(resource, listed));
  const run = await store.read((draft) => findPosted(draft, posted));
  if (run === undefined) return;
  const unlisted = { feed: posted.feed, resource, isListed: (_: number, sentBy: string) => sentBy === run.id };
  // Nor does a run that sent nothing of the resource.
  if (isOfFeed && hasSent(run, resource)) await passOnUnlisted(of, unlisted, recorderFor(posted, resource));
  await store.write((draft) => planPostedEnd(draft, posted));
}

async function endListed(of: ImportingStore, posted: PostedRun, seen: SeenKeys): Promise<void> {
  const { resource, keys } = seen;
  const { feed } = posted;
  const change = await compareListing(of.store, feed, seen);
  const unlisted = { feed, resource, isListed: (hash: number) => hasKey(keys, hash) };
  await passOnUnlisted(of, unlisted, recorderFor(posted, resource));
  await of.store.write(function* (draft) {
    // A run that sent nothing new has no row yet, and counts all the same.
    const row = yield* planPostedEnd(draft, posted, resource);
    if (row !== undefined) yield* planListing(draft, { feed, run: runNumber(row.id) }, change);
  });
}

function recorderFor(posted: PostedRun, { name }: Resource) {
  return () => recordPostedRun(posted, { resource: name, file: notListed });
}

function seenOf(resource: Resource, listed: readonly string[]): SeenKeys {
  const { same } = recordKey(resource.fields, resource.key);
  const hashes = new Set(listed.map((key) => hashNumber(same(key.trim()))));
  return { resource, keys: Float64Array.from(hashes).sort(), total: listed.length, untrusted: 0 };
}
