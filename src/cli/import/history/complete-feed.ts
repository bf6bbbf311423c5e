// Ends a complete run of a feed: saves which keys the feed lists, and reports or suspends records it no longer lists.

import { newWarning, type Warning } from '../../../core/diagnostics/warning-codes.js';
import { namedAtMost } from '../../../core/diagnostics/warning-kind.js';
import { type WarningLog, warningLog } from '../../../core/diagnostics/warning-log.js';
import type { Report } from '../../../core/import-report.js';
import {
  type AffectedRecords,
  affectedRecords,
  type EndLine,
  type FeedEnd,
  passedOnLines,
  suspendedLine,
} from '../../../core/ledger/feed-end.js';
import { hasKey, isAllRefused, type SeenKeys } from '../../../core/ledger/seen-keys.js';
import type { Draft } from '../../../core/rows/snapshot.js';
import type { Ledger } from '../../../store/ledger/ledger.js';
import type { AllRuns, ListingChange } from '../../../store/ledger/listing-change.js';
import type { MissingRecord } from '../../../store/ledger/listing-missing.js';
import type { OpenRun } from '../../../store/ledger/runs.js';
import type { FeedFlags } from '../options/feed-options.js';

/** The end of a run, and what it saves. */
export interface EndedFeed extends FeedEnd {
  readonly warnings: readonly Warning[];
  /** The records that it changed. */
  readonly lines: readonly EndLine[];
  /**
   * Saves which keys the feed lists, in the transaction that ends the run, so that an interrupted run has no effect;
   * absent where nothing is known of that.
   */
  readonly keep?: (draft: Draft) => Generator<void>;
}

interface FeedCommand {
  readonly command: string;
  readonly flags: FeedFlags & { readonly limit?: number };
  /** Every run of the catalog. */
  readonly runs: AllRuns;
}

/** A run that tells nothing of what its feed lists. */
export function unknownEnd(warning: Warning): EndedFeed {
  return { notes: [warning.message], records: [], warnings: [warning], lines: [] };
}

/**
 * Ends a run of a feed whose files were read.
 * @param open the run; undefined for a dry run, which saves nothing and reports the same
 */
export async function endFeedRun(
  ledger: Ledger,
  open: OpenRun | undefined,
  { command, flags, runs }: FeedCommand,
  seen: readonly SeenKeys[],
): Promise<EndedFeed> {
  const { feed = '', limit } = flags;
  if (limit !== undefined) return unknownEnd(newWarning('part_read', { feed }));
  const log = warningLog();
  const run = { ledger, runs, open, flags, log };
  const ended = await completeFeed(run, seen);
  if (command === 'run' && !seen.some(({ isPart }) => isPart)) await warnOfAbsentFiles(run, seen);
  return { ...ended, warnings: log.all(), notes: log.all().map(({ message }) => message) };
}

interface CompletedRun {
  readonly ledger: Ledger;
  readonly runs: AllRuns;
  readonly open: OpenRun | undefined;
  readonly flags: FeedFlags;
  readonly log: WarningLog;
}

async function completeFeed(
  run: CompletedRun,
  seen: readonly SeenKeys[],
): Promise<Pick<EndedFeed, 'records' | 'lines' | 'keep'>> {
  const { ledger, runs, open, flags, log } = run;
  const { feed = '' } = flags;
  const records: AffectedRecords[] = [];
  const lines: EndLine[] = [];
  const gone: MissingRecord[] = [];
  const changes: ListingChange[] = [];
  for (const one of seen) {
    // An empty file never means that all records are gone.
    if (one.total === 0) {
      log.warn('no_rows', { feed });
      continue;
    }
    if (one.isPart === true) {
      log.warn('part_read', { feed });
      continue;
    }
    if (isAllRefused(one)) {
      log.warn('no_row_accepted', { feed, resource: one.resource.name, count: one.total });
      continue;
    }
    const change = await ledger.compare(feed, one, runs);
    if (one.untrusted > 0) log.warn('keys_untrusted', { feed, resource: one.resource.name, count: one.untrusted });
    else {
      gone.push(...goneRecords(change, open));
      const passed = await passOn(run, one);
      lines.push(...passed);
      records.push(...affectedRecords('passed_on', one.resource.name, keysOf(passed)));
    }
    await warnOfOtherFeeds(run, change);
    changes.push(change);
  }
  if (gone.length > 0)
    log.warn('records_missing', { feed, count: gone.length, keys: firstKeys(gone.map(({ key }) => key)) });
  const suspended = flags.missing === 'suspend' ? await suspend(run, { gone, changes }) : [];
  if (suspended.length > 0)
    log.warn('records_suspended', { feed, count: suspended.length, keys: firstKeys(keysOf(suspended)) });
  for (const { resource } of seen) {
    const missing = gone.filter((one) => one.resource === resource.name).map(({ key }) => key);
    records.push(...affectedRecords('missing', resource.name, missing));
    const own = suspended.filter((one) => one.resource === resource.name);
    records.push(...affectedRecords('suspended', resource.name, keysOf(own)));
  }
  lines.push(...suspended);
  return {
    records,
    lines,
    keep: (draft) => ledger.planListings({ feed, run: open?.number ?? 0 }, changes, draft),
  };
}

