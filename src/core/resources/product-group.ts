// Product groups with their selector axes.
import { choice, type ItemOf, key, list, statuses } from '../fields/fields.js';
import { recordKey } from '../fields/record-key.js';
import type { Task } from '../planning/item-task.js';
import type { Resource } from '../resource.js';
import type { Snapshot } from '../rows/snapshot.js';
import { column, defineTable, type Row, type RowOf } from '../rows/table.js';
import { findCharacteristic } from './characteristic-table.js';
import { axesOf, axisFields, axisTable, decideAxes, listedAxes } from './product-group-axes.js';

// What may be sent

const fields = {
  name: key('name', { maxBytes: 190 }),
  status: choice('activated (default) or suspended', statuses),
  axes: list('the whole list of axes', axisFields, 'attribute', { maxEntries: 20 }),
};

// What is kept

export const groupTable = defineTable(
  'product_group',
  { id: column.text, name: column.text, status: column.text, created_at: column.integer, updated_at: column.integer },
  { id: ['id'], lookups: { name: ['name'] }, prefix: 'prgr_' },
);

type GroupRow = RowOf<typeof groupTable>;

type ProductGroupItem = ItemOf<typeof fields>;

// What a batch needs

function prefetchNames(items: readonly ProductGroupItem[], snapshot: Snapshot): void {
  for (const { name, axes } of items) {
    if (name !== undefined) snapshot.find(groupTable, 'name', name);
    for (const { attribute } of axes ?? []) if (attribute) findCharacteristic(snapshot, attribute);
  }
}

function prefetchAxes(items: readonly ProductGroupItem[], snapshot: Snapshot): void {
  for (const { name, axes } of items) {
    const stored = name === undefined || axes === undefined ? undefined : snapshot.find(groupTable, 'name', name);
    if (stored !== undefined) snapshot.children(axisTable, stored.id);
  }
}

// What happens

function decide(task: Task<ProductGroupItem>): void {
  const { item } = task;
  if (item.name === undefined) return;
  const stored = task.snapshot.find(groupTable, 'name', item.name);
  if (stored !== undefined) task.known(stored);
  const { now } = task.environment;
  const id = stored?.id ?? task.snapshot.newId(groupTable);
  const kept = stored ?? { id, name: item.name, status: 'activated', created_at: now, updated_at: now };
  const next = { ...kept, status: item.status ?? kept.status };
  if (item.axes !== undefined) decideAxes(task, item.axes, stored, next);
  task.saveRecord(groupTable, stored, next);
}

// What is read back

function view(row: Row, snapshot: Snapshot): Readonly<Record<string, unknown>> {
  const it = row as GroupRow;
  return {
    object: 'product_group',
    id: it.id,
    name: it.name,
    status: it.status,
    axes: axesOf(it.id, snapshot),
    created_at: it.created_at,
    updated_at: it.updated_at,
  };
}

export const productGroup: Resource = {
  name: 'product_group',
  command: 'groups',
  words: ['group', 'product-group', 'product-groups', 'product_group', 'product_groups'],
  title: 'Product group',
  limit: 50,
  key: 'name',
  prefix: 'prgr_',
  fields,
  tables: [groupTable, axisTable],
  externalId: recordKey(fields, 'name').of,
  prefetch: [prefetchNames, prefetchAxes],
  decide,
  find: (selector, snapshot) =>
    'id' in selector
      ? snapshot.find(groupTable, 'id', selector.id)
      : snapshot.find(groupTable, 'name', selector.key.trim()),
  view,
  details: {
    names: () => ({}),
    axes: (row, snapshot) => ({ axes: listedAxes((row as GroupRow).id, snapshot) }),
  },
};
