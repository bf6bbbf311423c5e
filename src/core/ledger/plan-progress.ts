// Which items of a plan a run did. A run stores it with its changes, so that the next one knows which items were left out.
import type { Report } from '../import-report.js';

/** How many items of a plan a run did, and how many it then left out, by turns: `[12, 1, 30]`. */
export type PlanProgress = readonly number[];

/** Extends what a run did by the reports of a transaction. */
export function progressWith(progress: PlanProgress, reports: readonly Report[]): PlanProgress {
  const turns = progress.length === 0 ? [0] : [...progress];
  for (const { data } of reports)
    for (const { action } of data) {
      // Turns of items that were left out have odd places.
      const isOther = (action === 'refused') !== (turns.length % 2 === 0);
      if (isOther) turns.push(1);
      else turns[turns.length - 1] = (turns.at(-1) as number) + 1;
    }
  return turns;
}

/** Marks the items that a run did. Items after the plan's last one are none of it. */
export function markDone(done: Uint8Array, progress: PlanProgress): void {
  let at = 0;
  for (const [place, count] of progress.entries()) {
    if (place % 2 === 0) done.fill(1, at, at + count);
    at += count;
  }
}