/** The records that the feed listed before, and no longer does. */
function goneRecords({ before, vanished, seen }: ListingChange, open: OpenRun | undefined): MissingRecord[] {
  if (before === undefined || before.runs === 0) return [];
  const reported = {
    resource: seen.resource.name,
    lastRun: before.run,
    sinceRun: open?.number ?? 0,
    runs: 1,
  };
  return vanished.map((record) => ({ ...record, ...reported }));
}

/** Applies the values of lower feeds to what the feed no longer lists. */
async function passOn(
  { ledger, runs, open, flags: { feed = '' }, log }: CompletedRun,
  seen: SeenKeys,
): Promise<EndLine[]> {
  const lines: EndLine[] = [];
  const onReport = (report: Report): void => void lines.push(...passedOnLines(report, 'passed_on'));
  await ledger.passOn(feed, open, seen, { runs, onReport });
  if (lines.length > 0) log.warn('records_passed_on', { feed, count: lines.length, keys: firstKeys(keysOf(lines)) });
  return lines;
}

async function warnOfOtherFeeds(
  { ledger, runs, flags: { feed = '' }, log }: CompletedRun,
  change: ListingChange,
): Promise<void> {
  const { above, below } = await ledger.silentFeeds(feed, change.seen.resource.name, runs);
  for (const other of above) log.warn('higher_feed_silent', { feed, other });
  for (const other of below) log.warn('lower_feed_silent', { feed, other });
  for (const [other, count] of await ledger.sharedWith(feed, change, runs))
    log.warn('written_by_other_feed', { feed, other, count });
}

/** What the feed listed in an earlier run of a folder that has no file of it now: one that was forgotten would go unnoticed. */
async function warnOfAbsentFiles(
  { ledger, runs, flags: { feed = '' }, log }: CompletedRun,
  seen: readonly SeenKeys[],
): Promise<void> {
  for (const [resource, { rows }] of await ledger.acceptedRows(feed, runs))
    if (!seen.some((one) => one.resource.name === resource)) log.warn('file_absent', { feed, resource, rows });
}

function keysOf(lines: readonly EndLine[]): string[] {
  return lines.map(({ external_id }) => external_id);
}

function firstKeys(keys: readonly string[]): readonly string[] {
  return keys.slice(0, namedAtMost);
}

/**
 * Suspends records that have been missing for long enough.
 * @returns those that were suspended
 */
async function suspend(
  { ledger, runs: all, open, flags: { feed = '', missingAfter = 1 } }: CompletedRun,
  { gone, changes }: { readonly gone: readonly MissingRecord[]; readonly changes: readonly ListingChange[] },
): Promise<EndLine[]> {
  // The saved listing does not include this run yet: records that were missing before are missing for one run more, and
  // others are listed again. Of resources that it did not read, or not completely, it tells nothing.
  const missing = (await ledger.missing(feed, all)).flatMap((one) => {
    const seen = changes.find((change) => change.seen.resource.name === one.resource)?.seen;
    if (seen === undefined || seen.untrusted > 0 || hasKey(seen.keys, one.hash)) return [];
    return [{ ...one, runs: one.runs + 1 }];
  });
  const known = new Set(missing.map(({ id }) => id));
  const due = [...missing, ...gone.filter(({ id }) => !known.has(id))].filter(({ runs }) => runs >= missingAfter);
  if (due.length === 0) return [];
  const suspended = new Set((await ledger.suspend(feed, open, due, all)).map(({ id }) => id));
  return due.filter(({ id }) => suspended.has(id)).map((record) => suspendedLine(record, 'missing'));
}
