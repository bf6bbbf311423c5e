// Undoes runs by their history, some thousand records after the others. The undo is a run itself, so that it can be undone in
// turn, and an interrupted one is continued by running it again.

import { validatedEntry } from '../../core/entry.js';
import { CatalogError } from '../../core/errors.js';
import { type ChangeLog, newChangeLog } from '../../core/ledger/change-log.js';
import { fieldOf, itemFields } from '../../core/ledger/feed-offer.js';
import type { FeedSettings } from '../../core/ledger/feed-ranking.js';
import type { KeptField, KeptReason } from '../../core/ledger/kept-field.js';
import { planUndo, type UndoneRecord, type UndoOutcome } from '../../core/ledger/plan-undo.js';
import { hashNumber } from '../../core/ledger/recorded-change.js';
import { runId } from '../../core/ledger/run-tables.js';
import type { RecordHistory, UndoContext } from '../../core/ledger/undo-context.js';
import type { PlanContext } from '../../core/planning/plan-batches.js';
import { noCounts } from '../../core/report-counts.js';
import type { Resource } from '../../core/resource.js';
import type { Draft } from '../../core/rows/snapshot.js';
import { loadEnvironment } from '../environment.js';
import type { Store } from '../store.js';
import { fieldOfUnit } from './change-description.js';
import { listingHistory } from './listing-history.js';
import { feedSettings } from './listing-unlisted.js';
import { changeRecorded, type RunRecorder } from './run-recorder.js';
import { allRuns, type LedgerRun, type OpenRun } from './runs.js';
import { historiesOf } from './undo-histories.js';
import { type ChangedRecords, undoneRecords } from './undo-records.js';
import { importsOf, undoneRuns } from './undone-runs.js';

/** A field that an undo left as it is. */
interface KeptInRecord extends Pick<KeptField, 'reason' | 'run'> {
  readonly resource: string;
  readonly key: string;
  /** The field in an item: `price`, `grades`; '' for the whole record. */
  readonly field: string;
}

/** The results for the records of the undone runs. */
export interface UndoResult {
  readonly items: number;
  readonly restored: number;
  readonly suspended: number;
  readonly kept: number;
  /** Undone before, or equal to before. */
  readonly unchanged: number;
  /** How many of the kept ones, by the reason of the first field. */
  readonly keptBecause: ReadonlyMap<KeptReason, number>;
  /** How many of them each later run changed. */
  readonly changedBy: ReadonlyMap<number, number>;
  /** The first of the fields that were left. */
  readonly keptFields: readonly KeptInRecord[];
}

/** Fields that are named; the others are counted. */
const namedAtMost = 1000;

/** A record is counted once, by its strongest result. */
const strength: Readonly<Record<UndoOutcome, number>> = { unchanged: 0, restored: 1, suspended: 2, kept: 3 };
const outcomes = Object.keys(strength) as UndoOutcome[];
/** For a record of which only what a feed offered was undone. */
const notCounted = -1;

interface UndoState {
  readonly store: Store;
  readonly open: OpenRun | undefined;
  readonly resourceOf: (name: string) => Resource | undefined;
  readonly context: Omit<UndoContext, 'log' | 'now' | 'resource'>;
  readonly runs: readonly LedgerRun[];
  /** The first run that matters to the values. */
  readonly from: number;
  readonly recorders: Map<string, RunRecorder>;
  /** What became of each record, by the hash of its identifier. */
  readonly records: Map<number, number>;
  readonly keptBecause: Map<KeptReason, number>;
  readonly changedBy: Map<number, number>;
  readonly keptFields: KeptInRecord[];
}

/** What is undone, in which catalog. */
interface UndoRequest extends Pick<UndoState, 'store' | 'resourceOf'> {
  readonly targets: readonly number[];
}

/** How many records are undone with one look at the later changes. */
const recordsAtOnce = 10_000;

/**
 * Undoes runs.
 * @param open the undoing run; undefined for a dry run, whose store discards everything
 * @param signal ends it after the current transaction
 */
