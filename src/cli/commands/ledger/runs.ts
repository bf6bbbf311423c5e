// `runs`: lists the imports of a catalog and what each changed, and deletes the history of old ones.
import type { Command } from 'commander';
import { warningLine } from '../../../core/diagnostics/warning-codes.js';
import type { RunDetail } from '../../../core/ledger/run-tables.js';
import { counted } from '../../../core/text/counted.js';
import { percent } from '../../../core/text/percent.js';
import { groupDigits, sanitizeText } from '../../../core/text/sanitize.js';
import { labelled, type TableLayout, tableLayout, textTable } from '../../../reporting/formats/text-table.js';
import { fileWords } from '../../../reporting/run-lines.js';
import { shownTime } from '../../../reporting/shown-time.js';
import type { DescribedChange } from '../../../store/ledger/change-description.js';
import type { LedgerRun } from '../../../store/ledger/runs.js';
import { feedName } from '../../import/options/feed-options.js';
import { addLedgerOption, findRun, parseRunNumber, parseTime, shownValue, withLedger } from '../../ledger-target.js';
import {
  addExamples,
  addResultOptions,
  lifetime,
  printDone,
  type ResultFlags,
  type TargetOptions,
} from '../../options.js';
import { type Output, outputWidth } from '../../output-width.js';
import { didYouMean } from '../../unknown-feed.js';
import { placeJson, placeWords, readFiles } from './place-of-change.js';

interface RunsFlags extends TargetOptions, ResultFlags {
  readonly feed?: string;
  readonly since?: number;
  readonly changes?: boolean;
  readonly keep?: number;
}

export function defineRuns(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Lists the imports into a catalog: each is a run with a number, by which it can be looked at and undone. ' +
        'Dry runs, and imports with --no-history, are not listed.',
    )
    .option('--feed <name>', 'only runs of this feed', feedName)
    .option('--since <time>', 'only runs that began since then: 7d, a date, or Unix seconds', parseTime);
  addResultOptions(addLedgerOption(command), 'query');
  command.action((_: unknown, it: Command) => listRuns(it.optsWithGlobals(), process));
  const show = command.command('show').summary('show one run').description('Shows one run, and what it changed.');
  addResultOptions(addLedgerOption(show), 'query')
    .argument('<number>', 'the number of the run', parseRunNumber)
    .option('--changes', 'also every field that it changed, with its former value')
    .action((number: number, _: unknown, it: Command) => showRun(number, it.optsWithGlobals(), process));
  const forget = command
    .command('forget')
    .summary('forget old runs')
    .description(
      'Forgets runs that are older than a time, with what they changed: they cannot be undone any more. The last complete runs of ' +
        'each feed stay.',
    );
  addResultOptions(addLedgerOption(forget), 'action')
    .requiredOption('--keep <time>', 'how long runs are kept, such as 90d', lifetime)
    .action((_: unknown, it: Command) => forgetRuns(it.optsWithGlobals(), process));
  addExamples(command, [
    ['runs --feed erp --since 7d', 'the runs of a feed in the last week'],
    ['runs show 63 --changes', 'what a run changed'],
    ['runs forget --keep 90d', 'forget what is older'],
  ]);
  addExamples(show, [['runs show 63 --changes', 'what a run changed']]);
  addExamples(forget, [['runs forget --keep 90d', 'forget what is older']]);
}

/** A run as JSON. */
function runJson({ number, feed, state, started, ended, exit, detail, ...run }: LedgerRun) {
  const { created, updated, unchanged, refused, total } = run;
  const counts = { created, updated, unchanged, refused, total };
  const { command, options = {}, user, undoes, warnings = [], guards = [], failure, effects } = detail;
  const files = readFiles(detail);
  const more = {
    ...(user && { user }),
    ...(undoes && { undoes }),
    ...(effects && { end: effects }),
    ...(failure && { error: failure }),
    warnings,
    guards,
  };
  return {
    run: number,
    feed,
    state,
    started,
    ended,
    exit,
    ...counts,
    command,
    file: files[0]?.file ?? '',
    files,
    options,
    ...more,
  };
}

