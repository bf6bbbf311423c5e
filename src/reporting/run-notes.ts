// Adds remarks for people to the outcome of a file.
import type { Outcome } from '../importing/observer.js';

/** An outcome with more remarks; undefined if there are none to add. */
export function withRemarks(outcome: Outcome, remarks: readonly string[]): Outcome | undefined {
  return remarks.length === 0 ? undefined : { ...outcome, remarks: [...(outcome.remarks ?? []), ...remarks] };
}
