// Ends a complete run of a feed: saves which keys the feed lists, and reports or suspends records it no longer lists.

import { type AffectedRecords, affectedRecords, type FeedEnd } from '../../../core/ledger/feed-end.js';
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

/** The end of a run, and what it saves. */
export interface EndedFeed extends FeedEnd {
  /**
   * Saves which keys the feed lists, in the transaction that ends the run, so that an interrupted run has no effect;
   * absent where nothing is known of that.
   */
  readonly keep?: (draft: Draft) => Generator<void>;
}

/** A run of a feed: the typed command, and its options. */
interface FeedCommand {
  readonly command: string;
  readonly flags: FeedFlags & { readonly limit?: number };
}

/**
 * Ends a run of a feed whose files were read.
 * @param open the run; undefined for a dry run, which saves nothing and reports the same
 */
export async function endFeedRun(
  ledger: Ledger,
  open: OpenRun | undefined,
  { command, flags }: FeedCommand,
  seen: readonly SeenKeys[],
): Promise<EndedFeed> {
  const { feed = '', limit } = flags;
  if (limit !== undefined) return { notes: [partWords(feed)], records: [] };
  const ended = await completeFeed(ledger, open, flags, seen);
  if (command !== 'run') return ended;
  return { ...ended, notes: [...ended.notes, ...absentWords(feed, await ledger.acceptedRows(feed), seen)] };
}

/** Completes a run that read all of its feed. */
async function completeFeed(
  ledger: Ledger,
  open: OpenRun | undefined,
  flags: FeedFlags,
  seen: readonly SeenKeys[],
): Promise<EndedFeed> {
  const { feed = '' } = flags;
  const notes: string[] = [];
  const records: AffectedRecords[] = [];
  const gone: MissingRecord[] = [];
  const changes: ListingChange[] = [];
  for (const one of seen) {
    // An empty file never means that all records are gone.
    if (one.total === 0) {
      notes.push(noRowsWords(feed));
      continue;
    }
    const change = await ledger.compare(feed, one);
    if (one.untrusted > 0) {
      notes.push(untrustedWords(feed, one.untrusted));
    } else if (change.before !== undefined) {
      const { runs, run } = change.before.row;
      const reported = { resource: one.resource.name, lastRun: Number(run), sinceRun: open?.number ?? 0, runs: 1 };
      if (runs > 0) gone.push(...change.vanished.map((record) => ({ ...record, ...reported })));
    }
    if (one.untrusted === 0) {
      const passed = await ledger.passOn(feed, open, one);
      notes.push(...passedWords(feed, passed));
      records.push(...affectedRecords('passed_on', one.resource.name, passed));
    }
    const silent = await ledger.silentFeeds(feed, one.resource.name);
    notes.push(...silentWords(feed, silent.above), ...unknownWords(feed, silent.below));
    notes.push(...sharedWords(feed, await ledger.sharedWith(feed, change)));
    changes.push(change);
  }
  const keys = gone.slice(0, namedAtMost).map(({ key }) => key);
  if (gone.length > 0) notes.push(goneWords(feed, keys, gone.length));
  const suspended = flags.missing === 'suspend' ? await suspend(ledger, open, flags, { gone, changes }) : [];
  if (suspended.length > 0) notes.push(suspendedWords(feed, suspended));
  for (const { resource } of seen) {
    const own = (all: readonly MissingRecord[]): string[] =>
      all.filter((one) => one.resource === resource.name).map(({ key }) => key);
    records.push(...affectedRecords('missing', resource.name, own(gone)));
    records.push(...affectedRecords('suspended', resource.name, own(suspended)));
  }
  return { notes, records, keep: (draft) => ledger.planListings({ feed, run: open?.number ?? 0 }, changes, draft) };
}

/** The values of lower-ranked feeds that apply to records this feed no longer lists. */
function passedWords(feed: string, keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const what = keys.length === 1 ? '1 record' : `${groupDigits(keys.length)} records`;
  return [`${feed}: ${what} no longer listed; what lower feeds send of them applies now: ${firstKeys(keys)}`];
}

/** The first keys, and how many more there are. */
function firstKeys(keys: readonly string[], count: number = keys.length): string {
  const first = keys.slice(0, namedAtMost).map((key) => ellipsize(sanitizeText(key), 40));
  const more = count > first.length ? ` and ${groupDigits(count - first.length)} more` : '';
  return `${first.join(', ')}${more}`;
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
function absentWords(feed: string, rows: ReadonlyMap<string, AcceptedRows>, seen: readonly SeenKeys[]): string[] {
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
  const records = count === 1 ? '1 record' : `${groupDigits(count)} records`;
  return `${feed}: ${records} no longer listed: ${firstKeys(first, count)} (catalog-import missing --feed ${feed})`;
}

function suspendedWords(feed: string, records: readonly MissingRecord[]): string {
  const keys = records.map(({ key }) => key);
  return `${feed}: ${groupDigits(keys.length)} suspended: ${firstKeys(keys)}`;
}

/**
 * Suspends records that have been missing for long enough.
 * @returns those that were suspended
 */
async function suspend(
  ledger: Ledger,
  open: OpenRun | undefined,
  { feed = '', missingAfter = 1 }: FeedFlags,
  { gone, changes }: { readonly gone: readonly MissingRecord[]; readonly changes: readonly ListingChange[] },
): Promise<MissingRecord[]> {
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
  const suspended = new Set((await ledger.suspend(feed, open, due)).map(({ id }) => id));
  return due.filter(({ id }) => suspended.has(id));
}
