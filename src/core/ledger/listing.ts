// What a feed lists of a resource: the keys that each of its last complete runs read, as one sorted set with a bit for each of
// these runs. What it lists now, and since when a record is missing, follows from the runs that count.
import { hasKey, indexOfKey } from './seen-keys.js';

/** A run that read all of its feed. */
export interface CompleteRun {
  readonly run: number;
  readonly total: number;
  /** Whether every key could be trusted. If not, no record counts as missing, and what was listed before stays so. */
  readonly isTrusted: boolean;
}

/** A record that none of the kept runs read. */
interface LongMissing {
  readonly last: number;
  readonly since: number;
  /** How many runs counted before the first one that did not read it. */
  readonly before: number;
}

export interface Listing {
  /** The last complete runs, from the earliest to the latest. */
  readonly runs: readonly CompleteRun[];
  /** Hashes of keys, sorted; and which runs read each: bit 0 is the earliest run. */
  readonly keys: Float64Array;
  readonly readBy: Uint16Array;
  /** How many runs counted before the kept ones, and by hash what was missing already. */
  readonly former: number;
  readonly missing: ReadonlyMap<number, LongMissing>;
}

/** Kept are the last ten complete runs, and a few more: some may be undone. */
const keptRuns = 16;

export const noListing: Listing = {
  ...{ runs: [], keys: new Float64Array(), readBy: new Uint16Array(), former: 0, missing: new Map() },
};

/** Whether a run counts: it is not undone. */
export type IsCounted = (run: number) => boolean;

/** What a feed lists by the runs that count. */
export interface ListedKeys {
  readonly run: number;
  readonly total: number;
  /** How many runs could tell what is missing. */
  readonly runs: number;
  readonly keys: Float64Array;
}

/** What a feed lists now; undefined if no run counts. */
export function listedKeys({ runs, keys, readBy, former }: Listing, counts: IsCounted): ListedKeys | undefined {
  const last = runs.findLast(({ run }) => counts(run));
  if (last === undefined) return undefined;
  const trusted = runs.findLastIndex(({ run, isTrusted }) => isTrusted && counts(run));
  const bits = bitsOf(runs, ({ run }, i) => i >= trusted && counts(run));
  const told = runs.filter(({ run, isTrusted }) => isTrusted && counts(run)).length;
  return {
    run: last.run,
    total: last.total,
    runs: former + told,
    keys: keys.filter((_, i) => isRead(readBy, i, bits)),
  };
}

export interface KeyReading extends CompleteRun {
  readonly reads: boolean;
}

/** Which of the runs that count read a key. */
export function readingsOf({ runs, keys, readBy }: Listing, hash: number, counts: IsCounted): KeyReading[] {
  const at = indexOfKey(keys, hash);
  const bits = keys[at] === hash ? (readBy[at] as number) : 0;
  return runs.map((run, i) => ({ ...run, reads: (bits & (1 << i)) !== 0 })).filter(({ run }) => counts(run));
}

/** The last run that read a key, among the runs that are no longer kept. */
export interface FormerReading {
  readonly run: number;
  /** How many complete runs after it, which are no longer kept either, did not read the key. */
  readonly unread: number;
}

/** The last run before the kept ones that read a key; undefined if there is none, or it does not count. */
export function formerReading(
  { former, missing }: Listing,
  hash: number,
  counts: IsCounted,
): FormerReading | undefined {
  const known = missing.get(hash);
  return known === undefined || !counts(known.last) ? undefined : { run: known.last, unread: former - known.before };
}

/** A key that a feed lists no longer. */
export interface MissingKey {
  readonly hash: number;
  /** The last run that read it, the first one that did not, and how many did not. */
  readonly lastRun: number;
  readonly sinceRun: number;
  readonly runs: number;
}

