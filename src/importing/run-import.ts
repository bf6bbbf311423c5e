// One import: request → source → entries → batches → catalog → observers. It knows no flags, no process and no terminal, so
// that a command, a server, a test or another program can run one.
import type { Catalog } from '../core/catalog.js';
import { CatalogError } from '../core/errors.js';
import type { Counts } from '../core/import-report.js';
import { addCounts, noCounts } from '../core/report-counts.js';
import {
  type Chunk,
  checkMappings,
  eventLoopYield,
  isReadOnce,
  openSource,
  type Source,
  type SourceOptions,
} from '../source/open-source.js';
import { type Duplicates, newDuplicates, noDuplicates, readKeys, watchedKeys } from './duplicate-policy.js';
import { GuardStopped } from './guards/guard-stopped.js';
import { type Ended, importFile } from './import-file.js';
import { type ImportObserver, inOrder, type Outcome } from './observer.js';
import { newRefusalLimit, type RefusalLimit } from './refusal-limit.js';
import type { DuplicatePolicy, FileRequest, ImportRequest } from './request.js';
import { keepLast, readLastRows } from './superseded-rows.js';

/** Opens the catalog for a file. Called after the file was opened, so that an unreadable file creates no catalog. */
export type CatalogFor = (file: FileRequest) => Catalog | Promise<Catalog>;

export interface ImportResult {
  /** Of all files together. */
  readonly counts: Readonly<Counts>;
  /** As observers know it. */
  readonly outcome: Outcome;
  /** The failure that ended it early; the reports so far remain valid. */
  readonly failure?: unknown;
  /** The file in which the signal ended it. */
  readonly interruptedIn?: FileRequest;
}

/** The signal ended the import in this file. */
class Interrupted extends CatalogError {
  constructor(
    readonly file: FileRequest,
    cause: unknown,
  ) {
    super('interrupted', `${file.source.file}: the import was interrupted.`, { cause });
  }
}

interface ImportRun {
  readonly request: ImportRequest;
  readonly catalogFor: CatalogFor;
  readonly observer: Required<ImportObserver>;
  readonly signal: AbortSignal;
  readonly limit: RefusalLimit | undefined;
  readonly total: Counts;
  readonly started: number;
  /** Whether `begin` was called; `end` is called only then. */
  begun: boolean;
}

/**
 * Imports files in their order.
 * @param observers called for each file, for each batch once it is durable, and at the end, one after the other
 * @param signal ends the import after the current batch
 * @returns the counts; a failure of a file, of the catalog or of an observer is in the result, and is not thrown
 */
export async function runImport(
  request: ImportRequest,
  catalogFor: CatalogFor,
  observers: readonly ImportObserver[] = [],
  signal: AbortSignal = new AbortController().signal,
): Promise<ImportResult> {
  const limit = request.maxRefused === undefined ? undefined : newRefusalLimit(request.maxRefused);
  const observer = inOrder(observers);
  const started = performance.now();
  const run: ImportRun = { request, catalogFor, observer, signal, limit, total: noCounts(), started, begun: false };
  try {
    refuseSecondReading(request);
    for (const file of await checkMappings(request.files)) await importNext(file, run);
    return { counts: run.total, outcome: await tellEnd(run) };
  } catch (failure) {
    // Ends the observers; if that fails too, the first failure is returned.
    const ended = await tellEnd(run, failure).catch(() => outcome(run.total, started, failure));
    const interrupted = failure instanceof Interrupted && { interruptedIn: failure.file };
    return { counts: run.total, outcome: ended, failure, ...interrupted };
  } finally {
    observer.discard();
  }
}

/**
 * Reads files to their end, and imports nothing of them.
 * @param read is called with each file at its end
 */
export async function readFiles(
  files: readonly FileRequest[],
  read: (file: FileRequest, source: Source) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const file of await checkMappings(files)) {
    const source = await open(file, signal, { raws: false, mayCheck: false, countsValues: false });
    try {
      for await (const _ of untilAborted(source.chunks, signal));
      if (signal.aborted) throw new Interrupted(file, signal.reason);
      read(file, source);
    } finally {
      await source.close();
    }
  }
}

/** Opens a file, imports it, and reports the outcome to the observers. @throws the failure that ended it early */
async function importNext(file: FileRequest, run: ImportRun): Promise<void> {
  const { request, observer, signal, limit } = run;
  const { dryRun = false, diff = false, plan, only, duplicates: policy = 'last' } = request;
  const watchKeys = isOnce(file) ? undefined : watchedKeys[policy];
  const source = await open(file, signal, watchKeys === undefined ? {} : { watchKeys });
  try {
    const started = performance.now();
    const catalog = await run.catalogFor(file);
    if (signal.aborted) throw new Interrupted(file, signal.reason);
    run.begun = true;
    const constants = constantFields(file.source);
    const isMapped = file.source.mapped !== undefined;
    const { resource } = file;
    await observer.begin({ resource, file: file.source.file, dryRun, source, catalog, constants, isMapped });
    const duplicates = await duplicatesOf(file, source, policy, { catalog, signal });
    const context = {
      ...{ catalog, observer, limit, dryRun, diff, plan, only, signal },
      ...{ file: file.source.file, duplicates: duplicates.step },
    };
    const ended = await importFile(source, resource, context);
    addCounts(run.total, ended.counts);
    const failure = failureOf(ended, file, signal);
    const found = duplicates.found();
    await observer.finish({ ...outcome(ended.counts, started, failure), ...(found && { duplicates: found }) });
    if (failure !== undefined) throw failure;
  } finally {
    await source.close();
  }
}

