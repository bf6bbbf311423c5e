// Records the changes of a run within each of its transactions, so that a kill loses no change that was committed.

import { CatalogError } from '../../core/errors.js';
import type { Counts, Report } from '../../core/import-report.js';
import { type ChangeLog, newChangeLog } from '../../core/ledger/change-log.js';
import { type PlanProgress, progressWith } from '../../core/ledger/plan-progress.js';
import { changeTable, chunkId, type RunRow, runTable } from '../../core/ledger/run-tables.js';
import { addCounts, noCounts } from '../../core/report-counts.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Row, Table } from '../../core/rows/table.js';
import type { Store } from '../store.js';
import { packChanges } from './change-packer.js';

/** The run under which changes are recorded. */
export interface RunRecorder {
  /** The identifier of the run, '' if it has none before its first change. */
  readonly run: string;
  /** A short name of the run in rows that it changes; undefined where each transaction is a run of its own. */
  readonly sharedRun: string | undefined;
  /** Whether changes are kept. If not, each transaction only makes sure that the run may still write. */
  readonly keepsChanges: boolean;
  /** Characters of stored texts that a transaction of several items may replace; without a limit where undefined. */
  readonly mostReplaced?: number;
  /** Characters of stored texts that a transaction may load; without a limit where undefined. */
  readonly mostLoaded?: number;
  /** Whether it records what the end of the run changes, which has counts of its own. */
  readonly isEnd?: true;
  /** The index of the run's file that is imported. */
  readonly file: number;
  /** Looks up what `find` needs. */
  ask(draft: Draft): void;
  /**
   * The run's row, created if the run begins with this batch; undefined while it is not loaded.
   * @throws CatalogError if the run must not write any more
   */
  find(draft: Draft, now: number): RunRow | undefined;
  /**
   * The run's current detail, if it may differ from the stored one.
   * @param progress which items of its plan the run did, with the transaction that stores the detail
   */
  detail(progress?: PlanProgress): string | undefined;
  /** Which items of its plan the run did in committed transactions; undefined if it applies none. */
  readonly applied?: { progress: PlanProgress } | undefined;
  /** Counts that are in no row yet: transactions that change nothing write nothing. */
  readonly unwritten: Counts;
}

interface Recorded {
  readonly recorder: RunRecorder;
  readonly resource: string;
  readonly now: number;
}

interface Recording extends Recorded {
  /** The changes of the plan in its last attempt. */
  log: ChangeLog;
  /** Counts taken from `unwritten`, to be returned if the transaction fails. */
  readonly taken: Counts;
  /** Whether its counts are in the run's row. */
  written: boolean;
}

/** The reports of a plan. */
interface Reported {
  readonly reports: readonly Report[];
}

/**
 * Runs a plan in a write transaction, and records its changes in the same transaction.
 * @param write `Store.write`
 * @param planOf makes the plan, which adds its changes to the log
 */
export async function changeRecorded<P extends Reported>(
  write: Store['write'],
  recorded: Recorded,
  planOf: (draft: Draft, log: ChangeLog) => Generator<void, P>,
): Promise<P> {
  const recording: Recording = { ...recorded, log: newChangeLog(), taken: noCounts(), written: false };
  const { unwritten, applied } = recorded.recorder;
  try {
    const planned = await write((draft) => {
      // A failed transaction is tried again from the beginning.
      recording.log = newChangeLog();
      recording.written = false;
      return planRecorded(recording, draft, planOf(draft, recording.log));
    });
    if (!recording.written) {
      addCounts(unwritten, countsOf(recorded.recorder, planned.reports));
      // An attempt that was given up may have taken them.
      addCounts(unwritten, recording.taken);
    }
    if (applied !== undefined) applied.progress = progressWith(applied.progress, planned.reports);
    return planned;
  } catch (error) {
    addCounts(unwritten, recording.taken);
    throw error;
  }
}

/** Adds the counts of a plan's reports on items. */
function countsOf({ isEnd }: RunRecorder, reports: readonly Report[]): Counts {
  const counts = noCounts();
  if (isEnd !== true) for (const report of reports) addCounts(counts, report);
  return counts;
}

/** Runs a plan, and records its changes. A transaction that changes nothing writes nothing. */
function* planRecorded<P extends Reported>(
  recording: Recording,
  draft: Draft,
  plan: Generator<void, P>,
): Generator<void, P> {
  const { recorder, now, taken } = recording;
  // Looked up first, so that it is loaded together with the references of the batch.
  recorder.ask(draft);
  if (recorder.mostLoaded !== undefined) draft.limitTexts(recorder.mostLoaded);
  const planned = yield* plan;
  if (!draft.hasSaved()) return planned;
  let run = recorder.find(draft, now);
  for (; run === undefined; run = recorder.find(draft, now)) yield;
  addCounts(taken, recorder.unwritten);
  Object.assign(recorder.unwritten, noCounts());
  const counts = countsOf(recorder, planned.reports);
  if (counts.total > 1) refuseReplaced(recording);
  addCounts(counts, taken);
  const { applied } = recorder;
  const progress = applied && progressWith(applied.progress, planned.reports);
  keepChanges(recording, draft, { run, counts, detail: recorder.detail(progress) });
  // Nothing reads it any more, and what it holds would outlive the transaction.
  recording.log = newChangeLog();
  recording.written = true;
  return planned;
}

/** The run's row as it is stored, and what a transaction makes of it. */
interface RunUpdate {
  readonly run: RunRow;
  readonly counts: Counts;
  /** Its new detail, if it may differ. */
  readonly detail: string | undefined;
}

/** @throws CatalogError `batch_too_large` where the changes replace longer texts than the recorder takes of several items */
function refuseReplaced({ recorder: { mostReplaced }, log: { tables, befores, nexts } }: Recording): void {
  if (mostReplaced === undefined) return;
  let characters = 0;
  for (const [at, before] of befores.entries())
    for (const name of before === undefined ? [] : (tables[at] as Table).differing(before, nexts[at] as Row)) {
      const value = before?.[name];
      if (typeof value === 'string') characters += value.length;
    }
  if (characters > mostReplaced)
    throw new CatalogError('batch_too_large', `${characters} characters of stored texts would be replaced at once`);
}

/** Saves the chunk of a transaction, and the run's updated row. */
function keepChanges(
  { log, resource, recorder, now }: Recording,
  draft: Draft,
  { run, counts, detail = run.detail }: RunUpdate,
): void {
  const packed = packChanges(log, { resource, file: recorder.file });
  addCounts(counts, run);
  const next = { ...run, ...counts, seen_at: now, detail };
  if (packed !== undefined) {
    draft.save(changeTable, { id: chunkId(run.id, run.chunks), created_at: run.created_at, ...packed }, null);
    next.chunks++;
  }
  draft.save(runTable, next, run);
}
