// `info`: shows what a catalog contains: records by resource and status, its size and version, and its last change.
import type { Command } from 'commander';
import { resources } from '../../../core/resources/index.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { textTable } from '../../../reporting/formats/text-table.js';
import { shownTime } from '../../../reporting/shown-time.js';
import { isPostgresAddress } from '../../../store/catalog-path.js';
import type { ResourceSummary } from '../../../store/catalog-summary.js';
import type { LedgerRun } from '../../../store/ledger/runs.js';
import type { CatalogFile } from '../../../store/sqlite/file/check-catalog.js';
import {
  addExamples,
  addLocalOption,
  addResultOptions,
  type LocalOptions,
  localFile,
  openLocal,
  type ResultFlags,
} from '../../options.js';
import { outputWidth } from '../../output-width.js';

type InfoFlags = LocalOptions & ResultFlags;

export function defineInfo(command: Command, process: NodeJS.Process): void {
  addLocalOption(
    command.description('Shows what a catalog holds: records by status, when they changed last, and its size.'),
  ).action((flags: InfoFlags) => info(flags, process));
  addResultOptions(command, 'query');
  addExamples(command, [
    ['info', 'what ./catalog.db holds'],
    ['info --db shop.db --output json', 'for a script'],
  ]);
}

async function info(flags: InfoFlags, process: NodeJS.Process): Promise<void> {
  const file = localFile(flags, process.env);
  const catalog = await openLocal(flags, process.env, { create: false });
  try {
    const runs = await (await catalog.ledger()).runs();
    const reported: CatalogInfo = {
      summaries: await catalog.summarize(resources),
      runs: runs.sort((a, b) => b.number - a.number).slice(0, runsTold),
      ...(!isPostgresAddress(file) && {
        file: (await import('../../../store/sqlite/file/check-catalog.js')).describeFile(file),
      }),
    };
    process.stdout.write(flags.output === 'json' ? asJson(reported) : asTable(reported, outputWidth(process)));
  } finally {
    await catalog.close();
  }
}

/** How many of the latest runs to show. */
const runsTold = 3;

interface CatalogInfo {
  readonly summaries: readonly ResourceSummary[];
  readonly runs: readonly LedgerRun[];
  /** Only for a catalog that is a file. */
  readonly file?: CatalogFile;
}

function asJson({ summaries, runs, file }: CatalogInfo): string {
  const records = summaries.map(({ resource, count, byStatus, lastChange }) => ({
    resource: resource.name,
    count,
    by_status: byStatus,
    updated_at: lastChange ?? null,
  }));
  const last = runs.map(({ number, feed, state, started, exit }) => ({ run: number, feed, state, started, exit }));
  return `${JSON.stringify({ object: 'catalog', ...file, records, runs: last }, null, 2)}\n`;
}

function asTable({ summaries, runs, file }: CatalogInfo, width: number | undefined): string {
  const digits = Math.max(...summaries.map(({ count }) => groupDigits(count).length), 'records'.length);
  const records = summaries.map(({ resource, count, byStatus, lastChange }) => [
    resource.command,
    groupDigits(count).padStart(digits),
    lastChange === undefined ? '' : shownTime(lastChange),
    Object.entries(byStatus)
      .map(([status, number]) => `${groupDigits(number)} ${status}`)
      .join(', '),
  ]);
  const last = runs.map(({ number, feed, state, started }) => [String(number), shownTime(started), state, feed || '-']);
  return [
    textTable([['resource', 'records', 'last change', 'by status'], ...records], width),
    ...(last.length === 0 ? [] : [textTable([['run', 'started', 'state', 'feed'], ...last], width)]),
    ...(file === undefined ? [] : [`${groupDigits(file.bytes)} bytes, tables of version ${file.version}\n`]),
  ].join('\n');
}
