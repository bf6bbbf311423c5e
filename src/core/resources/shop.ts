// Records that the shop keeps outside the import interface and that imports only refer to: files, brands, warranties,
// text pages, customers, orders with their lines. `shop load` fills these into a local catalog.
import { type ItemOf, key, list, text, time } from '../fields/fields.js';
import { constant, identifier, kept, sent, stored, timestamp } from '../fields/members.js';
import { defineRecord } from '../fields/record-type.js';
import type { CheckedFields, ChildChange, Task } from '../planning/item-task.js';
import { inDisplayOrder, type ListedRow, mergeList, noticeDeactivated } from '../planning/merge-list.js';
import { isIdentifier, type ShopKind } from '../planning/references.js';
import type { Prefetch, Resource } from '../resource.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { RowOf, Table } from '../rows/table.js';
import { byteLength } from '../text/text.js';
import { defineResource } from './define-resource.js';

/** The members of a shop record of which only identifier and name are stored. */
function namedRecord(word: string) {
  return defineRecord(
    word,
    {
      object: constant(word),
      id: stored(key(`identifier of the ${word}`), { decided: true }),
      name: stored(text(`name of the ${word}`)),
      created_at: timestamp(),
      updated_at: timestamp(),
    },
    { id: ['id'] },
  );
}

const named = {
  file: namedRecord('file'),
  brand: namedRecord('brand'),
  warranty: namedRecord('warranty'),
  page: namedRecord('page'),
};

export const files: ShopKind = { table: named.file.table, word: 'file', prefix: 'file_' };
export const brands: ShopKind = { table: named.brand.table, word: 'brand', prefix: '' };
export const warranties: ShopKind = { table: named.warranty.table, word: 'warranty', prefix: '' };
export const pages: ShopKind = { table: named.page.table, word: 'page', prefix: '' };

