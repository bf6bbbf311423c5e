// What the complete runs of feeds read of a record, as far as these runs count: for undoing others.
import { formerReading, type IsCounted, type KeyReading, type Listing, readingsOf } from '../../core/ledger/listing.js';
import { hashNumber } from '../../core/ledger/recorded-change.js';
import type { ListingRun, UndoContext, UndoneListings } from '../../core/ledger/undo-context.js';
import type { Resource } from '../../core/resource.js';
import type { Row } from '../../core/rows/table.js';
import type { Store } from '../store.js';
import { keyColumnOf } from './listing-change.js';
import { feedListings } from './listing-rows.js';
import type { LedgerRun } from './runs.js';

/** What the feeds read, by the kept listings. */
export interface ListingHistory {
  /** What feeds did to records by the runs that count. */
  effects(counts: IsCounted): UndoneListings;
  /** Whether the runs that suspend a record differ between two sets of counting runs. */
  isSuspendedOtherwise(one: IsCounted, other: IsCounted): UndoContext['isSuspendedOtherwise'];
  /** The records for which they differ: by resource, the hashes of their keys. */
  suspendedOtherwise(one: IsCounted, other: IsCounted): ReadonlyMap<string, ReadonlySet<number>>;
}

interface FeedReading extends Pick<KeyReading, 'run' | 'isTrusted' | 'reads'> {
  readonly feed: string;
  /** How many later runs, which are no longer kept, did not read the key. */
  readonly unread?: number;
}

/** Whether each kept run that counts read a key; the last earlier run that did comes first. */
function feedReadings(feed: string, listing: Listing, hash: number, counts: IsCounted): FeedReading[] {
  const former = formerReading(listing, hash, counts);
  const kept = readingsOf(listing, hash, counts).map((one) => ({ ...one, feed }));
  return former === undefined ? kept : [{ ...former, feed, isTrusted: true, reads: true }, ...kept];
}

export async function listingHistory(store: Store, runs: readonly LedgerRun[]): Promise<ListingHistory> {
  const listings = await feedListings(store);
  const byNumber = new Map(runs.map((run) => [run.number, run]));

  /** What feeds did to a record, the earliest first. */
  function effectsOf(resource: string, hash: number, counts: IsCounted): ListingRun[] {
    const all = listings.flatMap(({ row: { feed, resource: name }, listing }): FeedReading[][] =>
      name === resource ? [feedReadings(feed, listing, hash, counts)] : [],
    );
    const effects = all.flatMap((own) => {
      const others = all.filter((other) => other !== own);
      return own.flatMap(({ feed, run, reads, isTrusted }, i): ListingRun[] => {
        if (reads) return [{ feed, run, effect: 'lists' }];
        // Such a run does not show which records its feed no longer lists.
        if (!isTrusted) return [];
        const isGone = suspendsAt(own.slice(0, i + 1), byNumber.get(run));
        return [{ feed, run, effect: isGone && !others.some((other) => listsAt(other, run)) ? 'suspends' : undefined }];
      });
    });
    return effects.sort((a, b) => a.run - b.run);
  }

  function suspendingRuns(resource: string, hash: number, counts: IsCounted): string {
    const effects = effectsOf(resource, hash, counts);
    return effects.flatMap(({ run, effect }) => (effect === 'suspends' ? [run] : [])).join();
  }

  const suspendsOtherwise = (resource: string, hash: number, one: IsCounted, other: IsCounted): boolean =>
    suspendingRuns(resource, hash, one) !== suspendingRuns(resource, hash, other);

  return {
    isSuspendedOtherwise: (one, other) => (resource, record) =>
      suspendsOtherwise(resource.name, hashOf(resource, record), one, other),
    effects: (counts) => (resource, record) => effectsOf(resource.name, hashOf(resource, record), counts),
    suspendedOtherwise(one, other) {
      const found = new Map<string, Set<number>>();
      const suspending = listings.filter(({ listing }) =>
        listing.runs.some(({ run }) => isSuspending(byNumber.get(run))),
      );
      for (const { row, listing } of suspending) {
        const hashes = found.get(row.resource) ?? new Set();
        found.set(row.resource, hashes);
        for (const hash of listing.keys) if (suspendsOtherwise(row.resource, hash, one, other)) hashes.add(hash);
      }
      return found;
    },
  };
}

function hashOf(resource: Resource, record: Row): number {
  return hashNumber(String(record[keyColumnOf(resource)]));
}

function isSuspending(run: LedgerRun | undefined): boolean {
  return run?.detail.options?.['missing'] === 'suspend';
}

/** Whether the last of these runs suspends what it did not read and an earlier one did. */
function suspendsAt(runs: readonly FeedReading[], last: LedgerRun | undefined): boolean {
  const read = runs.findLastIndex(({ reads }) => reads);
  const { 'missing-after': after = 1 } = last?.detail.options ?? {};
  const gone = runs.slice(read + 1).filter(({ isTrusted }) => isTrusted);
  const count = gone.length + (runs[read]?.unread ?? 0);
  return read !== -1 && isSuspending(last) && runs.at(-1)?.isTrusted === true && count >= Number(after);
}

/** Whether a feed lists a record at the time of another feed's run. */
function listsAt(runs: readonly FeedReading[], run: number): boolean {
  const earlier = runs.filter((one) => one.run < run);
  return earlier
    .slice(
      Math.max(
        0,
        earlier.findLastIndex(({ isTrusted }) => isTrusted),
      ),
    )
    .some(({ reads }) => reads);
}
