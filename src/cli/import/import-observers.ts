// The observers of an import on the command line: progress and notices on stderr, the report on stdout and in a file,
// the file of refused records, and the causes of refusals.
import { warningLine } from '../../core/diagnostics/warning-codes.js';
import type { ImportObserver, Outcome } from '../../importing/observer.js';
import { decimalCommas } from '../../reporting/causes/decimal-commas.js';
import { doubtfulValues } from '../../reporting/causes/doubtful-values.js';
import { missingValues } from '../../reporting/causes/missing-values.js';
import { rootCauses } from '../../reporting/causes/root-causes.js';
import { deferredReport } from '../../reporting/formats/deferred-report.js';
import { jsonReport, ndjsonReport } from '../../reporting/formats/json-report.js';
import { isPage, reportFile } from '../../reporting/formats/report-file.js';
import type { Write } from '../../reporting/formats/report-form.js';
import { streamWriter } from '../../reporting/formats/stream-writer.js';
import { tableReport } from '../../reporting/formats/table-report.js';
import { progressObserver } from '../../reporting/progress.js';
import { refusedRecords } from '../../reporting/refused/refused-file.js';
import type { RunInfo } from '../../reporting/run-info.js';
import { runLines } from '../../reporting/run-lines.js';
import { sourceNotes } from '../../reporting/source-notes.js';
import { statusFile, statusName } from '../../reporting/status-file.js';
import { exitCodes } from '../exit-codes.js';
import { canSpin, isContinuousIntegration, wantsColour } from '../options.js';
import { reportWidth } from '../output-width.js';
import type { Job } from './import-job.js';
import type { ImportTarget } from './import-target.js';
import { onEnd } from './on-end.js';
import type { ImportFlags } from './options/import-options.js';
import type { Outputs } from './outputs/output-reservations.js';
import { withRunNumber } from './outputs/report-names.js';

/** Milliseconds between the lines of --progress. */
const progressEvery = 30_000;

/**
 * The observers of an import in calling order: those that find causes of refusals before the reports that show them.
 * @param many whether the files are reported as one run, or as a single file
 */
export function importObservers(
  jobs: readonly Job[],
  flags: ImportFlags,
  process: NodeJS.Process,
  {
    many,
    target,
    outputs,
    run,
  }: { readonly many: boolean; readonly target: ImportTarget; readonly outputs: Outputs; readonly run: RunInfo },
): readonly ImportObserver[] {
  const { stderr, env } = process;
  const shown = {
    quiet: flags.quiet === true,
    colour: wantsColour(stderr, flags, env),
    canSpin: canSpin(env),
    lines: flags.progress === true || stderr.isTTY || isContinuousIntegration(env),
    interval: progressEvery,
  };
  const files = jobs.map(({ file }) => file);
  const claim = (file: string): void => outputs.claim('--refused-file', file);
  const log = flags.quiet === true || stderr.isTTY ? () => undefined : (words: string) => stderr.write(`${words}\n`);
  const [first, last] = runLines(log, run);
  return [
    first,
    progressObserver(stderr, shown, target.traffic),
    sourceNotes(target, flags),
    doubtfulValues(target),
    ...(flags.refusedFile === undefined ? [] : [refusedRecords(flags.refusedFile, files, claim, target.say)]),
    rootCauses(),
    decimalCommas(),
    missingValues(flags.writeMissingValues),
    stdoutReport(flags, process, many, run),
    ...reportFiles(flags, { ...target, outputs }, { many, run }),
    ...statusFiles(flags, target, { run, file: jobs[0]?.file }),
    ...(flags.quiet === true ? [quietWarnings(flags, process, run)] : []),
    last,
    ...ended(flags, process, { run, many, target }),
  ];
}

