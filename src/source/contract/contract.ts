// What a feed promises about its files: `expect:` of a mapping, or --expect. Nothing in it is executed.
import type { GuardBreach, GuardFigure } from '../../core/ledger/guard-figure.js';
import { isWords } from '../mapping/schema/schema-checks.js';

/** One thing that is expected, of the values of a field or column or of the file as a whole. */
export interface Expectation {
  /** The field or column; undefined for the file as a whole. */
  readonly subject?: string;
  /** The word of its rule. */
  readonly rule: string;
  /** What is written after the word. */
  readonly given: unknown;
  /** Whether a breach is a warning, and stops nothing. */
  readonly warns: boolean;
  /** The option that switches it off. */
  readonly option: string;
  /** The file that states it, and where in it, for messages. */
  readonly name: string;
  readonly place: string;
}

/** What a contract finds in a file, as the figure of a guard; with offenders where it is not kept. */
export type ExpectedFigure = Omit<GuardFigure, 'resource'> | Omit<GuardBreach, 'resource'>;

/** Where a contract is written. */
type Stated = Pick<Expectation, 'option' | 'name' | 'place'>;

/** What a contract expects, one by one. @param contract as it is written, and checked */
export function expectationsOf(contract: unknown, { place, ...stated }: Stated, warns = false): Expectation[] {
  return Object.entries(Object(contract)).flatMap(([word, given]): Expectation[] => {
    const at = place === '' ? word : `${place}.${word}`;
    if (word === 'warn' && isWords(given)) return expectationsOf(given, { place: at, ...stated }, true);
    if (!isWords(given)) return [{ ...stated, place: at, warns, rule: word, given }];
    return Object.entries(given).map(([rule, one]) => ({
      ...{ ...stated, place: at, warns },
      ...{ subject: word, rule, given: one },
    }));
  });
}
