// Records an import as a run in the ledger of its catalog: the run begins after the first file was opened and before
// the first write, and ends after the last write.
import type { Catalog } from '../../../core/catalog.js';
import { newWarning, type Warning } from '../../../core/diagnostics/warning-codes.js';
import type { WarningLog } from '../../../core/diagnostics/warning-log.js';
import { CatalogError } from '../../../core/errors.js';
import type { FeedEnd, RunEffects } from '../../../core/ledger/feed-end.js';
import { type GuardFigure, keptFigures } from '../../../core/ledger/guard-figure.js';
import type { RunDetail, RunFile } from '../../../core/ledger/run-tables.js';
import { isAllRefused, type SeenKeys } from '../../../core/ledger/seen-keys.js';
import { digestOfFile } from '../../../files/digests.js';
import { foundAt } from '../../../files/found-file.js';
import { type SeenKeysObserver, seenKeys } from '../../../importing/collect-keys.js';
import type { ImportObserver } from '../../../importing/observer.js';
import type { FileRequest } from '../../../importing/request.js';
import type { ImportResult } from '../../../importing/run-import.js';
import { bytesPath } from '../../../source/file-place.js';
import type { Ledger } from '../../../store/ledger/ledger.js';
import { clockJump } from '../../../store/ledger/run-forget.js';
import { feedRun } from '../../../store/ledger/run-of-feed.js';
import type { LedgerRun, OpenRun, RunEnd } from '../../../store/ledger/runs.js';
import { undoneRuns } from '../../../store/ledger/undone-runs.js';
import type { LocalCatalog } from '../../../store/open.js';
import { failureExitCodes } from '../../exit-codes.js';
import { optionsOf } from '../describe-run.js';
import type { AppliedPlan } from '../import-job.js';
import type { ImportFlags } from '../options/import-options.js';
import { type EndedFeed, endFeedRun, unknownEnd } from './complete-feed.js';
import type { EndedRun } from './ending-observer.js';

export interface ImportHistory {
  /** Begins to describe a file while it is opened: this thread has nothing else to do then. */
  describeAhead(file: FileRequest): void;
  /** The catalog for a file, which records every change. */
  catalogFor(local: LocalCatalog, file: FileRequest): Promise<Catalog>;
  begin(local: LocalCatalog): Promise<unknown>;
  number(): number | undefined;
  readonly observer: ImportObserver;
  /**
   * Records a run that a guard stopped before its first write.
   * @returns its number; undefined if nothing of it is kept
   */
  blocked(local: LocalCatalog, files: readonly FileRequest[]): Promise<number | undefined>;
  /**
   * Ends the run of a feed that was read to its end.
   * @param local the catalog; with that of a dry run it is only found what would happen
   */
  endFeed(local: LocalCatalog): Promise<EndedRun>;
  /** What the end of a feed's run did, or would do. */
  feedEnd(): FeedEnd | undefined;
  /** Records a run that failed before its first write, with the files that it would have read. */
  failed(files: readonly FileRequest[], result: ImportResult, exit: number): Promise<void>;
  /** Saves how the run ended. Without any access to a catalog it never began. */
  end(result: ImportResult, end: SavedEnd): Promise<void>;
}

/** What is saved of the end of a run in addition to its counts. */
interface SavedEnd {
  readonly exit: number;
  readonly effects?: RunEffects | undefined;
}

/** How long runs are kept by default, in seconds. */
const keptFor = 90 * 86_400;

/** How a run speaks: notices of its progress, and what was noticed. */
export interface RunVoice {
  readonly say: (words: string) => void;
  readonly log: WarningLog;
  /** What its guards found, once they were asked. */
  guards(): readonly GuardFigure[];
}

interface HistoryState {
  readonly command: string;
  readonly flags: ImportFlags;
  readonly voice: RunVoice;
  ledger: Ledger | undefined;
  open: OpenRun | undefined;
  earlier: readonly LedgerRun[];
  ended: EndedFeed | undefined;
  /** What was read, for a run of a feed. */
  readonly seen: SeenKeysObserver | undefined;
  readonly applied: AppliedPlan | undefined;
  /** Files described ahead, by name, each until it is imported. */
  readonly ahead: Map<string, Promise<RunFile>>;
  /** The files that were imported, and the warnings of those that are as in the feed's last run. */
  files: number;
  readonly unchanged: Warning[];
}

