// One or several files into one target: each with its report, then the total.

import { CatalogError } from '../core/errors.js';
import type { Counts } from '../core/line.js';
import { addCounts, noCounts } from '../core/report.js';
import type { Resource } from '../core/resource.js';
import { resources } from '../core/resources/index.js';
import type { Mapped } from '../source/mapping/mapping.js';
import { openSource, type Source, type SourceOptions } from '../source/read.js';
import { exitCodes } from './exit-codes.js';
import { keepHeapSmall } from './heap.js';
import { type Ended, importFile } from './import-file.js';
import { type ImportFlags, sourceOptions } from './import-options.js';
import { writeMissing } from './missing-values.js';
import { foundWords, shownFile, unknownWords } from './notes.js';
import { chooseTarget, type Target, wantsColour } from './options.js';
import { newOutputs, type Outputs } from './outputs.js';
import { grouped } from './printable.js';
import { showProgress } from './progress.js';
import { type RefusedFile, refusedWords } from './refused-file.js';
import { trafficWords } from './remote.js';
import { type RepeatedKeys, readKeys, repeatedKeys, watchedKeys } from './repeated-keys.js';
import { reportForm } from './report-file.js';
import type { Outcome, Reporter } from './reporter.js';
import { catalogFor, skippedWords } from './resume.js';
import { openSession, type Session } from './session.js';

/** A file and the resource its records are of. */
export interface Job {
  readonly resource: Resource;
  readonly file: string;
  /** How its columns become fields, where a mapping says so. */
  readonly mapped?: Mapped;
  /** The file inside an archive. */
  readonly sheet?: string;
}

interface Run {
  readonly flags: ImportFlags;
  readonly process: NodeJS.Process;
  /** Counts of all files so far. */
  readonly total: Counts;
  /** What was said already: of a file that feeds several resources, each thing is said once. */
  readonly said: Set<string>;
}

/** Milliseconds between the lines of --progress. */
const progressEvery = 30_000;

/**
 * Imports files in order, and sets the exit code where items were refused.
 * @param many whether they are told as one run with a total, or as the one file they are
 * @throws CatalogError with what ended the run early; what was told before stands
 */
export async function importFiles(
  jobs: readonly Job[],
  flags: ImportFlags,
  process: NodeJS.Process,
  many: boolean,
): Promise<void> {
  keepHeapSmall();
  const outputs = outputsOf(jobs, flags, process.env, many);
  const mayCheck = 'db' in chooseTarget(flags, process.env);
  const begun = performance.now();
  const run: Run = { flags, process, total: noCounts(), said: new Set() };
  if (mayCheck && jobs[0] !== undefined) loadBeside(jobs[0].resource);
  let session: Session | undefined;
  try {
    for (const job of jobs) {
      // The source comes first: a file that cannot be read creates no catalog and no report.
      const watchKeys = watchedKeys[flags.onDuplicate ?? 'last'];
      const raws = flags.refusedFile !== undefined;
      const source = await openJob(job, flags, { raws, mayCheck, ...(watchKeys !== undefined && { watchKeys }) });
      try {
        session ??= await openSession(
          jobs.map(({ file }) => file),
          flags,
          process,
          { many, outputs },
        );
        await importOne(job, source, session, run);
      } finally {
        await source.close();
      }
    }
    await session?.reporter.end(outcome(run.total, begun));
    for (const journal of session?.journals.splice(0) ?? []) await journal.remove();
    if (run.total.refused > 0) process.exitCode = exitCodes.refused;
  } catch (failure) {
    // The report is closed properly; where that is what failed, the first failure is the one to tell.
    await endEarly(session, outcome(run.total, begun, failure));
    throw failure;
  } finally {
    await session?.close();
  }
}

