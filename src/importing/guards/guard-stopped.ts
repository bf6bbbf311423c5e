// The failure of a run that its guards stop.
import { CatalogError } from '../../core/errors.js';
import type { GuardBreach } from '../../core/ledger/guard-figure.js';
import { groupDigits } from '../../core/text/sanitize.js';
import type { NextCommands } from '../observer.js';
import { offenderWords } from './figures.js';

/** The finding of a guard as text. */
export interface Breach {
  readonly option: string;
  readonly words: string;
  readonly offenders: readonly string[];
}

/** The failure of a run that guards stop. */
export class GuardStopped extends CatalogError {
  constructor(
    readonly guarded: string,
    readonly found: readonly Breach[],
    readonly next?: NextCommands,
    remark = '',
  ) {
    const end = next === undefined ? '' : `${remark}${nextWords(next)}`;
    super('guard_stopped', `${guarded}: stopped by a guard; nothing was written.\n${breachWords(found)}${end}`);
  }

  /** The same failure, with the commands that look at it and go on. */
  goingOn(next: NextCommands, remark = ''): GuardStopped {
    return new GuardStopped(this.guarded, this.found, next, remark);
  }
}

function nextWords({ look, goOn }: NextCommands): string {
  return `To see what it would change:\n  ${look}\nIf the change is intended, go on with:\n  ${goOn}`;
}

/** The finding of a guard with its first offenders as text. */
export function breachOf({ option, words, offenders, more }: GuardBreach): Breach {
  const rest = more > 0 ? [`… and ${groupDigits(more)} more`] : [];
  return { option, words, offenders: [...offenders.map(offenderWords), ...rest] };
}

/** The findings of guards as lines, each with its figures and first offenders. */
export function breachWords(found: readonly Breach[]): string {
  return found
    .map(({ option, words, offenders }) => `  ${option}: ${words}\n${offenders.map((one) => `    ${one}\n`).join('')}`)
    .join('');
}
