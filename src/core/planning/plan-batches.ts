// Folds batches over a draft: reports, and rows to save. Pure: it yields whenever rows are pending, its driver loads them,
// and the batch is decided again. Items are processed in order; each sees what the earlier ones did; a refused item changes
// nothing and stops nothing.
import type { Batch } from '../catalog.js';
import { addReportedProblem, newDiagnostics } from '../diagnostics/diagnostics.js';
import type { Entry, RawEntry } from '../entry.js';
import { type CheckedItem, checkItem } from '../fields/check-item.js';
import type { Line, Report } from '../import-report.js';
import { type ChangeLog, markChanges, rollbackChanges } from '../ledger/change-log.js';
import { reportOf } from '../report-counts.js';
import type { Resource } from '../resource.js';
import type { Draft } from '../rows/snapshot.js';
import { type AcceptedRecords, finishItem } from './item-outcome.js';
import { beginItem, newItemState, newTask } from './item-state.js';
import type { CheckedFields, Environment, ImportMode, Task } from './item-task.js';

export interface PlanContext {
  readonly environment: Environment;
  readonly mode: ImportMode;
  /** Called with each report before the batch counts as applied; false stops before it. */
  readonly accept?: (report: Report) => boolean;
  /** Records the changes, if the catalog keeps a ledger. */
  readonly changes?: ChangeLog;
  /** The lines of a batch's items in their file, where they are known. */
  readonly linesOf?: (batch: Batch) => readonly number[];
}

/** The result of a plan: the reports of the batches that were applied. */
export interface PlanResult {
  readonly reports: readonly Report[];
  /** Whether `accept` stopped it before the last batch. */
  readonly stopped: boolean;
}

/** Decides batches of one resource in order. Each `yield` asks the driver to load what the draft needs. */
export function* planBatches(
  resource: Resource,
  batches: readonly Batch[],
  draft: Draft,
  context: PlanContext,
): Generator<void, PlanResult> {
  const checked = batches.map((batch) => checkBatch(resource, batch, context.environment));
  const items: CheckedFields[] = [];
  for (const batch of checked) for (const { item } of batch) items.push(item);
  for (const prefetch of resource.prefetch) {
    prefetch(items, draft, context.environment);
    yield;
  }
  const reports: Report[] = [];
  for (const [i, batch] of checked.entries()) {
    if (context.changes !== undefined) context.changes.batch = context.linesOf?.(batches[i] as Batch) ?? [];
    const report = yield* decideBatch(resource, batch, draft, context);
    if (context.accept?.(report) === false) {
      draft.rollback();
      if (context.changes !== undefined) rollbackChanges(context.changes);
      return { reports, stopped: true };
    }
    reports.push(report);
  }
  return { reports, stopped: false };
}

/**
 * Filled by `push`, as lines are: the array that an inlined `map` makes has another elements kind, and functions that read it
 * would be compiled twice.
 */
function checkBatch(resource: Resource, batch: Batch, environment: Environment): CheckedItem[] {
  const checked: CheckedItem[] = [];
  for (const entry of batch) checked.push(checkEntry(resource, entry, environment));
  return checked;
}

/** Checks an entry of a batch, unless its source has validated it. */
export function checkEntry(resource: Resource, entry: Entry, environment: Environment): CheckedItem {
  switch (entry.kind) {
    case 'validated':
      return { item: entry.item, externalId: resource.externalId(entry.item), diagnostics: undefined };
    case 'raw':
      return withAmounts(checkItem(resource, entry.item, environment.isLanguage), entry);
    case 'unreadable': {
      const diagnostics = newDiagnostics();
      addReportedProblem(diagnostics, entry.problem);
      return { item: {}, externalId: entry.externalId, diagnostics, unreadable: true };
    }
  }
}

function withAmounts(checked: CheckedItem, { amounts }: RawEntry): CheckedItem {
  return amounts === undefined ? checked : { ...checked, amounts };
}

function* decideBatch(
  resource: Resource,
  batch: readonly CheckedItem[],
  draft: Draft,
  context: PlanContext,
): Generator<void, Report> {
  for (;;) {
    draft.mark();
    if (context.changes !== undefined) markChanges(context.changes);
    const lines = decideLines(resource, batch, draft, context);
    if (!draft.hasPending()) return reportOf(resource.name, context.mode.dryRun, lines);
    draft.rollback();
    if (context.changes !== undefined) rollbackChanges(context.changes);
    yield;
  }
}

function decideLines(resource: Resource, batch: readonly CheckedItem[], draft: Draft, context: PlanContext): Line[] {
  const keys = new Map<string, number>();
  const records: AcceptedRecords = { created: [], known: new Map() };
  const state = newItemState(resource, draft, context);
  const task = newTask(state);
  const lines: Line[] = [];
  for (const checked of batch) {
    const index = lines.length;
    beginItem(state, task, checked);
    if (!checked.unreadable) {
      if (resource.oncePerBatch) refuseRepetition(resource, task, checked.externalId, { index, keys });
      resource.decide(task);
    }
    lines.push(finishItem(state, task, index, records));
  }
  return lines;
}

/**
 * Refuses a second item with the same key in one batch, also when the first was refused.
 * @returns the index of the first; undefined if this is the first
 */
export function refuseRepetition(
  resource: Resource,
  task: Task,
  externalId: string,
  seen: { readonly index: number; readonly keys: Map<string, number> },
): number | undefined {
  if (externalId === '') return undefined;
  const first = seen.keys.get(externalId);
  if (first === undefined) seen.keys.set(externalId, seen.index);
  else task.refuse('duplicate_in_batch', resource.key, externalId, { index: first });
  return first;
}
