// Applies the batches of an import by groups: each group is a transaction, as large as the pace of the store allows.
import { channel } from 'node:diagnostics_channel';
import type { Batch, BatchSource } from '../core/catalog.js';
import type { Entry } from '../core/entry.js';
import type { IdempotentRequest } from '../core/planning/idempotency-records.js';
import type { PlanResult as BatchPlan } from '../core/planning/plan-batches.js';
import { stepChannel, type TimedStep } from '../core/timed-step.js';
import type { Pace } from './store.js';

const steps = channel(stepChannel);

/** Applies batches in one transaction and returns their reports. */
export type ApplyBatches = (batches: readonly Batch[], receipt?: IdempotentRequest) => Promise<BatchPlan>;

/** How groups are applied. */
interface Pacing {
  /** Whether the next group is read while one is applied. Nobody may stop in between then: a source that is slow would be waited for. */
  readonly readsAhead: boolean;
  /** Characters of texts from which on a group takes no further batch. */
  readonly mostCharacters?: number;
  /** How many items the next one waits for. */
  readonly size: () => number;
  /** @param waited how long the source was waited for, in milliseconds */
  readonly apply: (group: readonly Batch[], waited: number) => Promise<BatchPlan>;
}

/**
 * The pacing of an import: groups grow until their transactions take the time that the pace allows.
 * @param least items of the smallest group
 * @param mayStop whether a report may stop the import
 */
export function pacingOf(pace: Pace, least: number, mayStop: boolean, apply: ApplyBatches): Pacing {
  let size = least;
  return {
    readsAhead: pace.isRemote === true && !mayStop,
    ...(pace.mostCharacters !== undefined && { mostCharacters: pace.mostCharacters }),
    size: () => size,
    apply(group, waited) {
      const started = performance.now();
      const items = group.reduce((sum, { length }) => sum + length, 0);
      if (steps.hasSubscribers) steps.publish({ name: 'read', milliseconds: waited, items } satisfies TimedStep);
      return apply(group).then((planned) => {
        const fitting = nextSize(size, items, performance.now() - started, pace.longest);
        size = Math.max(least, Math.min(pace.mostItems, fitting));
        return planned;
      });
    },
  };
}

export async function* appliedGroups(batches: BatchSource, pacing: Pacing): AsyncGenerator<BatchPlan> {
  const source = groups(batches, pacing);
  let next: Promise<IteratorResult<readonly Batch[]>> | undefined;
  try {
    for (let waiting = performance.now(); ; waiting = performance.now()) {
      const { value, done } = await (next ?? source.next());
      if (done === true) return;
      const waited = performance.now() - waiting;
      if (pacing.readsAhead) next = settled(source.next());
      yield await pacing.apply(value, waited);
    }
  } finally {
    await source.return(undefined);
  }
}

/** A promise that may be rejected before somebody waits for it. */
function settled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * How many items the next transaction waits for: as many as fit the target, estimated from the last one, and at most
 * twice as many.
 */
function nextSize(size: number, items: number, took: number, time: number): number {
  const fitting = (items * time) / 2 / Math.max(took, 1);
  return Math.floor(Math.min(2 * size, Math.max(size / 2, fitting)));
}

/**
 * Groups batches of at least `size()` items each, except for the last group and for those with many characters. If it is known
 * whether more are available, a group takes up to twice as many while there are more, and settles for half as many when there
 * are none.
 */
async function* groups(
  batches: BatchSource,
  { size, mostCharacters }: Pick<Pacing, 'size' | 'mostCharacters'>,
): AsyncGenerator<readonly Batch[]> {
  const { isReady } = batches;
  let group: Batch[] = [];
  let items = 0;
  let characters = 0;
  try {
    for await (const batch of batches) {
      group.push(batch);
      items += batch.length;
      if (mostCharacters !== undefined) characters += charactersOf(batch);
      // A batch without items is there for the lines of its file that go with it, which are many.
      if (batch.length > 0 && (mostCharacters === undefined || characters < mostCharacters)) {
        if (items < size() / (isReady === undefined ? 1 : 2)) continue;
        if (items < 2 * size() && isReady?.() === true) continue;
      }
      yield group;
      group = [];
      items = 0;
      characters = 0;
    }
  } catch (error) {
    // The source failed: the batches it yielded before are imported.
    if (group.length > 0) yield group;
    throw error;
  }
  if (group.length > 0) yield group;
}

/** The characters in the texts of a batch's items, without those in lists, each of which has a limit of its own. */
function charactersOf(batch: Batch): number {
  let characters = 0;
  for (const entry of batch) characters += entryCharacters(entry);
  return characters;
}

function entryCharacters(entry: Entry): number {
  const item = entry.kind === 'unreadable' ? undefined : entry.item;
  if (typeof item !== 'object' || item === null) return 0;
  let characters = 0;
  for (const name in item) {
    const value = (item as Readonly<Record<string, unknown>>)[name];
    if (typeof value === 'string') characters += value.length;
  }
  return characters;
}
