// What a feed lists, run by run: a step leads from what a feed listed to what it lists after a complete run, and back. So a
// run that is undone stops counting, whether or not others came after it.
import { hashNumber } from './recorded-change.js';
import { hasKey } from './seen-keys.js';

/** Since when a record is missing: as the columns of `missingTable`. */
interface MissingSince {
  readonly last_run: string;
  readonly since_run: string;
  readonly since: number;
}

/** The run that a listing is of: as the columns of `listingTable`. */
interface AcceptedRun {
  /** '' before the first one. */
  readonly run: string;
  readonly runs: number;
  readonly total: number;
}

/** What a feed lists of a resource, and what it no longer lists. */
export interface FeedState extends AcceptedRun {
  /** Hashes of keys, sorted. */
  readonly keys: Float64Array;
  /** By key. */
  readonly missing: ReadonlyMap<string, MissingSince>;
}

/** What a complete run read. */
export interface ReadByRun {
  readonly run: string;
  readonly total: number;
  /** Hashes of keys, sorted. */
  readonly keys: Float64Array;
  /** Whether every key could be trusted. If not, no record counts as missing, and what was listed before stays so. */
  readonly isTrusted: boolean;
}

/** How a complete run changed what its feed lists. */
export interface ListingStep extends AcceptedRun {
  readonly before: AcceptedRun;
  /** Hashes of keys, sorted. */
  readonly added: Float64Array;
  readonly removed: Float64Array;
  /** The records that are missing from this run on. */
  readonly vanished: readonly string[];
  /** The records that were missing before, with since when. */
  readonly returned: readonly (readonly [key: string, since: MissingSince])[];
}

/** The hashes of a sorted set that are missing in another: the set itself where all are, since a list of many nights has many. */
export function difference(keys: Float64Array, others: Float64Array): Float64Array {
  if (others.length === 0) return keys;
  const found = new Float64Array(keys.length);
  let count = 0;
  let at = 0;
  for (const key of keys) {
    while (at < others.length && (others[at] as number) < key) at++;
    if (others[at] !== key) found[count++] = key;
  }
  return count === keys.length ? keys : found.slice(0, count);
}

/** The hashes of two sorted sets. */
export function union(keys: Float64Array, others: Float64Array): Float64Array {
  const more = difference(others, keys);
  if (more.length === 0) return keys;
  const all = new Float64Array(keys.length + more.length);
  all.set(keys);
  all.set(more, keys.length);
  return all.sort();
}

/**
 * The step of a run.
 * @param names the keys of records by their hashes: only records that exist can be missing
 */
export function stepOf(
  { run, runs, total, keys, missing }: FeedState,
  read: ReadByRun,
  names: ReadonlyMap<number, string>,
): ListingStep {
  const removed = read.isTrusted ? difference(keys, read.keys) : new Float64Array();
  return {
    ...{ run: read.run, runs: runs + (read.isTrusted ? 1 : 0), total: read.total, before: { run, runs, total } },
    ...{ added: difference(read.keys, keys), removed },
    vanished: [...removed].flatMap((hash) => names.get(hash) ?? []),
    returned: [...missing].filter(([key]) => hasKey(read.keys, hashNumber(key))),
  };
}

/** What a feed lists after a step. */
export function stepForward(state: FeedState, step: ListingStep): FeedState {
  const { run, runs, total, added, removed, vanished, returned } = step;
  const missing = new Map(state.missing);
  for (const [key] of returned) missing.delete(key);
  for (const key of vanished) missing.set(key, { last_run: state.run, since_run: run, since: runs });
  return { run, runs, total, keys: union(difference(state.keys, removed), added), missing };
}

/** What a feed listed before a step. */
export function stepBack(state: FeedState, { before, added, removed, vanished, returned }: ListingStep): FeedState {
  const missing = new Map(state.missing);
  for (const key of vanished) missing.delete(key);
  for (const [key, since] of returned) missing.set(key, since);
  return { ...before, keys: union(difference(state.keys, added), removed), missing };
}

/** What a run read, by its step. Of one with keys that cannot be trusted only what was new is known. */
export function readBy({ run, runs, total, before, added, returned }: ListingStep, after: Float64Array): ReadByRun {
  const isTrusted = runs > before.runs;
  const known = () => union(added, Float64Array.from(returned, ([key]) => hashNumber(key)).sort());
  return { run, total, isTrusted, keys: isTrusted ? after : known() };
}
