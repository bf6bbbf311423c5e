// What coercing the values of a record finds in addition to them.
import type { Problem } from '../../core/diagnostics/refusal-codes.js';

/** Findings while a record is coerced. */
export interface CoercionNotes {
  /** A value that core's check would accept with another meaning than was written. */
  problem: Problem | undefined;
  /** A JSON number was sent for a text field; it is taken as written. */
  numberInText: boolean;
  /** Reports a member that is not a field. */
  unknown(path: string): void;
}
