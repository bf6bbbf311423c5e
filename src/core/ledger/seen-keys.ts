// What a run read of a resource: the keys of its rows, also of those that were refused.
import type { Resource } from '../resource.js';

export interface SeenKeys {
  readonly resource: Resource;
  /** Hashes of keys (`hashNumber`), sorted, each once. */
  readonly keys: Float64Array;
  /** Rows that were read, those refused too. */
  readonly total: number;
  /** Rows whose key cannot be trusted, as it is missing or was spoiled on its way: nobody counts as missing then. */
  readonly untrusted: number;
}
