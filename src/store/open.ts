// Opens a local catalog by its path, or by an address of PostgreSQL: for imports and reads, or as the scratch copy of a dry run.
import { channel } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import { planProductDeletion } from '../core/planning/delete-product.js';
import {
  type IdempotentCatalog,
  idempotencyTable,
  retentionBounds,
  retentionSeconds,
} from '../core/planning/idempotency-records.js';
import type { Resource } from '../core/resource.js';
import { stepChannel, type TimedStep } from '../core/timed-step.js';
import { foundAt } from '../files/found-file.js';
import type { KeyStore } from './api-keys/api-keys.js';
import { type ImportOrigin, storeCatalog } from './catalog.js';
import { catalogPlace, isPostgresAddress } from './catalog-path.js';
import type { ResourceSummary } from './catalog-summary.js';
import { dryRunStore } from './dry-run-store.js';
import type { Ledger } from './ledger/ledger.js';
import type { SqliteStoreOptions } from './sqlite/connection.js';
import { openDatabase, prepareCatalog, prepareReading, prepareScratch } from './sqlite/database.js';
import type { Database } from './sqlite/driver.js';
import { syncLog, temporaryFolder } from './sqlite/file/catalog-file.js';
import { filePresence } from './sqlite/file/file-presence.js';
import { versionOf } from './sqlite/file/recognize-catalog.js';
import { sqliteStore } from './sqlite/sqlite-store.js';
import type { RowBounds, Store } from './store.js';

export interface OpenOptions {
  readonly file: string;
  /** Whether a missing catalog is created; otherwise it is `catalog_unusable`. */
  readonly create: boolean;
  /**
   * For a dry run: changes go to a scratch store, which is discarded; the catalog is only read, takes no write lock,
   * and is not created if missing.
   */
  readonly scratch?: boolean;
  /** Milliseconds to wait for another process's lock; 30 s if undefined. */
  readonly lockTimeout?: number;
  /** Milliseconds for which a change tries to reconnect to the database; none if undefined. */
  readonly patience?: number;
  /** Products keep identifiers from another catalog: for the target of a copy. */
  readonly takesProducts?: boolean;
}

/** A catalog in a file of this machine, or in a database. */
export interface LocalCatalog extends IdempotentCatalog {
  /** Deletes a product as the shop would; false for an unknown SKU. */
  deleteProduct(sku: string): Promise<boolean>;
  /** The API keys of the catalog. Loaded on first use: reads do not need them. */
  keys(): Promise<KeyStore>;
  /** The history of imports. Loaded on first use, like the keys. */
  ledger(): Promise<Ledger>;
  /** The same catalog for one run: imports are recorded under it, and apply the ranking of feeds. */
  importing(origin: ImportOrigin): IdempotentCatalog;
  /** Counts the records of resources. Loaded on first use. */
  summarize(resources: readonly Resource[]): Promise<readonly ResourceSummary[]>;
  /** Deletes the reports kept under an Idempotency-Key after a day, and the oldest beyond the limit. */
  forgetReceipts(bounds?: RowBounds): Promise<void>;
}

const steps = channel(stepChannel);

/**
 * Opens a catalog.
 * @throws CatalogError if the file is missing, locked, unwritable, damaged or too new
 */
export async function openCatalog(options: OpenOptions): Promise<LocalCatalog> {
  const started = performance.now();
  const store = await openStore(options);
  const importing: LocalCatalog['importing'] = (origin) => storeCatalog(store, origin);
  if (steps.hasSubscribers)
    steps.publish({ name: 'open', milliseconds: performance.now() - started } satisfies TimedStep);
  return {
    ...storeCatalog(store),
    keys: async () => (await import('./api-keys/api-keys.js')).keyStore(store),
    async forgetReceipts(bounds = retentionBounds) {
      await store.deleteExpired(idempotencyTable, Math.floor(Date.now() / 1000) - retentionSeconds);
      const time = await store.timeBeyond(idempotencyTable, bounds);
      if (time !== undefined) await store.deleteExpired(idempotencyTable, time);
    },
    deleteProduct: (sku) => store.write((draft) => planProductDeletion(sku, Math.floor(Date.now() / 1000), draft)),
    ledger: async () =>
      (await import('./ledger/ledger.js')).ledgerOf({ store, importing }, options.lockTimeout ?? 30_000),
    importing,
    summarize: async (resources) => (await import('./catalog-summary.js')).summarizeCatalog(store, resources),
  };
}

