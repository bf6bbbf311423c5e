// What the complete runs of feeds read of a record, as far as these runs count: for undoing others.
import { type KeyReading, readingsOf } from '../../core/ledger/listing.js';
import { hashNumber } from '../../core/ledger/recorded-change.js';
import type { ListingRun, UndoneListings } from '../../core/ledger/undoing.js';
import type { Resource } from '../../core/resource.js';
import type { Row } from '../../core/rows/table.js';
import type { Store } from '../store.js';
import { keyColumnOf } from './listing-change.js';
import { feedListings } from './listing-rows.js';
import type { LedgerRun } from './runs.js';

/** @param counts whether a run counts */
export async function listingHistory(
  store: Store,
  runs: readonly LedgerRun[],
  counts: (run: number) => boolean,
): Promise<UndoneListings> {
  const listings = await feedListings(store);
  const byNumber = new Map(runs.map((run) => [run.number, run]));

  /** What the feeds read of a record, feed by feed. */
  function readings(resource: Resource, record: Row): readonly (readonly (KeyReading & { readonly feed: string })[])[] {
    const hash = hashNumber(String(record[keyColumnOf(resource)]));
    return listings.flatMap(({ row: { feed, resource: name }, listing }) =>
      name === resource.name ? [readingsOf(listing, hash, counts).map((one) => ({ ...one, feed }))] : [],
    );
  }

  return (resource, record) => {
    const all = readings(resource, record);
    const effects = all.flatMap((own) => {
      const others = all.filter((other) => other !== own);
      return own.flatMap(({ feed, run, reads, isTrusted }, i): ListingRun[] => {
        if (reads) return [{ feed, run, effect: 'lists' }];
        // It does not tell what its feed lists no longer.
        if (!isTrusted) return [];
        const isGone = suspendsAt(own.slice(0, i + 1), byNumber.get(run));
        return [{ feed, run, effect: isGone && !others.some((other) => listsAt(other, run)) ? 'suspends' : undefined }];
      });
    });
    return effects.sort((a, b) => a.run - b.run);
  };
}

/** Whether the last of these runs suspends what it did not read and an earlier one did. */
function suspendsAt(runs: readonly KeyReading[], last: LedgerRun | undefined): boolean {
  const read = runs.findLastIndex(({ reads }) => reads);
  const { missing, 'missing-after': after = 1 } = last?.detail.options ?? {};
  const gone = runs.slice(read + 1).filter(({ isTrusted }) => isTrusted);
  return read !== -1 && missing === 'suspend' && runs.at(-1)?.isTrusted === true && gone.length >= Number(after);
}

/** Whether a feed lists a record at the time of another feed's run. */
function listsAt(runs: readonly KeyReading[], run: number): boolean {
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
