// Items that their source checks beside its reading: what is sound goes to the plan as it is, all else is checked there,
// where what is wrong with it is said.
import { checkFields, type Findings, readField, requiredOf, wrong } from './check.js';
import type { Fields } from './fields.js';
import type { Checked } from './task.js';

/** Marks the fields of an item that was checked before it came into its batch; no JSON can forge it. */
const mark = Symbol('checked item');

/** The item of a source that checked it, beside its reading: the plan takes it as it is. */
interface MarkedItem extends Checked {
  [mark]?: true;
}

/**
 * The fields of a sent item, normalised, where there is nothing to be said of them; undefined where there is, or where
 * that takes the list of languages: such an item goes to `checkItem`, which says it.
 */
export function soundFields(fields: Fields, raw: unknown): Checked | undefined {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
  const findings: Findings = { problems: [], notices: [], isLanguage: () => false };
  const sent = raw as Record<string, unknown>;
  const checked = checkCopy(fields, sent, findings) ?? checkFields(fields, sent, '', findings);
  return findings.problems.length === 0 && findings.notices.length === 0 ? checked : undefined;
}

/**
 * Checks a copy of the item, which is made at once: built up field by field it takes half as long again. Undefined where
 * a field goes by another name, or where something may have to be said.
 */
function checkCopy(fields: Fields, sent: Readonly<Record<string, unknown>>, findings: Findings): Checked | undefined {
  const checked = { ...sent };
  for (const name in checked) {
    const value = checked[name];
    if (value === undefined) continue;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value === null || field === undefined || (field.kind === 'text' && field.aliasOf !== undefined))
      return undefined;
    const read = readField(field, value, name, findings);
    if (read === wrong) return undefined;
    if (read !== value) checked[name] = read;
  }
  for (const name of requiredOf(fields)) if (checked[name] === undefined) return undefined;
  return checked;
}

/** Makes what `soundFields` gave an entry of a batch for a catalog on this machine. */
export function markChecked(fields: Checked): void {
  (fields as MarkedItem)[mark] = true;
}

/** Tells an item that was checked before from one as it was sent. */
export function isChecked(entry: unknown): entry is Checked {
  return typeof entry === 'object' && entry !== null && mark in entry;
}
