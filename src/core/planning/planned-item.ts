// Items of a plan: decided like every item, but refused if a field that they would change has another value than when
// the plan was made.
import type { ExpectedValues, FieldChange } from '../import-report.js';
import { isToBeCreated } from '../ledger/suspension.js';
import { categoryTable } from '../resources/category.js';
import { characteristicTable } from '../resources/characteristic-table.js';
import { groupTable } from '../resources/product-group.js';
import { productTable } from '../resources/product-table.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { Table } from '../rows/table.js';
import { changesOf } from './item-changes.js';
import type { ItemState } from './item-state.js';
import type { Task } from './item-task.js';

/** Tables that fields refer to by identifier, with the column of their key. In a plan references are keys: a record that the plan creates has no identifier yet. */
const references: readonly (readonly [table: Table, key: string])[] = [
  [categoryTable as Table, 'name'],
  [groupTable as Table, 'name'],
  [characteristicTable as Table, 'name'],
  [productTable as Table, 'sku'],
];

/**
 * The values that the changes of an item replace; null for a new record. Of an entry of a list they tell whether it is listed: one
 * that was suspended and one that was left out look the same.
 */
export function expectedOf(
  { record, children, childCount, draft }: ItemState,
  changes: readonly FieldChange[],
): ExpectedValues {
  if (record?.before === undefined) return null;
  const listed = children.slice(0, childCount).flatMap(({ before, change }) => {
    if (change === undefined || before?.['listed'] === undefined) return [];
    return [[`${change.path(before)}.listed`, before['listed'] === 1] as const];
  });
  return Object.fromEntries([...changes.map(({ field, from }) => [field, lasting(from, draft)] as const), ...listed]);
}

/** A value that a later run of the same items would find again. */
function lasting(value: unknown, snapshot: Snapshot): unknown {
  if (typeof value !== 'string') return value;
  for (const [table, key] of references) {
    if (!value.startsWith(table.prefix ?? '\0')) continue;
    const row = snapshot.find(table, 'id', value);
    if (row !== undefined) return String(row[key]);
  }
  return value;
}

/**
 * Refuses an item that would replace a value which the plan did not expect. A field that has the planned value already,
 * or that the item leaves alone, does not matter: nothing unseen is overwritten.
 */
export function holdToPlan(state: ItemState, task: Task, expected: ExpectedValues): void {
  const { resource, checked, record, draft, isChanged, found } = state;
  if (record === undefined || !isChanged || ((found ?? checked.diagnostics)?.problems.length ?? 0) > 0) return;
  const stored = expected === null && isToBeCreated(record.before, draft) ? undefined : record.before;
  const refuse = (how: string, fields: readonly string[] = []): void =>
    task.refuse('changed_since_plan', resource.key, checked.externalId, { how, fields });
  if (expected === null) return stored === undefined ? undefined : refuse('created');
  if (stored === undefined) return refuse('gone');
  const now = Object.entries(expectedOf(state, changesOf(state)) ?? {});
  const names = now.map(([field]) => field);
  const fields = now.filter(([field, value]) => !isExpected(expected, field, value, names)).map(([field]) => field);
  if (fields.length > 0) refuse('changed', fields);
}

function isExpected(
  expected: NonNullable<ExpectedValues>,
  field: string,
  value: unknown,
  names: readonly string[],
): boolean {
  if (Object.hasOwn(expected, field)) return JSON.stringify(expected[field]) === JSON.stringify(value);
  // Plans of earlier builds have no `listed`. If the item changes other members of the entry, these are compared instead.
  const isListed = value === true && field.endsWith('.listed');
  return isListed && names.some((name) => name !== field && name.startsWith(field.slice(0, -'listed'.length)));
}
