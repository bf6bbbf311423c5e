// The members of a product without their rules and lists, since characteristics and products refer to each other.
import { showDecimal, showShortDecimal } from '../fields/decimal.js';
import { choice, decimal, integer, key, reference, text, time } from '../fields/fields.js';
import { constant, identifier, kept, sent, stored, timestamp } from '../fields/members.js';
import { defineRecord } from '../fields/record-type.js';
import { longestSlug } from '../planning/slug.js';
import type { RowOf } from '../rows/table.js';
import { beforeRun, formerPricesAfter, noFormerPrices } from './former-prices.js';

const sendable = ['draft', 'activated', 'suspended'] as const;

export const productRecord = defineRecord(
  'product',
  {
    object: constant('product'),
    id: identifier(),
    sku: stored(key('stock keeping unit, what the product is recognized by', { maxBytes: 190 }), { decided: true }),
    external_id: sent(text('another name for sku', { maxBytes: 190, trim: true, aliasOf: 'sku' })),
    currency: stored(
      text('currency of every price, an ISO 4217 code; required for a new product', { format: 'currency' }),
      {
        decided: true,
        readAfter: 'price_compare',
      },
    ),
    name: stored(text('what it is called; defaults to the SKU', { maxBytes: 190 }), { decided: true }),
    description: stored(text('text about the product')),
    ean: stored(text('barcode')),
    status: stored(choice('draft (default), activated or suspended', sendable), {
      initial: 'draft',
      decided: true,
      read: [...sendable, 'deleted'],
      readAfter: 'sku',
    }),
    category: stored(reference('identifier of a category; in a file also its name or path', 'category', ['cate_'])),
    group: stored(reference('identifier of a product group; in a file also its name', 'product group', ['prgr_']), {
      column: 'product_group',
    }),
    brand: stored(reference('identifier of a brand of the shop', 'brand', [])),
    warranty: stored(reference('identifier of a warranty of the shop', 'warranty', [])),
    condition: stored(text('short condition label', { maxBytes: 20 })),
    price: stored(decimal('price; of a product with grades their lowest', 2), {
      decided: true,
      show: (price) => showDecimal(Number(price), 2),
    }),
    price_compare: stored(decimal('reference price shown crossed out', 2)),
    weight: stored(decimal('weight, in the unit of the shop', 3), {
      show: (weight) => (weight === null ? '' : showShortDecimal(Number(weight), 3)),
    }),
    stock: stored(integer('units in stock'), { decided: true }),
    stock_threshold: stored(integer('low-stock alert level')),
    slug: stored(text('address segment; generated from the name when empty', { maxBytes: longestSlug }), {
      decided: true,
    }),
    seo_title: stored(text('title for search engines', { maxBytes: 190 })),
    seo_description: stored(text('description for search engines')),
    seo_image: stored(reference('identifier of the image shared on social networks', 'file', ['file_'])),
    badge: stored(text('the product’s badges')),
    tag: stored(text('the product’s tags')),
    note: stored(text('internal note')),
    listed_grades: kept(0),
    created_at: stored(time('original creation time, Unix seconds; kept from the first import'), {
      isTime: true,
      decided: true,
    }),
    updated_at: timestamp(),
    applied_high: kept(0),
    applied_low: kept(0),
    applied_epoch: kept(0),
    former_prices: kept(''),
  },
  {
    id: ['id'],
    lookups: { sku: ['sku'], slug: ['slug'] },
    prefix: 'prod_',
    fingerprint: ['applied_high', 'applied_low', 'applied_epoch'],
    derived: { column: 'former_prices', of: formerPricesAfter, created: noFormerPrices, before: beforeRun },
  },
);

export const productTable = productRecord.table;

export type ProductRow = RowOf<typeof productTable>;

/** The row of a new product with only its SKU set. */
export function newProduct(sku: string, id: string, now: number): ProductRow {
  const row = productRecord.newRow(id, now);
  row.sku = sku;
  row.name = sku;
  return row;
}
