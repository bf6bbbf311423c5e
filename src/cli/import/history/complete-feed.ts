// Ends a complete run of a feed: saves which keys the feed lists, and reports or suspends records it no longer lists.
import type { AcceptedRows } from '../../../core/ledger/filled-fields.js';
import { lists, type SeenKeys } from '../../../core/ledger/seen-keys.js';
import type { Draft } from '../../../core/rows/snapshot.js';
import { ellipsize, groupDigits, sanitizeText } from '../../../core/text/sanitize.js';
import type { ListingChange } from '../../../store/ledger/feed-listing.js';
import type { Ledger } from '../../../store/ledger/ledger.js';
import type { MissingRecord } from '../../../store/ledger/missing-records.js';
import type { OpenRun } from '../../../store/ledger/runs.js';
import type { FeedFlags } from '../options/feed-options.js';

/** Keys that are shown; `missing` lists all. */
export const namedAtMost = 20;

/** The result of a complete run. */
interface CompletedFeed {
  /** Notices for the user. */
  readonly said: readonly string[];
  /**
   * Saves which keys the feed lists, in the transaction that ends the run, so that an interrupted run has no effect.
   */
  readonly keep: (draft: Draft) => Generator<void>;
}

/**
 * Completes a run of a feed.
 * @param open the run; undefined for a dry run, which saves nothing and reports the same
 */
export async function completeFeed(
  ledger: Ledger,
  open: OpenRun | undefined,
  flags: FeedFlags,
  seen: readonly SeenKeys[],
): Promise<CompletedFeed> {
  const { feed = '' } = flags;
  const said: string[] = [];
  const gone: MissingRecord[] = [];
  const changes: ListingChange[] = [];
  for (const one of seen) {
    // An empty file never means that all records are gone.
    if (one.total === 0) {
      said.push(noRowsWords(feed));
      continue;
    }
    const change = await ledger.compare(feed, one);
    if (one.untrusted > 0) {
      said.push(untrustedWords(feed, one.untrusted));
    } else if (change.before !== undefined) {
      const { runs, run } = change.before.row;
      const reported = { resource: one.resource.name, lastRun: Number(run), sinceRun: open?.number ?? 0, runs: 1 };
      if (runs > 0) gone.push(...change.vanished.map((record) => ({ ...record, ...reported })));
    }
    if (one.untrusted === 0) said.push(...passedWords(feed, await ledger.passOn(feed, open, one)));
    const silent = await ledger.silentFeeds(feed, one.resource.name);
    said.push(...silentWords(feed, silent.above), ...unknownWords(feed, silent.below));
    said.push(...sharedWords(feed, await ledger.sharedWith(feed, change)));
    changes.push(change);
  }
  const keys = gone.slice(0, namedAtMost).map(({ key }) => key);
  if (gone.length > 0) said.push(goneWords(feed, keys, gone.length));
  if (flags.missing === 'suspend') said.push(...(await suspend(ledger, open, flags, { gone, changes })));
  return { said, keep: (draft) => ledger.planListings({ feed, run: open?.number ?? 0 }, changes, draft) };
}

/** The values of lower-ranked feeds that apply to records this feed no longer lists. */
function passedWords(feed: string, records: number): string[] {
  if (records === 0) return [];
  const what = records === 1 ? '1 record' : `${groupDigits(records)} records`;
  return [`${feed}: ${what} no longer listed; what lower feeds send of them applies now.`];
}

/** Higher-ranked feeds that have not sent anything yet. */
function silentWords(feed: string, silent: readonly string[]): string[] {
  return silent.map(
    (name) =>
      `${feed}: ${name} has not run since it was ranked; until it does, the values of ${feed} apply to its records, too.`,
  );
}

/** Lower feeds of which it is not known yet what they send. */
function unknownWords(feed: string, silent: readonly string[]): string[] {
  return silent.map(
    (name) =>
      `${feed}: ${name} has not run since it was ranked; until it does, what it sends cannot take the place of what ${feed} drops.`,
  );
}

