// `undo`: takes back what runs changed.
import type { Command } from 'commander';
import { namedAtMost } from '../../../core/diagnostics/warning-kind.js';
import type { WarningLog } from '../../../core/diagnostics/warning-log.js';
import { CatalogError } from '../../../core/errors.js';
import type { KeptReason } from '../../../core/ledger/kept-field.js';
import { counted } from '../../../core/text/counted.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import type { Ledger } from '../../../store/ledger/ledger.js';
import type { LedgerRun, OpenRun } from '../../../store/ledger/runs.js';
import type { UndoResult } from '../../../store/ledger/undo-runs.js';
import { exitCodes, failureExitCodes } from '../../exit-codes.js';
import { listenForInterruption } from '../../import/interruption.js';
import { addReportFile, type ImportFlags } from '../../import/options/import-options.js';
import { addLedgerOption, findRun, parseRunNumber, withLedger } from '../../ledger-target.js';
import { addExamples, addResultOptions, printDone, type ResultFlags, type TargetOptions } from '../../options.js';
import { undoCounts, undoEffects } from './undo-effects.js';

interface UndoFlags extends TargetOptions, ResultFlags, Pick<ImportFlags, 'dryRun' | 'reportFile'> {
  readonly since?: number;
}

export function defineUndo(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Takes back what runs changed. Each field gets the value of the last run that counts, as if the undone runs had never ' +
        'been; one that was changed since keeps its value, and so does a record that changed outside the history. Records that ' +
        'only undone runs created are suspended (reviews: rejected) and emptied, until they are listed again. A list, such as the ' +
        'grades of a product, goes back as a whole. The undo is a run itself, and can be undone.',
    )
    .argument('[run]', 'the number of the run', parseRunNumber)
    .option('--since <run>', 'undo this run and all later ones, the newest first', parseRunNumber)
    .option('-n, --dry-run', 'write nothing; say what would happen');
  addReportFile(addResultOptions(addLedgerOption(command), 'action'));
  addExamples(command, [
    ['undo 64 --dry-run', 'see what it would do'],
    ['undo 64', 'take a run back'],
    ['undo --since 64', 'take run 64 and all later ones back'],
    ['undo 64 --report-file undo.html', 'with a page that shows what changed'],
  ]);
  command.action((number: number | undefined, flags: UndoFlags) => undo(number, flags, process));
}

async function undo(number: number | undefined, flags: UndoFlags, process: NodeJS.Process): Promise<void> {
  if ((number === undefined) === (flags.since === undefined))
    throw new CatalogError('usage', 'Name one run, or the first of several with --since.');
  const controller = new AbortController();
  const interruption = listenForInterruption(
    process,
    (signal) => controller.abort(signal),
    () => undefined,
  );
  try {
    const dryRun = flags.dryRun === true;
    const { runWithoutFile } = await import('../../import/run-without-file.js');
    const { runs, left, result, nothing } = await runWithoutFile(flags, process, {
      command: flags.since === undefined ? `undo ${number}` : `undo --since ${flags.since}`,
      signal: controller.signal,
      work: (log) =>
        withLedger(
          flags,
          process.env,
          async (ledger) => {
            const isReported = flags.reportFile !== undefined;
            const wanted = { number, since: flags.since, dryRun, isReported, signal: controller.signal };
            const taken = await takeBack(ledger, wanted, log);
            const effects = await undoEffects(
              ledger,
              { run: isReported ? taken.run : undefined, result: taken.result },
              log,
            );
            return { ...taken, effects, run: dryRun ? undefined : taken.run };
          },
          { scratch: dryRun },
        ),
    });
    printDone(process, flags, {
      words: `${dryRun ? 'Dry run: ' : ''}${resultWords(result)}${nothing && `. ${nothing}`}`,
      json: { undone: number ?? runs, dry_run: dryRun, ...resultJson(result) },
    });
    if (left.length > 0 && flags.quiet !== true)
      process.stderr.write(
        `Left as they are: ${left.join(', ')} (requests without a Catalog-Run header are no import).\n`,
      );
  } finally {
    interruption.done();
  }
}

/** @throws CatalogError where a run cannot be undone */
function checkUndoable({ number, state, feed }: LedgerRun): void {
  if (state === 'open')
    throw new CatalogError('catalog_locked', `Run ${number} is still under way; try again once it has ended.`);
  if (state === 'daily')
    throw new CatalogError(
      'usage',
      `Run ${number} holds the requests of a day that came without a Catalog-Run header${feed && ` for feed ${feed}`}; they are not one import, and cannot be undone as one.`,
    );
}

/** What is to be undone. */
interface WantedUndo {
  readonly number: number | undefined;
  readonly since: number | undefined;
  readonly dryRun: boolean;
  /** Whether a report lists each record. */
  readonly isReported: boolean;
  readonly signal: AbortSignal;
}

interface TakenBack {
  /** The number of the undoing run. In a dry run with a report, that of the run in the scratch copy; without one, undefined. */
  readonly run: number | undefined;
  readonly runs: readonly number[];
  /** Runs between them that cannot be undone. */
  readonly left: readonly number[];
  readonly result: UndoResult;
  /** Why there was nothing to take back; '' where there was. */
  readonly nothing: string;
}

