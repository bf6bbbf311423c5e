// The changes of an item, field by field, if `diff` is requested.
import type { FieldChange } from '../import-report.js';
import type { ItemState } from './item-state.js';

/** Members of a read shape that no item changes, or that are reported with the children. */
const notWritten = new Set(['object', 'id', 'values', 'axes', 'shared', 'updated_at', 'product']);

/** The changes of the record's own fields, then those of its children; of a new record those that were sent. */
export function changesOf({ resource, draft, record, children, childCount, checked }: ItemState): FieldChange[] {
  if (record === undefined) return [];
  const shown = record.before === undefined ? undefined : resource.view(record.before, draft);
  const own = fieldChanges(shown, resource.view(record.next, draft), '');
  const ofChildren = children.slice(0, childCount).flatMap(({ before, next, change }) => {
    if (change === undefined) return [];
    const path = change.path(next);
    const changes = fieldChanges(before && change.show(before, draft), change.show(next, draft), `${path}.`);
    // An entry that was suspended and is now unlisted looks the same, until it is listed again.
    if (changes.length > 0 || before === undefined) return changes;
    return [{ field: `${path}.listed`, from: before['listed'] === 1, to: next['listed'] === 1 }];
  });
  const all = [...own, ...ofChildren];
  return record.before === undefined ? all.filter(({ field }) => isSent(checked.item, field)) : all;
}

/** Whether an item has a field, or some entry of a list the member of `grades[new].price`. */
function isSent(item: Readonly<Record<string, unknown>>, field: string): boolean {
  const [, list = '', member = ''] = /^([^[]+)\[.*\]\.(\w+)$/s.exec(field) ?? [];
  if (list === '') return item[field] !== undefined;
  return [item[list]].flat().some((entry) => Object(entry)[member] !== undefined);
}

function fieldChanges(
  before: Readonly<Record<string, unknown>> | undefined,
  next: Readonly<Record<string, unknown>>,
  prefix: string,
): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const [name, to] of Object.entries(next)) {
    const from = before === undefined ? null : (before[name] ?? null);
    if (from !== to && !notWritten.has(name)) changes.push({ field: prefix + name, from, to });
  }
  return changes;
}