/** Opens the store of a catalog. The client library of PostgreSQL is loaded only for an address. */
export async function openStore(options: OpenOptions): Promise<Store> {
  const { file, create, scratch = false, lockTimeout = 30_000, patience = 0, takesProducts = false } = options;
  const lock = { file: catalogPlace(file, 'the name of the catalog'), lockTimeout };
  if (!isPostgresAddress(file))
    return scratch
      ? openDryRun(lock, await openReading(lock))
      : openFile({ ...lock, ...(takesProducts && { adoption: 'products' }) }, create);
  const { openForDryRun, openPostgres } = await import('./postgres/open-postgres.js');
  if (scratch) return openDryRun(lock, await openForDryRun(file, lockTimeout));
  return openPostgres({ address: file, create, lockTimeout, patience });
}

export async function hasCatalog(file: string): Promise<boolean> {
  // An empty file, as `touch` makes one, is not a catalog yet.
  if (!isPostgresAddress(file)) return (foundAt(file)?.size ?? 0) > 0;
  const { hasTables } = await import('./postgres/open-postgres.js');
  return hasTables(file, 30_000);
}

/**
 * Creates the tables of a catalog, or migrates them.
 * @returns the versions before and after; 0 if there was no catalog
 */
export async function migrateCatalog(file: string): Promise<{ readonly from: number; readonly to: number }> {
  const lock = { file: catalogPlace(file, 'the name of the catalog'), lockTimeout: 30_000 };
  if (isPostgresAddress(file)) {
    const { migratePostgres } = await import('./postgres/open-postgres.js');
    return migratePostgres(file, lock.lockTimeout);
  }
  const database = openDatabase(lock.file, false);
  try {
    const from = versionOf(database);
    return { from, to: await prepareCatalog(database, lock.file, lock) };
  } finally {
    database.close();
  }
}

/** The path of a catalog, for messages, and how long to wait for another process's lock. */
type Lock = Readonly<Required<Pick<OpenOptions, 'file' | 'lockTimeout'>>>;

/** Makes a store of a database, which is closed if it cannot be prepared. */
async function opened(
  database: Database,
  options: Omit<SqliteStoreOptions, 'version' | 'presence'>,
  prepare: () => number | Promise<number>,
): Promise<Store> {
  try {
    const version = await prepare();
    // Only now is it certain that the file exists.
    const presence = options.adoption === 'all' ? {} : { presence: filePresence(options.file) };
    return sqliteStore(database, { ...options, ...presence, version });
  } catch (error) {
    database.close();
    throw error;
  }
}

function openFile(lock: Lock & Pick<SqliteStoreOptions, 'adoption'>, create: boolean): Promise<Store> {
  const database = openDatabase(lock.file, !create);
  return opened(database, lock, async () => {
    const version = await prepareCatalog(database, lock.file, { lockTimeout: lock.lockTimeout, mustExist: !create });
    syncLog(lock.file);
    return version;
  });
}

/** The catalog on which a dry run is based; undefined if the file contains none yet. */
async function openReading(lock: Lock): Promise<Store | undefined> {
  if (!existsSync(lock.file)) return undefined;
  const database = openDatabase(lock.file, true);
  let version = 0;
  try {
    version = await prepareReading(database, lock.file, lock.lockTimeout);
    syncLog(lock.file);
  } finally {
    if (version === 0) database.close();
  }
  return version === 0 ? undefined : opened(database, lock, () => version);
}

/** The store of a dry run around the catalog, if there is one. */
async function openDryRun(lock: Lock, base: Store | undefined): Promise<Store> {
  const database = openDatabase('', false);
  // It grows in the temporary folder, never in that of the catalog, so that its errors name the temporary folder.
  const file = `the temporary folder ${temporaryFolder()} (the variable SQLITE_TMPDIR names another)`;
  const scratch = await opened(database, { ...lock, file, adoption: 'all' }, () => prepareScratch(database));
  return dryRunStore(base, scratch);
}
