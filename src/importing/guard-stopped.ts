// The failure of a run that its guards stop.
import { CatalogError } from '../core/errors.js';
import type { Breach } from './guards.js';

/** The failure of a run that guards stop. */
export class GuardStopped extends CatalogError {
  constructor(
    readonly guarded: string,
    readonly found: readonly Breach[],
    end = '',
  ) {
    super('guard_stopped', `${guarded}: stopped by a guard; nothing was written.\n${breachWords(found)}${end}`);
  }

  /** The same failure, with the command that continues. */
  goingOn(command: string, remark = ''): GuardStopped {
    return new GuardStopped(this.guarded, this.found, `${remark}If this is as it should be, go on with:\n  ${command}`);
  }
}

/** The findings of guards as lines, each with its figures and first offenders. */
export function breachWords(found: readonly Breach[]): string {
  return found
    .map(({ option, words, offenders }) => `  ${option}: ${words}\n${offenders.map((one) => `    ${one}\n`).join('')}`)
    .join('');
}
