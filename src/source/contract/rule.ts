// A rule of a contract: about the values of a field or column, or about a file as a whole.
import type { Context, Scope } from '../mapping/language/scope.js';
import type { Check } from '../mapping/schema/schema-checks.js';

/** Where the values of a rule come from. */
interface ValuePlace {
  /** The column of the scope. */
  readonly of: string;
  readonly scope: Scope;
  readonly place: string;
}

/** Whether a value is as it is expected. @param text the value, without blanks around it */
export type ValueTest = (value: { readonly context: Context; readonly text: string; readonly line: number }) => boolean;

/** A rule about values. A new one is a file like the others, and a line in `rule-list.ts`. */
export interface ValueRule {
  /** The check of what is written after its word. */
  readonly check: Check;
  /** What is wrong with the values that it counts, after their number: `12 of 2,000 values missing`. */
  words(given: unknown): string;
  /** The share of values that may be wrong; none if undefined. */
  share?(given: unknown): number;
  /** Whether it is about empty values, too, and about lists. */
  readonly ofEmpty?: true;
  test(given: unknown, at: ValuePlace): ValueTest;
}

/** What is known of a file at its end. */
export interface FileFacts {
  readonly rows: number;
  /** Whether all of it was read (`--limit`). */
  readonly isWhole: boolean;
  /** The names of its columns, or of the members of its records. */
  readonly columns: readonly string[];
  /** Those of them that nothing reads. */
  readonly unused: readonly string[];
  readonly file: string;
  /** When it was last modified, in milliseconds; NaN where that is not known. */
  readonly modified: number;
  readonly now: number;
}

interface FileFinding {
  readonly count: number;
  readonly limit: number;
  readonly passed: boolean;
  readonly words: string;
  /** What is wrong, one by one. */
  readonly offenders?: readonly string[];
}

export interface FileRule {
  readonly check: Check;
  /** @returns undefined where it cannot be judged */
  judge(given: unknown, facts: FileFacts): FileFinding | undefined;
}
