// Undoes a run, transaction by transaction, the latest first. The undo is a run itself, so that it can be undone in
// turn, and an interrupted one is continued by running it again: changes that were undone are no longer the run's.
import { CatalogError } from '../../core/errors.js';
import { type ChangeLog, newChangeLog } from '../../core/ledger/change-log.js';
import {
  type KeptField,
  planUndo,
  type Undone,
  type UndoneRecord,
  type UndoOutcome,
} from '../../core/ledger/plan-undo.js';
import { hashNumber, type RecordedChange } from '../../core/ledger/recorded-change.js';
import { runId } from '../../core/ledger/run-tables.js';
import { noCounts } from '../../core/report-counts.js';
import type { Resource } from '../../core/resource.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Store } from '../store.js';
import { chunkChanges } from './read-changes.js';
import { changeRecorded } from './run-recorder.js';
import { allRuns, type LedgerRun, type OpenRun } from './runs.js';

/** The results for the records of a run. */
export interface UndoResult {
  readonly items: number;
  readonly restored: number;
  readonly suspended: number;
  readonly kept: number;
  /** Undone before, or equal to before. */
  readonly unchanged: number;
  /** How many of the kept ones each later run changed; 0 stands for changes without a run. */
  readonly changedBy: ReadonlyMap<number, number>;
  /** How many of the kept ones are shop data that the run created: they have no status, and are never deleted. */
  readonly unsuspendable: number;
}

/** A record is counted once, by its strongest result. */
const strength: Readonly<Record<UndoOutcome, number>> = { unchanged: 0, restored: 1, suspended: 2, kept: 3 };
const outcomes = Object.keys(strength) as UndoOutcome[];

/** The progress of an undo. */
interface UndoState {
  readonly store: Store;
  readonly run: LedgerRun;
  readonly resourceOf: (name: string) => Resource | undefined;
  /** By the hash of the record's identifier. */
  readonly records: Map<number, number>;
  /** The records that keep a field, each with its first such field. */
  readonly kept: Map<string, KeptField>;
  /** The fields that have a value which the run only offered: kept if a later run changed them. */
  readonly passed: Map<string, KeptField>;
  /** The run that last changed each kept field. */
  readonly changedBy: Map<string, number>;
}

/** The name of a field of a row. */
function fieldKey({ table, record, row }: RecordedChange, column: string): string {
  return [table, record, ...Object.values(row), column].join('\0');
}

/**
 * Undoes the changes of a run.
 * @param open the undoing run; undefined for a dry run, whose store discards everything
 * @param signal ends it after the current transaction
 */
export async function undoRun(
  target: Pick<UndoState, 'store' | 'run' | 'resourceOf'>,
  open: OpenRun | undefined,
  signal: AbortSignal,
): Promise<UndoResult> {
  const state: UndoState = { ...target, records: new Map(), kept: new Map(), passed: new Map(), changedBy: new Map() };
  const recorders = state.run.detail.files.map((file) => open?.addFile(file));
  for (let nth = state.run.chunks - 1; nth >= 0; nth--) {
    if (signal.aborted)
      throw new CatalogError('interrupted', 'Interrupted; run the same command again to go on.', {
        cause: signal.reason,
      });
    const changes = await chunkChanges(state.store, state.run.number, nth);
    if (changes === undefined) throw forgotten(state);
    const [first] = changes;
    if (first === undefined) continue;
    const undone = await undoChunk(state, changes.reverse(), open, recorders[first.file]);
    for (const one of undone.records) take(state, one);
    for (const one of undone.passed) state.passed.set(fieldKey(one.change, one.column), one);
  }
  await attribute(state);
  takePassed(state);
  return resultOf(state);
}

/** The error of a run whose history was deleted before all of it was undone. */
function forgotten({ run, records }: UndoState): CatalogError {
  const done = records.size === 0 ? 'nothing was undone' : `${records.size} of its items were undone`;
  return new CatalogError(
    'not_found',
    `Run ${run.number} was forgotten meanwhile, as it is older than runs are kept; ${done}.`,
  );
}

async function undoChunk(
  { store, resourceOf }: UndoState,
  changes: readonly RecordedChange[],
  open: OpenRun | undefined,
  recorder: ReturnType<OpenRun['addFile']> | undefined,
): Promise<Undone> {
  const name = changes[0]?.resource ?? '';
  const resource = resourceOf(name);
  if (resource === undefined) throw new Error(`there is no resource ${name}`);
  const nowInSeconds = (): number => Math.floor(Date.now() / 1000);
  const run = runId(open?.number ?? 0);
  function* plan(draft: Draft, log: ChangeLog) {
    const now = nowInSeconds();
    const undone = yield* planUndo(changes, draft, { resource: resource as Resource, now, run, log });
    const total = undone.records.length;
    const updated = undone.records.filter(({ outcome }) => outcome !== 'unchanged').length;
    const counts = { ...noCounts(), updated, unchanged: total - updated, total };
    return { undone, reports: [{ object: 'list' as const, resource: name, dry_run: false, data: [], ...counts }] };
  }
  if (recorder === undefined) return (await store.dryRun((draft) => plan(draft, newChangeLog()))).undone;
  return (await changeRecorded(store.write, { recorder, resource: name, now: nowInSeconds() }, plan)).undone;
}

function take({ records, kept }: UndoState, { id, outcome, kept: fields }: UndoneRecord): void {
  const hash = hashNumber(id);
  records.set(hash, Math.max(records.get(hash) ?? 0, strength[outcome]));
  const [first] = fields;
  if (first !== undefined) kept.set(fieldKey(first.change, first.column), first);
}

/** Counts records as kept that have a value of the run because a later run passed it on. */
function takePassed({ records, kept, passed, changedBy }: UndoState): void {
  for (const [key, field] of passed) {
    const hash = hashNumber(field.change.record);
    if (!changedBy.has(key) || records.get(hash) === strength.kept) continue;
    records.set(hash, strength.kept);
    kept.set(key, field);
  }
}

/** Finds the runs that last changed these fields: the later runs, from the first to the last. */
async function attribute({ store, run, kept, passed, changedBy }: UndoState): Promise<void> {
  if (kept.size + passed.size === 0) return;
  for (const later of await allRuns(store)) {
    if (later.number <= run.number) continue;
    for (let nth = 0; nth < later.chunks; nth++) {
      for (const change of (await chunkChanges(store, later.number, nth)) ?? [])
        for (const column of change.columns) {
          const field = fieldKey(change, column);
          if (kept.has(field) || passed.has(field)) changedBy.set(field, later.number);
        }
    }
  }
}

function resultOf({ records, kept, changedBy }: UndoState): UndoResult {
  const counts = { unchanged: 0, restored: 0, suspended: 0, kept: 0 };
  for (const value of records.values()) counts[outcomes[value] as UndoOutcome]++;
  const by = new Map<number, number>();
  let unsuspendable = 0;
  for (const [field, { column }] of kept) {
    if (column === '') {
      unsuspendable++;
      continue;
    }
    const run = changedBy.get(field) ?? 0;
    by.set(run, (by.get(run) ?? 0) + 1);
  }
  return { items: records.size, ...counts, changedBy: by, unsuspendable };
}
