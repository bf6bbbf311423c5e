// What lives in the shop, outside the import interface, and is only referred to: files, brands, warranties, text
// pages, customers, orders with their lines, and deleting a product. `shop load` fills these into a local catalog.
import { type ItemOf, key, list, text, time } from '../fields/fields.js';
import { recordKey } from '../fields/record-key.js';
import type { CheckedFields, ChildChange, Task } from '../planning/item-task.js';
import { inDisplayOrder, type ListedRow, mergeList, noticeDeactivated } from '../planning/merge-list.js';
import { isIdentifier, type ShopKind } from '../planning/references.js';
import type { Prefetch, Resource } from '../resource.js';
import type { Snapshot } from '../rows/snapshot.js';
import { column, defineTable, type RowOf, type Table } from '../rows/table.js';
import { byteLength } from '../text/text.js';

type NamedTable = Table<{ id: string; name: string; created_at: number; updated_at: number }>;

/** A kind of which the catalog knows no more than identifier and name. */
function namedTable(name: string): NamedTable {
  return defineTable(
    name,
    { id: column.text, name: column.text, created_at: column.integer, updated_at: column.integer },
    { id: ['id'] },
  );
}

export const files: ShopKind = { table: namedTable('file'), word: 'file', prefix: 'file_' };
export const brands: ShopKind = { table: namedTable('brand'), word: 'brand', prefix: '' };
export const warranties: ShopKind = { table: namedTable('warranty'), word: 'warranty', prefix: '' };
export const pages: ShopKind = { table: namedTable('page'), word: 'page', prefix: '' };

export const customerTable = defineTable(
  'customer',
  { id: column.text, external_id: column.text, created_at: column.integer, updated_at: column.integer },
  { id: ['id'], lookups: { external_id: ['external_id'] }, prefix: 'cust_' },
);

export const orderTable = defineTable(
  'shop_order',
  { id: column.text, external_id: column.text, created_at: column.integer, updated_at: column.integer },
  { id: ['id'], lookups: { external_id: ['external_id'] }, prefix: 'ordr_' },
);

export const orderLineTable = defineTable(
  'shop_order_line',
  {
    shop_order: column.text,
    external_id: column.text,
    status: column.text,
    listed: column.integer,
    position: column.integer,
  },
  { id: ['shop_order', 'external_id'], parent: 'shop_order' },
);

type OrderRow = RowOf<typeof orderTable>;
type OrderLineRow = RowOf<typeof orderLineTable>;

/** Files, brands, warranties and pages are recognised by their identifier. */
function namedResource(kind: ShopKind, command: string, words: readonly string[]): Resource {
  const table = kind.table as NamedTable;
  const fields = { id: key(`identifier of the ${kind.word}`), name: text(`name of the ${kind.word}`) };
  return {
    name: kind.word,
    command,
    words,
    title: kind.word.charAt(0).toUpperCase() + kind.word.slice(1),
    limit: 250,
    key: 'id',
    prefix: kind.prefix,
    fields,
    tables: [table],
    externalId: recordKey(fields, 'id').of,
    prefetch: [
      (items, snapshot) => {
        for (const { id } of items) if (id !== undefined) snapshot.find(table, 'id', String(id));
      },
    ],
    decide(task: Task<ItemOf<typeof fields>>) {
      const { id, name } = task.item;
      if (id === undefined) return;
      if (kind.prefix === '' ? /\s/.test(id) || byteLength(id) > 190 : !isIdentifier(id, kind.prefix)) {
        const use =
          kind.prefix === ''
            ? 'Use 1 to 190 bytes without white space.'
            : `Use ${kind.prefix} and 1 to 64 of A-Z a-z 0-9 _ -.`;
        return task.refuse('field_format', 'id', id, { fault: `is not an identifier of a ${kind.word}`, use });
      }
      const stored = task.snapshot.find(table, 'id', id);
      const { now } = task.environment;
      const row = stored ?? { id, name: '', created_at: now, updated_at: now };
      task.saveRecord(table, stored, { ...row, name: name ?? row.name });
    },
    find: (selector, snapshot) => snapshot.find(table, 'id', 'id' in selector ? selector.id : selector.key.trim()),
    view: (row) => ({ object: kind.word, ...row }),
    details: {},
  };
}

