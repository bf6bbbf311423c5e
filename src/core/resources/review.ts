// Customer reviews of products.
import { choice, type ItemOf, integer, key, text, time } from '../fields/fields.js';
import { computed, constant, identifier, kept, sent, stored, timestamp } from '../fields/members.js';
import { defineRecord } from '../fields/record-type.js';
import type { Task } from '../planning/item-task.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { RowOf } from '../rows/table.js';
import { defineResource } from './define-resource.js';
import { productTable } from './product-table.js';
import { customerTable, orderLineTable, orderTable } from './shop.js';

// Declaration

const sendable = ['pending', 'published', 'rejected', 'deleted'] as const;

const record = defineRecord(
  'review',
  {
    id: identifier(),
    object: constant('product_review'),
    external_id: stored(key('your reference, unique within the batch', { maxCharacters: 50 }), { decided: true }),
    customer_external_id: sent(key('external_id of an imported customer')),
    customer: kept('', { shape: 'string', lasting: true }),
    order: kept(null as string | null, { column: 'shop_order', shape: 'string', show: (id) => id ?? '' }),
    order_item: kept('', { shape: 'string' }),
    // Looked up by SKU at every read of the review, so that the product appears when its SKU is imported.
    product: computed(
      'string',
      (row, snapshot) => snapshot.find(productTable, 'sku', String(row['product_sku']))?.id ?? '',
    ),
    product_sku: stored(key('SKU of the reviewed product; one not in the catalog yet is accepted')),
    rating: stored(integer('stars, of which 5 are best', { min: 1, max: 5, required: true }), { readAfter: 'name' }),
    order_external_id: sent(text('external_id of an imported order', { trim: true })),
    order_item_external_id: sent(text('external_id of a line of that order', { trim: true })),
    name: stored(text('the reviewer’s display name', { maxCharacters: 50 })),
    text: stored(text('review text')),
    lang: stored(text('three-letter ISO 639-3 language code', { format: 'language' })),
    status: stored(choice('pending (default), published or rejected; deleted withdraws an imported review', sendable), {
      initial: 'pending',
      readAfter: 'external_id',
    }),
    created_at: stored(time('original date, Unix seconds; when omitted the order’s date; never changed later'), {
      isTime: true,
      decided: true,
    }),
    updated_at: timestamp(),
  },
  { id: ['id'], lookups: { external_id: ['external_id'] }, prefix: 'prvw_' },
);

const { table: reviewTable } = record;

type ReviewRow = RowOf<typeof reviewTable>;

type ReviewItem = ItemOf<typeof record.fields>;

// Prefetch

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

// Decision

function decide(task: Task<ReviewItem>): void {
  const { item } = task;
  if (item.external_id === undefined) return;
  const stored = task.snapshot.find(reviewTable, 'external_id', item.external_id);
  if (stored !== undefined) task.known(stored);
  if (stored === undefined && item.status === 'deleted' && task.mode.only !== 'update') {
    task.refuse('review_not_imported', 'status');
  }
  const customer = findCustomer(task, item);
  const order = findOrder(task, item);
  const kept = stored ?? create(task, item.external_id, item.created_at ?? order?.created_at);
  if (stored !== undefined && item.created_at !== undefined && item.created_at !== stored.created_at) {
    task.notice('created_at_ignored', 'created_at', item.created_at, { kept: stored.created_at });
  }
  tellUnknownProduct(task, item);
  const next = { ...kept };
  record.applySent(item, next);
  if (customer !== undefined) next.customer = customer;
  if (item.order_external_id !== undefined) next.shop_order = order?.id ?? null;
  next.order_item = orderItem(item, kept, order?.id);
  task.saveRecord(reviewTable, stored, next);
}

function create(task: Task, externalId: string, createdAt: number | undefined): ReviewRow {
  const row = record.newRow(task.snapshot.newId(reviewTable), task.environment.now);
  row.external_id = externalId;
  if (createdAt !== undefined) row.created_at = createdAt;
  return row;
}

function findCustomer(task: Task, item: ReviewItem): string | undefined {
  if (item.customer_external_id === undefined) return undefined;
  const found = task.snapshot.find(customerTable, 'external_id', item.customer_external_id);
  if (found === undefined) {
    task.refuse('customer_not_found', 'customer_external_id', item.customer_external_id);
  }
  return found?.id;
}

/** Refuses the review if the order does not exist, or has no line with this identifier. */
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

/** A review that moves to another order, or to none, loses its order line. */
function orderItem(item: ReviewItem, kept: ReviewRow, order: string | undefined): string {
  if (item.order_item_external_id !== undefined) return item.order_item_external_id;
  const moved = item.order_external_id !== undefined && (order ?? null) !== kept.shop_order;
  return moved ? '' : kept.order_item;
}

function tellUnknownProduct(task: Task, item: ReviewItem): void {
  if (item.product_sku === undefined || task.snapshot.find(productTable, 'sku', item.product_sku) !== undefined) return;
  task.notice('product_unknown', 'product_sku', item.product_sku);
}

// Read

/** Whether the line is still one of its order; true if the review has none. */
function isListedLine({ shop_order: order, order_item: line }: ReviewRow, snapshot: Snapshot): boolean {
  return order === null || line === '' || snapshot.find(orderLineTable, 'id', order, line)?.listed === 1;
}

export const review = defineResource(record, {
  name: 'product_review',
  command: 'reviews',
  words: ['review', 'product-review', 'product-reviews', 'product_review', 'product_reviews'],
  title: 'Product review',
  limit: 250,
  key: 'external_id',
  oncePerBatch: true,
  excludes: { order_external_id: ['order_item_external_id'], order_item_external_id: ['order_external_id'] },
  tables: [reviewTable],
  prefetch: [prefetchNamed, prefetchOrderLines],
  decide,
  details: {
    names: {
      shape: { customer_external_id: 'string', order_external_id: 'string', order_item_external_id: 'string?' },
      read(row, snapshot) {
        const { customer, shop_order: order, order_item: line } = row as ReviewRow;
        return {
          customer_external_id: snapshot.find(customerTable, 'id', customer)?.external_id ?? '',
          order_external_id: order === null ? '' : (snapshot.find(orderTable, 'id', order)?.external_id ?? ''),
          order_item_external_id: isListedLine(row as ReviewRow, snapshot) ? line : null,
        };
      },
    },
  },
});
