// The runs of a catalog: each begins before its first write and ends after its last.
import { CatalogError } from '../../core/errors.js';
import type { Counts } from '../../core/import-report.js';
import type { PlanProgress } from '../../core/ledger/plan-progress.js';
import {
  type RunDetail,
  type RunFile,
  type RunRow,
  type RunStatus,
  runHeadTable,
  runId,
  runNumber,
  runSeries,
  runTable,
} from '../../core/ledger/run-tables.js';
import { addCounts, noCounts } from '../../core/report-counts.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { RowOf } from '../../core/rows/table.js';
import { isRunning, processIdentity } from '../../files/process-identity.js';
import { rowPages } from '../row-pages.js';
import type { Store } from '../store.js';
import { untilLoaded } from '../until-loaded.js';
import type { RunRecorder } from './run-recorder.js';

/** A run as it is shown. Times are Unix seconds. */
export interface LedgerRun extends Readonly<Counts> {
  readonly number: number;
  readonly feed: string;
  readonly state: RunStatus;
  readonly started: number;
  readonly ended: number | null;
  readonly exit: number | null;
  readonly chunks: number;
  readonly detail: RunDetail;
}

/** How a run ended. */
export interface RunEnd {
  readonly state: Exclude<RunStatus, 'open' | 'daily' | 'received'>;
  readonly exit: number;
  /** Counts of all its files; undefined if the recorded counts are complete. */
  readonly counts?: Readonly<Counts>;
  /** What its detail keeps of the end. */
  readonly found?: Pick<RunDetail, 'filled' | 'warnings' | 'guards' | 'failure' | 'effects'>;
}

/** A run of this process. */
export interface OpenRun {
  readonly number: number;
  /** Starts another file of the run, or what its end changes, and returns the recorder for the changes. */
  addFile(file: RunFile, end?: Pick<RunRecorder, 'isEnd'>): RunRecorder;
  /**
   * Ends the run.
   * @param more further writes in the same transaction
   */
  end(end: RunEnd, more?: (draft: Draft) => Generator<void>): Promise<void>;
  /** Detaches the run from this process, which continues. */
  abandon(): void;
}

/** Seconds without a sign of life after which a run counts as ended, if its process cannot be checked. */
const longestSilence = 60;
/** Seconds of silence after which a run over HTTP counts as ended: a client retries a request for 15 minutes. */
const longestPause = 1800;
/** Seconds in the future from which on a time says that the clock was set back: clocks of two hosts differ less. */
const longestLead = 3600;
/** Milliseconds between two signs of life. */
const heartbeat = 15_000;
/** Milliseconds between two checks of a run that is waited for. */
const pause = 200;

function runOf(row: RunRow): LedgerRun {
  const { id, feed, state, created_at: started, ended_at: ended, exit, chunks, detail } = row;
  const { created, updated, unchanged, refused, total } = row;
  const counts = { created, updated, unchanged, refused, total };
  const kept = JSON.parse(detail) as RunDetail;
  return {
    number: runNumber(id),
    feed,
    state: state as RunStatus,
    started,
    ended,
    exit,
    chunks,
    ...counts,
    detail: kept,
  };
}

/** Whether the process of an open run has ended. One that is stopped, or whose machine slept, goes on however long it was silent. */
function isDead({ state, process, seen_at }: RunRow, now: number): boolean {
  return state === 'open' && !(isRunning(process) ?? !isSilent(seen_at, now, longestSilence));
}

/** Whether nothing was seen of a run for long. */
function isSilent(seenAt: number, now: number, longest: number): boolean {
  return now - seenAt > longest || seenAt - now > longestLead;
}

/** A run over HTTP whose client fell silent ended with its last request. */
function endedBySilence(row: RunRow, now: number): RunRow {
  const isOver = row.state === 'received' && isSilent(row.seen_at, now, longestPause);
  return isOver ? { ...row, ended_at: row.seen_at } : row;
}

/** Every stored run, the earliest first; open ones whose process died count as interrupted. One of which nothing is kept is shown only while it is under way. */
export async function allRuns(store: Store, now: number = seconds()): Promise<LedgerRun[]> {
  const rows = await store.readAll(runTable);
  return rows
    .map((row) => runOf(isDead(row, now) ? { ...row, state: 'interrupted' } : endedBySilence(row, now)))
    .filter(({ state, detail }) => detail.unrecorded !== true || state === 'open')
    .sort((a, b) => a.number - b.number);
}

/** Number, state and time of all runs, those included of which nothing is kept. */
export async function runHeads(store: Store): Promise<RowOf<typeof runHeadTable>[]> {
  const heads: RowOf<typeof runHeadTable>[] = [];
  for await (const rows of rowPages(store, runHeadTable)) heads.push(...rows);
  return heads;
}

/** The run with an identifier, after it was loaded. */
function findRun(draft: Draft, id: string): Generator<void, RunRow | undefined> {
  return untilLoaded(draft, () => draft.find(runTable, 'id', id));
}

/** Assigns the next number to a new run, within a transaction. */
function* nextRun(draft: Draft): Generator<void, string> {
  for (;;) {
    const series = draft.find(runSeries, 'id', 'run');
    if (draft.hasPending()) {
      yield;
      continue;
    }
    const last = (series?.last ?? 0) + 1;
    draft.save(runSeries, { id: 'run', last }, series ?? null);
    return runId(last);
  }
}