/** Opens a file, or waits for it until the signal. */
async function open(file: FileRequest, signal: AbortSignal, more: Partial<SourceOptions>): Promise<Source> {
  const { resource, source, planned } = file;
  const opening = new AbortController();
  const stop = (): void => opening.abort();
  signal.addEventListener('abort', stop);
  try {
    const options = { ...source, ...more, opening: opening.signal };
    return await (planned?.open() ?? openSource(resource.fields, resource.key, options));
  } catch (failure) {
    throw signal.aborted ? new Interrupted(file, signal.reason) : failure;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function refuseSecondReading({ files, duplicates }: ImportRequest): void {
  if ((duplicates !== 'refuse' && duplicates !== 'keep-last') || !files.some(({ source }) => isReadOnce(source)))
    return;
  throw new CatalogError(
    'usage',
    `--on-duplicate ${duplicates} reads the file twice, and standard input can be read once only; name a file.`,
  );
}

function isOnce({ source }: FileRequest): boolean {
  return source.mapped?.section.once !== undefined;
}

/** Applies the policy for duplicate keys to a file; to refuse all rows of a key, the keys are read first. */
async function duplicatesOf(
  file: FileRequest,
  source: Source,
  policy: DuplicatePolicy,
  { catalog, signal }: { readonly catalog: Catalog; readonly signal: AbortSignal },
): Promise<Duplicates> {
  const { resource } = file;
  if (isOnce(file)) return noDuplicates;
  const joinsRows = file.source.mapped?.section.rows !== undefined;
  const watched = { overflowed: () => source.overflowed(), joinsRows };
  if (policy !== 'refuse' && policy !== 'keep-last') return newDuplicates(resource, policy, watched);
  const before = await open(file, signal, { raws: false, mayCheck: false });
  const whole = { ...before, chunks: untilAborted(before.chunks, signal) };
  try {
    if (policy === 'keep-last') return keepLast(resource, await readLastRows(whole, resource), { catalog });
    return newDuplicates(resource, policy, watched, await readKeys(whole, resource));
  } finally {
    await before.close();
  }
}

/**
 * The chunks of a file that is read before its import. If the signal stops this pass, nothing of the file is imported.
 */
async function* untilAborted(chunks: AsyncIterable<Chunk>, signal: AbortSignal): AsyncGenerator<Chunk> {
  const yieldIfDue = eventLoopYield();
  for await (const chunk of chunks) {
    await yieldIfDue();
    if (signal.aborted) return;
    yield chunk;
  }
}

function failureOf({ failure, cutShort }: Ended, file: FileRequest, signal: AbortSignal): unknown {
  if (failure instanceof CatalogError && failure.code === 'interrupted' && signal.aborted)
    return new CatalogError('interrupted', failure.message, { cause: signal.reason });
  if (failure !== undefined) return failure;
  return cutShort ? new Interrupted(file, signal.reason) : undefined;
}

async function tellEnd({ begun, observer, total, started }: ImportRun, failure?: unknown): Promise<Outcome> {
  const ended = outcome(total, started, failure);
  // One that reads no file has an end only.
  return (await (begun || failure === undefined ? observer.end(ended) : observer.failed(ended))) ?? ended;
}

function outcome(counts: Readonly<Counts>, started: number, failure?: unknown): Outcome {
  const seconds = (performance.now() - started) / 1000;
  if (failure === undefined) return { counts, seconds };
  const said = failure instanceof CatalogError ? { failure: failure.message } : {};
  const next = failure instanceof GuardStopped && failure.next !== undefined ? { next: failure.next } : {};
  return { counts, seconds, stopped: whyStopped(failure), ...said, ...next };
}

/** The code for the early end of a report. */
function whyStopped(failure: unknown): string {
  return failure instanceof CatalogError ? failure.code : 'internal_error';
}

/**
 * Reports to observers an import that ended before it began: a guard stopped it, or its file could not be read.
 * @param started a time of `performance.now()`
 */
export async function tellFailed(
  observers: readonly ImportObserver[],
  failure: unknown,
  started: number,
): Promise<void> {
  const observer = inOrder(observers);
  try {
    await observer.failed(failedOutcome(failure, started));
  } finally {
    observer.discard();
  }
}

/** The outcome of an import that ended before it began. */
export function failedOutcome(failure: unknown, started: number): Outcome {
  return outcome(noCounts(), started, failure);
}

function constantFields({ set, mapped }: SourceOptions): readonly string[] {
  const rules = Object.entries(mapped?.section.fields ?? {});
  const inMapping = rules.filter(([, rule]) => typeof rule === 'object' && 'value' in rule && !('column' in rule));
  return [...(set?.keys() ?? []), ...inMapping.map(([field]) => field)];
}