/** Customers and orders are recognised by their external_id. */
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

function findExternal(table: typeof customerTable): Resource['find'] {
  return (selector, snapshot) =>
    'id' in selector
      ? snapshot.find(table, 'id', selector.id)
      : snapshot.find(table, 'external_id', selector.key.trim());
}

const customerFields = { external_id: key('the shop’s reference of the customer', { maxBytes: 190 }) };

const customer: Resource = {
  name: 'customer',
  command: 'customers',
  words: ['customer'],
  title: 'Customer',
  limit: 250,
  key: 'external_id',
  prefix: 'cust_',
  fields: customerFields,
  tables: [customerTable],
  externalId: recordKey(customerFields, 'external_id').of,
  prefetch: prefetchExternal(customerTable),
  decide(task: Task<ItemOf<typeof customerFields>>) {
    const { external_id: externalId } = task.item;
    if (externalId === undefined) return;
    const stored = task.snapshot.find(customerTable, 'external_id', externalId);
    const { now } = task.environment;
    const created = {
      id: stored?.id ?? task.snapshot.newId(customerTable),
      external_id: externalId,
      created_at: now,
      updated_at: now,
    };
    task.saveRecord(customerTable, stored, stored ?? created);
  },
  find: findExternal(customerTable),
  view: (row) => ({ object: 'customer', ...row }),
  details: {},
};

const orderLineFields = { external_id: key('the line’s reference', { maxBytes: 190 }) };

const orderFields = {
  external_id: key('the shop’s reference of the order', { maxBytes: 190 }),
  created_at: time('when the order was placed, Unix seconds'),
  items: list('the lines of the order', orderLineFields, 'external_id'),
};

/** Lines have neither status nor position of their own. */
type OrderLine = ItemOf<typeof orderLineFields> & { readonly status?: never; readonly position?: never };

const order: Resource = {
  name: 'order',
  command: 'orders',
  words: ['order'],
  title: 'Order',
  limit: 250,
  key: 'external_id',
  prefix: 'ordr_',
  fields: orderFields,
  tables: [orderTable, orderLineTable],
  externalId: recordKey(orderFields, 'external_id').of,
  prefetch: prefetchExternal(orderTable, orderLineTable),
  decide: decideOrder,
  find: findExternal(orderTable),
  view: (row) => ({ object: 'order', ...row }),
  details: { items: (row, snapshot) => ({ items: listedLines(row as OrderRow, snapshot) }) },
};

function decideOrder(task: Task<ItemOf<typeof orderFields>>): void {
  const { item } = task;
  if (item.external_id === undefined) return;
  const { now } = task.environment;
  const stored = task.snapshot.find(orderTable, 'external_id', item.external_id);
  const row: OrderRow = stored ?? {
    id: task.snapshot.newId(orderTable),
    external_id: item.external_id,
    created_at: item.created_at ?? now,
    updated_at: now,
  };
  if (item.items !== undefined) decideOrderLines(task, item.items, stored, row);
  task.saveRecord(orderTable, stored, { ...row, created_at: item.created_at ?? row.created_at });
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
      create: (entry, record) => ({
        shop_order: record,
        external_id: entry.external_id ?? '',
        status: '',
        listed: 1,
        position: 0,
      }),
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

/** What `shop load` can fill, in the order a folder of files is loaded; shared characteristics come beside them. */
export const shopKinds: readonly Resource[] = [
  namedResource(files, 'files', ['file']),
  namedResource(brands, 'brands', ['brand']),
  namedResource(warranties, 'warranties', ['warranty']),
  namedResource(pages, 'pages', ['page']),
  customer,
  order,
];
