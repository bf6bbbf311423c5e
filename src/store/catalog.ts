// A Catalog on any store: check → load → decide → save, several batches per transaction.
import { channel } from 'node:diagnostics_channel';
import type { Batch, BatchSource, ImportOptions, Selector } from '../core/catalog.js';
import type { ReadShape, Report } from '../core/import-report.js';
import type { ChangeLog } from '../core/ledger/change-log.js';
import { type IdempotentCatalog, type IdempotentRequest, planOnce } from '../core/planning/idempotency-records.js';
import type { Environment, ImportMode } from '../core/planning/item-task.js';
import type { PlanResult as BatchPlan } from '../core/planning/plan-batches.js';
import { viewRecord } from '../core/reading/record-view.js';
import type { Resource } from '../core/resource.js';
import type { Draft } from '../core/rows/snapshot.js';
import { stepChannel, type TimedStep } from '../core/timed-step.js';
import { charactersOf } from './batch-characters.js';
import { loadEnvironment } from './environment.js';
import { failpoint } from './failpoint.js';
import type { FeedRun } from './ledger/feed-run.js';
import type { RunRecorder } from './ledger/run-recorder.js';
import { listRecords } from './list-records.js';
import type { Pace, Store } from './store.js';

/**
 * Items per transaction. Committing 40 at a time costs twice the time, with every commit synced; 500 gain nothing. If
 * another thread reads, a transaction takes the available items, from half to twice as many: that thread reads ahead
 * only so far, and would have to wait for the transaction. Compared with a constant 1,000, items with attributes take 5
 * % less time and plain rows 1 %; waiting for 2,000, the former would take a fifth more.
 */
const mostItems = 1000;

/**
 * The target duration of a transaction in milliseconds, so that a server on the same file is never starved. A
 * transaction waits for items that take half of that, as it may take as many again.
 */
const longest = 50;

/**
 * How many groups of batches are under way where a store decides ahead of its lock: one is committed, one decided, and one looks
 * up what it refers to.
 */
const mostOptimistic = 3;

const steps = channel(stepChannel);

const usualPace: Pace = { mostItems, longest };

/** What a read does not load. Each is kept: `import()` of a loaded module takes 20 µs, and a POST needs two. */
const loadPlanner = loadedOnce(() => import('../core/planning/plan-batches.js'));
const loadRecorder = loadedOnce(() => import('./ledger/run-recorder.js'));

function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

/** The options of an import. */
interface Asked extends ImportMode {
  readonly accept?: NonNullable<ImportOptions['accept']>;
  readonly linesOf?: NonNullable<ImportOptions['linesOf']>;
}

/** The run and the feed of an import into a catalog. */
export interface ImportOrigin {
  /** Records changes under a run. */
  readonly recorder?: RunRecorder | undefined;
  /** The feed that sends the items. */
  readonly feed?: FeedRun | undefined;
}

