// The table of products and the read shape made of it, apart from their rules: characteristics refer to products as
// products refer to them.
import { showDecimal, showShortDecimal } from '../fields/decimal.js';
import { column, defineTable, type Row, type RowOf } from '../rows/table.js';

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
  {
    id: ['id'],
    lookups: { sku: ['sku'], slug: ['slug'] },
    prefix: 'prod_',
  },
);

export type ProductRow = RowOf<typeof productTable>;

/** The row of a new product of which nothing but the SKU is known. */
export function newProduct(sku: string, id: string, now: number): ProductRow {
  return {
    id,
    sku,
    status: 'draft',
    name: sku,
    description: '',
    ean: '',
    category: null,
    product_group: null,
    brand: null,
    warranty: null,
    condition: '',
    currency: '',
    price: null,
    price_compare: null,
    weight: null,
    stock: 0,
    stock_threshold: 0,
    slug: '',
    seo_title: '',
    seo_description: '',
    seo_image: null,
    badge: '',
    tag: '',
    note: '',
    listed_grades: 0,
    created_at: now,
    updated_at: now,
  };
}

/** The read shape of a product. */
export function viewProduct(row: Row): Readonly<Record<string, unknown>> {
  const it = row as ProductRow;
  return {
    object: 'product',
    id: it.id,
    sku: it.sku,
    status: it.status,
    name: it.name,
    description: it.description,
    ean: it.ean,
    category: it.category ?? '',
    group: it.product_group ?? '',
    brand: it.brand ?? '',
    warranty: it.warranty ?? '',
    condition: it.condition,
    price: showDecimal(it.price ?? 0, 2),
    price_compare: it.price_compare === null ? '' : showDecimal(it.price_compare, 2),
    currency: it.currency,
    weight: it.weight === null ? '' : showShortDecimal(it.weight, 3),
    stock: it.stock,
    stock_threshold: it.stock_threshold,
    slug: it.slug,
    seo_title: it.seo_title,
    seo_description: it.seo_description,
    seo_image: it.seo_image ?? '',
    badge: it.badge,
    tag: it.tag,
    note: it.note,
    created_at: it.created_at,
    updated_at: it.updated_at,
  };
}
