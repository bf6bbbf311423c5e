// Which imports are undone: an undo takes runs back, and the undo of an undo brings them back. The last word counts.
import { suspensionTable } from '../../core/ledger/run-tables.js';
import { isTakenBack } from '../../core/ledger/suspension.js';
import type { Store } from '../store.js';
import type { LedgerRun } from './runs.js';

/** What tells whether a run takes others back. */
type UndoingRun = Pick<LedgerRun, 'number' | 'state' | 'chunks'> & {
  readonly detail: Pick<LedgerRun['detail'], 'undoes'>;
};

/** The numbers of the imports that are undone. @param runs the earliest first */
export function undoneRuns(runs: readonly UndoingRun[]): ReadonlySet<number> {
  const undone = new Set<number>();
  const undoes = new Map(
    runs.flatMap(({ number, detail }) => (detail.undoes === undefined ? [] : [[number, detail.undoes] as const])),
  );
  function settle(run: number, counts: boolean): void {
    const targets = undoes.get(run);
    if (targets === undefined) {
      if (counts) undone.delete(run);
      else undone.add(run);
      return;
    }
    // Taken back from the latest to the earliest, brought back from the earliest to the latest.
    for (const target of [...targets].sort((a, b) => (counts ? b - a : a - b))) settle(target, !counts);
  }
  // One that was interrupted took something back, and goes on when it is run again.
  for (const { number, state, chunks } of runs)
    if (undoes.has(number) && (state === 'done' || chunks > 0)) settle(number, true);
  return undone;
}

/** The imports that undoing some runs is about: through undos, what those took back. */
export function importsOf(targets: readonly number[], runs: readonly UndoingRun[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const target of targets) {
    const undoes = runs.find(({ number }) => number === target)?.detail.undoes;
    for (const one of undoes === undefined ? [target] : importsOf(undoes, runs)) found.add(one);
  }
  return found;
}

/** The identifiers of records that are suspended since an undo took back their creation. */
export async function takenBack(store: Store): Promise<ReadonlySet<string>> {
  return new Set((await store.readAll(suspensionTable)).filter(isTakenBack).map(({ id }) => id));
}

/** The identifiers of records that a run suspended, be it for an undo or as their feed did not list them. */
export async function suspendedRecords(store: Store): Promise<ReadonlySet<string>> {
  const suspensions = await store.readAll(suspensionTable);
  return new Set(suspensions.filter(({ status }) => status !== '').map(({ id }) => id));
}
