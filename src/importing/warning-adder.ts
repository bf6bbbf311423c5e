// Adds the warnings of a run to its outcome.
import type { WarningLog } from '../core/diagnostics/warning-log.js';
import type { ImportObserver, Outcome } from './observer.js';

/** An observer that adds the warnings of a run to its outcome, for those after it. */
export function warningAdder(log: WarningLog): ImportObserver {
  const add = (total: Outcome): Outcome => ({ ...total, warnings: log.all() });
  return { end: add, failed: add };
}
