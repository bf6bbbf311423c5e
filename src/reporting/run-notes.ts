// What is worth saying beside the lines of a report, for people.
import type { Outcome } from '../importing/observer.js';

/** An outcome with more remarks; undefined where there are none to add. */
export function withRemarks(outcome: Outcome, remarks: readonly string[]): Outcome | undefined {
  return remarks.length === 0 ? undefined : { ...outcome, remarks: [...(outcome.remarks ?? []), ...remarks] };
}
