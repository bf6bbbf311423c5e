// Applies the batches of an import by groups: each group is a transaction, as large as the pace of the store allows.
import { channel } from 'node:diagnostics_channel';
import type { Batch, BatchSource } from '../core/catalog.js';
import type { Report } from '../core/import-report.js';
import type { IdempotentRequest } from '../core/planning/idempotency-records.js';
import type { PlanResult as BatchPlan } from '../core/planning/plan-batches.js';
import { stepChannel, type TimedStep } from '../core/timed-step.js';
import { charactersOf } from './batch-characters.js';
import type { Pace } from './store.js';

const steps = channel(stepChannel);

/** Applies batches in one transaction and returns their reports. */
export type ApplyBatches = (batches: readonly Batch[], receipt?: IdempotentRequest) => Promise<BatchPlan>;

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

/**
 * The pacing of an import: groups grow until their transactions take the time that the pace allows.
 * @param most how many groups are under way at most
 * @param least items of the smallest group
 */
export function pacingOf(pace: Pace, most: number, least: number, apply: ApplyBatches): Pacing {
  let size = least;
  return {
    most,
    ...(pace.mostCharacters !== undefined && { mostCharacters: pace.mostCharacters }),
    size: () => size,
    apply(group, waited) {
      const started = performance.now();
      const items = group.reduce((sum, { length }) => sum + length, 0);
      if (steps.hasSubscribers) steps.publish({ name: 'read', milliseconds: waited, items } satisfies TimedStep);
      return apply(group).then((planned) => {
        const { mostItems, mostUnchanged = mostItems } = pace;
        const highest = planned.reports.some(isWriting) ? mostItems : mostUnchanged;
        const fitting = nextSize(size, items, (performance.now() - started) / most, pace.longest);
        size = Math.max(least, Math.min(highest, fitting));
        return planned;
      });
    },
  };
}

/** Applies batches by groups, and yields the plan of each in their order, as soon as it is known. */
export async function* appliedGroups(batches: BatchSource, pacing: Pacing): AsyncGenerator<BatchPlan> {
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
function nextSize(size: number, items: number, took: number, time: number): number {
  const fitting = (items * time) / 2 / Math.max(took, 1);
  return Math.floor(Math.min(2 * size, Math.max(size / 2, fitting)));
}

function isWriting({ created, updated }: Report): boolean {
  return created + updated > 0;
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
      // A batch without items is there for the lines of its file that go with it, which are many.
      if (batch.length > 0 && (mostCharacters === undefined || group.characters < mostCharacters)) {
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