/** With --quiet warnings are printed at the end, where the run prints anything at all. */
function quietWarnings(flags: ImportFlags, { stderr }: NodeJS.Process, run: RunInfo): ImportObserver {
  const print = (total: Outcome): void => {
    if (flags.report === undefined && run.exitOf(total) === exitCodes.ok) return;
    for (const warning of total.warnings ?? []) stderr.write(`${warningLine(warning)}\n`);
  };
  return { end: print, failed: print };
}

/** The observer of --on-end. A dry run has changed nothing, and is looked at by whoever typed it. */
function ended(
  { onEnd: command, onEndWhen: when, dryRun }: ImportFlags,
  { stderr }: NodeJS.Process,
  { target, ...of }: { readonly run: RunInfo; readonly many: boolean; readonly target: ImportTarget },
): ImportObserver[] {
  if (command === undefined) return [];
  if (dryRun !== true) return [onEnd({ ...of, command, when }, stderr)];
  target.say('A dry run does not run the command of --on-end.');
  return [];
}

export function reportFiles(
  { reportFile: paths = [], diff, feed }: Pick<ImportFlags, 'reportFile' | 'diff' | 'feed'>,
  { runNumber, say, outputs }: Pick<ImportTarget, 'runNumber' | 'say'> & { readonly outputs: Outputs },
  of: { readonly many: boolean; readonly run: RunInfo },
): ImportObserver[] {
  return paths.map((path, i) =>
    reportFile(path, {
      ...{ ...of, diff: diff === true, feed, say },
      otherReports: paths.filter((_, other) => other !== i),
      resolve: (name) => withRunNumber(name, runNumber()),
      claim: (name) => outputs.claim('--report-file', name),
    }),
  );
}

/** The observer of --status-file. A dry run does not count as a run of the feed. */
export function statusFiles(
  { statusFile: path, dryRun, limit, feed }: Pick<ImportFlags, 'statusFile' | 'dryRun' | 'limit' | 'feed'>,
  { say }: Pick<ImportTarget, 'say'>,
  { run, file }: { readonly run: RunInfo; readonly file?: string | undefined },
): ImportObserver[] {
  if (path === undefined) return [];
  if (dryRun === true) {
    say('A dry run leaves the file of --status-file unchanged.');
    return [];
  }
  // A part of a file says nothing of the feed, and where every row is refused nothing of it arrived.
  const isSuccess = ({ stopped, warnings = [], counts: { refused, total } }: Outcome): boolean =>
    stopped === undefined &&
    limit === undefined &&
    !warnings.some(({ code }) => code === 'part_read') &&
    (total === 0 || refused < total);
  const { exitOf, started } = run;
  return [statusFile(path, { feed: statusName(feed, file), exitOf, isSuccess, started, now: Date.now })];
}

/** The report on stdout. With --quiet it is withheld unless something went wrong, or lines were requested. */
function stdoutReport(flags: ImportFlags, process: NodeJS.Process, many: boolean, run: RunInfo): ImportObserver {
  const make = (write: Write): ImportObserver => reportOf(write, flags, process, { many, run });
  const write = streamWriter(process.stdout);
  const isQuiet = flags.quiet === true && flags.report === undefined;
  return isQuiet ? deferredReport(write, make, (total) => run.exitOf(total) !== exitCodes.ok) : make(write);
}

function reportOf(
  write: Write,
  flags: ImportFlags,
  process: NodeJS.Process,
  { many, run }: { readonly many: boolean; readonly run: RunInfo },
): ImportObserver {
  if (flags.output === 'table') {
    const width = reportWidth(process);
    // An HTML page shows sample lines of each kind; the other formats contain all lines.
    const everyLine = flags.reportFile?.find((path) => !isPage(path));
    const look = { width, colour: wantsColour(process.stdout, flags, process.env), reportFile: everyLine };
    return tableReport(write, { selection: flags.report ?? (flags.diff === true ? 'changed' : 'refused'), many, look });
  }
  const form = { write, selection: flags.report ?? ('all' as const), many, run };
  return flags.output === 'json' ? jsonReport(form) : ndjsonReport(form);
}
