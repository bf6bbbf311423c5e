// Imports one or several files into one target: turns options into a request and observers, and the result into an exit
// code.
import { existsSync } from 'node:fs';
import { CatalogError } from '../../core/errors.js';
import type { Resource } from '../../core/resource.js';
import { counted } from '../../core/text/counted.js';
import { isAddress } from '../../core/text/mask-credentials.js';
import { shownFile } from '../../core/text/sanitize.js';
import { GuardStopped } from '../../importing/guards/guard-stopped.js';
import { leftOutItems } from '../../importing/left-out-items.js';
import type { ImportObserver, Outcome } from '../../importing/observer.js';
import type { FileRequest, ImportRequest } from '../../importing/request.js';
import { failedOutcome, type ImportResult, runImport, tellFailed } from '../../importing/run-import.js';
import { sharedBarcodes } from '../../importing/shared-barcodes.js';
import { isPage } from '../../reporting/formats/report-file.js';
import { bytesPath } from '../../source/file-place.js';
import type { SourceOptions } from '../../source/open-source.js';
import { isPostgresAddress } from '../../store/catalog-path.js';
import { exitCodes } from '../exit-codes.js';
import { chooseTarget } from '../options.js';
import { type SourceSpools, sourceSpools } from '../sources/source-spools.js';
import { type ContractOf, contractOf } from './contracts.js';
import { runInfo } from './describe-run.js';
import { limitHeap } from './heap-limit.js';
import type { GuardContext } from './history/guard-context.js';
import { minRowsGuard, passGuards } from './history/guard-pass.js';
import type { ImportCourse, Job } from './import-job.js';
import { importObservers } from './import-observers.js';
import { type ImportTarget, newImportTarget } from './import-target.js';
import { refuseRemoteSuspension } from './options/feed-options.js';
import { type ImportFlags, sourceOptions } from './options/import-options.js';
import { importOutputs } from './outputs/import-outputs.js';
import { withReportNames } from './outputs/report-names.js';
import { checkChangedOnly } from './remote/changed-only.js';

/**
 * Imports files in order, and sets the exit code if items were refused.
 * @throws CatalogError with the failure that ended the run early; the reports so far remain valid
 */
export async function importFiles(
  jobs: readonly Job[],
  typed: ImportFlags,
  process: NodeJS.Process,
  course: ImportCourse,
): Promise<void> {
  const { many, plan } = course;
  limitHeap();
  const isLocal = 'db' in chooseTarget(typed, process.env);
  if (!isLocal) refuseRemoteSuspension(typed);
  const flags = withReportNames(typed, isLocal);
  const files = jobs.map(({ file }) => file);
  checkChangedOnly(files, flags, process.env);
  const outputs = importOutputs(jobs, flags, process.env, course);
  process.once('exit', outputs.release);
  if (isLocal && jobs[0] !== undefined) preloadLocal(jobs[0].resource);
  const command = course.command ?? (many ? 'run' : (jobs[0]?.resource.command ?? ''));
  const target = newImportTarget(flags, process, { command, applied: course.applied });
  const typedRequest = requestOf(jobs, flags, course, { isLocal, expected: await contractOf(flags, jobs) });
  const { leftOut = [] } = course;
  if (leftOut.length > 0) target.log.warn('files_left_out', { files: leftOut });
  const spools = sourceSpools(jobs, flags, process, target);
  const info = runInfo(jobs, flags, process, { ...target, refusedBefore: spools.refusedBefore });
  const exitOf = (outcome: Outcome): number => course.exitOf?.() ?? info.exitOf(outcome);
  const run = { ...info, ...(info.command === 'shop' && { command }), plan: course.planned, exitOf };
  const ofRun = importObservers(jobs, flags, process, { many, target, outputs, run });
  const guarding = plan === undefined ? [minRowsGuard(flags, process.argv)] : [];
  const finding = [target.observer, leftOutItems(target), findings(target)];
  const observers = [sharedBarcodes(), ...guarding, ...(course.observers ?? []), ...finding, ...ofRun];
  target.onAbandon(() => {
    for (const observer of observers) observer.discard?.();
    spools.discard();
  });
  let complete = false;
  try {
    const started = performance.now();
    const context = { ...target, flags, process, command, target, exitOf: info.exitOf };
    const request = await prepareFiles(typedRequest, spools, context).catch(async (failure) => {
      // The first failure is thrown, even if recording it fails too.
      await recordFailed(failure, typedRequest, context).catch(() => undefined);
      await tellFailed(observers, failure, started).catch(() => undefined);
      throw failure;
    });
    if (request.files[0] !== undefined) target.willOpen(request.files[0]);
    const result = await runImport(request, target.catalogFor, observers, target.signal);
    const exit = info.exitOf(result.outcome);
    // A failure of the import takes precedence over one of the ledger.
    if (result.failure !== undefined) await target.ended(result, exit).catch(() => undefined);
    if (result.failure !== undefined) throw failureOf(result, target, request.dryRun === true);
    await target.ended(result, exit);
    await spools.keep({ run: target.runNumber(), refused: result.counts.refused });
    complete = true;
    if (exit !== exitCodes.ok) process.exitCode = exit;
    course.complete?.(target.feedEnd());
  } finally {
    spools.discard();
    outputs.release();
    await target.close(complete);
  }
}

