// Which imports are undone: an undo takes its run back, and the undo of an undo brings it back.
import type { LedgerRun } from './runs.js';

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
