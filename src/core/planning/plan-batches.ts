// Plans batches on a draft: their reports, and rows to save. Pure: it yields whenever rows are pending, its driver
// loads them, and the batch is decided again. Items are processed in order, and each sees the effects of earlier ones;
// a refused item changes nothing and stops nothing.

import type { Batch } from '../catalog.js';
import { newDiagnostics } from '../diagnostics/diagnostics.js';
import type { Entry, RawEntry } from '../entry.js';
import { type CheckedItem, checkItem } from '../fields/check-item.js';
import type { Line, Report } from '../import-report.js';
import { type ChangeLog, markChanges, rollbackChanges } from '../ledger/change-log.js';
import { askFeedSettings, findFeedSettings, rankingScope } from '../ledger/feed-ranking.js';
import { reportOf } from '../report-counts.js';
import type { Resource } from '../resource.js';
import type { Draft } from '../rows/snapshot.js';
import type { Spent } from '../text/text.js';
import { type AcceptedRecords, finishItem, recognizedLine } from './item-outcome.js';
import { beginItem, type ItemState, newItemState, newTask, type ReusableTask } from './item-state.js';
import type { CheckedFields, Environment, ImportMode, Task } from './item-task.js';
import { holdToPlan } from './planned-item.js';
import {
  type FeedContext,
  type FeedRanks,
  feedRanks,
  leaveUnsent,
  prefetchOffers,
  rankItem,
  takeKeys,
} from './ranking/rank-item.js';
import { shownValue } from './ranking/shown-value.js';
import type { Fingerprint } from './recognition/fingerprint.js';
import { leaveUnrecognized, type RecognizedItems, recognizeItems } from './recognition/recognize-items.js';

export interface PlanContext {
  readonly environment: Environment;
  readonly mode: ImportMode;
  /** Called with each report before its batch counts as applied; false stops the plan before it. */
  readonly accept?: (report: Report) => boolean;
  /** Records the changes, if the catalog keeps a ledger. */
  readonly changes?: ChangeLog;
  /** The lines of a batch's items in their file, where they are known. */
  readonly linesOf?: (batch: Batch) => readonly number[];
  /** The feed whose items they are. */
  readonly feed?: FeedContext;
}

export interface PlanResult {
  readonly reports: readonly Report[];
  /** Whether `accept` stopped it before the last batch. */
  readonly stopped: boolean;
  /** The hashes of the keys that the feed sent, if feeds are ranked. */
  readonly sent?: Iterable<number>;
  /** The key of the hashes of items, if items are recognized by them. */
  readonly itemKey?: Readonly<Fingerprint>;
}

/** Decides batches of one resource in order. Each `yield` asks the driver to load what the draft needs, if it needs anything. */
export function* planBatches(
  resource: Resource,
  batches: readonly Batch[],
  draft: Draft,
  context: PlanContext,
): Generator<void, PlanResult> {
  const checked = batches.map((batch) => checkBatch(resource, batch, context.environment));
  if (context.feed !== undefined) askFeedSettings(draft);
  const all = checked.flat();
  const recognized = yield* recognize(resource, all, draft, context);
  // Where items are recognized the settings of feeds are loaded by now, otherwise with the first look-ups.
  const known = recognized && ranksOf(resource, all, draft, { ...context, recognized });
  const items: CheckedFields[] = [];
  let offset = 0;
  for (const batch of checked)
    for (const { item } of batch) if (recognized?.unchanged[offset++] === undefined) items.push(item);
  for (const prefetch of resource.prefetch) {
    const further = prefetch(items, draft, context.environment) ?? [];
    yield;
    for (const step of further) {
      step();
      yield;
    }
  }
  const ranks = known ?? ranksOf(resource, all, draft, context);
  if (ranks?.isRanked) {
    const decided = all.filter((_, i) => recognized?.unchanged[i] === undefined);
    for (const step of ['own', 'new'] as const) {
      prefetchOffers(ranks, decided, step);
      yield;
    }
  }
  const reports: Report[] = [];
  offset = 0;
  for (const [i, batch] of checked.entries()) {
    const lines = context.linesOf?.(batches[i] as Batch) ?? noLines;
    if (context.changes !== undefined) context.changes.batch = lines;
    const inPlan = { ...context, mode: modeOfFeed(context, ranks), offset, lines, recognized, ...(ranks && { ranks }) };
    const report = yield* decideBatch(resource, batch, draft, inPlan);
    if (context.accept?.(report) === false) {
      draft.rollback();
      if (context.changes !== undefined) rollbackChanges(context.changes);
      return { reports, stopped: true };
    }
    reports.push(report);
    offset += batch.length;
    // What was decided may be written while the rest is.
    draft.mark();
    yield;
  }
  return {
    ...{ reports, stopped: false },
    ...(ranks?.isRanked && { sent: ranks.firsts.keys() }),
    ...(recognized && { itemKey: recognized.itemKey }),
  };
}

const noLines: readonly number[] = [];

/** The mode of the items of a feed: `only` may be a setting of it, for imports that do not say otherwise. A plan was made with the setting; what no longer lists records is an undo, or the end of a run. */
function modeOfFeed({ mode, feed }: PlanContext, ranks: FeedRanks | undefined): ImportMode {
  const only = ranks?.settings.only?.[feed?.feed ?? ''];
  const isSending = feed?.lists === true && mode.isListing !== false && mode.plan !== 'apply';
  return only === undefined || !isSending ? mode : { only, ...mode };
}

/**
 * Recognizes the items that can only be unchanged. Not where a plan is made, which needs every item decided, nor where
 * lists are not compared, which its lines tell, nor with
 * ranked feeds where each item is to be marked with its run.
 */
