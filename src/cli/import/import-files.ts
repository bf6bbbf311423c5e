// One or several files into one target: what was typed becomes a request and its observers; what came of it, the exit code.
import { CatalogError } from '../../core/errors.js';
import { noCounts } from '../../core/report-counts.js';
import type { Resource } from '../../core/resource.js';
import { groupDigits } from '../../core/text/sanitize.js';
import type { FileRequest, ImportRequest } from '../../importing/request.js';
import { type ImportResult, runImport, tellFailed } from '../../importing/run-import.js';
import { isPage } from '../../reporting/formats/report-file.js';
import { shownFile } from '../../reporting/source-notes.js';
import type { MappingSection } from '../../source/mapping/mapping.js';
import { exitCodes } from '../exit-codes.js';
import { chooseTarget } from '../options.js';
import { limitHeap } from './heap-limit.js';
import { type GuardContext, heldToRows, passGuards } from './history/guard-pass.js';
import { importObservers } from './import-observers.js';
import { type ImportTarget, newImportTarget } from './import-target.js';
import { type ImportFlags, sourceOptions } from './options/import-options.js';
import { importOutputs } from './outputs/import-outputs.js';
import { withReportNames } from './outputs/report-names.js';
import { checkChangedOnly } from './remote/changed-only.js';
import { runInfo } from './run-info.js';

/** A file and the resource its records are of. */
export interface Job {
  readonly resource: Resource;
  readonly file: string;
  /** How its columns become fields, where a mapping says so. */
  readonly mapped?: MappingSection;
  /** The file inside an archive. */
  readonly sheet?: string;
}

/**
 * Imports files in order, and sets the exit code where items were refused.
 * @param many whether they are reported as one run with a total, or as a single file
 * @throws CatalogError with what ended the run early; the reports so far remain valid
 */
export async function importFiles(
  jobs: readonly Job[],
  typed: ImportFlags,
  process: NodeJS.Process,
  many: boolean,
): Promise<void> {
  limitHeap();
  const isLocal = 'db' in chooseTarget(typed, process.env);
  const flags = withReportNames(typed, isLocal);
  checkChangedOnly(
    jobs.map(({ file }) => file),
    flags,
    process.env,
  );
  const outputs = importOutputs(jobs, flags, process.env, many);
  if (isLocal && jobs[0] !== undefined) loadBeside(jobs[0].resource);
  const target = newImportTarget(flags, process, many ? 'run' : (jobs[0]?.resource.command ?? ''));
  const files = jobs.map((job) => fileRequest(job, flags, isLocal));
  const { dryRun = false, diff = false, onDuplicate: duplicates = 'last', maxRefused } = flags;
  const request = { files, dryRun, diff, duplicates, ...(typeof maxRefused === 'number' && { maxRefused }) };
  const run = runInfo(jobs, flags, process, target);
  const observers = [...importObservers(jobs, flags, process, { many, target, outputs, run }), target.observer];
  target.onAbandon(() => {
    for (const observer of observers) observer.discard?.();
  });
  let complete = false;
  try {
    const started = performance.now();
    const context = { flags, process, signal: target.signal, say: target.say, begin: target.begin };
    await guard(request, context, target).catch(async (failure) => {
      // What is to be said is the failure, also where that cannot be written down.
      await tellFailed(observers, failure, started).catch(() => undefined);
      throw failure;
    });
    const done = await runImport(request, target.catalogFor, observers, target.signal);
    const result = heldToRows(done, flags, process.argv);
    // A failure counts before that of a ledger that cannot be written either.
    if (result.failure !== undefined) await target.ended(result).catch(() => undefined);
    if (result.failure !== undefined) throw failureOf(result, target, dryRun);
    await target.ended(result);
    complete = true;
    if (result.counts.refused > 0) process.exitCode = exitCodes.refused;
  } finally {
    await target.close(complete);
  }
}

/** Holds the import against its guards; a run that they stop is recorded as well. */
async function guard(request: ImportRequest, context: GuardContext, target: ImportTarget): Promise<void> {
  try {
    await passGuards(request, context);
  } catch (stopped) {
    if (stopped instanceof CatalogError && stopped.code === 'guard_stopped') await target.blocked(request.files);
    else await target.ended({ counts: noCounts(), failure: stopped }).catch(() => undefined);
    throw stopped;
  }
}

/**
 * Loads what a local catalog takes while the source is opened: a large file is opened by a thread of its own, which
 * takes 100 ms to start. A module that cannot be loaded fails where it is used.
 */
function loadBeside({ fields }: Resource): void {
  const environment = import('../../store/environment.js').then(({ loadEnvironment }) => loadEnvironment(fields));
  Promise.all([import('../../store/open.js'), import('../../core/planning/plan-batches.js'), environment]).catch(
    () => undefined,
  );
}

/** @param mayCheck whether items may be validated where they are read: for a catalog on this machine */
function fileRequest({ resource, file, mapped, sheet }: Job, flags: ImportFlags, mayCheck: boolean): FileRequest {
  // A page shows refused rows as they came, and how full each column is.
  const isShown = flags.reportFile?.some(isPage) === true;
  const source = {
    ...sourceOptions(file, flags, mapped),
    mayCheck,
    raws: flags.refusedFile !== undefined || isShown,
    countsValues: isShown,
  };
  return { resource, source: sheet === undefined ? source : { ...source, sheet } };
}

/** The failure to throw; of an interruption, with what is in and how to go on. */
function failureOf({ failure, counts, interruptedIn }: ImportResult, target: ImportTarget, dryRun: boolean): unknown {
  if (interruptedIn === undefined) return failure;
  const items = counts.total === 1 ? '1 item' : `${groupDigits(counts.total)} items`;
  const done = dryRun ? `${items} were checked; nothing was written.` : `${items} are done and kept.`;
  const how = target.canResume()
    ? 'Run the same command again with --resume to go on after them.'
    : 'Run the same command again to continue: items already saved are reported as unchanged.';
  const file = shownFile(interruptedIn.source.file);
  return new CatalogError('interrupted', `Interrupted in ${file}: ${done} ${how}`, { cause: target.signal.reason });
}
