// Which imports are undone: an undo takes its run back, and the undo of an undo brings it back.
import { runNumber, suspensionTable } from '../../core/ledger/run-tables.js';
import type { Store } from '../store.js';
import { allRuns, type LedgerRun } from './runs.js';

/** The import that an undo of a run concerns, through undos of undos. */
export interface UndoneImport {
  readonly run: LedgerRun;
  /** Whether the import counts again, as it was its undo that was undone. */
  readonly counts: boolean;
}

/** @returns undefined if a run between them is no longer kept */
export function undoneImport(undone: LedgerRun, runs: readonly LedgerRun[]): UndoneImport | undefined {
  let run: LedgerRun | undefined = undone;
  let counts = false;
  while (run?.detail.undoes !== undefined) {
    const undoes: number = run.detail.undoes;
    run = runs.find(({ number }) => number === undoes);
    counts = !counts;
  }
  return run && { run, counts };
}

/** The numbers of the imports that are undone. @param runs the earliest first */
export function undoneRuns(runs: readonly LedgerRun[]): ReadonlySet<number> {
  const undone = new Set<number>();
  for (const { state, detail } of runs) {
    if (state !== 'done' || detail.undoes === undefined) continue;
    const target = runs.find(({ number }) => number === detail.undoes);
    const found = target && undoneImport(target, runs);
    if (found?.counts === true) undone.delete(found.run.number);
    else if (found !== undefined) undone.add(found.run.number);
  }
  return undone;
}

/** The identifiers of records that are suspended since an undo took back their creation, as far as the undo is kept. */
export async function takenBack(store: Store): Promise<ReadonlySet<string>> {
  const runs = await allRuns(store);
  const undos = new Set(runs.filter(({ detail }) => detail.undoes !== undefined).map(({ number }) => number));
  const suspensions = await store.readAll(suspensionTable);
  return new Set(
    suspensions.filter(({ status, run }) => status !== '' && undos.has(runNumber(run))).map(({ id }) => id),
  );
}

/** The identifiers of records that a run suspended, be it for an undo or as their feed did not list them. */
export async function suspendedRecords(store: Store): Promise<ReadonlySet<string>> {
  const suspensions = await store.readAll(suspensionTable);
  return new Set(suspensions.filter(({ status }) => status !== '').map(({ id }) => id));
}