/** A catalog whose rows are in a store. */
export function storeCatalog(store: Store, { recorder, feed }: ImportOrigin = {}): IdempotentCatalog {
  const pace = store.pace ?? usualPace;
  const environments = new Map<Resource, Promise<() => Environment>>();

  function environmentOf(resource: Resource): Promise<() => Environment> {
    const known = environments.get(resource) ?? loadEnvironment(resource.fields);
    environments.set(resource, known);
    return known;
  }

  /** The function that applies batches in one transaction and returns their reports. */
  async function applierOf(resource: Resource, { accept, linesOf, ...mode }: Asked, isOptimistic = false) {
    // A read does not load the rules of importing and their messages.
    const [environmentNow, { planBatches }, record, states] = await Promise.all([
      environmentOf(resource),
      loadPlanner(),
      recorder === undefined || mode.dryRun ? undefined : loadRecorder(),
      mode.plan === undefined
        ? undefined
        : import('../core/ledger/record-state.js').then((found) => found.recordStates),
    ]);
    const run = mode.dryRun ? store.dryRun : isOptimistic ? (store.writeOptimistically ?? store.write) : store.write;
    const isKept = record !== undefined && recorder?.keepsChanges === true;
    const sender = feed?.contextOf(resource.name, isKept ? recorder : undefined);
    const apply = (batches: readonly Batch[], receipt?: IdempotentRequest): Promise<BatchPlan> => {
      const environment = environmentNow();
      const context = {
        ...{ environment, mode, ...(accept && { accept }), ...(linesOf && { linesOf }) },
        ...(sender && { feed: sender }),
        ...(states && { states }),
      };
      const planOf = (draft: Draft, changes?: ChangeLog) => {
        const plan = planBatches(
          resource,
          batches,
          draft,
          changes === undefined || !isKept ? context : { ...context, changes },
        );
        return receipt === undefined ? plan : planOnce(receipt, environment.now, draft, plan);
      };
      if (recorder === undefined || record === undefined) return run((draft) => planOf(draft));
      return record.changeRecorded(run, { recorder, resource: resource.name, now: environment.now }, planOf);
    };
    if (sender === undefined) return apply;
    return async (batches: readonly Batch[], receipt?: IdempotentRequest): Promise<BatchPlan> => {
      const plan = await apply(batches, receipt);
      sender.keepSent(plan.sent ?? []);
      return plan;
    };
  }

  async function* importBatches(
    resource: Resource,
    batches: BatchSource,
    { dryRun = false, diff = false, plan, accept, linesOf }: ImportOptions = {},
  ): AsyncGenerator<Report> {
    const asked = { dryRun, diff, ...(plan && { plan }), ...(accept && { accept }), ...(linesOf && { linesOf }) };
    // A report is accepted once, and a plan that is applied knows what it did by the reports before.
    const isOptimistic =
      !dryRun && accept === undefined && plan === undefined && store.writeOptimistically !== undefined;
    const apply = await applierOf(resource, asked, isOptimistic);
    // What a feed sent is known once it is committed.
    const most = isOptimistic && feed === undefined ? mostOptimistic : 1;
    let size = resource.limit;
    const pacing: Pacing = {
      most,
      ...(pace.mostCharacters !== undefined && { mostCharacters: pace.mostCharacters }),
      size: () => size,
      apply(group, waited) {
        const started = performance.now();
        const items = group.reduce((sum, { length }) => sum + length, 0);
        if (steps.hasSubscribers) steps.publish({ name: 'read', milliseconds: waited, items } satisfies TimedStep);
        return apply(group).then((planned) => {
          size = Math.max(resource.limit, nextSize(size, items, (performance.now() - started) / most, pace));
          return planned;
        });
      },
    };
    for await (const planned of applied(batches, pacing)) {
      failpoint('before-report');
      yield* planned.reports;
      if (planned.stopped) return;
    }
  }

  return {
    importBatches,
    async importOnce(resource, batch, { dryRun = false, diff = false, linesOf }, receipt) {
      const apply = await applierOf(resource, { dryRun, diff, ...(linesOf && { linesOf }) });
      const [report] = (await apply([batch], receipt)).reports;
      failpoint('before-report');
      if (report === undefined) throw new Error(`the plan of a batch of ${resource.name} gave no report`);
      return report;
    },
    read: (resource, selector, include) => store.read((draft) => readRecord(resource, selector, include, draft)),
    list: (resource, request) => listRecords(store, resource, request),
    ...(store.changeCount && { changeCount: store.changeCount }),
    close: () => store.close(),
  };
}

/** How groups are applied. */
interface Pacing {
  /** How many are under way at most. */
  readonly most: number;
  /** Characters of texts from which on a group takes no further batch, and no other group is under way beside it. */
  readonly mostCharacters?: number;
  /** How many items the next one waits for. */
  readonly size: () => number;
  /** @param waited how long the source was waited for, in milliseconds */
  readonly apply: (group: readonly Batch[], waited: number) => Promise<BatchPlan>;
}