export async function undoRuns(
  { store, resourceOf, targets }: UndoRequest,
  open: OpenRun | undefined,
  signal: AbortSignal,
): Promise<UndoResult> {
  const runs = await allRuns(store);
  const imports = importsOf(targets, runs);
  const undoing = { number: Number.POSITIVE_INFINITY, state: 'done' as const, chunks: 0, detail: { undoes: targets } };
  const undone = undoneRuns([...runs.filter(({ number }) => number !== open?.number), undoing]);
  const undos = runs.filter(({ detail }) => detail.undoes !== undefined);
  const isUndo = new Set(undos.map(({ number }) => number));
  const counts = (run: number): boolean => !undone.has(run) && !isUndo.has(run);
  const countedUntilNow = (run: number): boolean => (imports.has(run) ? !counts(run) : counts(run));
  const history = await listingHistory(store, runs);
  const effects = history.effects(counts);
  // What earlier runs did, each of which counts now as it did then, is what a history begins with.
  const from = Math.min(...imports, ...undos.flatMap(({ detail }) => detail.undoes ?? []));
  const state: UndoState = {
    ...{
      store,
      open,
      resourceOf,
      runs,
      from,
    },
    context: {
      ...{ run: runId(open?.number ?? 0), counts, concerned: imports },
      onlyUpdates: onlyUpdates(runs, await feedSettings(store)),
      countedBefore: countedBefore(runs),
      listings: (...of) => effects(...of).filter(({ run }) => run >= from),
      isSuspendedOtherwise: history.isSuspendedOtherwise(countedUntilNow, counts),
      feedOf: (run) => runs.find(({ number }) => number === run)?.feed ?? '',
    },
    ...{ recorders: new Map(), records: new Map(), keptBecause: new Map(), changedBy: new Map(), keptFields: [] },
  };
  let waiting: ChangedRecords[] = [];
  let count = 0;
  for await (const found of undoneRecords({ ...state, imports, countedUntilNow, counts, history })) {
    const chunk = notYetUndone(state, found);
    waiting.push(chunk);
    count += chunk.records.length;
    if (count < recordsAtOnce) continue;
    await undoChunks(state, waiting, signal);
    waiting = [];
    count = 0;
  }
  await undoChunks(state, waiting, signal);
  return resultOf(state);
}

/** Tells whether a run changes only what is there: by its own option, or by the setting of its feed. */
function onlyUpdates(runs: readonly LedgerRun[], { only }: FeedSettings): UndoContext['onlyUpdates'] {
  const found = runs.filter(({ feed, detail: { options } }) => (options?.['only'] ?? only?.[feed]) === 'update');
  const numbers = new Set(found.map(({ number }) => number));
  return (run) => numbers.has(run);
}

/** Tells whether a run counted before another one began. */
function countedBefore(runs: readonly LedgerRun[]): UndoContext['countedBefore'] {
  const isUndo = new Set(runs.flatMap(({ number, detail }) => (detail.undoes === undefined ? [] : [number])));
  const undoneBefore = new Map<number, ReadonlySet<number>>();
  return (run, other) => {
    const undone = undoneBefore.get(other) ?? undoneRuns(runs.filter(({ number }) => number < other));
    undoneBefore.set(other, undone);
    return !undone.has(run) && !isUndo.has(run);
  };
}

/** The records of a transaction that are not undone yet. */
function notYetUndone({ records: known }: UndoState, { records, ...of }: ChangedRecords): ChangedRecords {
  const left = records.filter((id) => !known.has(hashNumber(id)));
  for (const id of left) known.set(hashNumber(id), notCounted);
  return { ...of, records: left };
}

async function undoChunks(state: UndoState, chunks: readonly ChangedRecords[], signal: AbortSignal): Promise<void> {
  const { store, runs, from } = state;
  const found = await historiesOf(
    store,
    { runs, from },
    chunks.flatMap(({ records }) => records),
  );
  const histories = new Map(found.map((one) => [one.id, one]));
  for (const { resource, file, records } of chunks) {
    if (records.length === 0) continue;
    if (signal.aborted)
      throw new CatalogError('interrupted', 'Interrupted; run the same command again to go on.', {
        cause: signal.reason,
      });
    const own = records.flatMap((id) => histories.get(id) ?? []);
    for (const one of await undoRecords(state, { resource, file }, own)) note(state, resource, one);
  }
}