/** A new run that another run of the same feed prevents: the number of that one. */
interface Busy {
  readonly busy: string;
}

/** Begins a run, unless another one of its feed is in progress. Open runs whose process died become `interrupted`. */
function* planBegin(
  draft: Draft,
  { feed, detail, now }: { readonly feed: string; readonly detail: RunDetail; readonly now: number },
  open: readonly string[],
): Generator<void, RunRow | Busy> {
  for (const id of open) {
    const row = yield* findRun(draft, id);
    if (row !== undefined && isDead(row, now))
      draft.save(runTable, { ...row, state: 'interrupted', ended_at: row.seen_at }, row);
  }
  const place = `feed ${feed}`;
  if (feed !== '') draft.find(runSeries, 'id', place);
  if (draft.hasPending()) yield;
  const latest = feed === '' ? undefined : draft.find(runSeries, 'id', place);
  const before = latest === undefined ? undefined : yield* findRun(draft, runId(latest.last));
  if (before?.state === 'open') return { busy: before.id };
  const id = yield* nextRun(draft);
  if (feed !== '') draft.save(runSeries, { id: place, last: runNumber(id) }, latest ?? null);
  const row: RunRow = {
    ...{ id, key: id, feed, state: 'open', created_at: now, ended_at: null, seen_at: now, process: processIdentity() },
    ...{ exit: null, chunks: 0, ...noCounts(), detail: JSON.stringify(detail) },
  };
  draft.save(runTable, row, null);
  return row;
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

export interface NewRun {
  readonly feed: string;
  readonly detail: RunDetail;
  /** Called once with the number of the run that is waited for. */
  readonly onWait?: (run: number) => void;
}

/**
 * Begins a run after waiting for another run of the same feed.
 * @param wait maximum time in milliseconds
 * @throws CatalogError `catalog_locked` if the other run is still in progress then
 */
export async function beginRun(store: Store, { feed, detail, onWait }: NewRun, wait: number): Promise<OpenRun> {
  let isSaid = false;
  const deadline = performance.now() + wait;
  for (;;) {
    const open = (await runHeads(store)).filter(({ state }) => state === 'open').map(({ id }) => id);
    const begun = await store.write((draft) => planBegin(draft, { feed, detail, now: seconds() }, open));
    if (!('busy' in begun)) return openRun(store, begun, detail);
    if (performance.now() > deadline) {
      throw new CatalogError(
        'catalog_locked',
        `Run ${runNumber(begun.busy)} of feed ${feed} is still under way; try again once it has ended (catalog-import runs shows it).`,
      );
    }
    if (!isSaid) onWait?.(runNumber(begun.busy));
    isSaid = true;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** The error of a run that another one declared dead: that one may be importing its feed by now. */
function lostRun(id: string): CatalogError {
  return new CatalogError(
    'catalog_locked',
    `Run ${runNumber(id)} showed no activity for more than ${longestSilence} s and counts as interrupted; run the same command again.`,
  );
}

function openRun(store: Store, begun: RunRow, before: RunDetail): OpenRun {
  const { id } = begun;
  const unwritten = noCounts();
  const files: RunFile[] = [...before.files];
  const applied = before.plan === undefined ? undefined : { progress: [] as PlanProgress };
  const beating = setInterval(() => void store.write((draft) => beat(draft)).catch(() => undefined), heartbeat);
  beating.unref();

  /** The row of the run, while it may write. */
  function findOpen(draft: Draft): RunRow | undefined {
    const row = draft.find(runTable, 'id', id);
    if (draft.hasPending()) return undefined;
    if (row?.state !== 'open') throw lostRun(id);
    return row;
  }

  function* beat(draft: Draft): Generator<void> {
    let row = findOpen(draft);
    for (; row === undefined; row = findOpen(draft)) yield;
    draft.save(runTable, { ...row, seen_at: seconds() }, row);
  }

  const detail = (more: Partial<RunDetail> = {}): string => JSON.stringify({ ...before, files, ...more });
  return {
    number: runNumber(id),
    addFile(file, end) {
      return {
        ...end,
        run: id,
        sharedRun: String(runNumber(id)),
        keepsChanges: before.unrecorded !== true,
        file: files.push(file) - 1,
        ask: (draft) => void draft.find(runTable, 'id', id),
        find: findOpen,
        detail: (progress) => detail(progress && { progress }),
        applied,
        unwritten,
      };
    },
    async end({ state, exit, counts, found }, more) {
      clearInterval(beating);
      const now = seconds();
      await store.write(function* (draft) {
        let row = findOpen(draft);
        for (; row === undefined; row = findOpen(draft)) yield;
        if (more !== undefined) yield* more(draft);
        const total = counts === undefined ? { ...unwritten } : { ...counts };
        if (counts === undefined) addCounts(total, row);
        const ended = { state, exit, ended_at: now, seen_at: now };
        const kept = detail({ ...found, ...applied });
        draft.save(runTable, { ...row, ...total, ...ended, detail: kept }, row);
      });
    },
    abandon: () => clearInterval(beating),
  };
}

/** Whether a run is under way, or goes on. */
export function isUnderWay({ state, ended }: Pick<LedgerRun, 'state' | 'ended'>): boolean {
  return state === 'open' || (state === 'received' && ended === null);
}
