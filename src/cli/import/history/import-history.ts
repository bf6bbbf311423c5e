// Records an import as a run in the ledger of its catalog: the run begins after the first file was opened and before
// the first write, and ends after the last write.
import { createHash } from 'node:crypto';
import { open as openHandle } from 'node:fs/promises';
import type { Catalog } from '../../../core/catalog.js';
import { CatalogError } from '../../../core/errors.js';
import type { FeedEnd } from '../../../core/ledger/feed-end.js';
import type { RunFile } from '../../../core/ledger/run-tables.js';
import type { SeenKeys } from '../../../core/ledger/seen-keys.js';
import { foundAt } from '../../../files/found-file.js';
import type { ImportObserver } from '../../../importing/observer.js';
import type { FileRequest } from '../../../importing/request.js';
import type { ImportResult } from '../../../importing/run-import.js';
import { type SeenKeysObserver, seenKeys } from '../../../importing/seen-keys.js';
import { feedRun } from '../../../store/ledger/feed-run.js';
import type { Ledger } from '../../../store/ledger/ledger.js';
import type { LedgerRun, OpenRun, RunEnd } from '../../../store/ledger/runs.js';
import { undoneRuns } from '../../../store/ledger/undone-runs.js';
import type { LocalCatalog } from '../../../store/open.js';
import { exitCodes, failureExitCodes, signalExitCodes } from '../../exit-codes.js';
import type { ImportFlags } from '../options/import-options.js';
import { optionsOf } from '../run-info.js';
import { type EndedFeed, endFeedRun, partWords, unkeptWords } from './complete-feed.js';

/** The run of an import. */
export interface ImportHistory {
  /** Begins to describe a file while it is opened: this thread has nothing else to do then. */
  describeAhead(file: FileRequest): void;
  /** The catalog for a file, which records every change. */
  catalogFor(local: LocalCatalog, file: FileRequest): Promise<Catalog>;
  /** Begins the run unless it has begun. */
  begin(local: LocalCatalog): Promise<unknown>;
  /** The number of the run, after it has begun. */
  number(): number | undefined;
  /** Observes which keys a feed lists. */
  readonly observer: ImportObserver;
  /**
   * Records a run that a guard stopped before its first write.
   * @returns its number; undefined if nothing of it is kept
   */
  blocked(local: LocalCatalog, files: readonly FileRequest[]): Promise<number | undefined>;
  /**
   * Ends the run. Without any access to a catalog it never began.
   * @param local the catalog; with that of a dry run only the result is reported
   * @returns what the end of a feed's run did, or would do
   */
  end(result: ImportResult, local: LocalCatalog | undefined): Promise<FeedEnd | undefined>;
}

/** The ledger's data about a plan that is applied. */
export interface AppliedPlan {
  readonly digest: string;
  /** What the planned import read of its feed. */
  readonly seen: readonly SeenKeys[];
  /** Whether it read all files of the feed. */
  readonly complete: boolean;
  /** The last run of the catalog when the plan was made. */
  readonly afterRun: number;
  /** Whether an earlier run applied the whole plan: both count as one run of the feed. */
  readonly isRepeated: boolean;
}

/** How long runs are kept by default, in seconds. */
const keptFor = 90 * 86_400;

/** A run in progress. */
interface HistoryState {
  readonly command: string;
  readonly flags: ImportFlags;
  readonly say: (words: string) => void;
  ledger: Ledger | undefined;
  open: OpenRun | undefined;
  earlier: readonly LedgerRun[];
  /** What was read, for a run of a feed. */
  readonly seen: SeenKeysObserver | undefined;
  readonly applied: AppliedPlan | undefined;
  /** Files described ahead, by name, each until it is imported. */
  readonly ahead: Map<string, Promise<RunFile>>;
}

/**
 * Records the run of an import.
 * @param command the typed command
 * @param say prints a notice
 * @param applied the plan that is applied, if any
 */
export function importHistory(
  command: string,
  flags: ImportFlags,
  say: (words: string) => void,
  applied?: AppliedPlan,
): ImportHistory {
  const seen = flags.feed === undefined ? undefined : seenBy(applied);
  const feed = flags.feed === undefined ? undefined : feedRun(flags.feed);
  const ahead = new Map<string, Promise<RunFile>>();
  const named = { command, flags, say, seen, applied, ahead };
  const state: HistoryState = { ...named, ledger: undefined, open: undefined, earlier: [] };
  return {
    describeAhead(file) {
      if (!flags.history) return;
      const described = describe(file);
      // Thrown where it is awaited, unless the file could not be opened either.
      described.catch(() => undefined);
      ahead.set(file.source.file, described);
    },
    observer: seen ?? {},
    begin: (local) => begin(state, local),
    async catalogFor(local, file) {
      const open = await begin(state, local);
      const described = flags.history ? await (ahead.get(file.source.file) ?? describe(file)) : namedFile(file);
      ahead.delete(file.source.file);
      sayRepeated(state, described);
      return local.importing({ recorder: open.addFile(described), feed });
    },
    number: () => (flags.history ? state.open?.number : undefined),
    async blocked(local, files) {
      const open = await begin(state, local);
      if (flags.history) for (const file of files) open.addFile(await describe(file));
      await open.end({ state: 'blocked', exit: failureExitCodes.guard_stopped });
      return flags.history ? open.number : undefined;
    },
    async end(result, local) {
      const ended = await endFeed(state, result, local);
      if (state.open === undefined || state.ledger === undefined) return ended;
      const keep = ended?.keep;
      await state.open.end({ ...endOf(result), ...(keep && { filled: filledOf(seen?.seen() ?? []) }) }, keep);
      await forgetOld(state, state.ledger);
      return ended;
    },
  };
}

