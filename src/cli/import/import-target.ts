// The target of an import: opened after its first file was opened; for a remote with a journal for each file. From then
// on Ctrl-C ends the import after the current batch.

import type { Catalog } from '../../core/catalog.js';
import type { FeedEnd } from '../../core/ledger/feed-end.js';
import type { Resource } from '../../core/resource.js';
import type { RemoteCatalog } from '../../http/client/remote-catalog.js';
import type { ImportObserver } from '../../importing/observer.js';
import type { FileRequest } from '../../importing/request.js';
import type { CatalogFor, ImportResult } from '../../importing/run-import.js';
import { feedRun } from '../../store/ledger/feed-run.js';
import type { LocalCatalog } from '../../store/open.js';
import { type CatalogTarget, chooseTarget, openTarget } from '../options.js';
import { describeTraffic, type WaitTeller, waitNotices } from '../remote.js';
import { noticePrinter } from '../terminal-output.js';
import { type AppliedPlan, importHistory } from './history/import-history.js';
import { type Interruption, listenForInterruption, type StopSignal } from './interruption.js';
import type { ImportFlags } from './options/import-options.js';
import {
  closeRemembered,
  describeRemembered,
  type RememberedCatalog,
  rememberedCatalog,
} from './remote/changed-only.js';
import { feedLock, takingTurns } from './remote/feed-lock.js';
import { type RemoteListing, remoteListing } from './remote/remote-listing.js';

export interface ImportTarget {
  readonly catalogFor: CatalogFor;
  /** Aborted by the first Ctrl-C; its reason is the signal. */
  readonly signal: AbortSignal;
  /** Prints a notice once on stderr, unless --quiet is set. */
  readonly say: (words: string) => void;
  /** Sets the function that the second Ctrl-C calls right before the process ends. */
  onAbandon(abandon: () => void): void;
  /** How many items an earlier run had acknowledged. */
  skipped(): number;
  /** How often and how long requests waited before a retry. */
  waits(): { readonly count: number; readonly seconds: number };
  /** Notices about items that were not sent (--changed-only), for the end of each file. */
  remembered(): readonly string[];
  /** The state of the requests to a remote, as text for the progress line. */
  traffic(): readonly string[];
  /** Whether --resume can continue the run. */
  canResume(): boolean;
  /** Observes which keys a feed lists. */
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
  /**
   * Ends the run in the ledger.
   * @returns what the end of a feed's run did, or would do; undefined for a remote
   */
  ended(result: ImportResult): Promise<FeedEnd | undefined>;
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
  const history = importHistory(command, flags, say, applied);
  const listing = listingOf(flags, process.env);
  const { observer } = listing ?? history;
  // Without history an import of a feed is a run all the same while it lasts, which others of the feed wait for.
  const isRun = (flags.history || flags.feed !== undefined) && flags.dryRun !== true;
  const sent = new Set<Resource>();
  let target: CatalogTarget | undefined;
  let interruption: Interruption | undefined;
  const waits = { count: 0, milliseconds: 0, until: 0 };
  let abandon: () => void = () => undefined;

  /** Signals are handled first: one that arrives while the catalog is opened ends the import too. */
  function open(): Promise<CatalogTarget> {
    const stop = stopperOf(process, controller, () => target?.remote?.cancel());
    interruption = listenForInterruption(process, stop, () => abandon());
    return openFor(flags, process, waits);
  }

  async function recorded<T>(record: (local: LocalCatalog) => Promise<T>): Promise<T | undefined> {
    if (!isRun || listing !== undefined) return undefined;
    target ??= await open();
    return target.local && record(target.local);
  }

  async function catalogFor(file: FileRequest): Promise<Catalog> {
    target ??= await open();
    sent.add(file.resource);
    if (target.local !== undefined && isRun && flags.resume !== true) return history.catalogFor(target.local, file);
    files.push(await rememberedCatalog(file, target, flags, { env: process.env, say }));
    return files.at(-1)?.catalog ?? target.catalog;
  }

