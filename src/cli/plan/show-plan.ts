// `plan show`: shows what a plan would change, as the report of the dry run that made it.
import { type Command, Option } from 'commander';
import { rawEntry } from '../../core/entry.js';
import type { Line } from '../../core/import-report.js';
import type { FeedEnd } from '../../core/ledger/feed-end.js';
import { addCounts, noCounts, reportOf } from '../../core/report-counts.js';
import { counted } from '../../core/text/counted.js';
import { sanitizeLines, sanitizeText } from '../../core/text/sanitize.js';
import { breachWords } from '../../importing/guards/guard-stopped.js';
import { type ImportObserver, inOrder } from '../../importing/observer.js';
import { jsonReport, ndjsonReport } from '../../reporting/formats/json-report.js';
import { type Selection, selections } from '../../reporting/formats/report-form.js';
import { streamWriter } from '../../reporting/formats/stream-writer.js';
import { tableReport } from '../../reporting/formats/table-report.js';
import type { RunInfo } from '../../reporting/run-info.js';
import { shownTime } from '../../reporting/shown-time.js';
import { exitCodes } from '../exit-codes.js';
import { wrapText } from '../help-layout.js';
import { addExamples, addOutputOptions, type VoiceOptions, wantsColour } from '../options.js';
import { outputWidth, reportWidth } from '../output-width.js';
import { shellCommand } from '../shell-word.js';
import { planSources } from './plan-source.js';
import { type OpenPlan, openPlan, type PlanItem, planItems } from './read-plan.js';

interface ShowFlags extends VoiceOptions {
  readonly output: 'table' | 'json' | 'ndjson' | 'html';
  readonly report?: Selection;
}

/** Adds `plan show`. */
export function defineShow(command: Command, process: NodeJS.Process): void {
  const show = command
    .command('show')
    .summary('show a plan')
    .description('Shows what a plan would change: the report of the rehearsal that made it. No catalog is opened.')
    .argument('<plan>', 'the file of the plan')
    .addOption(
      new Option('--output <form>', 'form of the report; html is a page to look at')
        .choices(['table', 'json', 'ndjson', 'html'])
        .default('table'),
    )
    .addOption(
      new Option(
        '--report <lines>',
        'lines to report: all, changed (all but unchanged), refused, none (default: changed)',
      ).choices(selections),
    );
  addOutputOptions(show);
  addExamples(show, [
    ['plan show night.plan', 'what it would change'],
    ['plan show night.plan --output html > night.html', 'a page to look at'],
  ]);
  show.action((path: string, _: unknown, it: Command) => showPlan(path, it.opts(), process));
}

async function showPlan(path: string, flags: ShowFlags, process: NodeJS.Process): Promise<void> {
  const plan = await openPlan(path);
  const observer = inOrder(await observersOf(plan, flags, process));
  const total = noCounts();
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  const sources = planSources(plan);
  const blocks = planItems(plan);
  let block: readonly PlanItem[] = [];
  for (const [nth, section] of plan.sections.entries()) {
    const { file, of: resource, counts } = section;
    const source = sources.open(section);
    await observer.begin({ resource, file, dryRun: true, source, catalog: { read: async () => undefined } });
    for (let offset = 0; offset < section.lines; ) {
      const items = block.filter((item) => item.file === nth);
      const lines = items.map(lineOf);
      const entries = items.map(({ entry }) => entry ?? rawEntry({}));
      const report = reportOf(resource.name, true, lines);
      if (items.length > 0) await observer.batch({ report, lines: items.map(({ line }) => line), offset, entries });
      offset += items.length;
      if (offset < section.lines) block = (await blocks.next()).value ?? [];
    }
    addCounts(total, counts);
    await observer.finish({ counts, seconds: seconds() });
  }
  await observer.end({ counts: total, seconds: seconds() });
}

/** A line of the rehearsal's report. The changes of a new record are its item. */
function lineOf({ report, entry }: PlanItem, index: number): Line {
  const changes =
    report.action !== 'created'
      ? (report.changes ?? [])
      : Object.entries(Object(entry?.item)).map(([field, to]) => ({ field, from: null, to }));
  return { ...report, index, changes };
}

async function observersOf(
  plan: OpenPlan,
  flags: ShowFlags,
  process: NodeJS.Process,
): Promise<readonly ImportObserver[]> {
  const write = streamWriter(process.stdout);
  const many = plan.sections.length > 1;
  const selection = flags.report ?? 'changed';
  const run = runOf(plan);
  if (flags.output === 'html') {
    const { htmlText } = await import('../../reporting/html/html-report.js');
    return [htmlText(write, { run, diff: true, everyLine: [] })];
  }
  if (flags.output === 'json') return [jsonReport({ write, selection, many, run })];
  if (flags.output === 'ndjson') return [ndjsonReport({ write, selection, many, run })];
  await write(wrapText(headWords(plan), outputWidth(process) ?? Number.POSITIVE_INFINITY, 2));
  const width = reportWidth(process);
  const colour = wantsColour(process.stdout, flags, process.env);
  const look = { width, colour, reportFile: '--output ndjson' };
  return [tableReport(write, { selection, many, look })];
}

function runOf({ path, header, sections, end, guards }: OpenPlan): RunInfo {
  return {
    version: header.version,
    started: new Date(header.made),
    command: header.command,
    files: sections.map(({ file }) => file),
    target: header.catalog,
    dryRun: true,
    options: header.options,
    plan: { file: path, apply: shellCommand(['apply', path]), found: () => guards },
    feedEnd: end,
    exitOf: ({ counts }) => (counts.refused > 0 ? exitCodes.refused : exitCodes.ok),
  };
}

/** The introduction of the table output. */
function headWords({ path, header, digest, items, guards, end }: OpenPlan): string {
  const { feed, blocked_run: run } = header;
  const time = shownTime(Math.floor(Date.parse(header.made) / 1000));
  const about = [
    `${sanitizeText(path)}: ${counted(items, 'items')} that would change something${alsoWords(end)}`,
    `  made ${time} for ${sanitizeText(header.catalog)}${feed === undefined ? '' : `, feed ${sanitizeText(feed.name)}`}`,
    ...(run === undefined ? [] : [`  left by run ${run}, which a guard stopped`]),
    `  digest ${digest.slice(0, 16)}`,
  ];
  const stops = guards.length === 0 ? '' : `  guards would stop it:\n${sanitizeLines(breachWords(guards))}`;
  return `${about.join('\n')}\n${stops}${endWords(end)}\n`;
}

/** How many records would change although no item is about them. */
function alsoWords(end: FeedEnd | undefined): string {
  const changing = end?.records.filter(({ effect }) => effect !== 'missing') ?? [];
  const count = changing.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return '';
  return `, and ${counted(count, 'other records')}`;
}

/** What the end of the feed's run would do, in the words of the rehearsal. */
function endWords(end: FeedEnd | undefined): string {
  if (end === undefined || end.notes.length === 0) return '';
  return `  the end of the feed's run would report:\n${end.notes.map((note) => `    ${sanitizeText(note)}\n`).join('')}`;
}
