// The end of a run over HTTP: what its feed no longer lists passes on, and what it lists is kept where the client tells it.
import { recordKey } from '../../core/fields/record-key.js';
import { hashNumber } from '../../core/ledger/recorded-change.js';
import { runNumber } from '../../core/ledger/run-tables.js';
import { hasKey, type SeenKeys } from '../../core/ledger/seen-keys.js';
import type { Resource } from '../../core/resource.js';
import { compareListing, planListing } from './feed-listing.js';
import { findPosted, type PostedRun, planPostedEnd, recordPostedRun } from './posted-runs.js';
import { type ImportingStore, passOnUnlisted } from './unlisted-offers.js';

/** In the place of the file of changes that follow from what a feed no longer lists. */
export const notListed = '(no longer listed)';

/** What a client says at the end of its run. */
export interface PostedRunEnd {
  readonly resource: Resource;
  /** Whether it sent every record of the resource that its feed lists. */
  readonly isComplete: boolean;
  /** The keys of all these records, also of those that were not sent, or refused; undefined where it does not tell. */
  readonly listed?: readonly string[];
}

/**
 * Ends the run of POSTs. Where the client tells what its feed lists, that is kept as that of a local run is; otherwise the feed
 * lists what the run sent, which is known of ranked feeds only.
 */
export async function endPostedRun(of: ImportingStore, posted: PostedRun, end: PostedRunEnd): Promise<void> {
  const { store } = of;
  const { resource, isComplete, listed = [] } = end;
  const isOfFeed = isComplete && posted.feed !== '';
  // An empty list never means that all is gone.
  if (isOfFeed && listed.length > 0) return endListed(of, posted, seenOf(resource, listed));
  const run = await store.read((draft) => findPosted(draft, posted));
  if (run === undefined) return;
  const unlisted = { feed: posted.feed, resource, isListed: (_: number, sentBy: string) => sentBy === run };
  if (isOfFeed) await passOnUnlisted(of, unlisted, recorderFor(posted, resource));
  await store.write((draft) => planPostedEnd(draft, posted, { isComplete }));
}

async function endListed(of: ImportingStore, posted: PostedRun, seen: SeenKeys): Promise<void> {
  const { resource, keys } = seen;
  const { feed } = posted;
  const change = await compareListing(of.store, feed, seen);
  const unlisted = { feed, resource, isListed: (hash: number) => hasKey(keys, hash) };
  await passOnUnlisted(of, unlisted, recorderFor(posted, resource));
  await of.store.write(function* (draft) {
    // A run that sent nothing new did not begin yet, and counts all the same.
    const row = yield* planPostedEnd(draft, posted, { isComplete: true, begins: resource });
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
