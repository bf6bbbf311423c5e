// What guards compare a week with: the accepted run of seven days before, or the feed's first, and what was counted since. A run that
// was accepted although a guard would have stopped it is where the week begins anew: somebody decided so.
import type { FilledFields } from '../../../core/ledger/filled-fields.js';
import type { GuardFigure } from '../../../core/ledger/guard-figure.js';
import type { Guard } from '../../../importing/guards/guard.js';
import type { WeekBefore } from '../../../importing/guards/judge.js';
import type { LedgerRun } from '../../../store/ledger/runs.js';
import { undoneRuns } from '../../../store/ledger/undone-runs.js';

const week = 7 * 86_400;

/** A complete run of a feed that was accepted and, as far as it is known, not undone. */
export interface AcceptedNight {
  readonly started: number;
  readonly filled: Readonly<Record<string, FilledFields>>;
  readonly guards: readonly GuardFigure[];
}

/** The accepted runs of a feed, the earliest first. @param runs every run of the catalog, in their order */
export function acceptedRuns(runs: readonly LedgerRun[], feed: string): readonly AcceptedNight[] {
  const undone = undoneRuns(runs);
  return runs.flatMap(({ number, feed: of, state, started, detail: { filled, guards = [] } }) =>
    of === feed && state === 'done' && filled !== undefined && !undone.has(number) ? [{ started, filled, guards }] : [],
  );
}

/** Accepted runs beyond these are not kept: one each ten minutes for a week. */
const mostNights = 1_000;

/** The accepted runs that a week is measured by: those within it, and the one before. @param now in Unix seconds */
export function nightsOfWeek(accepted: readonly AcceptedNight[], now: number): readonly AcceptedNight[] {
  const first = accepted.findLastIndex(({ started }) => started <= now - week);
  return accepted.slice(Math.max(first, accepted.length - mostNights, 0));
}

/**
 * The week before for a guard.
 * @param accepted the accepted runs of the feed, the earliest first
 * @param now in Unix seconds
 * @returns undefined where the week begins with the last run
 */
export function weekBefore(
  accepted: readonly AcceptedNight[],
  now: number,
  { guard, resource, share }: { readonly guard: Guard; readonly resource: string; readonly share: number },
): WeekBefore | undefined {
  let since = 0;
  for (let i = accepted.length - 1; i >= 0; i--) {
    const { started, filled, guards } = accepted[i] as AcceptedNight;
    const figure = guards.find(
      (one) => one.guard === guard.name && one.resource === resource && one.against === 'last',
    );
    const isAnew = figure === undefined || figure.count > share * figure.of;
    if (!isAnew && i > 0 && started > now - week) {
      if (guard.isLevel !== true) since += figure.count - figure.back;
      continue;
    }
    const own = filled[resource];
    return own === undefined || i === accepted.length - 1 ? undefined : { rows: own.rows, filled: own, since };
  }
  return undefined;
}