/** What the options write, held against what is read, before anything is. */
function outputsOf(jobs: readonly Job[], flags: ImportFlags, env: NodeJS.ProcessEnv, many: boolean): Outputs {
  const target = chooseTarget(flags, env);
  const read = [
    ...jobs.map(({ file }) => file),
    flags.map,
    flags.apiKeyFile,
    env['CATALOG_API_KEY_FILE'],
    flags.caFile,
  ];
  const outputs = newOutputs('db' in target ? target.db : undefined, read);
  if (flags.reportFile !== undefined) {
    outputs.claim('--report-file', flags.reportFile);
    reportForm(flags.reportFile);
  }
  // Of several files, those in the folder are claimed one by one once their names are known.
  if (flags.refusedFile !== undefined && !many) outputs.claim('--refused-file', flags.refusedFile);
  if (flags.writeMissingValues !== undefined) outputs.claim('--write-missing-values', flags.writeMissingValues);
  return outputs;
}

/**
 * Loads what a local catalog takes while the source is opened: a large file is opened by a thread of its own, which
 * takes 100 ms to start. What cannot be loaded is told by who needs it.
 */
function loadBeside({ fields }: Resource): void {
  const world = import('../store/world.js').then(({ loadWorld }) => loadWorld(fields));
  Promise.all([import('../store/open.js'), import('../core/plan.js'), world]).catch(() => undefined);
}

/** Opens the source of a job. */
function openJob(
  { resource, file, mapped, sheet }: Job,
  flags: ImportFlags,
  more: Pick<SourceOptions, 'raws' | 'mayCheck' | 'watchKeys'>,
): Promise<Source> {
  const options = sourceOptions(file, flags, mapped);
  return openSource(resource.fields, resource.key, { ...options, ...more, ...(sheet !== undefined && { sheet }) });
}

async function endEarly(session: Session | undefined, total: Outcome): Promise<void> {
  try {
    await session?.reporter.end(total);
  } catch {}
}

/** Imports one file and tells how it ended. */
async function importOne(job: Job, source: Source, session: Session, run: Run): Promise<void> {
  const { reporter, target, guard, interruption } = session;
  const { flags, process, total } = run;
  const begun = performance.now();
  const say = (words: string | undefined): void => {
    if (words === undefined || flags.quiet === true || run.said.has(words)) return;
    run.said.add(words);
    process.stderr.write(`${words}\n`);
  };
  if (interruption.signal() !== undefined) throw interrupted(job, session, run);
  say(foundWords(job.file, source.found));
  const catalog = await catalogFor(job, session, flags, { env: process.env, say });
  const skippedBefore = target.remote?.skipped() ?? 0;
  await reporter.begin({ ...names(job), dryRun: flags.dryRun === true });
  const refused = session.refused?.open(job, source.form);
  const keys = await keysOf(job, flags);
  if (interruption.signal() !== undefined) throw interrupted(job, session, run);
  const ended = await importFile({ ...source, chunks: keys.watch(source) }, job.resource, {
    catalog,
    reporter: { ...reporter, tell: tellAll(job, session, refused) },
    guard,
    dryRun: flags.dryRun === true,
    diff: flags.diff === true,
    watch: (counts) => watch(job, source, counts, { run, target }),
    onStop: (stop) => {
      session.stop = stop;
    },
  });
  addCounts(total, ended.counts);
  for (const note of source.notes()) say(`${shownFile(job.file)}: ${note}`);
  say(unknownWords(job.file, source.unknown()));
  if (ended.counts.total === 0 && ended.failure === undefined && !ended.cutShort)
    say(`${shownFile(job.file)}: there is no record in it.`);
  say(skippedWords((target.remote?.skipped() ?? 0) - skippedBefore));
  const repeated = keys.words();
  if (repeated !== undefined) say(`${shownFile(job.file)}: ${repeated}`);
  say(refusedWords(job.file, refused?.end()));
  const remarks = await remarksOf(job, session, flags);
  const failure = failureOf(ended, job, session, run);
  await reporter.finish({ ...outcome(ended.counts, begun, failure), remarks });
  if (failure !== undefined) throw failure;
}

