// A folder of mixed items for proofs: what the shop has, the five resources, some items refused, some products
// corrected by a second file. Each key occurs once in a file, so a record has two whole versions at most.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Item } from '../given.js';

/** Which table a file's records are kept in, and how many make a batch. */
export const kinds: Readonly<Record<string, { readonly table: string; readonly limit: number }>> = {
  files: { table: 'file', limit: 250 },
  customers: { table: 'customer', limit: 250 },
  orders: { table: 'shop_order', limit: 250 },
  characteristics: { table: 'characteristic', limit: 25 },
  categories: { table: 'category', limit: 50 },
  groups: { table: 'product_group', limit: 50 },
  products: { table: 'product', limit: 40 },
  reviews: { table: 'review', limit: 250 },
};

/** The kind of a file by its name: `6-products.corrected.ndjson` → `products`. */
export function kindOf(file: string): string {
  return /(?:^|\/)\d-(\w+)[^/]*$/.exec(file)?.[1] ?? '';
}

/** The file that corrects products of an earlier one. */
export const correction = '6-products.corrected.ndjson';

const grades = ['new', 'like_new', 'very_good', 'good', 'poor'];
const colours = ['Midnight', 'Silver', 'Sage', 'Coral'];
const capacities = ['64', '128', '256'];

function list(count: number, make: (i: number) => Item): Item[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

function product(i: number, products: number): Item {
  // One in thirty is refused, for a field or for a reference.
  if (i % 30 === 7) return { sku: `SKU-${i}`, name: 'No currency' };
  if (i % 30 === 22) return { sku: `SKU-${i}`, currency: 'EUR', category: 'Nowhere' };
  return {
    sku: `SKU-${i}`,
    name: `Phone ${i % Math.ceil(products / 3)}`,
    currency: 'EUR',
    category: `Category ${i % 10}`,
    description: `Looked over, cleaned, with a year of warranty. ${'Much to say. '.repeat(i % 20)}`,
    ...(i % 3 === 0
      ? { price: 100 + i, stock: i }
      : { grades: grades.slice(0, 1 + (i % 5)).map((grade, k) => ({ grade, price: 100 + i + k, stock: k + 1 })) }),
    attributes: [
      { type: 'Colour', value: colours[i % 4] },
      { type: 'Capacity', value: capacities[i % 3], unit: 'GB' },
    ],
    media: list(i % 4, (k) => ({ file: `file_${(i + k) % 40}`, is_main: k === 0 })),
  };
}

function correctionOf(i: number): Item {
  return {
    sku: `SKU-${i}`,
    currency: 'EUR',
    name: `Phone ${i}, corrected`,
    badge: 'corrected',
    grades: grades.slice(i % 3, (i % 3) + 2).map((grade) => ({ grade, price: 50 + i, stock: 9 })),
    attributes: [{ type: 'Colour', value: colours[(i + 1) % 4] }],
    media: [{ file: `file_${(i + 7) % 40}`, is_main: true }],
  };
}

/**
 * Writes the folder.
 * @param items about how many items all files hold together
 * @param corrected whether the correcting file is among them
 */
export function writeShopFolder(folder: string, items: number, corrected = true): void {
  const products = Math.floor(items * 0.5);
  const reviews = Math.floor(items * 0.15);
  const some = Math.floor(items * 0.02);
  const files: Record<string, Item[]> = {
    '1-files.ndjson': list(40, (i) => ({ id: `file_${i}`, name: `photo ${i}.jpg` })),
    '1-customers.ndjson': list(some + 1, (i) => ({ external_id: `C-${i}` })),
    '1-orders.ndjson': list(some + 1, (i) => ({
      external_id: `O-${i}`,
      created_at: 1_717_200_000 + i,
      items: list(1 + (i % 3), (k) => ({ external_id: `O-${i}-${k}` })),
    })),
    '2-characteristics.ndjson': [
      { kind: 'colour', values: colours.map((label, i) => ({ label, hex: `#00000${i}` })) },
      { name: 'Capacity', unit: 'GB', values: capacities.map((label) => ({ label })) },
      ...list(some, (i) => ({ name: `Trait ${i}`, values: list(i % 9, (k) => ({ label: `value ${k}` })) })),
    ],
    '3-categories.ndjson': list(some + 10, (i) => ({
      name: `Category ${i}`,
      ...(i % 10 === 0 ? {} : { parent: `Category ${i - (i % 10)}` }),
    })),
    '4-groups.ndjson': list(some, (i) => ({
      name: `Group ${i}`,
      axes: [
        { attribute: 'Colour', kind: 'swatch', price_mode: 'none' },
        { source: 'custom', name: `Axis ${i}` },
      ],
    })),
    '5-products.ndjson': list(products, (i) => product(i, products)),
    '7-reviews.ndjson': list(reviews, (i) => ({
      external_id: `R-${i}`,
      customer_external_id: i % 25 === 3 ? 'C-none' : `C-${i % some}`,
      product_sku: `SKU-${i * 3}`,
      rating: 1 + (i % 5),
      order_external_id: `O-${i % some}`,
      text: `As described ${i}`,
    })),
    ...(corrected ? { [correction]: list(Math.floor(products / 2), (i) => correctionOf(i * 2)) } : {}),
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, entries] of Object.entries(files)) {
    writeFileSync(join(folder, name), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }
}
