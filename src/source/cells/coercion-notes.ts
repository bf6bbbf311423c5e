// What coercing the values of a record finds in addition to them.
import type { Problem } from '../../core/diagnostics/refusal-codes.js';
import type { WrittenAmount } from '../../core/fields/currencies.js';

/** Findings while a record is coerced. */
export interface CoercionNotes {
  /** Of values that core's check would accept with another meaning than was written, or refuse with a remedy that is none here. */
  readonly problems: Problem[];
  /** Amounts that a workbook shows with a currency, which has to be that of the item. */
  readonly amounts?: WrittenAmount[];
  /** A JSON number was sent for a text field; it is taken as written. */
  numberInText: boolean;
  /** Reports a member that is not a field. */
  unknown(path: string): void;
}

/** Maximum problems that are noted of a record, which may have lists of any length. */
const mostProblems = 10;

export function noteProblem({ problems }: Pick<CoercionNotes, 'problems'>, problem: Problem): void {
  if (problems.length < mostProblems) problems.push(problem);
}
