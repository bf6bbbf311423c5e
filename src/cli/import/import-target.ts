// What an import goes into: opened once its first file could be, with a journal for each file where it is a remote. From
// then on Ctrl-C ends the import after the batch under way.

import type { Catalog } from '../../core/catalog.js';
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
import { type RemoteListing, remoteListing } from './remote/remote-listing.js';

export interface ImportTarget {
  readonly catalogFor: CatalogFor;
  /** Aborted by the first Ctrl-C; its reason is the signal. */
  readonly signal: AbortSignal;
  /** Says a thing once, on stderr, unless that is to be quiet. */
  readonly say: (words: string) => void;
  /** Names what is called by the second Ctrl-C, right before the process ends. */
  onAbandon(abandon: () => void): void;
  /** How many items were acknowledged by an earlier run. */
  skipped(): number;
  /** How often the remote was waited for, and how long in all. */
  waits(): { readonly count: number; readonly seconds: number };
  /** What is to be said of items that were not sent (--changed-only), at the end of each file. */
  remembered(): readonly string[];
  /** What goes on with a remote, in words for the progress. */
  traffic(): readonly string[];
  /** Whether --resume goes on after what is done. */
  canResume(): boolean;
  /** Watches what a feed lists. */
  readonly observer: ImportObserver;
  /** Begins the run in the ledger of a local catalog, before its first file is opened. */
  begin(): Promise<void>;
  /** Records a run that a guard stopped. @returns its number, where it is recorded */
  blocked(files: readonly FileRequest[]): Promise<number | undefined>;
  /** Ends the run in the ledger. */
  ended(result: ImportResult): Promise<void>;
  /** The number of the run in the ledger of the catalog, once it has begun; a remote's has none here. */
  runNumber(): number | undefined;
  /** Gives everything back. @param complete whether the journals are of no use any more */
  close(complete: boolean): Promise<void>;
}

/**
 * Nothing is opened yet.
 * @param run `command`: what was typed; `applied`: the plan that is applied, where one is
 */
export function newImportTarget(
  flags: ImportFlags,
  process: NodeJS.Process,
  { command, applied }: { readonly command: string; readonly applied?: AppliedPlan | undefined },
): ImportTarget {
  const controller = new AbortController();
  const files: RememberedCatalog[] = [];
  const say = noticePrinter(process.stderr, flags);
  const history = importHistory(command, flags, say, applied);
  const listing = listingOf(flags, process.env);
  const { observer } = listing ?? history;
  const isRecorded = flags.history && flags.dryRun !== true;
  const sent = new Set<Resource>();
  let target: CatalogTarget | undefined;
  let interruption: Interruption | undefined;
  const waits = { count: 0, milliseconds: 0, until: 0 };
  let abandon: () => void = () => undefined;

  /** Signals are listened to first: one that comes while the catalog is opened ends the import as well. */
  function open(): Promise<CatalogTarget> {
    const stop = stopperOf(process, controller, () => target?.remote?.cancel());
    interruption = listenForInterruption(process, stop, () => abandon());
    return openFor(flags, process, waits);
  }

  async function recorded<T>(record: (local: LocalCatalog) => Promise<T>): Promise<T | undefined> {
    if (!isRecorded || listing !== undefined) return undefined;
    target ??= await open();
    return target.local && record(target.local);
  }

  async function catalogFor(file: FileRequest): Promise<Catalog> {
    target ??= await open();
    sent.add(file.resource);
    if (target.local !== undefined && isRecorded && flags.resume !== true)
      return history.catalogFor(target.local, file);
    files.push(await rememberedCatalog(file, target, flags, { env: process.env, say }));
    return files.at(-1)?.catalog ?? target.catalog;
  }

  return {
    ...{ signal: controller.signal, say, catalogFor, runNumber: history.number, observer },
    onAbandon(called) {
      abandon = called;
    },
    ...soFar(files, waits, () => target),
    begin: () => recorded((local) => history.begin(local)).then(() => undefined),
    blocked: (requested) => recorded((local) => history.blocked(local, requested)),
    async ended(result) {
      await history.end(result, target?.local);
      await endRemote(target?.remote, flags, { sent, result, listing });
      for (const words of listing?.said() ?? []) say(words);
    },
    async close(complete) {
      interruption?.done();
      await closeRemembered(files, complete);
      await target?.catalog.close();
    },
  };
}

/** What the first signal does. */
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

/** What is told of an import while it runs. */
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

/** What a feed lists in a remote; undefined of a local catalog, and without a feed. */
function listingOf(flags: ImportFlags, env: NodeJS.ProcessEnv): RemoteListing | undefined {
  return flags.feed === undefined || 'db' in chooseTarget(flags, env) ? undefined : remoteListing(flags, env);
}

/** How often and how long a remote was waited for. */
interface Waits {
  count: number;
  milliseconds: number;
  until: number;
}

/** A run that ends, of which a remote is to be told. */
interface EndingRun {
  readonly sent: ReadonlySet<Resource>;
  readonly result: ImportResult;
  readonly listing: RemoteListing | undefined;
}

/**
 * Tells a remote that the run has ended, with what its feed lists, where the whole file was read. Otherwise it ends by silence,
 * as after a crash. Where keys do not fit into a request, the remote takes what was sent for all that the feed lists.
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
    else if (sentAll) await remote.endRun(resource, { isComplete });
  }
}

/** Opens the target, counts the waits for it, and says long ones. A local one holds items against the ranking of feeds. */
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

/** Counts a wait; batches that wait together wait once. */
function countWait(waits: Waits, milliseconds: number): void {
  const now = Date.now();
  waits.count++;
  waits.milliseconds += Math.max(0, now + milliseconds - Math.max(now, waits.until));
  waits.until = Math.max(waits.until, now + milliseconds);
}

/** Long waits have a line of their own where no spinner tells of them. */
function waitTellerFor(flags: ImportFlags, { stderr }: NodeJS.Process): WaitTeller {
  if (flags.quiet === true || stderr.isTTY) return () => undefined;
  return waitNotices((words) => stderr.write(`${words}\n`));
}
