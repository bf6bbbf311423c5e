// Product groups with their selector axes.
import { choice, type ItemOf, key, list, statuses } from '../fields/fields.js';
import { constant, identifier, readList, stored, timestamp } from '../fields/members.js';
import { defineRecord } from '../fields/record-type.js';
import type { Task } from '../planning/item-task.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { RowOf } from '../rows/table.js';
import { findCharacteristic } from './characteristic-table.js';
import { defineResource } from './define-resource.js';
import { axesOf, axisRecord, axisTable, decideAxes, listedAxes } from './product-group-axes.js';

// Declaration

const record = defineRecord(
  'product_group',
  {
    object: constant('product_group'),
    id: identifier(),
    name: stored(key('what it is called and recognized by', { maxBytes: 190 }), { decided: true }),
    status: stored(choice('activated (default) or suspended', statuses), { initial: 'activated' }),
    axes: readList(list('the whole list of axes', axisRecord.fields, 'attribute', { maxEntries: 20 }), {
      shape: { list: axisRecord.readShape },
      compute: (row, snapshot) => axesOf(String(row['id']), snapshot),
    }),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { id: ['id'], lookups: { name: ['name'] }, prefix: 'prgr_' },
);

export const groupTable = record.table;

type GroupRow = RowOf<typeof groupTable>;

type ProductGroupItem = ItemOf<typeof record.fields>;

// Prefetch

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

// Decision

function decide(task: Task<ProductGroupItem>): void {
  const { item } = task;
  if (item.name === undefined) return;
  const stored = task.snapshot.find(groupTable, 'name', item.name);
  if (stored !== undefined) task.known(stored);
  const next = stored === undefined ? newGroup(task, item.name) : { ...stored };
  record.applySent(item, next);
  if (item.axes !== undefined) decideAxes(task, item.axes, stored, next);
  task.saveRecord(groupTable, stored, next);
}

function newGroup(task: Task, name: string): GroupRow {
  const row = record.newRow(task.snapshot.newId(groupTable), task.environment.now);
  row.name = name;
  return row;
}

// Read

export const productGroup = defineResource(record, {
  name: 'product_group',
  command: 'groups',
  words: ['group', 'product-group', 'product-groups', 'product_group', 'product_groups'],
  title: 'Product group',
  limit: 50,
  key: 'name',
  tables: [groupTable, axisTable],
  prefetch: [prefetchNames, prefetchAxes],
  decide,
  details: {
    names: { shape: {}, read: () => ({}) },
    axes: {
      shape: { axes: { list: { ...axisRecord.readShape, attribute_name: 'string' } } },
      names: ['attribute'],
      read: (row, snapshot) => ({ axes: listedAxes((row as GroupRow).id, snapshot) }),
    },
  },
});
