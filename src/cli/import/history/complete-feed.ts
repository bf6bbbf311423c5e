// The end of a complete run of a feed: what it lists is kept, and what it lists no longer is reported, or suspended.
import type { SeenKeys } from '../../../core/ledger/seen-keys.js';
import { ellipsize, groupDigits, sanitizeText } from '../../../core/text/sanitize.js';
import type { Ledger } from '../../../store/ledger/ledger.js';
import type { MissingRecord } from '../../../store/ledger/missing-records.js';
import type { OpenRun } from '../../../store/ledger/runs.js';
import type { FeedFlags } from '../options/feed-options.js';

/** Keys that are named; `missing` lists all. */
const namedAtMost = 20;

/**
 * Keeps what a feed lists.
 * @param open the run; undefined for a dry run, which keeps nothing and says the same
 * @returns what is to be said of it
 */
export async function completeFeed(
  ledger: Ledger,
  open: OpenRun | undefined,
  flags: FeedFlags,
  seen: readonly SeenKeys[],
): Promise<string[]> {
  const { feed = '' } = flags;
  const said: string[] = [];
  const gone: MissingRecord[] = [];
  for (const one of seen) {
    // An empty file never means that all is gone.
    if (one.total === 0) {
      said.push(`${feed}: no rows; nobody counts as missing.`);
      continue;
    }
    const change = await ledger.compare(feed, one);
    if (one.untrusted > 0) {
      const rows = one.untrusted === 1 ? '1 row has' : `${groupDigits(one.untrusted)} rows have`;
      said.push(`${feed}: ${rows} no key that can be trusted; nobody counts as missing.`);
    } else if (change.before !== undefined) {
      const { runs, run } = change.before.row;
      const told = { resource: one.resource.name, lastRun: Number(run), sinceRun: open?.number ?? 0, runs: 1 };
      if (runs > 0) gone.push(...change.vanished.map((record) => ({ ...record, ...told })));
    }
    if (one.untrusted === 0) said.push(...passedWords(feed, await ledger.passOn(feed, open, one)));
    said.push(...sharedWords(feed, await ledger.sharedWith(feed, change)));
    if (open !== undefined) await ledger.saveListing(feed, open, change);
  }
  if (gone.length > 0) said.push(goneWords(feed, gone));
  if (flags.missing === 'suspend') said.push(...(await suspend(ledger, open, flags, gone)));
  return said;
}

/** What feeds below this one give to records that it no longer lists. */
function passedWords(feed: string, records: number): string[] {
  if (records === 0) return [];
  const what = records === 1 ? '1 record' : `${groupDigits(records)} records`;
  return [`${feed}: ${what} no longer listed; what lower feeds send of them applies now.`];
}

/** Records that another feed wrote last, where it is not said which feed counts. */
function sharedWords(feed: string, shared: ReadonlyMap<string, number>): string[] {
  return [...shared].map(([other, count]) => {
    const items = count === 1 ? '1 item was' : `${groupDigits(count)} items were`;
    return `${feed}: ${items} last written by ${other}; the last one wins (to rank them: catalog-import feeds set ${feed} --below ${other}).`;
  });
}

function goneWords(feed: string, gone: readonly MissingRecord[]): string {
  const keys = gone.slice(0, namedAtMost).map(({ key }) => ellipsize(sanitizeText(key), 40));
  const more = gone.length > keys.length ? ` and ${groupDigits(gone.length - keys.length)} more` : '';
  const records = gone.length === 1 ? '1 record' : `${groupDigits(gone.length)} records`;
  return `${feed}: ${records} no longer listed: ${keys.join(', ')}${more} (catalog-import missing --feed ${feed})`;
}

async function suspend(
  ledger: Ledger,
  open: OpenRun | undefined,
  { feed = '', missingAfter = 1 }: FeedFlags,
  gone: readonly MissingRecord[],
): Promise<string[]> {
  const missing = await ledger.missing(feed);
  // A dry run has not kept that this run is one more without them.
  const known = new Set(missing.map(({ id }) => id));
  const all =
    open === undefined
      ? [...missing.map((one) => ({ ...one, runs: one.runs + 1 })), ...gone.filter(({ id }) => !known.has(id))]
      : missing;
  const due = all.filter(({ runs }) => runs >= missingAfter);
  if (due.length === 0) return [];
  const suspended = await ledger.suspend(feed, open, due);
  if (suspended.length === 0) return [];
  const keys = suspended.slice(0, namedAtMost).map(({ key }) => ellipsize(sanitizeText(key), 40));
  const more = suspended.length > keys.length ? ` and ${groupDigits(suspended.length - keys.length)} more` : '';
  return [`${feed}: ${groupDigits(suspended.length)} suspended: ${keys.join(', ')}${more}`];
}
