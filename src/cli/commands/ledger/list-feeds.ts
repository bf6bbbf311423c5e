// Lists feeds with what was set for them, and what they did last.
import type { FeedSettings } from '../../../core/ledger/feed-ranking.js';
import type { OnlyAction } from '../../../core/only-action.js';
import type { CheckedFields } from '../../../core/planning/item-task.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { textTable } from '../../../reporting/formats/text-table.js';
import { shownDay } from '../../../reporting/shown-time.js';
import type { FeedListing } from '../../../store/ledger/ledger.js';
import type { LedgerRun } from '../../../store/ledger/runs.js';
import { undoneRuns } from '../../../store/ledger/undone-runs.js';
import { withLedger } from '../../ledger-target.js';
import type { ResultFlags, TargetOptions } from '../../options.js';
import { outputWidth } from '../../output-width.js';

interface FeedsFlags extends TargetOptions, ResultFlags {}

export type NewValues = Readonly<Record<string, CheckedFields>>;

/** `status=activated`, each field once. */
export function newValueWords(values: NewValues = {}): string {
  const words = Object.values(values).flatMap((fields) =>
    Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`),
  );
  return [...new Set(words)].join(', ');
}

/** A feed as it is listed. */
interface ListedFeed {
  readonly feed: string;
  readonly rank: number | undefined;
  readonly own: readonly string[];
  readonly setNew: NewValues;
  readonly only: OnlyAction | undefined;
  readonly lastRun: LedgerRun | undefined;
  readonly isUndone: boolean;
  readonly listings: readonly FeedListing[];
}

function feedsOf(settings: FeedSettings, runs: readonly LedgerRun[], listings: readonly FeedListing[]): ListedFeed[] {
  const { order, own, setNew, only = {} } = settings;
  const others = [
    ...Object.keys(own),
    ...Object.keys({ ...setNew, ...only }),
    ...listings.map((one) => one.feed),
    ...runs.map((run) => run.feed),
  ];
  const undone = undoneRuns(runs);
  const names = [...new Set([...order, ...others.filter((name) => name !== '').sort()])];
  return names.map((feed) => {
    const lastRun = runs.findLast((run) => run.feed === feed && run.detail.undoes === undefined);
    return {
      ...{ feed, own: own[feed] ?? [], setNew: setNew[feed] ?? {}, only: only[feed] },
      rank: order.includes(feed) ? order.indexOf(feed) + 1 : undefined,
      ...{ lastRun, isUndone: lastRun !== undefined && undone.has(lastRun.number) },
      listings: listings.filter((one) => one.feed === feed),
    };
  });
}

export async function listFeeds(flags: FeedsFlags, process: NodeJS.Process): Promise<void> {
  const feeds = await withLedger(flags, process.env, async (ledger) => {
    const runs = await ledger.runs();
    return feedsOf(await ledger.feedSettings(), runs, await ledger.listings(runs));
  });
  if (flags.output === 'json') return void process.stdout.write(`${JSON.stringify(feeds.map(feedJson), null, 2)}\n`);
  if (feeds.length === 0)
    return void (flags.quiet !== true && process.stderr.write('No feed was named yet; import with --feed <name>.\n'));
  process.stdout.write(
    textTable(
      [['rank', 'feed', 'owns', 'new records', 'only', 'lists', 'last run'], ...feeds.map(feedCells)],
      outputWidth(process),
    ),
  );
}

function feedJson({ feed, rank, own, setNew, only, lastRun, isUndone, listings }: ListedFeed) {
  const last = lastRun && { run: lastRun.number, started: lastRun.started, state: lastRun.state, undone: isUndone };
  const lists = Object.fromEntries(listings.map(({ resource, records }) => [resource, records]));
  return { feed, rank: rank ?? null, own, set_new: setNew, only: only ?? null, last_run: last ?? null, lists };
}

function feedCells({ feed, rank, own, setNew, only, lastRun, isUndone, listings }: ListedFeed): string[] {
  const lists = listings.map(({ resource, records }) => `${groupDigits(records)} ${resource}`).join(', ');
  const last =
    lastRun === undefined ? '-' : `run ${lastRun.number} (${shownDay(lastRun.started)})${isUndone ? ', undone' : ''}`;
  return [
    rank === undefined ? '-' : String(rank),
    feed,
    own.join(',') || '-',
    newValueWords(setNew) || '-',
    only ?? '-',
    lists || '-',
    last,
  ];
}
