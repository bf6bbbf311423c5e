// How what a feed lists is stored: a row of keys, a row for each missing record, and for each complete run its step.
import type { FeedState, ListingStep } from '../../core/ledger/listing-step.js';
import { changeTable, listingTable, missingTable, runTable, stepId } from '../../core/ledger/run-tables.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { RowOf } from '../../core/rows/table.js';
import type { Store } from '../store.js';

export type ListingRow = RowOf<typeof listingTable>;
export type MissingRow = RowOf<typeof missingTable>;

/** What a feed lists, with the rows in which it is stored. */
export interface StoredState {
  readonly state: FeedState;
  readonly row: ListingRow | undefined;
  /** By key; those of records that are listed again, too. */
  readonly missing: ReadonlyMap<string, MissingRow>;
}

/** Stores hashes of keys. */
function encodeKeys(keys: Float64Array): string {
  return Buffer.from(keys.buffer, keys.byteOffset, keys.byteLength).toString('base64');
}

/** Reads stored hashes of keys. */
export function decodeKeys(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64');
  const keys = new Float64Array(bytes.length / 8);
  Buffer.from(keys.buffer).set(bytes);
  return keys;
}

/** The number of keys in a stored listing. */
export function countKeys(text: string): number {
  return Buffer.byteLength(text, 'base64') / 8;
}

/** The listings of all feeds. @param withUndone also those whose runs were all undone */
export async function listingRows(store: Store, { withUndone = false } = {}): Promise<readonly ListingRow[]> {
  return (await store.readAll(listingTable)).filter(({ run }) => withUndone || run !== '');
}

/** Loads what a feed lists. */
export function* loadState(draft: Draft, id: string): Generator<void, StoredState> {
  for (;;) {
    const row = draft.find(listingTable, 'id', id);
    const rows = draft.children(missingTable, id);
    if (!draft.hasPending()) return storedState(row, rows);
    yield;
  }
}

function storedState(row: ListingRow | undefined, rows: readonly MissingRow[]): StoredState {
  const missing = new Map(rows.filter(({ since }) => since > 0).map((one) => [one.key, one]));
  const { run = '', runs = 0, total = 0, keys = '' } = row ?? {};
  return {
    state: { run, runs, total, keys: decodeKeys(keys), missing },
    row,
    missing: new Map(rows.map((one) => [one.key, one])),
  };
}

/** Saves what a feed lists from now on. */
export function saveState(
  draft: Draft,
  { id, feed, resource }: Pick<ListingRow, 'id' | 'feed' | 'resource'>,
  { row, missing: rows }: StoredState,
  { run, runs, total, keys, missing }: FeedState,
): void {
  draft.save(listingTable, { id, feed, resource, run, runs, total, keys: encodeKeys(keys) }, row ?? null);
  for (const one of rows.values())
    if (one.since > 0 && !missing.has(one.key)) draft.save(missingTable, { ...one, since: 0 }, one);
  for (const [key, { last_run, since_run, since }] of missing) {
    const known = rows.get(key);
    const next: MissingRow = { id: `${id}/${key}`, listing: id, key, last_run, since_run, since };
    if (known === undefined || !missingTable.same(known, next)) draft.save(missingTable, next, known ?? null);
  }
}

/** Saves the step of a run. It is kept as long as the run's changes. */
export function* saveStep(draft: Draft, resource: string, step: ListingStep): Generator<void> {
  const id = stepId(step.run, resource);
  for (;;) {
    const known = draft.find(changeTable, 'id', id);
    const run = draft.find(runTable, 'id', step.run);
    if (draft.hasPending()) {
      yield;
      continue;
    }
    const body = JSON.stringify({ ...step, added: encodeKeys(step.added), removed: encodeKeys(step.removed) });
    draft.save(changeTable, { id, created_at: run?.created_at ?? 0, filter: '', body }, known ?? null);
    return;
  }
}

/** The step of a run; undefined if it is not kept, or the run was not complete. */
export async function findStep(store: Store, run: string, resource: string): Promise<ListingStep | undefined> {
  const row = await store.read(function* (draft) {
    draft.find(changeTable, 'id', stepId(run, resource));
    yield;
    return draft.find(changeTable, 'id', stepId(run, resource));
  });
  if (row === undefined) return undefined;
  const { added, removed, ...step } = JSON.parse(row.body) as ListingStep & Record<'added' | 'removed', string>;
  return { ...step, added: decodeKeys(added), removed: decodeKeys(removed) };
}
