// Adds what was found out about a run to its outcome: warnings, and the figures of its guards.
import type { WarningLog } from '../core/diagnostics/warning-log.js';
import type { JudgedFigure } from '../core/ledger/guard-figure.js';
import type { ImportObserver, Outcome } from './observer.js';

interface Findings {
  readonly log: WarningLog;
  readonly guards: () => readonly JudgedFigure[];
}

/** An observer that adds the findings of a run to its outcome, for those after it. */
export function findingsAdder({ log, guards }: Findings): ImportObserver {
  const add = (total: Outcome): Outcome => ({ ...total, warnings: log.all(), guards: guards() });
  return { end: add, failed: add };
}