/** The keys that runs which count read once, and the last one did not. */
export function missingKeys(listing: Listing, counts: IsCounted): MissingKey[] {
  const { runs, keys, readBy, former, missing } = listing;
  const counting = bitsOf(runs, ({ run }) => counts(run));
  const told = runs.flatMap(({ run, isTrusted }, i) => (isTrusted && counts(run) ? [i] : []));
  const found: MissingKey[] = [];
  for (let i = 0; i < keys.length; i++) {
    const last = 31 - Math.clz32((readBy[i] as number) & counting);
    const first = told.findIndex((place) => place > last);
    if (last === -1 || first === -1) continue;
    const [lastRun, sinceRun] = [runs[last]?.run ?? 0, runs[told[first] as number]?.run ?? 0];
    found.push({ hash: keys[i] as number, lastRun, sinceRun, runs: told.length - first });
  }
  for (const [hash, { last, since, before }] of missing) {
    const at = indexOfKey(keys, hash);
    if (keys[at] === hash && isRead(readBy, at, counting)) continue;
    found.push({ hash, lastRun: last, sinceRun: since, runs: former + told.length - before });
  }
  return found;
}

/** Adds what a complete run read. @param read hashes of keys, sorted */
export function addRun(listing: Listing, run: CompleteRun, read: Float64Array, counts: IsCounted): Listing {
  const { runs, keys, readBy, ...former } = listing.runs.length < keptRuns ? listing : withoutFirst(listing, counts);
  const all = union(keys, read);
  const bits = new Uint16Array(all.length);
  for (let i = 0, known = 0, now = 0; i < all.length; i++) {
    if (keys[known] === all[i]) bits[i] = readBy[known++] as number;
    if (read[now] === all[i]) {
      bits[i] = (bits[i] as number) | (1 << runs.length);
      now++;
    }
  }
  return { ...former, runs: [...runs, run], keys: all, readBy: bits };
}

/** Drops the earliest run, and notes what it read and no later run that counts did; undone runs do not count. */
function withoutFirst(listing: Listing, counts: IsCounted): Listing {
  const [first, ...runs] = listing.runs as [CompleteRun, ...CompleteRun[]];
  const { keys, readBy, former } = listing;
  const missing = new Map(listing.missing);
  const since = runs.find(({ run, isTrusted }) => isTrusted && counts(run));
  const isTold = first.isTrusted && counts(first.run);
  const before = former + (isTold ? 1 : 0);
  const later = bitsOf(listing.runs, ({ run }, i) => i > 0 && counts(run));
  for (let i = 0; i < keys.length; i++) {
    if (isRead(readBy, i, later)) missing.delete(keys[i] as number);
    else if (isRead(readBy, i, 1) && counts(first.run) && since !== undefined)
      missing.set(keys[i] as number, { last: first.run, since: since.run, before });
  }
  const isKept = (_: number, i: number): boolean => (readBy[i] as number) > 1;
  return {
    ...{ runs, former: before, missing },
    keys: keys.filter(isKept),
    readBy: readBy.filter((bits) => bits > 1).map((bits) => bits >> 1),
  };
}

function bitsOf(runs: readonly CompleteRun[], isMeant: (run: CompleteRun, index: number) => boolean): number {
  return runs.reduce((bits, run, i) => (isMeant(run, i) ? bits | (1 << i) : bits), 0);
}

function isRead(readBy: Uint16Array, at: number, bits: number): boolean {
  return ((readBy[at] as number) & bits) !== 0;
}

/** The hashes of two sorted sets. */
function union(keys: Float64Array, others: Float64Array): Float64Array {
  const more = difference(others, keys);
  if (more.length === 0) return keys;
  const all = new Float64Array(keys.length + more.length);
  all.set(keys);
  all.set(more, keys.length);
  return all.sort();
}

/** The hashes of a sorted set that another one lacks. */
export function difference(keys: Float64Array, others: Float64Array): Float64Array {
  return keys.filter((key) => !hasKey(others, key));
}