/**
 * Records the run of an import.
 * @param command the typed command
 * @param applied the plan that is applied, if any
 */
export function importHistory(
  command: string,
  flags: ImportFlags,
  voice: RunVoice,
  applied?: AppliedPlan,
): ImportHistory {
  const seen = flags.feed === undefined ? undefined : seenBy(applied);
  const feed = flags.feed === undefined ? undefined : feedRun(flags.feed);
  const ahead = new Map<string, Promise<RunFile>>();
  const named = { command, flags, voice, seen, applied, ahead, files: 0, unchanged: [] };
  const state: HistoryState = { ...named, ledger: undefined, open: undefined, earlier: [], ended: undefined };
  return {
    describeAhead(file) {
      if (!flags.history) return;
      const described = describe(file);
      // Thrown where it is awaited, unless the file could not be opened either.
      described.catch(() => undefined);
      ahead.set(file.source.file, described);
    },
    observer: seen ?? {},
    begin: (local) => beginRunOnce(state, local),
    async catalogFor(local, file) {
      const open = await beginRunOnce(state, local);
      const described = flags.history ? await (ahead.get(file.source.file) ?? describe(file)) : namedFile(file);
      ahead.delete(file.source.file);
      state.files += 1;
      noteRepeated(state, described, file.source.spool?.isNotModified === true);
      return local.importing({ recorder: open.addFile(described), feed });
    },
    number: () => (flags.history ? state.open?.number : undefined),
    async blocked(local, files) {
      const open = await beginRunOnce(state, local);
      if (flags.history) for (const file of files) open.addFile(await describe(file));
      await open.end({ state: 'blocked', exit: failureExitCodes.guard_stopped, found: foundBy(state) });
      return flags.history ? open.number : undefined;
    },
    async failed(files, result, exit) {
      if (flags.history) for (const file of files) state.open?.addFile(file.planned?.described ?? namedFile(file));
      await state.open?.end({ ...endOf(result, exit), found: { ...foundBy(state), ...failureOf(result) } });
    },
    async endFeed(local) {
      const ledger = state.ledger ?? (await local.ledger());
      const runs = await ledger.runs();
      // Files of a folder that did not change, such as its categories, are ordinary where others did.
      if (state.unchanged.length === state.files) for (const warning of state.unchanged) voice.log.add(warning);
      const ended = await endFeed(state, ledger, runs);
      state.ended = ended;
      for (const warning of ended?.warnings ?? []) voice.log.add(warning);
      if (state.ledger !== undefined) await forgetOld(state, ledger, runs);
      return { lines: ended?.lines ?? [] };
    },
    feedEnd: () => state.ended,
    async end(result, { exit, effects }) {
      const keep = result.failure === undefined ? state.ended?.keep : undefined;
      const filled = keep && filledOf(seen?.seen() ?? []);
      const found = { ...filled, ...foundBy(state), ...failureOf(result), ...(effects && { effects: effects.counts }) };
      await state.open?.end({ ...endOf(result, exit), found }, keep);
    },
  };
}

const keptWarnings = 100;

function foundBy({ voice }: HistoryState): NonNullable<RunEnd['found']> {
  const warnings = voice.log.all().slice(0, keptWarnings);
  const guards = keptFigures(voice.guards());
  return { ...(warnings.length > 0 && { warnings }), ...(guards.length > 0 && { guards }) };
}

/** Why a run ended early. The message of a bug is in the log alone. */
function failureOf({ failure }: ImportResult): Pick<RunDetail, 'failure'> {
  return failure instanceof CatalogError ? { failure: failure.message } : {};
}

/** Observes the keys that an import reads; those of a plan are known. */
function seenBy(applied: AppliedPlan | undefined): SeenKeysObserver {
  return applied === undefined ? seenKeys() : { seen: () => applied.seen };
}