/** Tells a batch to all who listen: first those who look for what is behind its refusals. */
function tellAll(job: Job, session: Session, refused: RefusedFile | undefined): Reporter['tell'] {
  return async (told) => {
    // Most batches have none.
    if (told.report.refused === 0) return session.reporter.tell(told);
    const followers = session.causes.tell(job, told);
    session.commas.tell(told);
    session.missing.tell(told);
    refused?.tell(told);
    await session.reporter.tell(followers.size === 0 ? told : { ...told, followers });
  };
}

/** The watch over the keys of a file; to refuse all rows of a key, they must be known before. */
async function keysOf(job: Job, flags: ImportFlags): Promise<RepeatedKeys> {
  const { onDuplicate = 'last' } = flags;
  const { resource, file } = job;
  if (onDuplicate !== 'refuse') return repeatedKeys(resource, onDuplicate);
  if (file === '-')
    throw new CatalogError(
      'usage',
      '--on-duplicate refuse reads the file twice, and standard input can be read once only; name a file.',
    );
  const source = await openJob(job, flags, {});
  try {
    return repeatedKeys(resource, onDuplicate, await readKeys(source, resource));
  } finally {
    await source.close();
  }
}

/** What is behind the refusals of a file; values that closed lists lack are written down where that was asked for. */
async function remarksOf(
  { resource }: Job,
  { causes, commas, missing, target }: Session,
  flags: ImportFlags,
): Promise<readonly string[]> {
  const remarks = [...causes.words(), ...commas.words()];
  const [characteristics] = resources;
  if (resource.fields['attributes'] === undefined || characteristics === undefined) return remarks;
  const { words, items } = await missing.summary(target.catalog, characteristics);
  const path = flags.writeMissingValues;
  if (path !== undefined && items.length > 0) writeMissing(path, items);
  const remedy =
    path === undefined || items.length === 0
      ? []
      : [`catalog-import characteristics ${path} adds them, and deactivates none.`];
  return [...remarks, ...words, ...remedy];
}

function names({ resource, file }: Job): { resource: string; command: string; file: string } {
  return { resource: resource.name, command: resource.command, file };
}

function watch(
  { file }: Job,
  source: Source,
  counts: Readonly<Counts>,
  { run, target }: { readonly run: Run; readonly target: Target },
): () => void {
  const { flags, process } = run;
  const { remote } = target;
  const more = remote && (() => trafficWords(remote));
  return showProgress(
    process.stderr,
    { file, counts, progress: source.progress, ...(more && { more }) },
    {
      quiet: flags.quiet === true,
      colour: wantsColour(process.stderr, flags, process.env),
      lines: flags.progress === true,
      interval: progressEvery,
    },
  );
}

function failureOf(ended: Ended, job: Job, session: Session, run: Run): unknown {
  const { failure } = ended;
  const signal = session.interruption.signal();
  if (failure instanceof CatalogError && failure.code === 'interrupted' && signal !== undefined)
    return new CatalogError('interrupted', failure.message, { cause: signal });
  if (failure !== undefined) return failure;
  return ended.cutShort ? interrupted(job, session, run) : undefined;
}

/** Says what is in, and how to go on. */
function interrupted({ file }: Job, { interruption, journals }: Session, { flags, total }: Run): CatalogError {
  const items = total.total === 1 ? '1 item' : `${grouped(total.total)} items`;
  const done = flags.dryRun === true ? `${items} were checked; nothing was written.` : `${items} are done and kept.`;
  const how =
    journals.length > 0
      ? 'Run the same command again with --resume to go on after them.'
      : 'Run the same command again to go on: what is in already is told as unchanged.';
  return new CatalogError('interrupted', `Interrupted in ${shownFile(file)}: ${done} ${how}`, {
    cause: interruption.signal(),
  });
}

function outcome(counts: Readonly<Counts>, begun: number, failure?: unknown): Outcome {
  const seconds = (performance.now() - begun) / 1000;
  return { counts, seconds, ...(failure !== undefined && { stopped: whyStopped(failure) }) };
}

/** The word for why a report ends early. */
function whyStopped(failure: unknown): string {
  return failure instanceof CatalogError ? failure.code : 'internal_error';
}
