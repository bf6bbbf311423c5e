// The table of products, apart from their rules: characteristics refer to products as products refer to them.
import { column, defineTable, type RowOf } from '../table.js';

export const productTable = defineTable(
  'product',
  {
    id: column.text,
    sku: column.text,
    status: column.text,
    name: column.text,
    description: column.text,
    ean: column.text,
    category: column.nullableText,
    product_group: column.nullableText,
    brand: column.nullableText,
    warranty: column.nullableText,
    condition: column.text,
    currency: column.text,
    price: column.nullableInteger,
    price_compare: column.nullableInteger,
    weight: column.nullableInteger,
    stock: column.integer,
    stock_threshold: column.integer,
    slug: column.text,
    slug_hash: column.integer,
    seo_title: column.text,
    seo_description: column.text,
    seo_image: column.nullableText,
    badge: column.text,
    tag: column.text,
    note: column.text,
    listed_grades: column.integer,
    created_at: column.integer,
    updated_at: column.integer,
  },
  { id: ['id'], lookups: { sku: ['sku'], slug: ['slug_hash', 'slug'] } },
);

export type ProductRow = RowOf<typeof productTable>;
