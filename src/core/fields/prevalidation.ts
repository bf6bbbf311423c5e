// Validates items in the reading thread: a valid item is planned as it is; all others are checked again by the plan,
// which reports their problems.

import { isClean, newDiagnostics } from '../diagnostics/diagnostics.js';
import type { CheckedFields } from '../planning/item-task.js';
import { type CheckContext, checkFields, type FieldReader, fieldReadersOf, invalid } from './check-item.js';
import type { Fields } from './fields.js';

/**
 * Validates the items of a source.
 * @returns the normalized fields of an item without any diagnostic; undefined for an item that has some, or that needs the
 *   list of languages: `checkItem` checks it
 */
export function prevalidator(fields: Fields): (raw: unknown) => CheckedFields | undefined {
  const { readers, required } = fieldReadersOf(fields);
  // The members of the previous item and their readers: nearly all items have the same, in the same order.
  const names: string[] = [];
  const reads: (FieldReader | undefined)[] = [];
  let checking: CheckContext = { diagnostics: newDiagnostics(), isLanguage: () => false };

  /**
   * Checks a copy of the item. The copy is made in one step, since building it field by field takes half as long again.
   * Undefined if a field is sent by its alias, or if there may be a diagnostic.
   */
  function checkCopy(sent: Readonly<Record<string, unknown>>): CheckedFields | undefined {
    const checked = { ...sent };
    let i = 0;
    for (const name in checked) {
      if (names[i] !== name) {
        names[i] = name;
        reads[i] = readers.get(name);
      }
      const reader = reads[i++];
      const value = checked[name];
      if (value === undefined) continue;
      if (value === null || reader === undefined || reader.aliasOf !== undefined) return undefined;
      const read = reader.read(value, name, checking);
      if (read === invalid) return undefined;
      if (read !== value) checked[name] = read;
    }
    for (const name of required) if (checked[name] === undefined) return undefined;
    return checked;
  }

  return (raw) => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
    const sent = raw as Record<string, unknown>;
    const checked = checkCopy(sent) ?? checkFields(fields, sent, '', checking);
    if (isClean(checking.diagnostics)) return checked;
    checking = { ...checking, diagnostics: newDiagnostics() };
    return undefined;
  };
}
