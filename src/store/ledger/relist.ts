// What a feed lists after one of its runs was undone: what it would list if that run had never been accepted. After the undo
// of an undo the run counts again.
import {
  difference,
  type FeedState,
  type ListingStep,
  type ReadByRun,
  readBy,
  stepBack,
  stepForward,
  stepOf,
  union,
} from '../../core/ledger/listing-step.js';
import { hashNumber } from '../../core/ledger/recorded-change.js';
import { runId } from '../../core/ledger/run-tables.js';
import type { Resource } from '../../core/resource.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Store } from '../store.js';
import { recordsOf } from './feed-listing.js';
import { findStep, type ListingRow, listingRows, loadState, saveState, saveStep } from './listing-rows.js';
import type { UndoneImport } from './undone-runs.js';

/** A listing of which a run no longer counts, or counts again. */
interface Relisting {
  readonly store: Store;
  readonly resource: Resource;
  /** The identifier of the run. */
  readonly run: string;
  readonly counts: boolean;
}

/** What a feed lists from now on, and the steps that lead there. */
interface Relisted {
  readonly row: ListingRow;
  readonly state: FeedState;
  readonly steps: readonly ListingStep[];
}

/**
 * Computes what the feed of an undone run lists.
 * @returns saves it, in the transaction that ends the undo
 */
export async function relist(
  store: Store,
  { run: { number, feed }, counts }: UndoneImport,
  resources: readonly Resource[],
): Promise<(draft: Draft) => Generator<void>> {
  const changed: Relisted[] = [];
  for (const row of await listingRows(store, { withUndone: true })) {
    const resource = resources.find(({ name }) => name === row.resource);
    if (row.feed !== feed || resource === undefined) continue;
    const found = await relisted({ store, resource, run: runId(number), counts }, row);
    if (found !== undefined) changed.push(found);
  }
  return function* (draft) {
    for (const one of changed) yield* saveRelisted(draft, one);
  };
}

function* saveRelisted(draft: Draft, { row, state, steps }: Relisted): Generator<void> {
  const stored = yield* loadState(draft, row.id);
  // A run over HTTP that ended meanwhile: what it read is what the feed lists.
  if (stored.state.run !== row.run) return;
  saveState(draft, row, stored, state);
  for (const step of steps) yield* saveStep(draft, row.resource, step);
}

/** Goes back to before the run, and forward again without it, or with it. */
async function relisted(of: Relisting, row: ListingRow): Promise<Relisted | undefined> {
  const { store, resource, run, counts } = of;
  let { state } = await store.read((draft) => loadState(draft, row.id));
  const later: ReadByRun[] = [];
  let isListed = false;
  while (state.run >= run) {
    const step = await findStep(store, state.run, resource.name);
    if (step === undefined) return undefined;
    if (state.run === run) isListed = true;
    else later.unshift(readBy(step, state.keys));
    state = stepBack(state, step);
  }
  if (isListed === counts) return undefined;
  const again = counts ? await readAgain(of, state) : [];
  return again && { row, ...(await replayed(of, state, [...again, ...later])) };
}

/** What an undone run read, from where its steps and those of a state meet; undefined if one is no longer kept. */
async function readAgain({ store, resource, run }: Relisting, from: FeedState): Promise<ReadByRun[] | undefined> {
  const steps: ListingStep[] = [];
  let state = from;
  for (let next = run; next !== state.run; ) {
    const isAhead = next > state.run;
    const step = await findStep(store, isAhead ? next : state.run, resource.name);
    if (step === undefined) return undefined;
    if (isAhead) {
      steps.unshift(step);
      next = step.before.run;
    } else state = stepBack(state, step);
  }
  for (const step of steps) state = stepForward(state, step);
  const own = steps.at(-1);
  return own && [readBy(own, state.keys)];
}

/** What a feed lists after some more runs. */
async function replayed(
  { store, resource }: Relisting,
  from: FeedState,
  runs: readonly ReadByRun[],
): Promise<Omit<Relisted, 'row'>> {
  const records = await recordsOf(store, resource, vanishing(from.keys, runs));
  const names = new Map(records.map(({ key }) => [hashNumber(key), key]));
  const steps: ListingStep[] = [];
  let state = from;
  for (const read of runs) {
    const step = stepOf(state, read, names);
    steps.push(step);
    state = stepForward(state, step);
  }
  return { state, steps };
}

/** The hashes of keys that some run no longer reads. */
function vanishing(from: Float64Array, runs: readonly ReadByRun[]): ReadonlySet<number> {
  const gone = new Set<number>();
  let listed = from;
  for (const { keys, isTrusted } of runs) {
    if (isTrusted) for (const hash of difference(listed, keys)) gone.add(hash);
    listed = isTrusted ? keys : union(listed, keys);
  }
  return gone;
}