/** Applies batches by groups, and gives what became of each in their order, as soon as it is known. */
async function* applied(batches: BatchSource, pacing: Pacing): AsyncGenerator<BatchPlan> {
  const { most, apply, mostCharacters = Number.POSITIVE_INFINITY } = pacing;
  const source = groups(batches, pacing);
  const underWay: Promise<BatchPlan>[] = [];
  let waiting = performance.now();
  let next: Promise<IteratorResult<BatchGroup>> | undefined;
  let isLarge = false;
  try {
    for (;;) {
      const [oldest] = underWay;
      if (underWay.length < most && !(isLarge && oldest !== undefined)) next ??= settled(source.next());
      if (oldest !== undefined && (next === undefined || (await isFirst(oldest, next)))) {
        yield await oldest;
        underWay.shift();
        if (underWay.length === 0) waiting = performance.now();
        continue;
      }
      // Where the source failed, what came before is reported first.
      const group: IteratorResult<BatchGroup> | { readonly failure: unknown } = await (
        next as Promise<IteratorResult<BatchGroup>>
      ).catch((failure: unknown) => ({ failure }));
      next = undefined;
      if ('failure' in group || group.done === true) {
        for (const planned of underWay) yield await planned;
        if ('failure' in group) throw group.failure;
        return;
      }
      isLarge = group.value.characters >= mostCharacters;
      underWay.push(settled(apply(group.value.batches, performance.now() - waiting)));
      waiting = performance.now();
    }
  } finally {
    // Those that nobody waits for any more end before the source is left.
    await Promise.allSettled(underWay);
    await source.return(undefined);
  }
}

/** A promise that may be rejected before somebody waits for it. */
function settled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Whether the first of two is settled, or will be before the second. */
function isFirst(one: Promise<unknown>, other: Promise<unknown>): Promise<boolean> {
  const done = (first: boolean) => () => first;
  return Promise.race([one.then(done(true), done(true)), other.then(done(false), done(false))]);
}

/**
 * How many items the next transaction waits for: as many as fit the target, estimated from the last one, and at most
 * twice as many.
 */
function nextSize(size: number, items: number, took: number, { mostItems: most, longest: time }: Pace): number {
  const fitting = (items * time) / 2 / Math.max(took, 1);
  return Math.min(most, Math.floor(Math.min(2 * size, Math.max(size / 2, fitting))));
}

/** Batches of one transaction. */
interface BatchGroup {
  readonly batches: Batch[];
  items: number;
  /** The characters of their texts; 0 where they are not limited. */
  characters: number;
}

const newGroup = (): BatchGroup => ({ batches: [], items: 0, characters: 0 });

/**
 * Groups batches of at least `size()` items each, except for the last group and for those with many characters. If it is known
 * whether more are available, a group takes up to twice as many while there are more, and settles for half as many when there
 * are none.
 */
async function* groups(
  batches: BatchSource,
  { size, mostCharacters }: Pick<Pacing, 'size' | 'mostCharacters'>,
): AsyncGenerator<BatchGroup> {
  const { isReady } = batches;
  let group = newGroup();
  try {
    for await (const batch of batches) {
      group.batches.push(batch);
      group.items += batch.length;
      if (mostCharacters !== undefined) group.characters += charactersOf(batch);
      if (mostCharacters === undefined || group.characters < mostCharacters) {
        if (group.items < size() / (isReady === undefined ? 1 : 2)) continue;
        if (group.items < 2 * size() && isReady?.() === true) continue;
      }
      yield group;
      group = newGroup();
    }
  } catch (error) {
    // The source failed: the batches it yielded before are imported.
    if (group.batches.length > 0) yield group;
    throw error;
  }
  if (group.batches.length > 0) yield group;
}

/** A record in its read shape: first its row, then the rows the shape needs. */
function* readRecord(
  resource: Resource,
  selector: Selector,
  include: readonly string[] | undefined,
  draft: Draft,
): Generator<void, ReadShape | undefined> {
  for (;;) {
    const row = resource.find(selector, draft);
    const shape = row === undefined ? undefined : viewRecord(resource, row, draft, include);
    if (!draft.hasPending()) return shape;
    yield;
  }
}