function* recognize(
  resource: Resource,
  items: readonly CheckedItem[],
  draft: Draft,
  { mode, feed, environment }: PlanContext,
): Generator<void, RecognizedItems | undefined> {
  if (mode.plan === 'make' || !mode.comparesLists || feed?.lists === false) return undefined;
  const scope = {
    key(): string | undefined {
      const key = feed === undefined ? '' : rankingScope(findFeedSettings(draft), feed.feed);
      return key !== '' && feed?.marksAll === true ? undefined : key;
    },
  };
  return yield* recognizeItems(resource, items, draft, { ...environment, scope });
}

/** The ranking of the plan's feed. Items of a record that another item of the run has, too, are not recognized. */
function ranksOf(
  resource: Resource,
  items: readonly CheckedItem[],
  draft: Draft,
  { feed, recognized }: Pick<PlanContext, 'feed'> & { readonly recognized?: RecognizedItems },
): FeedRanks | undefined {
  const ranks = feed && feedRanks(resource, draft, feed);
  if (ranks?.isRanked !== true) return ranks;
  const repeated = takeKeys(ranks, items);
  if (recognized === undefined) return ranks;
  for (const index of repeated) leaveUnrecognized(recognized, index);
  recognized.claim = ranks.higher.length > 0 ? 'never' : ranks.outranksAny ? 'always' : 'in turns';
  return ranks;
}

interface BatchContext extends PlanContext {
  /** The ranking of its feed, if feeds have settings. */
  readonly ranks?: FeedRanks;
  /** The number of the plan's items before the batch. */
  readonly offset: number;
  readonly lines: readonly number[];
  readonly recognized: RecognizedItems | undefined;
}

/**
 * Filled by `push`, as lines are: the array of an inlined `map` has another elements kind, and functions that read both
 * would be compiled twice.
 */
function checkBatch(resource: Resource, batch: Batch, environment: Environment): CheckedItem[] {
  const checked: CheckedItem[] = [];
  const spent = { steps: 0 };
  for (const entry of batch) checked.push(checkEntry(resource, entry, environment, spent));
  return checked;
}

/** Checks an entry of a batch, unless its source has validated it. */
export function checkEntry(resource: Resource, entry: Entry, environment: Environment, spent: Spent): CheckedItem {
  switch (entry.kind) {
    case 'validated':
      return { item: entry.item, externalId: resource.externalId(entry.item), diagnostics: undefined, hash: entry };
    case 'raw':
      return withContext(checkItem(resource, entry.item, environment.isLanguage, spent), entry);
    case 'unreadable': {
      const diagnostics = newDiagnostics();
      diagnostics.problems.push(entry.problem);
      return { item: {}, externalId: entry.externalId, diagnostics, unreadable: true };
    }
    case 'settled':
      return {
        item: {},
        externalId: entry.line.external_id,
        diagnostics: undefined,
        unreadable: true,
        settled: entry.line,
      };
  }
}

function withContext(checked: CheckedItem, { amounts, planned }: RawEntry): CheckedItem {
  if (amounts === undefined && planned === undefined) return checked;
  return { ...checked, ...(amounts && { amounts }), ...(planned && { planned }) };
}

function* decideBatch(
  resource: Resource,
  batch: readonly CheckedItem[],
  draft: Draft,
  context: BatchContext,
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

function decideLines(resource: Resource, batch: readonly CheckedItem[], draft: Draft, context: BatchContext): Line[] {
  const keys = new Map<string, number>();
  const records: AcceptedRecords = { created: [], known: new Map() };
  const { recognized, offset } = context;
  const state = newItemState(resource, draft, context, recognized);
  const task = newTask(state);
  const lines: Line[] = [];
  for (const checked of batch) {
    const index = lines.length;
    if (checked.settled !== undefined) {
      lines.push({ ...checked.settled, index });
      continue;
    }
    const unchanged = recognized?.unchanged[offset + index];
    if (unchanged !== undefined) {
      beginItem(state, task, checked, offset + index);
      lines.push(recognizedLine(state, task, index, unchanged));
      continue;
    }
    if (context.ranks === undefined) beginItem(state, task, checked, offset + index);
    else beginRanked(state, task, checked, { ...context, ranks: context.ranks, index });
    if (!checked.unreadable) {
      if (resource.oncePerBatch) refuseRepetition(resource, task, checked.externalId, { index, keys });
      resource.decide(task);
      if (checked.planned !== undefined) holdToPlan(state, task, checked.planned.expect);
    }
    lines.push(finishItem(state, task, index, records));
    if (!state.isSent && context.ranks !== undefined) leaveUnsent(context.ranks, checked, offset + index);
  }
  return lines;
}

/** Begins an item of a feed with the fields that the feed may set, and notices about the others. */
function beginRanked(
  state: ItemState,
  task: ReusableTask,
  checked: CheckedItem,
  { ranks, offset, lines, index }: BatchContext & { readonly ranks: FeedRanks; readonly index: number },
): void {
  const ranked = rankItem(ranks, checked, offset + index);
  beginItem(state, task, ranked.checked, offset + index);
  state.repeats = ranked.repeats;
  if (ranked.offer !== undefined) state.offer = { ...ranked.offer, line: lines[index] ?? 0 };
  const { feed } = ranks.context;
  for (const { member, value, owner } of ranked.withheld)
    task.notice('owned_by_feed', member, shownValue(ranks.resource, member, value), { owner });
  for (const { member, feed: from } of ranked.passedOn)
    task.notice('passed_to_feed', member, undefined, { feed, from });
}

/**
 * Refuses a second item with the same key in one batch, even if the first was refused.
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
