// Opens a local catalog by its path: for imports and reads, or as the scratch copy of a dry run.
import { existsSync } from 'node:fs';
import { planProductDeletion } from '../core/delete-product.js';
import { type IdempotentCatalog, keptFor } from '../core/receipts.js';
import { storeCatalog } from './catalog.js';
import type { KeyStore } from './keys.js';
import { openDatabase, prepareCatalog, prepareScratch, withLock } from './sqlite.js';
import { sqliteStore } from './sqlite-store.js';

export interface OpenOptions {
  /** The catalog's path. */
  readonly file: string;
  /** Whether it is made where it is missing; otherwise that is a `catalog_unusable`. */
  readonly create: boolean;
  /**
   * The dry run: what is imported goes to a scratch copy of what it changes, which is thrown away; the catalog is
   * only read, takes no write lock, and is not made where it is missing.
   */
  readonly scratch?: boolean;
  /** Milliseconds to wait for another process's lock; 30 s when not given. */
  readonly lockTimeout?: number;
}

/** A catalog in a file of this machine. */
export interface LocalCatalog extends IdempotentCatalog {
  /** Deletes a product as the shop's workspace would; false where no product has this SKU. */
  deleteProduct(sku: string): Promise<boolean>;
  /** The API keys kept in the catalog. What they take is loaded when they are asked for: a read does without. */
  keys(): Promise<KeyStore>;
  /** Throws away the reports kept under an Idempotency-Key once their day is over. */
  forgetReceipts(): Promise<void>;
}

/** Opens a catalog. Throws a `CatalogError` where the file is missing, locked, unwritable, damaged or too new. */
export async function openCatalog(options: OpenOptions): Promise<LocalCatalog> {
  const { file, create, scratch = false, lockTimeout = 30_000 } = options;
  const hasBase = scratch && existsSync(file);
  const database = scratch ? openDatabase('', false) : openDatabase(file, !create);
  let version: number;
  try {
    version = scratch
      ? await prepareScratch(database, hasBase ? file : undefined, lockTimeout)
      : await prepareCatalog(database, file, lockTimeout);
  } catch (error) {
    database.close();
    throw error;
  }
  const store = sqliteStore(database, { file, lockTimeout, isScratch: scratch, hasBase, version });
  return {
    ...storeCatalog(store),
    keys: async () => (await import('./keys.js')).keyStore(database, { file, lockTimeout }),
    forgetReceipts: () =>
      withLock(file, lockTimeout, () => {
        const oldest = Math.floor(Date.now() / 1000) - keptFor;
        database.prepare('DELETE FROM receipt WHERE created_at <= ?').run(oldest);
      }),
    deleteProduct: (sku) => store.change((draft) => planProductDeletion(sku, Math.floor(Date.now() / 1000), draft)),
  };
}