/** Observes the keys that an import reads; those of a plan are known. */
function seenBy(applied: AppliedPlan | undefined): SeenKeysObserver {
  return applied === undefined ? seenKeys() : { seen: () => applied.seen };
}

async function begin(state: HistoryState, local: LocalCatalog): Promise<OpenRun> {
  if (state.open !== undefined) return state.open;
  const { command, flags, applied } = state;
  state.ledger = await local.ledger();
  state.earlier = await state.ledger.runs();
  state.open = await state.ledger.begin({
    feed: flags.feed ?? '',
    detail: flags.history
      ? { command, options: optionsOf(flags), files: [], ...(applied && { plan: applied.digest }) }
      : { command, files: [], unrecorded: true },
    onWait: (run) => state.say(`${flags.feed}: run ${run} is under way; waiting for it to end.`),
  });
  return state.open;
}

function namedFile({ resource, source: { file, sheet } }: FileRequest): RunFile {
  return { file: sheet === undefined ? file : `${file} (${sheet})`, resource: resource.name };
}

/** Name, size and digest of a file; for standard input only its name. */
export async function describe(request: FileRequest): Promise<RunFile> {
  const { source, planned } = request;
  if (planned !== undefined) return planned.described;
  const named = namedFile(request);
  const { file } = source;
  const found = file === '-' ? undefined : foundAt(file);
  // Input that is not a regular file, such as a pipe, can be read only once.
  if (found?.isFile() !== true) return named;
  return { ...named, size: found.size, digest: await digestOf(file) };
}

/** With one reused buffer: a stream allocates a new one for each block, and takes twice the processor time. */
async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(1 << 18);
  const handle = await openHandle(file);
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer);
      if (bytesRead === 0) return hash.digest('base64url');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** Says that a file is identical to that of an earlier run, and whether that was undone. */
function sayRepeated({ earlier, say, flags, applied }: HistoryState, { file, digest, resource }: RunFile): void {
  if (digest === undefined || flags.feed === undefined || applied !== undefined) return;
  const same = earlier.findLast(
    ({ detail, feed, state }) =>
      feed === flags.feed &&
      state !== 'blocked' &&
      detail.undoes === undefined &&
      detail.files.some((one) => one.digest === digest && one.resource === resource),
  );
  if (same === undefined) return;
  const remark = undoneRuns(earlier).has(same.number) ? ', which was undone' : '';
  say(`${file}: the same file as run ${same.number}${remark}.`);
}

/**
 * A feed is complete if all of it was read: then the records it no longer lists are known.
 * @returns what its end did; undefined where it had none
 */
async function endFeed(
  state: HistoryState,
  { failure }: ImportResult,
  local: LocalCatalog | undefined,
): Promise<EndedFeed | undefined> {
  if (state.seen === undefined || local === undefined || failure !== undefined) return undefined;
  if (state.applied?.isRepeated === true) return undefined;
  const ended = await endOfFeed(state, state.seen.seen(), local);
  for (const words of ended.notes) state.say(words);
  return ended;
}

async function endOfFeed(state: HistoryState, seen: readonly SeenKeys[], local: LocalCatalog): Promise<EndedFeed> {
  const { flags, open, command, applied } = state;
  const { feed = '' } = flags;
  const untold = (words: string): EndedFeed => ({ notes: [words], records: [] });
  if (!flags.history) return untold(unkeptWords(feed));
  if (applied?.complete === false) return untold(partWords(feed));
  const newer = newerRun(state);
  if (newer !== undefined)
    return untold(
      `${feed}: run ${newer} is newer than the plan, so that the feed lists what it listed then; no record counts as missing.`,
    );
  return endFeedRun(state.ledger ?? (await local.ledger()), open, { command, flags }, seen);
}

/** A complete run of the feed that began after the plan was made, and still counts. */
function newerRun({ earlier, applied, flags }: HistoryState): number | undefined {
  if (applied === undefined) return undefined;
  const undone = undoneRuns(earlier);
  return earlier.findLast(
    ({ number, feed, state, detail }) =>
      feed === flags.feed &&
      state === 'done' &&
      number > applied.afterRun &&
      detail.undoes === undefined &&
      !undone.has(number) &&
      detail.plan !== applied.digest,
  )?.number;
}

/** Which fields the rows of a complete run have, by resource: what the guards of the next one compare with. */
function filledOf(seen: readonly SeenKeys[]): NonNullable<RunEnd['filled']> {
  return Object.fromEntries(seen.flatMap(({ resource, filled }) => (filled ? [[resource.name, filled]] : [])));
}

/** How the run of an import ended. */
function endOf({ failure, counts }: ImportResult): RunEnd {
  if (failure === undefined)
    return { state: 'done', exit: counts.refused > 0 ? exitCodes.refused : exitCodes.ok, counts };
  if (!(failure instanceof CatalogError)) return { state: 'failed', exit: exitCodes.bug, counts };
  const exit = signalExitCodes[String(failure.cause)] ?? failureExitCodes[failure.code];
  const state =
    failure.code === 'interrupted' ? 'interrupted' : failure.code === 'guard_stopped' ? 'stopped' : 'failed';
  return { state, exit, counts };
}

/** The history of old runs is deleted after a run: they can no longer be undone. */
async function forgetOld({ flags, earlier }: HistoryState, ledger: Ledger): Promise<void> {
  const before = Math.floor(Date.now() / 1000) - (flags.keep ?? keptFor);
  if (earlier.some(({ started }) => started <= before)) await ledger.forget(before);
}