async function beginRunOnce(state: HistoryState, local: LocalCatalog): Promise<OpenRun> {
  if (state.open !== undefined) return state.open;
  const { command, flags, applied } = state;
  state.ledger = await local.ledger();
  state.open = await state.ledger.begin({
    feed: flags.feed ?? '',
    detail: flags.history
      ? { command, options: optionsOf(flags), files: [], ...(applied && { plan: applied.digest }) }
      : { command, files: [], unrecorded: true },
    onWait: (run) => state.voice.say(`${flags.feed}: run ${run} is under way; waiting for it to end.`),
  });
  const { number: own } = state.open;
  // That of a run which was waited for, too.
  state.earlier = (await state.ledger.runs()).filter(({ number }) => number < own);
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
  const path = bytesPath(source);
  const found = path === '-' ? undefined : foundAt(path);
  // Input that is not a regular file, such as a pipe, can be read only once.
  if (found?.isFile() !== true) return named;
  return { ...named, size: found.size, digest: await digestOfFile(path) };
}

/**
 * A file may be identical to that of an earlier run, even of one that was undone. That of the last run is kept to the end.
 * @param isTold whether it was told that nothing is newer, which is not that the run was undone
 */
function noteRepeated(
  { earlier, voice, flags, applied, unchanged }: HistoryState,
  { file, digest, resource }: RunFile,
  isTold: boolean,
): void {
  const { feed } = flags;
  if (digest === undefined || feed === undefined || applied !== undefined) return;
  const runs = earlier.filter((run) => run.feed === feed && run.state !== 'blocked' && run.detail.undoes === undefined);
  const same = runs.findLast(({ detail }) =>
    detail.files.some((one) => one.digest === digest && one.resource === resource),
  );
  const undone = same !== undefined && undoneRuns(earlier).has(same.number);
  if (same === undefined || (isTold && !undone)) return;
  const warning = newWarning('file_repeated', { feed, file, run: same.number, undone });
  if (same === runs.at(-1) && !undone) unchanged.push(warning);
  else voice.log.add(warning);
}

/**
 * A feed is complete if all of it was read: then the records it no longer lists are known.
 * @returns what its end did; undefined where it had none
 */
async function endFeed(
  state: HistoryState,
  ledger: Ledger,
  runs: readonly LedgerRun[],
): Promise<EndedFeed | undefined> {
  const { flags, open, command, applied, seen } = state;
  if (seen === undefined || applied?.isRepeated === true) return undefined;
  const { feed = '' } = flags;
  if (!flags.history) return unknownEnd(newWarning('listing_not_kept', { feed }));
  if (applied?.complete === false) return unknownEnd(newWarning('part_read', { feed }));
  const run = newerRun(state);
  if (run !== undefined) return unknownEnd(newWarning('plan_outdated', { feed, run }));
  return endFeedRun(ledger, open, { command, flags, runs }, seen.seen());
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

/** Which fields the rows of an accepted run have, by resource: what the guards of the next one compare with. */
function filledOf(seen: readonly SeenKeys[]): Pick<RunDetail, 'filled'> {
  const accepted = seen.filter((one) => one.isPart !== true && !isAllRefused(one));
  if (accepted.length === 0) return {};
  return {
    filled: Object.fromEntries(accepted.flatMap(({ resource, filled }) => (filled ? [[resource.name, filled]] : []))),
  };
}

function endOf({ failure, counts }: ImportResult, exit: number): RunEnd {
  if (failure === undefined) return { state: 'done', exit, counts };
  const code = failure instanceof CatalogError ? failure.code : undefined;
  const state = code === 'interrupted' ? 'interrupted' : code === 'guard_stopped' ? 'stopped' : 'failed';
  return { state, exit, counts };
}

/** The history of old runs is deleted at the end of a run, unless the clock cannot be trusted: they can no longer be undone. */
async function forgetOld(
  { flags, earlier, voice }: HistoryState,
  ledger: Ledger,
  runs: readonly LedgerRun[],
): Promise<void> {
  const jump = clockJump(earlier, Math.floor(Date.now() / 1000));
  if (jump !== undefined) return voice.log.warn('clock_jumped', { seconds: jump, last: earlier.at(-1)?.number ?? 0 });
  const forgotten = await ledger.forget(flags.keep ?? keptFor, runs);
  if (forgotten.runs > 0) voice.log.warn('history_forgotten', forgotten);
}