/** What was typed, with the files of the run: `products feed.csv`, `undo 3`. */
function sourceWords({ command, undoes, ...detail }: RunDetail): string {
  // A mapping reads one file for several resources.
  const files = undoes === undefined ? [...new Set(readFiles({ command, ...detail }).map(({ file }) => file))] : [];
  return [command, fileWords(files, 1)].filter((word) => word !== '').join(' ');
}

async function listRuns(flags: RunsFlags, process: NodeJS.Process): Promise<void> {
  const runs = await withLedger(flags, process.env, (ledger) => ledger.runs());
  const shown = runs.filter(
    ({ feed, started }) => (flags.feed === undefined || feed === flags.feed) && started >= (flags.since ?? 0),
  );
  if (flags.output === 'json') {
    process.stdout.write(`${JSON.stringify(shown.map(runJson), null, 2)}\n`);
    return;
  }
  if (shown.length === 0) {
    const ran = runs.map(({ feed }) => feed);
    const slip = flags.feed === undefined || ran.includes(flags.feed) ? '' : didYouMean(flags.feed, ran);
    return void (flags.quiet !== true && process.stderr.write(`No runs.${slip}\n`));
  }
  const head = ['run', 'started', 'feed', 'state', 'records', 'command'];
  process.stdout.write(textTable([head, ...shown.map(runCells)], outputWidth(process)));
}

function runCells(run: LedgerRun): string[] {
  const { number, feed, state, started, exit, detail } = run;
  const ended = exit === null ? state : `${state}, exit ${exit}`;
  // Of an undo they are the same records.
  const counts = detail.undoes && detail.effects ? [] : countWords(run);
  const records = [...counts, ...endWords(detail)].join(', ') || '-';
  return [String(number), shownTime(started), feed || '-', ended, records, sourceWords(detail)];
}

/** What a run did, as far as it did anything: `3 created`, `2 refused`. */
function countWords({ created, updated, unchanged, refused }: LedgerRun): string[] {
  const counts = Object.entries({ created, updated, unchanged, refused });
  return counts.filter(([, count]) => count > 0).map(([word, count]) => `${groupDigits(count)} ${word}`);
}

async function showRun(number: number, flags: RunsFlags, process: NodeJS.Process): Promise<void> {
  await withLedger(flags, process.env, async (ledger) => {
    const run = findRun(await ledger.runs(), number);
    const isJson = flags.output === 'json';
    if (flags.changes !== true) return void process.stdout.write(isJson ? oneJson(run) : describeRun(run, process));
    if (!isJson) process.stdout.write(`${describeRun(run, process)}\n`);
    let layout: TableLayout | undefined;
    for await (const changes of ledger.changes(run)) {
      if (isJson) process.stdout.write(changes.map((change) => changeJson(run, change)).join(''));
      else {
        const rows = changes.map((change) => changeCells(run, change));
        // The layout follows from the first ones, so that output need not wait for the rest.
        const head = layout === undefined;
        layout ??= tableLayout([['record', 'changes', 'line'], ...rows], outputWidth(process));
        process.stdout.write(`${head ? layout.head : ''}${layout.rows(rows)}`);
      }
    }
  });
}

function oneJson(run: LedgerRun): string {
  return `${JSON.stringify(runJson(run), null, 2)}\n`;
}

