// The target of an import: opened after its first file was opened; for a remote with a journal for each file. From then
// on Ctrl-C ends the import after the current batch.

import type { Catalog } from '../../core/catalog.js';
import { warningLine } from '../../core/diagnostics/warning-codes.js';
import { type WarningLog, warningLog } from '../../core/diagnostics/warning-log.js';
import type { FeedEnd } from '../../core/ledger/feed-end.js';
import type { JudgedFigure } from '../../core/ledger/guard-figure.js';
import type { ImportObserver } from '../../importing/observer.js';
import type { FileRequest } from '../../importing/request.js';
import type { CatalogFor, ImportResult } from '../../importing/run-import.js';
import { feedRun } from '../../store/ledger/run-of-feed.js';
import type { LocalCatalog } from '../../store/open.js';
import { type CatalogTarget, chooseTarget, openTarget } from '../options.js';
import { describeTraffic, readPipes, type WaitTeller, waitNotices } from '../remote.js';
import { noticePrinter } from '../terminal-output.js';
import { endingObserver } from './history/ending-observer.js';
import { importHistory } from './history/import-history.js';
import type { AppliedPlan } from './import-job.js';
import { type Interruption, listenForInterruption, type StopSignal } from './interruption.js';
import type { ImportFlags } from './options/import-options.js';
import { closeRemembered, type RememberedCatalog, rememberedCatalog, warnOfRemembered } from './remote/changed-only.js';
import { type FeedLock, feedLock } from './remote/feed-lock.js';
import { remoteEnd } from './remote/remote-end.js';

export interface ImportTarget {
  readonly catalogFor: CatalogFor;
  /** Aborted by the first Ctrl-C; its reason is the signal. */
  readonly signal: AbortSignal;
  /** Prints a notice once on stderr, unless --quiet is set. */
  readonly say: (words: string) => void;
  /** What was noticed during the run. */
  readonly log: WarningLog;
  /** Takes what the guards of the run found. */
  readonly judged: (figures: readonly JudgedFigure[]) => void;
  readonly guards: () => readonly JudgedFigure[];
  /** Handles signals from now on: for what comes before the target is opened, and may take long. */
  listen(): void;
  /** Sets the function that the second Ctrl-C calls right before the process ends. */
  onAbandon(abandon: () => void): void;
  /** How many items an earlier run had acknowledged. */
  skipped(): number;
  /** How often and how long requests waited before a retry. */
  waits(): { readonly count: number; readonly seconds: number };
  /** Warns about items of a file that were not sent (--changed-only). */
  warnOfRemembered(file: string): void;
  /** The state of the requests to a remote, as text for the progress line. */
  traffic(): readonly string[];
  /** Whether --resume can continue the run. */
  canResume(): boolean;
  /**
   * Observes which keys a feed lists, and ends its run once all files were read: what that did is added to the outcome, for
   * the observers after it.
   */
  readonly observer: ImportObserver;
  /** Tells which file is opened first, so that what its run records of it is read meanwhile. */
  willOpen(file: FileRequest): void;
  /** Begins the run, before its first file is opened: in the ledger of a local catalog; for a remote with the lock of its feed. */
  begin(): Promise<void>;
  /**
   * Records a run that a guard stopped.
   * @returns its number, where it is recorded
   */
  blocked(files: readonly FileRequest[]): Promise<number | undefined>;
  /** Records that the run failed before its first write, if it has begun. */
  failed(files: readonly FileRequest[], result: ImportResult, exit: number): Promise<void>;
  ended(result: ImportResult, exit: number): Promise<void>;
  /** What the end of a feed's run did, or would do; undefined for a remote. */
  feedEnd(): FeedEnd | undefined;
  /** The number of the run in the catalog's ledger, after it has begun; undefined for a remote. */
  runNumber(): number | undefined;
  /**
   * Releases everything.
   * @param complete whether the journals are no longer needed
   */
  close(complete: boolean): Promise<void>;
}

/**
 * Creates a target without opening it.
 * @param run `command`: the typed command; `applied`: the plan that is applied, if any
 */
export function newImportTarget(flags: ImportFlags, process: NodeJS.Process, run: CommandRun): ImportTarget {
  const target = targetOf(flags, process, run);
  const { feed, dryRun } = flags;
  if (feed === undefined || dryRun === true || 'db' in chooseTarget(flags, process.env)) return target;
  return takingTurns(target, feedLock(flags, process.env, target.say));
}

/** What an import is a run of. */
interface CommandRun {
  readonly command: string;
  readonly applied?: AppliedPlan | undefined;
}

