// The records that undoing runs may change. A run concerns those that it changed. Where other runs are undone, or were for a time,
// it may have to do with further ones: what it sent again without changing it, or no longer listed when it was not there, and what
// its end would have suspended, had they never been.
import { CatalogError } from '../../core/errors.js';
import type { Resource } from '../../core/resource.js';
import type { Store } from '../store.js';
import { chunkChanges } from './change-reader.js';
import { recordsOf } from './listing-change.js';
import type { ListingHistory } from './listing-history.js';
import { suspendedSection } from './posted-end.js';
import type { LedgerRun } from './runs.js';
import { importsOf } from './undone-runs.js';

/** Records of a resource that a file changed. */
export interface ChangedRecords {
  /** The name of the resource, and the file of the run. */
  readonly resource: string;
  readonly file: string;
  readonly records: readonly string[];
}

/** What is undone. */
interface Undone {
  readonly store: Store;
  readonly resourceOf: (name: string) => Resource | undefined;
  readonly runs: readonly LedgerRun[];
  /** The numbers of the imports that are undone or brought back. */
  readonly imports: ReadonlySet<number>;
  /** Whether a run counts until then, and once that is done. */
  readonly countedUntilNow: (run: number) => boolean;
  readonly counts: (run: number) => boolean;
  readonly history: ListingHistory;
}

/** Finds the records, the latest change first. A record may be found more than once. */
export async function* undoneRecords(undone: Undone): AsyncGenerator<ChangedRecords> {
  const { store, resourceOf, runs, imports, countedUntilNow, counts, history } = undone;
  for (const number of [...imports].sort((a, b) => b - a)) {
    const run = runs.find((one) => one.number === number);
    if (run === undefined) throw forgotten(number);
    yield* recordsOfRun(store, run);
  }
  const undos = runs.flatMap(({ detail }) => detail.undoes ?? []);
  const everUndone = importsOf(undos, runs);
  for (const run of runs) if (everUndone.has(run.number) && !imports.has(run.number)) yield* recordsOfRun(store, run);
  for (const [name, hashes] of history.suspendedOtherwise(countedUntilNow, counts)) {
    const resource = resourceOf(name);
    const records = resource === undefined ? [] : await recordsOf(store, resource, hashes);
    yield { resource: name, file: suspendedSection, records: records.map(({ id }) => id) };
  }
}

/** The records that a run changed, the latest transaction first. */
async function* recordsOfRun(store: Store, { number, chunks, detail }: LedgerRun): AsyncGenerator<ChangedRecords> {
  for (let nth = chunks - 1; nth >= 0; nth--) {
    const changes = await chunkChanges(store, number, nth);
    if (changes === undefined) throw forgotten(number);
    const { resource = '', file = 0 } = changes[0] ?? {};
    yield {
      resource,
      file: detail.files[file]?.file ?? '',
      records: [...new Set(changes.map(({ record }) => record))],
    };
  }
}

/** The error of a run whose history was deleted before all of it was undone. */
function forgotten(number: number): CatalogError {
  return new CatalogError(
    'not_found',
    `Run ${number} is older than --keep and was forgotten during the undo; only a part of it was undone.`,
  );
}
