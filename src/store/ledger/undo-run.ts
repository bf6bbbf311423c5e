// Takes a run back, transaction by transaction, the latest first. It is a run itself, so that it can be taken back in turn, and
// one that was cut off is gone on with by running it again: what is taken back already is no longer the run's.
import { CatalogError } from '../../core/errors.js';
import { type ChangeLog, newChangeLog } from '../../core/ledger/change-log.js';
import { type KeptField, planUndo, type UndoneRecord, type UndoOutcome } from '../../core/ledger/plan-undo.js';
import { hashNumber, type RecordedChange } from '../../core/ledger/recorded-change.js';
import { runId } from '../../core/ledger/run-tables.js';
import { noCounts } from '../../core/report-counts.js';
import type { Resource } from '../../core/resource.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Store } from '../store.js';
import { chunkChanges } from './read-changes.js';
import { changeRecorded } from './run-recorder.js';
import { allRuns, type LedgerRun, type OpenRun } from './runs.js';

/** What became of the records of a run. */
export interface UndoResult {
  readonly items: number;
  readonly restored: number;
  readonly suspended: number;
  readonly kept: number;
  /** Taken back before, or never different. */
  readonly unchanged: number;
  /** Of the kept ones, how many which later run changed; 0 for none of them. */
  readonly changedBy: ReadonlyMap<number, number>;
}

/** Records are counted once, by what is strongest. */
const strength: Readonly<Record<UndoOutcome, number>> = { unchanged: 0, restored: 1, suspended: 2, kept: 3 };
const outcomes = Object.keys(strength) as UndoOutcome[];

/** What is taken back, and how far. */
interface UndoState {
  readonly store: Store;
  readonly run: LedgerRun;
  readonly resourceOf: (name: string) => Resource | undefined;
  /** By the hash of the record's identifier. */
  readonly records: Map<number, number>;
  /** The records that kept a field, each by its first such field. */
  readonly kept: Map<string, KeptField>;
  /** Which run changed a kept field last. */
  readonly changedBy: Map<string, number>;
}

/** The name of a field of a row. */
function fieldKey({ table, record, row }: RecordedChange, column: string): string {
  return [table, record, ...Object.values(row), column].join('\0');
}

/**
 * Takes back what a run changed.
 * @param open the run that does so; undefined for a dry run, whose store keeps what it is given to itself
 * @param signal ends it after the transaction under way
 */
export async function undoRun(
  target: Pick<UndoState, 'store' | 'run' | 'resourceOf'>,
  open: OpenRun | undefined,
  signal: AbortSignal,
): Promise<UndoResult> {
  const state: UndoState = { ...target, records: new Map(), kept: new Map(), changedBy: new Map() };
  const recorders = state.run.detail.files.map((file) => open?.addFile(file));
  for (let nth = state.run.chunks - 1; nth >= 0; nth--) {
    if (signal.aborted)
      throw new CatalogError('interrupted', 'Interrupted; run the same command again to go on.', {
        cause: signal.reason,
      });
    const changes = await chunkChanges(state.store, state.run.number, nth);
    const [first] = changes ?? [];
    if (changes === undefined || first === undefined) continue;
    const undone = await undoChunk(state, changes.reverse(), open, recorders[first.file]);
    for (const one of undone) take(state, one);
  }
  await attribute(state);
  return resultOf(state);
}

async function undoChunk(
  { store, resourceOf }: UndoState,
  changes: readonly RecordedChange[],
  open: OpenRun | undefined,
  recorder: ReturnType<OpenRun['addFile']> | undefined,
): Promise<readonly UndoneRecord[]> {
  const name = changes[0]?.resource ?? '';
  const resource = resourceOf(name);
  if (resource === undefined) throw new Error(`there is no resource ${name}`);
  const now = Math.floor(Date.now() / 1000);
  const run = runId(open?.number ?? 0);
  function* plan(draft: Draft, log: ChangeLog) {
    const undone = yield* planUndo(changes, draft, { resource: resource as Resource, now, run, log });
    const updated = undone.filter(({ outcome }) => outcome !== 'unchanged').length;
    const counts = { ...noCounts(), updated, unchanged: undone.length - updated, total: undone.length };
    return { undone, reports: [{ object: 'list' as const, resource: name, dry_run: false, data: [], ...counts }] };
  }
  if (recorder === undefined) return (await store.dryRun((draft) => plan(draft, newChangeLog()))).undone;
  return (await changeRecorded(store.write, { recorder, resource: name, now }, plan)).undone;
}

function take({ records, kept }: UndoState, { id, outcome, kept: fields }: UndoneRecord): void {
  const hash = hashNumber(id);
  records.set(hash, Math.max(records.get(hash) ?? 0, strength[outcome]));
  const [first] = fields;
  if (first !== undefined) kept.set(fieldKey(first.change, first.column), first);
}

/** Finds who changed the kept fields last: the runs since, from the first to the last. */
async function attribute({ store, run, kept, changedBy }: UndoState): Promise<void> {
  if (kept.size === 0) return;
  for (const later of await allRuns(store)) {
    if (later.number <= run.number) continue;
    for (let nth = 0; nth < later.chunks; nth++) {
      for (const change of (await chunkChanges(store, later.number, nth)) ?? [])
        for (const column of change.columns) {
          const field = fieldKey(change, column);
          if (kept.has(field)) changedBy.set(field, later.number);
        }
    }
  }
}

function resultOf({ records, kept, changedBy }: UndoState): UndoResult {
  const counts = { unchanged: 0, restored: 0, suspended: 0, kept: 0 };
  for (const value of records.values()) counts[outcomes[value] as UndoOutcome]++;
  const by = new Map<number, number>();
  for (const field of kept.keys()) {
    const run = changedBy.get(field) ?? 0;
    by.set(run, (by.get(run) ?? 0) + 1);
  }
  return { items: records.size, ...counts, changedBy: by };
}
