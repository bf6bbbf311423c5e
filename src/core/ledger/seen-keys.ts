// The keys of a resource that a run read, including those of refused rows.
import type { Resource } from '../resource.js';
import type { FilledFields } from './filled-fields.js';

export interface SeenKeys {
  readonly resource: Resource;
  /** Hashes of keys (`hashNumber`), sorted, each once. */
  readonly keys: Float64Array;
  /** Rows that were read, including refused ones. */
  readonly total: number;
  /** Rows whose key is missing or damaged: then no record may count as missing. */
  readonly untrusted: number;
  /** Whether they are only a part of what the feed lists, such as refused rows that came back: then no record counts as missing. */
  readonly isPart?: boolean;
  /** Which fields the rows have; undefined if it is not known, as over HTTP. */
  readonly filled?: FilledFields;
}

export function hasKey(keys: Float64Array, hash: number): boolean {
  return keys[indexOfKey(keys, hash)] === hash;
}

/** The place of a hash in a sorted set, or where it would be. */
export function indexOfKey(keys: Float64Array, hash: number): number {
  let from = 0;
  let to = keys.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((keys[middle] as number) < hash) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Whether every row was refused: what the feed listed before, and what guards compare with, then stays. */
export function isAllRefused({ total, filled }: SeenKeys): boolean {
  return total > 0 && filled?.refused === total;
}
