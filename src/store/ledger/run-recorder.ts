// Keeps what the transactions of a run change, each in itself: a kill loses no change that was committed.
import type { Counts, Report } from '../../core/import-report.js';
import { type ChangeLog, newChangeLog } from '../../core/ledger/change-log.js';
import { changeTable, chunkId, type RunRow, runTable } from '../../core/ledger/run-tables.js';
import { addCounts, noCounts } from '../../core/report-counts.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Store } from '../store.js';
import { packChanges } from './pack-changes.js';
import { recordFilter } from './record-filter.js';

/** Under which run changes are kept. */
export interface RunRecorder {
  /** The identifier of the run, '' where it has none before its first change. */
  readonly run: string;
  /** Which of the run's files is imported. */
  readonly file: number;
  /** Asks for what `find` takes. */
  ask(draft: Draft): void;
  /**
   * The run's row, made where the run begins with this batch; undefined while it is not loaded.
   * @throws CatalogError where nothing may be written under the run any more
   */
  find(draft: Draft, now: number): RunRow | undefined;
  /** The run's detail as it is now, where it may differ from what is stored. */
  detail(): string | undefined;
  /** Counts that are in no row yet: transactions that change nothing write nothing. */
  readonly unwritten: Counts;
}

/** What is recorded under, and of what. */
interface Recorded {
  readonly recorder: RunRecorder;
  /** The name of the resource. */
  readonly resource: string;
  readonly now: number;
}

/** One change on its way. */
interface Recording extends Recorded {
  /** What the plan changes, as far as it got the last time. */
  log: ChangeLog;
  /** Counts taken from `unwritten`, to be given back where the transaction fails. */
  readonly taken: Counts;
  /** Whether its counts are in the run's row. */
  written: boolean;
}

/** Reports that a plan came to. */
interface Reported {
  readonly reports: readonly Report[];
}

/**
 * Runs a plan in a write transaction, and keeps in the same what it changes.
 * @param write `Store.write`
 * @param planOf makes the plan, which fills the log with what it changes
 */
export async function changeRecorded<P extends Reported>(
  write: Store['write'],
  recorded: Recorded,
  planOf: (draft: Draft, log: ChangeLog) => Generator<void, P>,
): Promise<P> {
  const recording: Recording = { ...recorded, log: newChangeLog(), taken: noCounts(), written: false };
  const { unwritten } = recorded.recorder;
  try {
    const planned = await write((draft) => {
      // A transaction that failed is tried again, from the beginning.
      recording.log = newChangeLog();
      recording.written = false;
      return planRecorded(recording, draft, planOf(draft, recording.log));
    });
    if (!recording.written) addCounts(unwritten, countsOf(planned.reports));
    return planned;
  } catch (error) {
    addCounts(unwritten, recording.taken);
    throw error;
  }
}

/** Adds the counts of a plan's reports. */
function countsOf(reports: readonly Report[]): Counts {
  const counts = noCounts();
  for (const report of reports) addCounts(counts, report);
  return counts;
}

/** Runs a plan, and saves with it what it changed. A transaction that changes nothing writes nothing. */
function* planRecorded<P extends Reported>(
  recording: Recording,
  draft: Draft,
  plan: Generator<void, P>,
): Generator<void, P> {
  const { recorder, now, taken } = recording;
  // Asked for at once, so that it comes with what the batch refers to.
  recorder.ask(draft);
  const planned = yield* plan;
  if (draft.saved().size === 0) return planned;
  let run = recorder.find(draft, now);
  for (; run === undefined; run = recorder.find(draft, now)) yield;
  addCounts(taken, recorder.unwritten);
  Object.assign(recorder.unwritten, noCounts());
  const counts = countsOf(planned.reports);
  addCounts(counts, taken);
  keepChanges(recording, draft, run, counts);
  recording.written = true;
  return planned;
}

/** Saves the chunk of a transaction, and the run's row as it is with it. */
function keepChanges({ log, resource, recorder, now }: Recording, draft: Draft, run: RunRow, counts: Counts): void {
  const body = packChanges(log, { resource, file: recorder.file });
  addCounts(counts, run);
  const next = { ...run, ...counts, seen_at: now, detail: recorder.detail() ?? run.detail };
  if (body !== undefined) {
    const id = chunkId(run.id, run.chunks);
    draft.save(changeTable, { id, created_at: run.created_at, filter: recordFilter(log.records), body }, null);
    next.chunks++;
  }
  draft.save(runTable, next, run);
}
