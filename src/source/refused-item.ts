// Refuses a record for what is wrong with its values as the file has them, and tells what core would refuse beside them: one
// correction is enough.
import { newDiagnostics } from '../core/diagnostics/diagnostics.js';
import { joinProblems } from '../core/diagnostics/join-sentences.js';
import type { Problem } from '../core/diagnostics/refusal-codes.js';
import { type UnreadableEntry, unreadableEntry } from '../core/entry.js';
import { checkFields } from '../core/fields/check-item.js';
import type { RecordKey } from '../core/fields/record-key.js';

/**
 * The entry of a record that is refused.
 * @param problems of its values, the first of which gives the code
 * @param item the record as an item
 */
export function refusedItem(
  [first, ...others]: readonly [Problem, ...Problem[]],
  item: Readonly<Record<string, unknown>>,
  key: RecordKey,
): UnreadableEntry {
  const diagnostics = newDiagnostics();
  // Which languages there are takes a list that is not loaded for this.
  checkFields(key.fields, item, '', { diagnostics, isLanguage: () => true });
  const known = new Set([first, ...others].map(({ field }) => field));
  // The fields of entries are named without their index as a file is read.
  const further = diagnostics.problems.filter(({ field }) => !known.has(field.replaceAll(/\[\d+\]/g, '[]')));
  return unreadableEntry(joinProblems(first, [...others, ...further]), key.of(item));
}
