// Deletes the history of old runs: they can be neither undone nor explained any more. What is old is decided by more than the
// clock, so that one night with a wrong one deletes nothing.
import { changeTable, chunkId, runId, runTable } from '../../core/ledger/run-tables.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Table } from '../../core/rows/table.js';
import type { Store } from '../store.js';
import { isUnderWay, type LedgerRun, runHeads } from './runs.js';

/** The history that was deleted. */
export interface ForgottenRuns {
  /** How many runs, and the last of them. */
  readonly runs: number;
  readonly last: number;
}

const day = 86_400;
/** Complete runs of each feed that are kept whatever their age: those by which `missing` and undos know what it lists. */
const keptOfFeed = 16;
/** Chunks of changes that are deleted in one transaction. */
const chunksAtOnce = 200;

/**
 * How far the clock is from the last run, in seconds, if it cannot be trusted: more than a day before it, or more than a month
 * after it.
 */
export function clockJump(runs: readonly LedgerRun[], now: number): number | undefined {
  const last = runs.at(-1);
  if (last === undefined) return undefined;
  const jump = now - (last.ended ?? last.started);
  return jump < -day || jump > 31 * day ? jump : undefined;
}

/**
 * Deletes the history of runs.
 * @param keep how long runs are kept, in seconds
 * @param runs every stored run
 */
export async function forgetRuns(store: Store, keep: number, runs: readonly LedgerRun[]): Promise<ForgottenRuns> {
  const old = oldRuns(runs, Math.max(seconds(), runs.at(-1)?.started ?? 0) - keep);
  for (const run of old) await forgetRun(store, run);
  // An unrecorded run is shown to nobody, and has nothing but its row.
  const shown = new Set(runs.map(({ number }) => runId(number)));
  const unrecorded = (await runHeads(store)).filter(
    ({ id, state, created_at }) => state !== 'open' && created_at <= seconds() - keep && !shown.has(id),
  );
  if (old.length + unrecorded.length === 0) return { runs: 0, last: 0 };
  await age(store, runTable, [...old.map(({ number }) => runId(number)), ...unrecorded.map(({ id }) => id)]);
  await store.deleteExpired(changeTable, 0);
  await store.deleteExpired(runTable, 0);
  return { runs: old.length, last: Math.max(0, ...old.map(({ number }) => number)) };
}

/** The runs that began up to a time, but for those under way, what began after these, and the last complete ones of each feed. */
function oldRuns(runs: readonly LedgerRun[], before: number): readonly LedgerRun[] {
  const underWay = runs.filter((run) => isUnderWay(run)).map(({ started }) => started - 1);
  const until = Math.min(before, ...underWay);
  const kept = new Set<number>();
  const complete = runs.filter(isComplete);
  for (const feed of new Set(complete.map((run) => run.feed)))
    for (const { number } of complete.filter((run) => run.feed === feed).slice(-keptOfFeed)) kept.add(number);
  // An undo is kept as long as what it takes back.
  for (const { number, detail } of [...runs].reverse())
    if (detail.undoes?.some((one) => kept.has(one))) kept.add(number);
  return runs.filter(({ number, started }) => started <= until && !kept.has(number));
}

function isComplete({ feed, state, detail }: LedgerRun): boolean {
  return feed !== '' && state === 'done' && detail.undoes === undefined;
}

async function forgetRun(store: Store, { number, chunks }: LedgerRun): Promise<void> {
  const ids = Array.from({ length: chunks }, (_, nth) => chunkId(runId(number), nth));
  for (let from = 0; from < ids.length; from += chunksAtOnce)
    await age(store, changeTable, ids.slice(from, from + chunksAtOnce));
}

/** Makes rows so old that they are deleted with the next ones. */
async function age(store: Store, table: Table, ids: readonly string[]): Promise<void> {
  await store.write(function* (draft: Draft) {
    for (const id of ids) draft.find(table, 'id', id);
    yield;
    for (const id of ids) {
      const row = draft.find(table, 'id', id);
      if (row !== undefined) draft.save(table, { ...row, created_at: 0 }, row);
    }
  });
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