/**
 * What the feed listed in an earlier run of a folder, and of which the folder has no file now: a file that was forgotten would
 * go unnoticed.
 * @param rows rows of the feed's last run of each resource, by its name
 */
export function absentWords(
  feed: string,
  rows: ReadonlyMap<string, AcceptedRows>,
  seen: readonly SeenKeys[],
): string[] {
  return [...rows]
    .filter(([resource]) => !seen.some((one) => one.resource.name === resource))
    .map(
      ([resource, { rows: count }]) =>
        `${feed}: no file of resource ${resource} this time (${count === 1 ? '1 row' : `${groupDigits(count)} rows`} the last time); no record counts as missing.`,
    );
}

/** Records that another feed wrote last, where no ranking decides between them. */
function sharedWords(feed: string, shared: ReadonlyMap<string, number>): string[] {
  return [...shared].map(([other, count]) => {
    const items = count === 1 ? '1 item was' : `${groupDigits(count)} items were`;
    return `${feed}: ${items} last written by ${other}; the last one wins (to rank them: catalog-import feeds set ${feed} --below ${other}).`;
  });
}

/** An empty file tells nothing of what its feed lists. */
export function noRowsWords(feed: string): string {
  return `${feed}: no rows; no record counts as missing.`;
}

/** A part of a file tells nothing of what its feed lists. */
export function partWords(feed: string): string {
  return `${feed}: only a part of the file was read; no record counts as missing.`;
}

/** Without history it is not kept what a feed lists. */
export function unkeptWords(feed: string): string {
  return `${feed}: --no-history does not keep what the feed lists: no record counts as missing, and no value of a lower feed takes the place of one that is gone.`;
}

/** Rows without a key that can be trusted. @param count how many */
export function untrustedWords(feed: string, count: number): string {
  const rows =
    count === 1
      ? '1 row has no key that can be trusted, or lacks its end'
      : `${groupDigits(count)} rows have no key that can be trusted, or lack their end`;
  return `${feed}: ${rows}; no record counts as missing.`;
}

/**
 * Records that a feed lists no longer.
 * @param first the first keys, at most `namedAtMost`
 * @param count how many there are
 */
export function goneWords(feed: string, first: readonly string[], count: number): string {
  const keys = first.map((key) => ellipsize(sanitizeText(key), 40));
  const more = count > keys.length ? ` and ${groupDigits(count - keys.length)} more` : '';
  const records = count === 1 ? '1 record' : `${groupDigits(count)} records`;
  return `${feed}: ${records} no longer listed: ${keys.join(', ')}${more} (catalog-import missing --feed ${feed})`;
}

async function suspend(
  ledger: Ledger,
  open: OpenRun | undefined,
  { feed = '', missingAfter = 1 }: FeedFlags,
  { gone, changes }: { readonly gone: readonly MissingRecord[]; readonly changes: readonly ListingChange[] },
): Promise<string[]> {
  // The saved listing does not include this run yet: records that were missing before are missing for one run more, and
  // others are listed again. Of resources that it did not read, or not completely, it tells nothing.
  const missing = (await ledger.missing(feed)).flatMap((one) => {
    const seen = changes.find((change) => change.seen.resource.name === one.resource)?.seen;
    if (seen === undefined || seen.untrusted > 0 || lists(seen, one.key)) return [];
    return [{ ...one, runs: one.runs + 1 }];
  });
  const known = new Set(missing.map(({ id }) => id));
  const due = [...missing, ...gone.filter(({ id }) => !known.has(id))].filter(({ runs }) => runs >= missingAfter);
  if (due.length === 0) return [];
  const suspended = await ledger.suspend(feed, open, due);
  if (suspended.length === 0) return [];
  const keys = suspended.slice(0, namedAtMost).map(({ key }) => ellipsize(sanitizeText(key), 40));
  const more = suspended.length > keys.length ? ` and ${groupDigits(suspended.length - keys.length)} more` : '';
  return [`${feed}: ${groupDigits(suspended.length)} suspended: ${keys.join(', ')}${more}`];
}