/** Adds what was noticed, and what guards found, to the outcome that the observers after it get. */
function findings({ log, guards }: Pick<ImportTarget, 'log' | 'guards'>): ImportObserver {
  const add = (total: Outcome): Outcome => ({ ...total, warnings: log.all(), guards: guards() });
  return { end: add, failed: add };
}

function requestOf(
  jobs: readonly Job[],
  flags: ImportFlags,
  { plan, strict }: ImportCourse,
  { isLocal, expected }: { readonly isLocal: boolean; readonly expected: ContractOf },
) {
  // A plan holds items as they were sent, while items validated for a local catalog are normalized.
  const mayCheck = isLocal && plan === undefined;
  const files = jobs.map((job) => fileRequest(job, flags, { mayCheck, expect: expected(job) }));
  const { dryRun = false, diff = false, onDuplicate: duplicates = 'last', only, maxRefused } = flags;
  const limit = strict === true ? 0 : maxRefused;
  return {
    ...{ files, dryRun, diff, duplicates },
    ...(plan && { plan }),
    ...(only && { only }),
    ...(typeof limit === 'number' && { maxRefused: limit }),
  } satisfies ImportRequest;
}

/** Options about the form of files, and constants, have to fit one of several; what a single file is, is found when it is opened. */
async function withFittingOptions(request: ImportRequest): Promise<ImportRequest> {
  if (request.files.length < 2) return request;
  const { fitConstants, fitOptions } = await import('../../source/fit-options.js');
  return { ...request, files: await fitOptions(fitConstants(request.files)) };
}

/**
 * What can end an import before its first write: a missing file, which must not end it between two files, one that does not
 * arrive whole, and its guards.
 * @returns the request whose files can be read
 */
async function prepareFiles(
  typed: ImportRequest,
  spools: SourceSpools,
  context: Parameters<typeof guard>[1],
): Promise<ImportRequest> {
  const request = await withFittingOptions({ ...typed, files: await spools.filled(typed.files) });
  // A plan is checked against guards after it was made; applying one is the user's decision.
  if (typed.plan !== undefined) return request;
  const paths = new Set(request.files.map(({ source }) => bytesPath(source)));
  if (paths.size > 1) {
    const { checkReadable } = await import('../../source/bytes/open-bytes.js');
    await checkReadable(paths);
  }
  await guard(request, context);
  return { ...request, files: request.files.map(expectingOnlyWarnings) };
}

