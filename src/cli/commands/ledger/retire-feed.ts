// `feeds retire`: ends what a feed lists, as a run that can be undone.
import { type Command, Option } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import { type EndLine, passedOnLines, suspendedLine } from '../../../core/ledger/feed-end.js';
import type { SeenKeys } from '../../../core/ledger/seen-keys.js';
import { resources } from '../../../core/resources/index.js';
import { counted } from '../../../core/text/counted.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import type { Ledger } from '../../../store/ledger/ledger.js';
import type { ListingChange } from '../../../store/ledger/listing-change.js';
import type { OpenRun } from '../../../store/ledger/runs.js';
import { exitCodes } from '../../exit-codes.js';
import { feedName } from '../../import/options/feed-options.js';
import { addLedgerOption, withLedger } from '../../ledger-target.js';
import { addExamples, addResultOptions, printDone, type ResultFlags, type TargetOptions } from '../../options.js';
import { didYouMean } from '../../unknown-feed.js';

interface RetireFlags extends TargetOptions, ResultFlags {
  readonly dryRun?: boolean;
  readonly missing: 'suspend' | 'report';
}

export function defineRetire(command: Command, process: NodeJS.Process): void {
  command
    .summary('end what a feed lists')
    .description(
      'Ends what a feed lists, as when a supplier leaves: records that no other feed lists are suspended, the values of lower ' +
        'feeds apply to the others. It is a run of the feed, and can be undone; the feed may come back with a later import.',
    )
    .argument('<feed>', 'the feed', feedName)
    .addOption(
      new Option('--missing <what>', 'records that only this feed lists: suspend them, or only report them')
        .choices(['suspend', 'report'])
        .default('suspend'),
    )
    .option('-n, --dry-run', 'write nothing; say what would happen');
  addResultOptions(addLedgerOption(command), 'action');
  addExamples(command, [
    ['feeds retire acme --dry-run', 'see what it would do'],
    ['feeds retire acme', 'end what the supplier lists'],
  ]);
  command.action((feed: string, _: unknown, it: Command) => retire(feed, it.optsWithGlobals(), process));
}

async function retire(feed: string, flags: RetireFlags, process: NodeJS.Process): Promise<void> {
  const dryRun = flags.dryRun === true;
  const work = (ledger: Ledger) => retireIn(ledger, feed, { dryRun, missing: flags.missing });
  const { listed, suspended, passedOn, run } = await withLedger(flags, process.env, work, { scratch: dryRun });
  const what = [
    `${counted(listed, 'records')} no longer listed`,
    `${groupDigits(suspended.length)} suspended`,
    `${groupDigits(passedOn.length)} passed on to other feeds`,
  ];
  printDone(process, flags, {
    words: `${dryRun ? 'Would be: ' : ''}${feed}: ${what.join(', ')}${run === undefined ? '' : ` (run ${run})`}`,
    json: {
      ...{ object: 'feed', feed, dry_run: dryRun, run: run ?? null, listed },
      end: { suspended: suspended.length, regained: 0, passed_on: passedOn.length },
      lines: [...suspended, ...passedOn].map((line) => ({ ...line, feed, line: null, action: 'updated' })),
    },
  });
}

/** What the end of a feed did. */
interface RetiredFeed {
  /** How many records it listed. */
  readonly listed: number;
  readonly suspended: readonly EndLine[];
  readonly passedOn: readonly EndLine[];
  /** The number of its run; undefined for a dry run. */
  readonly run: number | undefined;
}

async function retireIn(
  ledger: Ledger,
  feed: string,
  { dryRun, missing }: Required<Pick<RetireFlags, 'dryRun' | 'missing'>>,
): Promise<RetiredFeed> {
  const listings = await ledger.listings();
  const own = listings.filter((one) => one.feed === feed && one.records > 0);
  if (own.length === 0) {
    const help = didYouMean(feed, [...new Set(listings.map((one) => one.feed))]);
    throw new CatalogError('not_found', `Feed ${feed} lists nothing.${help}`);
  }
  const listed = own.reduce((sum, { records }) => sum + records, 0);
  const nothing = resources
    .filter(({ name }) => own.some(({ resource }) => resource === name))
    .map((resource): SeenKeys => ({ resource, keys: new Float64Array(), total: 0, untrusted: 0 }));
  const detail = { command: `feeds retire ${feed}`, options: { missing }, files: [] };
  const open = dryRun ? undefined : await ledger.begin({ feed, detail });
  try {
    const changes: ListingChange[] = [];
    const passedOn: EndLine[] = [];
    const suspended: EndLine[] = [];
    for (const seen of nothing) {
      passedOn.push(...(await passOn(ledger, feed, open, seen)));
      const change = await ledger.compare(feed, seen);
      if (missing === 'suspend') suspended.push(...(await suspend(ledger, feed, open, change)));
      changes.push(change);
    }
    const effects = { suspended: suspended.length, regained: 0, passed_on: passedOn.length };
    await open?.end({ state: 'done', exit: exitCodes.ok, found: { effects } }, (draft) =>
      ledger.planListings({ feed, run: open.number }, changes, draft),
    );
    return { listed, suspended, passedOn, run: open?.number };
  } catch (error) {
    await open?.end({ state: 'failed', exit: exitCodes.bug }).catch(() => open.abandon());
    throw error;
  }
}

async function passOn(ledger: Ledger, feed: string, open: OpenRun | undefined, seen: SeenKeys): Promise<EndLine[]> {
  const lines: EndLine[] = [];
  await ledger.passOn(feed, open, seen, (report) => lines.push(...passedOnLines(report, 'retired')));
  return lines;
}

async function suspend(
  ledger: Ledger,
  feed: string,
  open: OpenRun | undefined,
  { before, vanished, seen }: ListingChange,
): Promise<EndLine[]> {
  const resource = seen.resource.name;
  const since = { resource, lastRun: before?.run ?? 0, sinceRun: open?.number ?? 0, runs: 1 };
  const records = vanished.map((record) => ({ ...record, ...since }));
  return (await ledger.suspend(feed, open, records)).map((record) => suspendedLine({ ...record, resource }, 'retired'));
}