function targetOf(flags: ImportFlags, process: NodeJS.Process, { command, applied }: CommandRun): ImportTarget {
  const controller = new AbortController();
  const files: RememberedCatalog[] = [];
  const say = noticePrinter(process.stderr, flags);
  const log = warningLog((warning) => say(warningLine(warning)));
  const { guards, judged } = guardFindings();
  const history = importHistory(command, flags, { say, log, guards }, applied);
  const isLocal = 'db' in chooseTarget(flags, process.env);
  // Without history an import of a feed is a run all the same while it lasts, which others of the feed wait for.
  const isRun = (flags.history || flags.feed !== undefined) && flags.dryRun !== true;
  let target: CatalogTarget | undefined;
  const end = isLocal
    ? { observer: history.observer, end: async () => (target?.local ? history.endFeed(target.local) : { lines: [] }) }
    : remoteEnd(flags, process.env, { log, guards, remote: () => target?.remote });
  const observer = endingObserver(end, flags.feed ?? '', log);
  const waits = { count: 0, milliseconds: 0, until: 0 };
  let abandon: () => void = () => undefined;
  const stop = stopperOf(process, controller, () => target?.remote?.cancel());
  const signals = signalHandling(process, stop, () => abandon());
  if (!isLocal) readPipes(flags, process.env);

  /** Signals are handled first: one that arrives while the catalog is opened ends the import too. */
  function open(): Promise<CatalogTarget> {
    signals.listen();
    return openFor(flags, process, waits);
  }

  async function recorded<T>(record: (local: LocalCatalog) => Promise<T>): Promise<T | undefined> {
    if (!isRun || !isLocal) return undefined;
    target ??= await open();
    return target.local && record(target.local);
  }

  async function catalogFor(file: FileRequest): Promise<Catalog> {
    target ??= await open();
    if (target.local !== undefined && isRun && flags.resume !== true) return history.catalogFor(target.local, file);
    files.push(await rememberedCatalog(file, target, flags, { env: process.env, say }));
    return files.at(-1)?.catalog ?? target.catalog;
  }

  return {
    ...{ signal: controller.signal, say, log, guards, judged, catalogFor, observer },
    ...{ runNumber: history.number, feedEnd: history.feedEnd, failed: history.failed, listen: signals.listen },
    onAbandon(called) {
      abandon = called;
    },
    ...soFar(files, waits, { target: () => target, log }),
    willOpen(file) {
      if (isRun && isLocal) history.describeAhead(file);
    },
    begin: () => recorded((local) => history.begin(local)).then(() => undefined),
    blocked: (requested) => recorded((local) => history.blocked(local, requested)),
    ended: (result, exit) => history.end(result, { exit, effects: observer.effects() }),
    async close(complete) {
      signals.done();
      await closeRemembered(files, complete);
      await target?.catalog.close();
    },
  };
}

/** Handles signals from the first call of `listen` on. */
function signalHandling(process: NodeJS.Process, stop: (signal: StopSignal) => void, abandon: () => void) {
  let interruption: Interruption | undefined;
  return {
    listen(): void {
      interruption ??= listenForInterruption(process, stop, abandon);
    },
    done: () => interruption?.done(),
  };
}

/** What the guards of the run found, once they were asked. */
function guardFindings(): Pick<ImportTarget, 'guards' | 'judged'> {
  let figures: readonly JudgedFigure[] = [];
  return {
    guards: () => figures,
    judged(found) {
      figures = found;
    },
  };
}

function stopperOf(
  { stderr }: NodeJS.Process,
  controller: AbortController,
  cancel: () => void,
): (signal: StopSignal) => void {
  return (signal) => {
    const again = signal === 'SIGINT' ? 'Press Ctrl-C' : 'Send it';
    stderr.write(`\n${signal}: stopping after the current batch. ${again} again to stop immediately.\n`);
    controller.abort(signal);
    cancel();
  };
}

/** Messages to the user while an import runs. */
function soFar(
  files: readonly RememberedCatalog[],
  waits: Waits,
  { target, log }: { readonly target: () => CatalogTarget | undefined; readonly log: WarningLog },
): Pick<ImportTarget, 'skipped' | 'waits' | 'warnOfRemembered' | 'traffic' | 'canResume'> {
  return {
    skipped: () => target()?.remote?.skipped() ?? 0,
    waits: () => ({ count: waits.count, seconds: waits.milliseconds / 1000 }),
    warnOfRemembered: (file) => warnOfRemembered(files.at(-1)?.acknowledged, file, log),
    traffic: () => trafficOf(target()),
    canResume: () => files.some(({ journal }) => journal !== undefined),
  };
}

function trafficOf(target: CatalogTarget | undefined): readonly string[] {
  return target?.remote === undefined ? [] : describeTraffic(target.remote);
}

/** How often and how long a remote was waited for. */
interface Waits {
  count: number;
  milliseconds: number;
  until: number;
}

/** Opens the target, counts waits for it, and prints long ones. A local target applies the ranking of feeds. */
async function openFor(flags: ImportFlags, process: NodeJS.Process, waits: Waits): Promise<CatalogTarget> {
  const tellWait = waitTellerFor(flags, process);
  const target = await openTarget(flags, process.env, {
    create: true,
    scratch: flags.dryRun === true,
    onWait(milliseconds, why) {
      countWait(waits, milliseconds);
      tellWait(milliseconds, why);
    },
  });
  if (target.local === undefined || flags.feed === undefined) return target;
  return { ...target, catalog: target.local.importing({ feed: feedRun(flags.feed) }) };
}

/** Counts a wait; simultaneous waits of several batches count once. */
function countWait(waits: Waits, milliseconds: number): void {
  const now = performance.now();
  waits.count++;
  waits.milliseconds += Math.max(0, now + milliseconds - Math.max(now, waits.until));
  waits.until = Math.max(waits.until, now + milliseconds);
}

/** Long waits are printed as lines where no spinner shows them. */
function waitTellerFor(flags: ImportFlags, { stderr }: NodeJS.Process): WaitTeller {
  if (flags.quiet === true || stderr.isTTY) return () => undefined;
  return waitNotices((words) => stderr.write(`${words}\n`));
}

/** A target whose lock is taken before anything is read or written, and released at its end. */
function takingTurns(target: ImportTarget, lock: FeedLock): ImportTarget {
  return {
    ...target,
    async begin() {
      await lock.take();
      await target.begin();
    },
    async catalogFor(file) {
      await lock.take();
      return target.catalogFor(file);
    },
    async close(complete) {
      try {
        await target.close(complete);
      } finally {
        await lock.release();
      }
    },
  };
}
