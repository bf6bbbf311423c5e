// Which items of a plan earlier runs applied, by the ledger of its catalog.
import { CatalogError } from '../../core/errors.js';
import { markDone } from '../../core/ledger/plan-progress.js';
import { groupDigits } from '../../core/text/sanitize.js';
import type { LedgerRun } from '../../store/ledger/runs.js';
import { importsOf, undoneRuns } from '../../store/ledger/undone-runs.js';
import type { OpenPlan } from './read-plan.js';

export interface AppliedItems {
  /** Whether the nth item was, from 0. */
  has(nth: number): boolean;
  readonly count: number;
  /** The last run that applied a part of the plan, or all of it. */
  readonly run?: LedgerRun | undefined;
}

const none: AppliedItems = { has: () => false, count: 0 };

/**
 * Finds the items that runs applied which were not undone. What a run left out is not applied. The progress of a run is
 * stored in the same transactions as its changes, so it is right wherever the run was interrupted.
 * @throws CatalogError `catalog_locked` if the plan is being applied now
 */
export function appliedItems(plan: OpenPlan, runs: readonly LedgerRun[]): AppliedItems {
  const undone = undoneRuns(runs);
  const ofPlan = runs.filter(({ detail }) => detail.plan === plan.digest);
  for (const run of ofPlan) refuseOpen(plan, run);
  const lastUndo = runs.findLast(({ detail: { undoes = [] } }) =>
    ofPlan.some(({ number }) => undone.has(number) && importsOf(undoes, runs).has(number)),
  );
  // A run that had nothing left to do says nothing once what others did is undone.
  return ofPlan
    .filter(({ number, chunks }) => !undone.has(number) && (chunks > 0 || number > (lastUndo?.number ?? 0)))
    .reduce((applied, run) => withRun(plan, applied, run), none);
}

function refuseOpen({ path }: OpenPlan, { number, state }: LedgerRun): void {
  if (state !== 'open') return;
  throw new CatalogError(
    'catalog_locked',
    `${path}: run ${number} is applying this plan; try again once it has ended.`,
  );
}

function withRun({ items }: OpenPlan, applied: AppliedItems, run: LedgerRun): AppliedItems {
  const { state, detail } = run;
  const done = Uint8Array.from({ length: items }, (_, nth) => (applied.has(nth) ? 1 : 0));
  markDone(done, detail.progress ?? []);
  const count = done.reduce((sum, one) => sum + one, 0);
  // One that came to the end is not replaced by a later one that was cut off: the feed's run is over.
  const isEnded = applied.run?.state === 'done';
  const isLast = state === 'done' ? count > applied.count || !isEnded : count > applied.count && !isEnded;
  return { has: (nth) => done[nth] === 1, count, run: isLast ? run : applied.run };
}

/** Says how much of a plan was applied before. */
export function appliedWords({ path, items }: OpenPlan, count: number, { number, state }: LedgerRun): string {
  const again = `undo ${number} makes it applicable again`;
  if (count >= items) return `${path}: run ${number} applied this plan already; ${again}.`;
  const some = `${path}: run ${number} applied ${groupDigits(count)} of ${groupDigits(items)} items`;
  if (state !== 'done') return `${some}; going on with the others.`;
  return `${some} of this plan already; what it left out is checked again (${again}).`;
}