function describeRun(run: LedgerRun, output: Output): string {
  const { number, feed, state, started, ended, exit, detail } = run;
  const { created, updated, unchanged, refused, total } = run;
  const counts = [
    `${groupDigits(created)} created`,
    `${groupDigits(updated)} updated`,
    `${groupDigits(unchanged)} unchanged`,
  ];
  const options = Object.entries(detail.options ?? {}).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const lines = [
    ['run', String(number)],
    ['command', sanitizeText(detail.command)],
    ...(feed === '' ? [] : [['feed', feed]]),
    ...(detail.user === undefined ? [] : [['key', sanitizeText(detail.user)]]),
    ['state', exit === null ? state : `${state}, exit ${exit}`],
    ['started', shownTime(started)],
    ...(ended === null ? [] : [['ended', shownTime(ended)]]),
    ['items', `${groupDigits(total)}: ${[...counts, `${groupDigits(refused)} refused`].join(', ')}`],
    ...(detail.failure === undefined ? [] : [['error', sanitizeText(detail.failure)]]),
    ...endWords(detail).map((words) => ['end', words]),
    ...guardWords(detail).map((words) => ['guard', words]),
    ...(detail.warnings ?? []).map((warning) => ['noticed', sanitizeText(warningLine(warning))]),
    ...readFiles(detail).map(({ file, resource, size, digest }) => [
      'file',
      sanitizeText(
        [file, resource, size === undefined ? '' : `${groupDigits(size)} bytes`, digest ?? '']
          .filter(Boolean)
          .join('  '),
      ),
    ]),
    ...(options.length === 0 ? [] : [['options', sanitizeText(options.join(' '))]]),
  ];
  return labelled(lines, outputWidth(output));
}

/** What the end of a run changed: `7 suspended, 3 passed_on`; nothing where it changed nothing. */
function endWords({ effects }: RunDetail): string[] {
  const words = Object.entries(effects ?? {}).flatMap(([effect, count]) =>
    count === 0 ? [] : [`${groupDigits(count)} ${effect.replace('_', ' ')}`],
  );
  return words.length === 0 ? [] : [words.join(', ')];
}

/** What the guards of a run found: `--max-created: 24 would be created, 4.1 % of 590 (limit 20 %)`, and which found nothing. */
function guardWords({ guards = [] }: RunDetail): string[] {
  const told = guards.filter(({ words }) => words !== '');
  // One option may limit several: it found something where one of them did.
  const idle = guards.filter(({ words, option }) => words === '' && told.every((one) => one.option !== option));
  const limits = idle.map(({ option, of, limit }) => `${option} (0 of ${groupDigits(of)}, limit ${percent(limit)})`);
  return [
    ...told.map(({ option, words, passed }) => `${option}: ${words}${passed ? '' : ': stopped the run'}`),
    ...(idle.length === 0 ? [] : [`found nothing: ${[...new Set(limits)].join(', ')}`]),
  ].map(sanitizeText);
}

function changeJson(run: LedgerRun, change: DescribedChange): string {
  const { resource, key, id, isNew, fields } = change;
  const changed = fields.map(({ field, before, value }) => ({ field, from: before ?? null, to: value ?? null }));
  const place = placeJson(run, change);
  return `${JSON.stringify({ run: run.number, resource, key, id, created: isNew, fields: changed, ...place })}\n`;
}

/** `product A-7`, `price 17.90 → 9999.00`, `tonight.csv:8` */
function changeCells(run: LedgerRun, change: DescribedChange): string[] {
  const { resource, key, id, isNew, fields, names } = change;
  const words = fields.map(({ field, before, value }) => {
    const former = before === undefined ? '' : `${shownValue(before, names)} → `;
    return `${field} ${former}${shownValue(value, names)}`;
  });
  return [`${resource} ${key === '' ? id : key}`, isNew ? 'created' : words.join(', '), placeWords(run, change)].map(
    sanitizeText,
  );
}

async function forgetRuns(flags: RunsFlags, process: NodeJS.Process): Promise<void> {
  const { runs, last } = await withLedger(flags, process.env, async (ledger) =>
    ledger.forget(flags.keep ?? 0, await ledger.runs()),
  );
  const words =
    runs === 0
      ? 'No run is that old.'
      : `${counted(runs, 'runs')} forgotten, the last of them run ${last}; they cannot be undone or explained any more.`;
  const json = { object: 'runs', forgotten: runs, last_forgotten: last };
  if (flags.output === 'json') printDone(process, flags, { words, json });
  else if (flags.quiet !== true) process.stderr.write(`${words}\n`);
}
