// Batches folded over a snapshot → reports, and rows to save in the draft. Pure: it yields whenever the draft lacks
// rows, its driver loads them, and the batch is decided anew. Items are processed in order; each sees what the
// earlier ones did; a refused item changes nothing and stops nothing.
import type { Batch } from './catalog.js';
import { type CheckedItem, checkItem } from './check.js';
import type { Entry } from './entry.js';
import type { Line, Report } from './line.js';
import { reportOf } from './report.js';
import type { Resource } from './resource.js';
import { type Accepted, newTasks } from './settle.js';
import type { Draft } from './snapshot.js';
import { type Checked, type Mode, provisional, type Task, type World } from './task.js';
import { quote } from './text.js';

export interface PlanContext {
  readonly world: World;
  readonly mode: Mode;
  /** Asked about each report before the batch counts as applied; false stops before it. */
  readonly accept?: (report: Report) => boolean;
}

/** What a plan came to: the reports of the batches that were taken. */
export interface Plan {
  readonly reports: readonly Report[];
  /** Whether `accept` stopped it before the last batch. */
  readonly stopped: boolean;
}

/** Decides batches of one resource in order. Each `yield` asks the driver to load what the draft needs. */
export function* planBatches(
  resource: Resource,
  batches: readonly Batch[],
  draft: Draft,
  given: PlanContext,
): Generator<void, Plan> {
  const context = given.mode.dryRun ? { ...given, world: provisional(given.world) } : given;
  const checked = batches.map((batch) => checkBatch(resource, batch, context.world));
  const items: Checked[] = [];
  for (const batch of checked) for (const { item } of batch) items.push(item);
  for (const prefetch of resource.prefetch) {
    prefetch(items, draft, context.world);
    yield;
  }
  const reports: Report[] = [];
  for (const batch of checked) {
    const report = yield* decideBatch(resource, batch, draft, context);
    if (context.accept?.(report) === false) {
      draft.rollback();
      return { reports, stopped: true };
    }
    reports.push(report);
  }
  return { reports, stopped: false };
}

/**
 * Filled by `push`, as lines are: the list that `map` makes once the compiler has it inlined is of another kind, and all
 * who read it would be compiled once more.
 */
function checkBatch(resource: Resource, batch: Batch, world: World): CheckedItem[] {
  const checked: CheckedItem[] = [];
  for (const entry of batch) checked.push(checkEntry(resource, entry, world));
  return checked;
}

/** Nothing to say, which is the same of most items. */
const nothing = [] as const;

/** Checks an entry of a batch, as far as its source has not done so. */
export function checkEntry(resource: Resource, entry: Entry, world: World): CheckedItem {
  switch (entry.kind) {
    case 'validated':
      return { item: entry.item, externalId: resource.externalId(entry.item), problems: nothing, notices: nothing };
    case 'raw':
      return checkItem(resource, entry.item, world.isLanguage);
    case 'unreadable':
      return { item: {}, externalId: entry.externalId, problems: [entry.problem], notices: [], unreadable: true };
  }
}

function* decideBatch(
  resource: Resource,
  batch: readonly CheckedItem[],
  draft: Draft,
  context: PlanContext,
): Generator<void, Report> {
  const { world, rewind } = sameIds(context.world);
  for (;;) {
    draft.mark();
    rewind();
    const lines = decideLines(resource, batch, draft, { ...context, world });
    if (!draft.lacks()) return reportOf(resource.name, context.mode.dryRun, lines);
    draft.rollback();
    yield;
  }
}

/**
 * Hands out the same identifiers each time a batch is decided anew. What is asked of the draft by the identifier of a
 * new record (its children, for `diff`) would otherwise be asked by another one each time, and never be answered.
 */
function sameIds(world: World): { readonly world: World; rewind(): void } {
  const given = new Map<string, { readonly ids: string[]; next: number }>();
  const newId = (prefix: string, number?: number): string => {
    // Nothing is asked by the identifier of a record that has a number.
    if (number !== undefined) return world.newId(prefix, number);
    const known = given.get(prefix) ?? { ids: [], next: 0 };
    given.set(prefix, known);
    const id = known.ids[known.next] ?? world.newId(prefix);
    known.ids[known.next++] = id;
    return id;
  };
  return {
    // Spelled out, as what all items read: copies of an object are not alike to the compiler.
    world: { now: world.now, newId, slugify: world.slugify, isLanguage: world.isLanguage },
    rewind: () => {
      for (const known of given.values()) known.next = 0;
    },
  };
}

function decideLines(resource: Resource, batch: readonly CheckedItem[], draft: Draft, context: PlanContext): Line[] {
  const keys = new Map<string, number>();
  const records: Accepted = { created: [], known: new Map() };
  const { begin, settle } = newTasks(resource, draft, context);
  const lines: Line[] = [];
  for (const checked of batch) {
    const index = lines.length;
    const task = begin(checked);
    if (!checked.unreadable) {
      if (resource.oncePerBatch) refuseRepetition(resource, task, checked.externalId, { index, keys });
      resource.decide(task);
    }
    lines.push(settle(index, records));
  }
  return lines;
}

/**
 * A second item with the same key in one batch, also when the first was refused.
 * @returns the index of the first, undefined where this is it
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
  else
    task.refuse(
      'duplicate_in_batch',
      resource.key,
      `${quote(externalId)} is item ${first} of this batch already; each is accepted once`,
    );
  return first;
}
