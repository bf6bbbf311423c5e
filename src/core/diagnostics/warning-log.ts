// Collects what is noticed during a run. A warning is kept and told once, however often it is noticed: a file may feed several
// resources.
import { newWarning, type Warn, type Warning } from './warning-codes.js';

/** Warnings that are kept of a run; more would be the same one for each of many files. */
const mostWarnings = 1000;

export interface WarningLog {
  readonly warn: Warn;
  /** Adds a warning that was made elsewhere, as by the source of a file. */
  add(warning: Warning): void;
  /** The warnings so far, in the order in which they were noticed. */
  all(): readonly Warning[];
}

/** @param tell is called with each warning when it is noticed */
export function warningLog(tell: (warning: Warning) => void = () => undefined): WarningLog {
  const kept = new Map<string, Warning>();
  const add = (warning: Warning): void => {
    const id = `${warning.code} ${warning.message}`;
    if (kept.has(id) || kept.size >= mostWarnings) return;
    kept.set(id, warning);
    tell(warning);
  };
  return { warn: (code, params) => add(newWarning(code, params)), add, all: () => [...kept.values()] };
}
