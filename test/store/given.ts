// Set-up of the tests of this folder: catalogs in files of a temporary folder, and feeds of products.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Batch, Catalog, ImportOptions } from '../../src/core/catalog.js';
import { CatalogError } from '../../src/core/errors.js';
import type { Report } from '../../src/core/import-report.js';
import { openDatabase, prepareCatalog } from '../../src/store/sqlite/database.js';
import type { Database } from '../../src/store/sqlite/driver.js';
import { batchOf } from '../entries.js';
import { type Item, resourceCalled } from '../given.js';
import { sharedFolders } from '../run-folder.js';

/** A folder for the files of these tests. */
export const folder = mkdtempSync(join(tmpdir(), `${sharedFolders}store-`));

/** A path in a folder of its own: a test that is run again begins anew. */
export const newPath = (name: string): string => join(mkdtempSync(join(folder, 'of-')), name);

/** Opens a new catalog's database, as an import does. */
export async function newDatabase(
  name: string,
  file = newPath(name),
): Promise<{ readonly file: string; readonly database: Database; readonly version: number }> {
  const database = openDatabase(file, false);
  const version = await prepareCatalog(database, file, { lockTimeout: 1000 });
  return { file, database, version };
}

/** The bytes of every file that begins with this path, by name: the database with its log. */
export function bytesOf(file: string): Readonly<Record<string, string>> {
  const [parent, name] = [join(file, '..'), file.slice(file.lastIndexOf('/') + 1)];
  const files = readdirSync(parent).filter((found) => found.startsWith(name));
  const digest = (found: string): string =>
    createHash('sha256')
      .update(readFileSync(join(parent, found)))
      .digest('hex');
  return Object.fromEntries(files.sort().map((found) => [found, digest(found)]));
}

/** Products with two grades each. */
export function products(from: number, count: number): Item[] {
  return Array.from({ length: count }, (_, i) => ({
    sku: `SKU-${from + i}`,
    name: `Phone ${(from + i) % 100}`,
    currency: 'EUR',
    grades: [
      { grade: 'new', price: 100 + i, stock: 1 },
      { grade: 'good', price: 50 + i, stock: 2 },
    ],
  }));
}

/** Items cut into batches of a resource's limit. */
export function inBatches(resource: string, items: readonly unknown[]): Batch[] {
  const { limit } = resourceCalled(resource);
  return Array.from({ length: Math.ceil(items.length / limit) }, (_, i) =>
    batchOf(items.slice(i * limit, (i + 1) * limit)),
  );
}

/** Imports items and gives every report. */
export async function imported(
  catalog: Catalog,
  resource: string,
  items: readonly unknown[],
  options: ImportOptions = {},
): Promise<Report[]> {
  const reports: Report[] = [];
  for await (const report of catalog.importBatches(resourceCalled(resource), inBatches(resource, items), options)) {
    reports.push(report);
  }
  return reports;
}

/** The failure of a call, which must be a CatalogError. */
export async function failureOf(call: () => unknown): Promise<CatalogError> {
  try {
    await call();
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}
