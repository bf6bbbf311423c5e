// The ledger of a catalog: what is kept of its imports, as commands ask for it.
import type { ReadShape } from '../../core/import-report.js';
import type { RunDetail } from '../../core/ledger/run-tables.js';
import type { Resource } from '../../core/resource.js';
import { resources, shopResources } from '../../core/resources/index.js';
import type { Store } from '../store.js';
import { explainRecord, type FieldHistory } from './explain-record.js';
import { type ChangeOfRun, chunkChanges } from './read-changes.js';
import { allRuns, beginRun, forgetRuns, type LedgerRun, type OpenRun } from './runs.js';
import { type UndoResult, undoRun } from './undo-run.js';

/** What is kept of the imports into a catalog. */
export interface Ledger {
  /** Begins a run (see `beginRun`). */
  begin(run: { readonly feed: string; readonly detail: RunDetail }): Promise<OpenRun>;
  /** Every run that is kept, the earliest first. */
  runs(): Promise<LedgerRun[]>;
  /** What a run changed, transaction by transaction, in order. */
  changes(run: LedgerRun): AsyncGenerator<readonly ChangeOfRun[]>;
  /** The history of a record's fields, the latest first; undefined where there is no such record. */
  explain(
    resource: Resource,
    key: string,
  ): Promise<{ readonly record: ReadShape; readonly fields: FieldHistory[] } | undefined>;
  /** Takes a run back. @param open the run that does so, undefined for a dry run */
  undo(run: LedgerRun, open: OpenRun | undefined, signal: AbortSignal): Promise<UndoResult>;
  /** Forgets the runs that began at or before a time, in Unix seconds: they cannot be undone any more. */
  forget(before: number): Promise<{ readonly runs: number; readonly last: number }>;
}

/** The resource of an import by its name; of characteristics the importable ones. */
function resourceOf(name: string): Resource | undefined {
  return [...resources, ...shopResources].find((resource) => resource.name === name);
}

/** @param wait how long a run waits for another one of its feed, in milliseconds */
export function ledgerOf(store: Store, wait: number): Ledger {
  return {
    begin: (run) => beginRun(store, run, wait),
    runs: () => allRuns(store),
    async *changes(run) {
      for (let nth = 0; nth < run.chunks; nth++) {
        const changes = (await chunkChanges(store, run.number, nth)) ?? [];
        yield changes.map((change) => ({ run: run.number, change }));
      }
    },
    explain: (resource, key) => explainRecord(store, resource, key),
    undo: (run, open, signal) => undoRun({ store, run, resourceOf }, open, signal),
    forget: (before) => forgetRuns(store, before),
  };
}
