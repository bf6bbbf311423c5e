// Deleting a product: it happens in the shop's workspace, never through an import. `shop delete-product` simulates it on a
// local catalog.
import { changedAt } from '../ledger/changed-at.js';
import { productTable } from '../resources/product-table.js';
import type { Draft } from '../rows/snapshot.js';

/**
 * Sets the product's status to `deleted`.
 * @returns false if no product has this SKU
 */
export function* planProductDeletion(sku: string, now: number, draft: Draft): Generator<void, boolean> {
  draft.find(productTable, 'sku', sku);
  yield;
  const row = draft.find(productTable, 'sku', sku);
  if (row === undefined) return false;
  const next = { ...row, status: 'deleted', updated_at: changedAt(row.updated_at, now) };
  if (row.status !== 'deleted') draft.save(productTable, next, row);
  return true;
}
