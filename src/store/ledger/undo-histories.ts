// Collects what runs changed of some records.
import type { ChangeOfRun } from '../../core/ledger/recorded-change.js';
import type { RecordHistory } from '../../core/ledger/undo-context.js';
import type { Store } from '../store.js';
import { chunkChanges } from './change-reader.js';
import type { LedgerRun } from './runs.js';

interface LookedAt {
  readonly runs: readonly LedgerRun[];
  /** The number of the first run that matters. Of earlier runs, those matter that were still open when it began. */
  readonly from: number;
}

/** All changes of some records since a run began, in the order of the ledger. */
export async function historiesOf(
  store: Store,
  { runs, from }: LookedAt,
  records: readonly string[],
): Promise<readonly RecordHistory[]> {
  const began = runs.find(({ number }) => number === from)?.started ?? 0;
  const found = new Map<string, ChangeOfRun[]>(records.map((id) => [id, []]));
  for (const { number, ended, chunks } of runs) {
    if (number < from && ended !== null && ended < began) continue;
    for (let nth = 0; nth < chunks; nth++)
      for (const change of (await chunkChanges(store, number, nth)) ?? [])
        found.get(change.record)?.push({ run: number, change });
  }
  return [...found].map(([id, changes]) => ({ id, since: began, changes }));
}
