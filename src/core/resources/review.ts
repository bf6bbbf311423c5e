// Customer reviews of products.
import { choice, type ItemOf, integer, key, text, time } from '../fields/fields.js';
import { recordKey } from '../fields/record-key.js';
import type { Task } from '../planning/item-task.js';
import type { Resource } from '../resource.js';
import type { Snapshot } from '../rows/snapshot.js';
import { column, defineTable, type Row, type RowOf } from '../rows/table.js';
import { productTable } from './product-table.js';
import { customerTable, orderLineTable, orderTable } from './shop.js';

// What may be sent

const fields = {
  external_id: key('your reference, unique within the batch', { maxCharacters: 50 }),
  customer_external_id: key('external_id of an imported customer'),
  product_sku: key('SKU of the reviewed product; one not in the catalog yet is accepted'),
  rating: integer('whole number from 1 to 5', { min: 1, max: 5, required: true }),
  order_external_id: text('external_id of an imported order', { trim: true }),
  order_item_external_id: text('external_id of a line of that order', { trim: true }),
  name: text('the reviewer’s display name', { maxCharacters: 50 }),
  text: text('review text'),
  lang: text('three-letter ISO 639-3 language code', { format: 'language' }),
  status: choice('pending (default), published or rejected; deleted withdraws an imported review', [
    'pending',
    'published',
    'rejected',
    'deleted',
  ]),
  created_at: time('original date, Unix seconds; when omitted the order’s date; never changed later'),
};

// What is kept

const reviewTable = defineTable(
  'review',
  {
    id: column.text,
    external_id: column.text,
    status: column.text,
    customer: column.text,
    shop_order: column.nullableText,
    order_item: column.text,
    product_sku: column.text,
    name: column.text,
    rating: column.integer,
    text: column.text,
    lang: column.text,
    created_at: column.integer,
    updated_at: column.integer,
  },
  { id: ['id'], lookups: { external_id: ['external_id'] }, prefix: 'prvw_' },
);

type ReviewRow = RowOf<typeof reviewTable>;

type ReviewItem = ItemOf<typeof fields>;

// What a batch needs

function prefetchNamed(items: readonly ReviewItem[], snapshot: Snapshot): void {
  for (const item of items) {
    if (item.external_id !== undefined) snapshot.find(reviewTable, 'external_id', item.external_id);
    if (item.customer_external_id !== undefined) snapshot.find(customerTable, 'external_id', item.customer_external_id);
    if (item.product_sku !== undefined) snapshot.find(productTable, 'sku', item.product_sku);
    if (item.order_external_id) snapshot.find(orderTable, 'external_id', item.order_external_id);
  }
}

function prefetchOrderLines(items: readonly ReviewItem[], snapshot: Snapshot): void {
  for (const { order_external_id: externalId, order_item_external_id: line } of items) {
    const order = externalId && line ? snapshot.find(orderTable, 'external_id', externalId) : undefined;
    if (order !== undefined && line) snapshot.find(orderLineTable, 'id', order.id, line);
  }
}

// What happens

function decide(task: Task<ReviewItem>): void {
  const { item } = task;
  if (item.external_id === undefined) return;
  const stored = task.snapshot.find(reviewTable, 'external_id', item.external_id);
  if (stored !== undefined) task.known(stored);
  if (stored === undefined && item.status === 'deleted') {
    task.refuse('review_not_imported', 'status');
  }
  const customer = findCustomer(task, item);
  const order = findOrder(task, item);
  const kept = stored ?? create(task, item, order?.created_at);
  if (stored !== undefined && item.created_at !== undefined && item.created_at !== stored.created_at) {
    task.notice('created_at_ignored', 'created_at', item.created_at, { kept: stored.created_at });
  }
  tellUnknownProduct(task, item);
  task.saveRecord(reviewTable, stored, {
    ...kept,
    status: item.status ?? kept.status,
    customer: customer ?? kept.customer,
    shop_order: item.order_external_id === undefined ? kept.shop_order : (order?.id ?? null),
    order_item: orderItem(item, kept, order?.id),
    product_sku: item.product_sku ?? kept.product_sku,
    name: item.name ?? kept.name,
    rating: item.rating ?? kept.rating,
    text: item.text ?? kept.text,
    lang: item.lang ?? kept.lang,
  });
}