const customerRecord = defineRecord(
  'customer',
  {
    object: constant('customer'),
    id: identifier(),
    external_id: stored(key('the shop’s reference of the customer', { maxBytes: 190 }), { decided: true }),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { id: ['id'], lookups: { external_id: ['external_id'] }, prefix: 'cust_' },
);

export const customerTable = customerRecord.table;

const orderLineRecord = defineRecord(
  'shop_order_line',
  {
    shop_order: kept(''),
    external_id: stored(key('the line’s reference', { maxBytes: 190 }), { decided: true }),
    status: kept(''),
    listed: kept(1),
    position: kept(0),
  },
  { id: ['shop_order', 'external_id'], parent: 'shop_order' },
);

export const orderLineTable = orderLineRecord.table;

const orderRecord = defineRecord(
  'shop_order',
  {
    object: constant('order'),
    id: identifier(),
    external_id: stored(key('the shop’s reference of the order', { maxBytes: 190 }), { decided: true }),
    created_at: stored(time('when the order was placed, Unix seconds'), { isTime: true }),
    items: sent(list('the lines of the order', orderLineRecord.fields, 'external_id')),
    updated_at: timestamp(),
  },
  { id: ['id'], lookups: { external_id: ['external_id'] }, prefix: 'ordr_' },
);

export const orderTable = orderRecord.table;

type OrderRow = RowOf<typeof orderTable>;
type OrderLineRow = RowOf<typeof orderLineTable>;

/** Files, brands, warranties and pages are recognized by their identifier. */
function namedResource(kind: ShopKind, command: string, words: readonly string[]): Resource {
  const record = named[kind.word as keyof typeof named];
  const { fields, table } = record;
  return defineResource(record, {
    name: kind.word,
    command,
    words,
    title: kind.word.charAt(0).toUpperCase() + kind.word.slice(1),
    limit: 250,
    key: 'id',
    prefix: kind.prefix,
    tables: [table],
    prefetch: [
      (items, snapshot) => {
        for (const { id } of items) if (id !== undefined) snapshot.find(table, 'id', String(id));
      },
    ],
    decide(task: Task<ItemOf<typeof fields>>) {
      const { id } = task.item;
      if (id === undefined) return;
      if (kind.prefix === '' ? /\s/.test(id) || byteLength(id) > 190 : !isIdentifier(id, kind.prefix)) {
        return task.refuse('field_format', 'id', id, { form: 'new identifier', word: kind.word, prefix: kind.prefix });
      }
      const stored = task.snapshot.find(table, 'id', id);
      const next = stored === undefined ? record.newRow(id, task.environment.now) : { ...stored };
      record.applySent(task.item, next);
      task.saveRecord(table, stored, next);
    },
  });
}

/** Customers and orders are recognized by their external_id. */
function prefetchExternal(table: typeof customerTable, children?: Table): readonly Prefetch[] {
  const stored = (item: CheckedFields, snapshot: Snapshot) =>
    item['external_id'] === undefined ? undefined : snapshot.find(table, 'external_id', String(item['external_id']));
  return [
    (items, snapshot) => {
      for (const item of items) stored(item, snapshot);
    },
    (items, snapshot) => {
      for (const item of children === undefined ? [] : items) {
        const row = stored(item, snapshot);
        if (row !== undefined && children !== undefined) snapshot.children(children, row.id);
      }
    },
  ];
}

const customer = defineResource(customerRecord, {
  name: 'customer',
  command: 'customers',
  words: ['customer'],
  title: 'Customer',
  limit: 250,
  key: 'external_id',
  tables: [customerTable],
  prefetch: prefetchExternal(customerTable),
  decide(task: Task<ItemOf<typeof customerRecord.fields>>) {
    const { external_id: externalId } = task.item;
    if (externalId === undefined) return;
    const stored = task.snapshot.find(customerTable, 'external_id', externalId);
    if (stored !== undefined) return task.saveRecord(customerTable, stored, stored);
    const created = customerRecord.newRow(task.snapshot.newId(customerTable), task.environment.now);
    created.external_id = externalId;
    task.saveRecord(customerTable, undefined, created);
  },
});

/** Lines have neither status nor position. */
type OrderLine = ItemOf<typeof orderLineRecord.fields> & { readonly status?: never; readonly position?: never };

const order = defineResource(orderRecord, {
  name: 'order',
  command: 'orders',
  words: ['order'],
  title: 'Order',
  limit: 250,
  key: 'external_id',
  tables: [orderTable, orderLineTable],
  prefetch: prefetchExternal(orderTable, orderLineTable),
  decide: decideOrder,
  details: {
    items: {
      shape: { items: { list: { external_id: 'string' } } },
      read: (row, snapshot) => ({ items: listedLines(row as OrderRow, snapshot) }),
    },
  },
});

function decideOrder(task: Task<ItemOf<typeof orderRecord.fields>>): void {
  const { item } = task;
  if (item.external_id === undefined) return;
  const stored = task.snapshot.find(orderTable, 'external_id', item.external_id);
  const next =
    stored === undefined ? orderRecord.newRow(task.snapshot.newId(orderTable), task.environment.now) : { ...stored };
  next.external_id = item.external_id;
  orderRecord.applySent(item, next);
  if (item.items !== undefined) decideOrderLines(task, item.items, stored, next);
  task.saveRecord(orderTable, stored, next);
}

function decideOrderLines(
  task: Task,
  entries: readonly OrderLine[],
  stored: OrderRow | undefined,
  order: OrderRow,
): void {
  const merged = mergeList<OrderLineRow & ListedRow, OrderLine>(
    task,
    {
      field: 'items',
      word: 'line',
      positions: 'index',
      keyOf: (entry) => entry.external_id,
      keyOfRow: (row) => row.external_id,
      create(entry, record) {
        const row = orderLineRecord.newRow('', 0);
        row.shop_order = record;
        row.external_id = entry.external_id ?? '';
        return row;
      },
      correct: (row) => ({ ...row }),
    },
    {
      record: order.id,
      stored: stored === undefined ? [] : task.snapshot.children(orderLineTable, stored.id),
      entries,
    },
  );
  noticeDeactivated(task, 'items', merged);
  for (const { before, next } of merged) task.saveChild(orderLineTable, before, next, lineChange);
}

function listedLines({ id }: OrderRow, snapshot: Snapshot): readonly { readonly external_id: string }[] {
  const rows = snapshot.children(orderLineTable, id).filter(({ listed }) => listed === 1);
  return inDisplayOrder(rows, (row) => row.external_id).map((row) => ({ external_id: row.external_id }));
}

const lineChange: ChildChange = {
  path: (row) => `items[${row['external_id']}]`,
  show: (row) => ({ status: row['status'] }),
};

/** What `shop load` accepts, in the order in which a folder is loaded; shared characteristics are added to these. */
export const shopKinds: readonly Resource[] = [
  namedResource(files, 'files', ['file']),
  namedResource(brands, 'brands', ['brand']),
  namedResource(warranties, 'warranties', ['warranty']),
  namedResource(pages, 'pages', ['page']),
  customer,
  order,
];