async function takeBack(
  ledger: Ledger,
  { number, since, dryRun, isReported, signal }: WantedUndo,
  log: WarningLog,
): Promise<TakenBack> {
  const all = await ledger.runs();
  const first = findRun(all, number ?? since ?? 0);
  const later = all.filter((run) => run.number >= first.number);
  const runs = since === undefined ? [first] : later.filter(({ state }) => state !== 'daily');
  for (const run of runs) checkUndoable(run);
  const numbers = runs.map((run) => run.number);
  const left = since === undefined ? [] : later.filter(({ state }) => state === 'daily').map((run) => run.number);
  const command = since === undefined ? `undo ${number}` : `undo --since ${since}`;
  const { open, held } = dryRun
    ? { open: isReported ? await beginInScratch(ledger, numbers, command) : undefined, held: [] }
    : await beginUndo(ledger, runs, command);
  try {
    const result = await ledger.undo(numbers, open, signal);
    warnOfKept(result, log);
    await open?.end({
      state: 'done',
      exit: exitCodes.ok,
      found: { effects: undoCounts(result), warnings: log.all() },
    });
    return { run: open?.number, runs: numbers, left, result, nothing: whyNothing(result, runs, all) };
  } catch (error) {
    const code = error instanceof CatalogError ? error.code : undefined;
    const exit = code === undefined ? exitCodes.bug : failureExitCodes[code];
    await open?.end({ state: code === 'interrupted' ? 'interrupted' : 'failed', exit }).catch(() => open.abandon());
    throw error;
  } finally {
    for (const one of held) await one.end({ state: 'done', exit: exitCodes.ok }).catch(() => one.abandon());
  }
}

/** Why an undo took nothing back. @param all the runs before it */
function whyNothing(
  { items, restored, suspended, kept }: UndoResult,
  runs: readonly LedgerRun[],
  all: readonly LedgerRun[],
): string {
  const [run] = runs;
  if (restored + suspended + kept > 0 || run === undefined || runs.length > 1) return '';
  const undoneBy = (number: number): number | undefined =>
    all.findLast(
      (one) => one.state === 'done' && one.detail.undoes?.includes(number) && undoneBy(one.number) === undefined,
    )?.number;
  const by = undoneBy(run.number);
  if (run.state === 'blocked') return `A guard stopped run ${run.number} before it wrote anything.`;
  if (items === 0) return `Run ${run.number} changed nothing.`;
  return by === undefined ? '' : `Run ${run.number} is undone already, by run ${by}.`;
}

/** Lists the fields that the undo kept: by name in reports, as a count in the printed result. */
function warnOfKept({ kept, keptFields }: UndoResult, log: WarningLog): void {
  if (kept === 0) return;
  const examples = keptFields.slice(0, namedAtMost).map(({ key, field, reason, run }) => {
    const why = { ...laterRunWords, ...reasonWords }[reason];
    return `${[key, field].filter(Boolean).join(' ')} (${why}${run === undefined ? '' : ` run ${run}`})`;
  });
  log.warn('fields_kept', { count: kept, examples });
}

/** Begins the undoing run. No run of one of the feeds begins until it has ended: an unrecorded run each holds their places. */
async function beginUndo(ledger: Ledger, runs: readonly LedgerRun[], command: string) {
  const feeds = [...new Set(runs.map(({ feed }) => feed))].filter((name) => name !== '').sort();
  const [feed = ''] = feeds.length === 1 ? feeds : [];
  const held: OpenRun[] = [];
  for (const name of feeds)
    if (name !== feed) held.push(await ledger.begin({ feed: name, detail: { command, files: [], unrecorded: true } }));
  const undoes = runs.map(({ number }) => number);
  return { open: await ledger.begin({ feed, detail: { command, files: [], undoes } }), held };
}

/** Begins an undo whose writes are discarded: it waits for no other run. */
function beginInScratch(ledger: Ledger, undoes: readonly number[], command: string): Promise<OpenRun> {
  return ledger.begin({ feed: '', detail: { command, files: [], undoes } });
}

function resultJson({ keptBecause, changedBy, keptFields, ...counts }: UndoResult) {
  return {
    ...counts,
    kept_because: Object.fromEntries(keptBecause),
    changed_since: [...changedBy].sort(([a], [b]) => a - b).map(([run, count]) => ({ run, items: count })),
    kept_fields: keptFields,
  };
}

/** Why fields are kept by a later run. */
const laterRunWords = { changed_since: 'changed since by', record_changed: 'perhaps sent as it is by' } as const;
type LaterRun = keyof typeof laterRunWords;

/** Why others are kept. */
const reasonWords: Readonly<Record<Exclude<KeptReason, LaterRun>, string>> = {
  unrecorded_change: 'changed outside the history',
  listed_by_feed: 'listed by a feed',
  no_status: "of the shop's data, which have no status",
  slug_taken: 'whose former slug is taken',
  parent_below: 'whose former parent is below them now',
};

/** `19,740 items: 19,611 restored, 0 suspended, 129 kept (117 changed since by run 41; 12 changed outside the history)` */
function resultWords({ items: all, restored, suspended, kept, unchanged, changedBy, keptBecause }: UndoResult): string {
  const by = [...changedBy].sort(([a], [b]) => a - b).map(([run, count]) => `${groupDigits(count)} by run ${run}`);
  const reasons = [
    ...(by.length === 0 ? [] : [`changed since: ${by.join(', ')}`]),
    ...Object.entries(reasonWords).flatMap(([reason, words]) => {
      const count = keptBecause.get(reason as KeptReason) ?? 0;
      return count === 0 ? [] : [`${groupDigits(count)} ${words}`];
    }),
  ];
  const why = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
  const before =
    unchanged === 0 ? '' : `, ${groupDigits(unchanged)} as ${unchanged === 1 ? 'it was' : 'they were'} already`;
  return `${counted(all, 'items')}: ${groupDigits(restored)} restored, ${groupDigits(suspended)} suspended, ${groupDigits(kept)} kept${why}${before}`;
}
