// `missing`: lists records that a feed used to list and no longer does.
import type { Command } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import { counted } from '../../../core/text/counted.js';
import { sanitizeText } from '../../../core/text/sanitize.js';
import { textTable } from '../../../reporting/formats/text-table.js';
import { shownDay } from '../../../reporting/shown-time.js';
import { feedName } from '../../import/options/feed-options.js';
import { addLedgerOption, withLedger } from '../../ledger-target.js';
import { addExamples, addResultOptions, type ResultFlags, type TargetOptions } from '../../options.js';
import { outputWidth } from '../../output-width.js';
import { didYouMean } from '../../unknown-feed.js';

interface MissingFlags extends TargetOptions, ResultFlags {
  readonly feed: string;
}

export function defineMissing(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Lists the records that a feed listed once, and that its last complete run did not list: when each was seen last, since ' +
        'which run it is missing, and its status. A run that was stopped, or had rows whose key cannot be trusted, counts no record as missing.',
    )
    .requiredOption('--feed <name>', 'the feed', feedName);
  addResultOptions(addLedgerOption(command), 'query');
  addExamples(command, [
    ['missing --feed erp', 'what the ERP no longer lists'],
    ['missing --feed erp --output json', 'the same for programs'],
  ]);
  command.action((flags: MissingFlags) => listMissing(flags, process));
}

async function listMissing(flags: MissingFlags, process: NodeJS.Process): Promise<void> {
  const { missing, runs, feeds } = await withLedger(flags, process.env, async (ledger) => {
    const all = await ledger.runs();
    const listings = await ledger.listings(all);
    return {
      missing: await ledger.missing(flags.feed, all),
      runs: new Map(all.map((run) => [run.number, run])),
      feeds: [...all, ...listings].map(({ feed }) => feed),
    };
  });
  if (!feeds.includes(flags.feed))
    throw new CatalogError(
      'not_found',
      `Feed ${flags.feed} has not run.${didYouMean(flags.feed, feeds)} catalog-import feeds lists those that have.`,
    );
  const timeOf = (run: number): number | undefined => runs.get(run)?.started;
  if (flags.output === 'json') {
    const reported = missing.map(({ resource, key, id, status, lastRun, sinceRun, runs: count }) => ({
      ...{ resource, key, id, status, last_seen: timeOf(lastRun) ?? null, last_run: lastRun, since_run: sinceRun },
      missing_runs: count,
    }));
    process.stdout.write(`${JSON.stringify(reported, null, 2)}\n`);
    return;
  }
  if (missing.length === 0)
    return void (flags.quiet !== true && process.stderr.write(`Nothing is missing from ${flags.feed}.\n`));
  const shown = (run: number): string => {
    const time = timeOf(run);
    return `run ${run}${time === undefined ? '' : ` (${shownDay(time)})`}`;
  };
  process.stdout.write(
    textTable(
      [
        ['resource', 'key', 'last seen', 'missing since', 'missing in', 'status'],
        ...missing.map(({ resource, key, status, lastRun, sinceRun, runs: count }) => [
          ...[resource, sanitizeText(key), shown(lastRun), shown(sinceRun), counted(count, 'runs'), status],
        ]),
      ],
      outputWidth(process),
    ),
  );
}