async function undoRecords(
  { store, open, resourceOf, recorders, context }: UndoState,
  { resource: name, file }: Omit<ChangedRecords, 'records'>,
  records: readonly RecordHistory[],
): Promise<readonly UndoneRecord[]> {
  const known = resourceOf(name);
  if (known === undefined) throw new Error(`there is no resource ${name}`);
  const resource: Resource = known;
  const [environmentNow, { planBatches }] = await Promise.all([
    loadEnvironment(resource.fields),
    import('../../core/planning/plan-batches.js'),
  ]);
  function* plan(draft: Draft, log: ChangeLog) {
    const environment = environmentNow();
    const { now } = environment;
    const restored = yield* planUndo(records, draft, { ...context, resource, now, log });
    const undone = yield* sendAgain(restored, draft, { resource, planBatches, environment, changes: log });
    const updated = undone.filter(({ isChanged }) => isChanged).length;
    const counts = { ...noCounts(), updated, unchanged: undone.length - updated, total: undone.length };
    return { undone, reports: [{ object: 'list' as const, resource: name, dry_run: false, data: [], ...counts }] };
  }
  if (open === undefined) return (await store.dryRun((draft) => plan(draft, newChangeLog()))).undone;
  const key = `${name} ${file}`;
  const recorder = recorders.get(key) ?? open.addFile({ file, resource: name });
  recorders.set(key, recorder);
  return (await changeRecorded(store.write, { recorder, resource: name, now: environmentNow().now }, plan)).undone;
}

/** What sending records again needs. */
interface SentAgain extends Pick<PlanContext, 'environment' | 'changes'> {
  readonly resource: Resource;
  readonly planBatches: typeof import('../../core/planning/plan-batches.js').planBatches;
}

/** Applies what feeds send of records by the runs that count, by the rules of an import. */
function* sendAgain(
  undone: readonly UndoneRecord[],
  draft: Draft,
  { resource, planBatches, ...context }: SentAgain,
): Generator<void, readonly UndoneRecord[]> {
  const sent = undone.filter(({ again }) => again.size > 0);
  if (sent.length === 0) return undone;
  const batch = sent.map(({ key, again }) => validatedEntry({ [resource.key]: key, ...itemFields(again) }));
  const mode = { dryRun: false, diff: false, comparesLists: true, isListing: false } as const;
  const { reports } = yield* planBatches(resource, [batch], draft, { ...context, mode });
  const lines = reports.flatMap(({ data }) => data);
  const actions = new Map(sent.map(({ id }, i) => [id, lines[i]?.action]));
  const applied = undone.map((one): UndoneRecord => {
    const action = actions.get(one.id);
    if (action === 'refused') {
      const refused = [...one.again.keys()].map((member) => ({
        unit: fieldOf(member),
        reason: 'listed_by_feed' as const,
      }));
      return { ...one, outcome: 'kept', kept: [...one.kept, ...refused] };
    }
    if (action !== 'updated') return one;
    return { ...one, isChanged: true, outcome: one.outcome === 'unchanged' ? 'restored' : one.outcome };
  });
  return applied.filter(({ isItsOwn, outcome }) => isItsOwn || outcome !== 'unchanged');
}

function note(state: UndoState, resource: string, { id, key, outcome, kept }: UndoneRecord): void {
  const { records, keptBecause, changedBy, keptFields } = state;
  records.set(hashNumber(id), strength[outcome]);
  const [first] = kept;
  if (first === undefined) return;
  const { reason, run } = first;
  keptBecause.set(reason, (keptBecause.get(reason) ?? 0) + 1);
  if (run !== undefined) changedBy.set(run, (changedBy.get(run) ?? 0) + 1);
  for (const { unit, ...why } of kept.slice(0, namedAtMost - keptFields.length))
    keptFields.push({ resource, key, field: fieldOfUnit(unit), ...why });
}

function resultOf({ records, keptBecause, changedBy, keptFields }: UndoState): UndoResult {
  const counts = { unchanged: 0, restored: 0, suspended: 0, kept: 0 };
  const counted = [...records.values()].filter((value) => value !== notCounted);
  for (const value of counted) counts[outcomes[value] as UndoOutcome]++;
  return { items: counted.length, ...counts, keptBecause, changedBy, keptFields };
}
