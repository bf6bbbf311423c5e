// The action of `feeds retire`: a run of the feed that reads no file, and ends with nothing listed.
import { namedAtMost } from '../../../core/diagnostics/warning-kind.js';
import type { WarningLog } from '../../../core/diagnostics/warning-log.js';
import { CatalogError } from '../../../core/errors.js';
import type { Report } from '../../../core/import-report.js';
import { type EndLine, endLineOf, passedOnLines } from '../../../core/ledger/feed-end.js';
import type { SeenKeys } from '../../../core/ledger/seen-keys.js';
import { resources } from '../../../core/resources/index.js';
import { counted } from '../../../core/text/counted.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import type { Ledger } from '../../../store/ledger/ledger.js';
import type { AllRuns, ListingChange } from '../../../store/ledger/listing-change.js';
import type { OpenRun } from '../../../store/ledger/runs.js';
import { exitCodes } from '../../exit-codes.js';
import type { ImportFlags } from '../../import/options/import-options.js';
import { type DoneRun, runWithoutFile } from '../../import/run-without-file.js';
import { withLedger } from '../../ledger-target.js';
import { printDone, type ResultFlags, type TargetOptions } from '../../options.js';
import { didYouMean } from '../../unknown-feed.js';

export interface RetireFlags
  extends TargetOptions,
    ResultFlags,
    Pick<ImportFlags, 'dryRun' | 'reportFile' | 'statusFile'> {
  readonly missing: 'suspend' | 'report';
}

export async function retire(feed: string, typed: RetireFlags, process: NodeJS.Process): Promise<void> {
  const retired = await runWithoutFile({ ...typed, feed }, process, {
    command: `feeds retire ${feed}`,
    signal: new AbortController().signal,
    work: (log) =>
      withLedger(typed, process.env, (ledger) => retireIn(ledger, feed, typed, log), {
        scratch: typed.dryRun === true,
      }),
  });
  print(retired, typed, process);
}

function print(
  { listed, effects: { feed, counts, lines }, run }: RetiredFeed,
  flags: RetireFlags,
  process: NodeJS.Process,
): void {
  const dryRun = flags.dryRun === true;
  const what = [
    `${counted(listed, 'records')} no longer listed`,
    `${groupDigits(counts.suspended)} suspended`,
    `${groupDigits(counts.passed_on)} passed on to other feeds`,
  ];
  printDone(process, flags, {
    words: `${dryRun ? 'Dry run: ' : ''}${feed}: ${what.join(', ')}${run === undefined ? '' : ` (run ${run})`}`,
    json: {
      ...{ object: 'feed', feed, dry_run: dryRun, run: run ?? null, listed },
      ...{ end: counts, lines: lines.map((line) => endLineOf(feed, line)) },
    },
  });
}

/** What the end of a feed did. */
interface RetiredFeed extends DoneRun {
  /** How many records it listed. */
  readonly listed: number;
}

async function retireIn(
  ledger: Ledger,
  feed: string,
  flags: Pick<RetireFlags, 'dryRun' | 'missing'>,
  log: WarningLog,
): Promise<RetiredFeed> {
  const own = await listingsOf(ledger, feed);
  const listed = own.reduce((sum, { records }) => sum + records, 0);
  const nothing = resources
    .filter(({ name }) => own.some(({ resource }) => resource === name))
    .map((resource): SeenKeys => ({ resource, keys: new Float64Array(), total: 0, untrusted: 0 }));
  const detail = { command: `feeds retire ${feed}`, options: { missing: flags.missing }, files: [] };
  const open = flags.dryRun ? undefined : await ledger.begin({ feed, detail });
  try {
    const runs = await ledger.runs();
    const changes: ListingChange[] = [];
    const passedOn: EndLine[] = [];
    const suspended: EndLine[] = [];
    for (const seen of nothing) {
      passedOn.push(...(await passOn({ ledger, feed, runs }, open, seen)));
      const change = await ledger.compare(feed, seen, runs);
      if (flags.missing === 'suspend') suspended.push(...(await suspend({ ledger, feed, runs }, open, change)));
      changes.push(change);
    }
    const lines = [...suspended, ...passedOn];
    const counts = { suspended: suspended.length, regained: 0, passed_on: passedOn.length };
    if (suspended.length > 0) log.warn('records_suspended', { feed, ...firstOf(suspended) });
    if (passedOn.length > 0) log.warn('records_passed_on', { feed, ...firstOf(passedOn) });
    const found = { effects: counts, warnings: log.all() };
    await open?.end({ state: 'done', exit: exitCodes.ok, found }, (draft) =>
      ledger.planListings({ feed, run: open.number }, changes, draft),
    );
    return { listed, effects: { feed, counts, lines }, run: open?.number };
  } catch (error) {
    await open?.end({ state: 'failed', exit: exitCodes.bug }).catch(() => open.abandon());
    throw error;
  }
}

/** @throws CatalogError `not_found` for a feed that lists nothing */
async function listingsOf(ledger: Ledger, feed: string) {
  const listings = await ledger.listings(await ledger.runs());
  const own = listings.filter((one) => one.feed === feed && one.records > 0);
  if (own.length > 0) return own;
  const help = didYouMean(feed, [...new Set(listings.map((one) => one.feed))]);
  throw new CatalogError('not_found', `Feed ${feed} lists nothing.${help}`);
}

interface FeedInLedger {
  readonly ledger: Ledger;
  readonly feed: string;
  readonly runs: AllRuns;
}

function firstOf(lines: readonly EndLine[]) {
  return { count: lines.length, keys: lines.slice(0, namedAtMost).map(({ external_id }) => external_id) };
}

async function passOn(
  { ledger, feed, runs }: FeedInLedger,
  open: OpenRun | undefined,
  seen: SeenKeys,
): Promise<EndLine[]> {
  const lines: EndLine[] = [];
  const onReport = (report: Report): void => void lines.push(...passedOnLines(report, 'retired'));
  await ledger.passOn(feed, open, seen, { runs, onReport });
  return lines;
}

async function suspend(
  { ledger, feed, runs }: FeedInLedger,
  open: OpenRun | undefined,
  { before, vanished, seen }: ListingChange,
): Promise<EndLine[]> {
  const resource = seen.resource.name;
  const since = { resource, lastRun: before?.run ?? 0, sinceRun: open?.number ?? 0, runs: 1 };
  const records = vanished.map((record) => ({ ...record, ...since }));
  return (await ledger.suspend(feed, open, records, runs)).map(({ id, key, status }) => ({
    ...{ resource, external_id: key, id, cause: 'retired' as const },
    changes: [{ field: 'status', from: status, to: resource === 'product_review' ? 'rejected' : 'suspended' }],
  }));
}
