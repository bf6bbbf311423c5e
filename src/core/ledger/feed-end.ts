// What the end of a feed's run does to records that none of its rows is about.

/** What happens to a record: it is reported as missing, is suspended, or takes the values of lower feeds. */
export const feedEffects = ['missing', 'suspended', 'passed_on'] as const;
export type FeedEffect = (typeof feedEffects)[number];

/** The records of a resource with the same effect. */
export interface AffectedRecords {
  readonly effect: FeedEffect;
  /** The name of the resource. */
  readonly resource: string;
  readonly count: number;
  /** The first keys, at most `keysAtMost`. */
  readonly keys: readonly string[];
}

/** The end of a feed's run. */
export interface FeedEnd {
  /** Notices for the user. */
  readonly notes: readonly string[];
  readonly records: readonly AffectedRecords[];
}

/** Keys that are kept of an effect on a resource. */
const keysAtMost = 10_000;

/** Counts the records with these keys; nothing where there are none. */
export function affectedRecords(effect: FeedEffect, resource: string, keys: readonly string[]): AffectedRecords[] {
  if (keys.length === 0) return [];
  return [{ effect, resource, count: keys.length, keys: keys.slice(0, keysAtMost) }];
}
