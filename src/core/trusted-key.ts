// Whether the key of a reported item is that of its record.
import type { RecordKey } from './fields/record-key.js';
import type { Line } from './import-report.js';

/** Problems at the field of the key that concern other rows with the same, valid key. */
const ofRepetition = new Set(['duplicate_in_batch', 'repeated_in_batch', 'repeated_in_file', 'superseded']);

/** Whether a line has a key that another field gives, or one that none of its problems and notices concern. */
export function hasTrustedKey({ external_id: key, diagnostics = [] }: Line, { names, given }: RecordKey): boolean {
  if (given.has(key)) return true;
  return key !== '' && !diagnostics.some(({ field, code }) => names.includes(field) && !ofRepetition.has(code));
}