function create(task: Task, item: ReviewItem, orderDate: number | undefined): ReviewRow {
  const { now } = task.environment;
  return {
    id: task.snapshot.newId(reviewTable),
    external_id: item.external_id ?? '',
    status: 'pending',
    customer: '',
    shop_order: null,
    order_item: '',
    product_sku: '',
    name: '',
    rating: 0,
    text: '',
    lang: '',
    created_at: item.created_at ?? orderDate ?? now,
    updated_at: now,
  };
}

function findCustomer(task: Task, item: ReviewItem): string | undefined {
  if (item.customer_external_id === undefined) return undefined;
  const found = task.snapshot.find(customerTable, 'external_id', item.customer_external_id);
  if (found === undefined) {
    task.refuse('customer_not_found', 'customer_external_id', item.customer_external_id);
  }
  return found?.id;
}

/** A named order that does not exist refuses the review; so does a line that is none of that order. */
function findOrder(task: Task, item: ReviewItem): RowOf<typeof orderTable> | undefined {
  const { order_external_id: externalId, order_item_external_id: line } = item;
  if (!externalId) {
    if (line && !task.hasProblem('order_external_id')) {
      task.refuse('order_item_without_order', 'order_item_external_id', line);
    }
    return undefined;
  }
  const order = task.snapshot.find(orderTable, 'external_id', externalId);
  if (order === undefined) {
    task.refuse('order_not_found', 'order_external_id', externalId);
    return undefined;
  }
  if (line && task.snapshot.find(orderLineTable, 'id', order.id, line)?.listed !== 1) {
    task.refuse('order_item_not_found', 'order_item_external_id', line, { order: externalId });
  }
  return order;
}

/** A review that moves to another order, or to none, leaves the line of the former one behind. */
function orderItem(item: ReviewItem, kept: ReviewRow, order: string | undefined): string {
  if (item.order_item_external_id !== undefined) return item.order_item_external_id;
  const moved = item.order_external_id !== undefined && (order ?? null) !== kept.shop_order;
  return moved ? '' : kept.order_item;
}

function tellUnknownProduct(task: Task, item: ReviewItem): void {
  if (item.product_sku === undefined || task.snapshot.find(productTable, 'sku', item.product_sku) !== undefined) return;
  task.notice('product_unknown', 'product_sku', item.product_sku);
}

// What is read back

/** The product is looked up by SKU whenever the review is read, so it appears once the SKU is imported. */
function view(row: Row, snapshot: Snapshot): Readonly<Record<string, unknown>> {
  const it = row as ReviewRow;
  return {
    id: it.id,
    object: 'product_review',
    external_id: it.external_id,
    status: it.status,
    customer: it.customer,
    order: it.shop_order ?? '',
    order_item: it.order_item,
    product: snapshot.find(productTable, 'sku', it.product_sku)?.id ?? '',
    product_sku: it.product_sku,
    name: it.name,
    rating: it.rating,
    text: it.text,
    lang: it.lang,
    created_at: it.created_at,
    updated_at: it.updated_at,
  };
}

/** Whether the line is still one of its order; where there is none, that can be said, too. */
function isListedLine({ shop_order: order, order_item: line }: ReviewRow, snapshot: Snapshot): boolean {
  return order === null || line === '' || snapshot.find(orderLineTable, 'id', order, line)?.listed === 1;
}

export const review: Resource = {
  name: 'product_review',
  command: 'reviews',
  words: ['review', 'product-review', 'product-reviews', 'product_review', 'product_reviews'],
  title: 'Product review',
  limit: 250,
  key: 'external_id',
  prefix: 'prvw_',
  fields,
  oncePerBatch: true,
  tables: [reviewTable],
  externalId: recordKey(fields, 'external_id').of,
  prefetch: [prefetchNamed, prefetchOrderLines],
  decide,
  find: (selector, snapshot) =>
    'id' in selector
      ? snapshot.find(reviewTable, 'id', selector.id)
      : snapshot.find(reviewTable, 'external_id', selector.key.trim()),
  view,
  details: {
    names: (row, snapshot) => {
      const { customer, shop_order: order, order_item: line } = row as ReviewRow;
      return {
        customer_external_id: snapshot.find(customerTable, 'id', customer)?.external_id ?? '',
        order_external_id: order === null ? '' : (snapshot.find(orderTable, 'id', order)?.external_id ?? ''),
        order_item_external_id: isListedLine(row as ReviewRow, snapshot) ? line : null,
      };
    },
  },
};