  return {
    ...{ signal: controller.signal, say, catalogFor, runNumber: history.number, observer },
    onAbandon(called) {
      abandon = called;
    },
    ...soFar(files, waits, () => target),
    willOpen(file) {
      if (isRun && listing === undefined && 'db' in chooseTarget(flags, process.env)) history.describeAhead(file);
    },
    begin: () => recorded((local) => history.begin(local)).then(() => undefined),
    blocked: (requested) => recorded((local) => history.blocked(local, requested)),
    async ended(result) {
      const end = await history.end(result, target?.local);
      await endRemote(target?.remote, flags, { sent, result, listing });
      for (const words of listing?.said() ?? []) say(words);
      return end;
    },
    async close(complete) {
      interruption?.done();
      await closeRemembered(files, complete);
      await target?.catalog.close();
    },
  };
}

/** Handles the first signal. */
function stopperOf(
  { stderr }: NodeJS.Process,
  controller: AbortController,
  cancel: () => void,
): (signal: StopSignal) => void {
  return (signal) => {
    stderr.write(`\n${signal}: stopping after the batch under way. Once more stops at once.\n`);
    controller.abort(signal);
    cancel();
  };
}

/** Messages to the user while an import runs. */
function soFar(
  files: readonly RememberedCatalog[],
  waits: Waits,
  target: () => CatalogTarget | undefined,
): Pick<ImportTarget, 'skipped' | 'waits' | 'remembered' | 'traffic' | 'canResume'> {
  return {
    skipped: () => target()?.remote?.skipped() ?? 0,
    waits: () => ({ count: waits.count, seconds: waits.milliseconds / 1000 }),
    remembered: () => describeRemembered(files.at(-1)?.acknowledged),
    traffic: () => trafficOf(target()),
    canResume: () => files.some(({ journal }) => journal !== undefined),
  };
}

function trafficOf(target: CatalogTarget | undefined): readonly string[] {
  return target?.remote === undefined ? [] : describeTraffic(target.remote);
}

/** Which keys a feed lists in a remote; undefined for a local catalog, and without a feed. */
function listingOf(flags: ImportFlags, env: NodeJS.ProcessEnv): RemoteListing | undefined {
  return flags.feed === undefined || 'db' in chooseTarget(flags, env) ? undefined : remoteListing(flags, env);
}

/** How often and how long a remote was waited for. */
interface Waits {
  count: number;
  milliseconds: number;
  until: number;
}

/** A run whose end is reported to a remote. */
interface EndingRun {
  readonly sent: ReadonlySet<Resource>;
  readonly result: ImportResult;
  readonly listing: RemoteListing | undefined;
}

/**
 * Tells a remote that the run has ended, with the keys its feed lists, if the whole file was read. Otherwise the remote ends
 * it after a time of silence, as after a crash. If the keys exceed a request, the remote takes the sent ones for the listed ones.
 */
async function endRemote(
  remote: RemoteCatalog | undefined,
  { limit, changedOnly, resume, dryRun }: ImportFlags,
  { sent, result: { failure, counts }, listing }: EndingRun,
): Promise<void> {
  if (remote === undefined || failure !== undefined || dryRun) return;
  const sentAll = !changedOnly && !resume;
  for (const resource of sent) {
    const read = await listing?.listed(resource);
    const isComplete = counts.refused === 0 && limit === undefined && (listing === undefined || read !== undefined);
    if (read?.keys !== undefined) await remote.endRun(resource, { isComplete: true, listed: read.keys });
    // Without a list of keys, the remote would take the records that were not sent for gone.
    else await remote.endRun(resource, { isComplete: isComplete && sentAll });
  }
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
  const now = Date.now();
  waits.count++;
  waits.milliseconds += Math.max(0, now + milliseconds - Math.max(now, waits.until));
  waits.until = Math.max(waits.until, now + milliseconds);
}

/** Long waits are printed as lines where no spinner shows them. */
function waitTellerFor(flags: ImportFlags, { stderr }: NodeJS.Process): WaitTeller {
  if (flags.quiet === true || stderr.isTTY) return () => undefined;
  return waitNotices((words) => stderr.write(`${words}\n`));
}