/** What stops a run was judged before it. */
function expectingOnlyWarnings(request: FileRequest): FileRequest {
  const { expect = [], ...source } = request.source;
  const warning = expect.filter(({ warns }) => warns);
  return { ...request, source: { ...source, ...(warning.length > 0 && { expect: warning }) } };
}

/** Checks the import against its guards. A run that they stop is recorded too, and leaves its plan. */
async function guard(
  request: ImportRequest,
  context: GuardContext & { readonly command: string; readonly target: ImportTarget },
): Promise<void> {
  try {
    await passGuards(request, context);
  } catch (stopped) {
    if (!(stopped instanceof GuardStopped)) throw stopped;
    const run = await context.target.blocked(request.files);
    const { explainBlocked } = await import('../plan/blocked-plan.js');
    throw await explainBlocked(stopped, run, request, context);
  }
}

/**
 * Records a run that failed before its first write; those that a guard stopped are recorded with their plan. One that has not begun is
 * recorded where it is of a feed, or its source is an address, and the catalog is there: a mistyped file is no run.
 */
async function recordFailed(
  failure: unknown,
  { files }: ImportRequest,
  {
    target,
    flags,
    process,
    exitOf,
  }: Pick<GuardContext, 'flags' | 'process'> & {
    readonly target: ImportTarget;
    readonly exitOf: (outcome: Outcome) => number;
  },
): Promise<void> {
  if (failure instanceof GuardStopped) return;
  const { db } = { db: '', ...chooseTarget(flags, process.env) };
  const isThere = isPostgresAddress(db) || existsSync(db);
  if (isThere && (flags.feed !== undefined || files.some(({ source }) => isAddress(source.file)))) await target.begin();
  const outcome = failedOutcome(failure, performance.now());
  await target.failed(files, { counts: outcome.counts, outcome, failure }, exitOf(outcome));
}

/**
 * Loads the modules of a local catalog while the source is opened: a large file is opened by a thread of its own, which
 * takes 100 ms to start. A module that cannot be loaded fails where it is used.
 */
function preloadLocal({ fields }: Resource): void {
  const environment = import('../../store/environment.js').then(({ loadEnvironment }) => loadEnvironment(fields));
  Promise.all([import('../../store/open.js'), import('../../core/planning/plan-batches.js'), environment]).catch(
    () => undefined,
  );
}

/** @param reading whether the reading thread may validate items, which is for a local catalog, and what is expected of the file */
function fileRequest(
  job: Job,
  flags: ImportFlags,
  { mayCheck, expect }: Required<Pick<SourceOptions, 'mayCheck' | 'expect'>>,
): FileRequest {
  const { resource, file, mapped, sheet, planned } = job;
  // An HTML page shows refused rows in their original form, and how full each column is.
  const isShown = flags.reportFile?.some(isPage) === true;
  const source = {
    ...sourceOptions(file, flags, mapped),
    mayCheck,
    raws: flags.refusedFile !== undefined || isShown,
    countsValues: isShown,
    ...(expect.length > 0 && { expect }),
  };
  const from = planned === undefined ? {} : { planned };
  return { resource, source: sheet === undefined ? source : { ...source, sheet }, ...from };
}

/** The failure to throw. For an interruption it says what was imported and how to resume. */
function failureOf({ failure, counts, interruptedIn }: ImportResult, target: ImportTarget, dryRun: boolean): unknown {
  if (interruptedIn === undefined) return failure;
  const items = counted(counts.total, 'items');
  const done = dryRun ? `${items} were checked; nothing was written.` : `${items} are done and kept.`;
  const how = target.canResume()
    ? 'Run the same command again with --resume to go on after them.'
    : 'Run the same command again to continue: items already saved are reported as unchanged.';
  const file = shownFile(interruptedIn.source.file);
  return new CatalogError('interrupted', `Interrupted in ${file}: ${done} ${how}`, { cause: target.signal.reason });
}
