// Recognizes catalogs of this program. Any other file is refused unchanged, with a remedy.
import { CatalogError } from '../../../core/errors.js';
import { foundAt } from '../../../files/found-file.js';
import type { Database } from '../database.js';
import { logSize } from './catalog-file.js';

/** `CIMP`: distinguishes a catalog from any other SQLite file. */
export const applicationId = 0x43494d50;

/** SQLite deletes the log beside an empty file: what a truncated catalog still has there would be lost. */
export function refuseCutOff(file: string): void {
  if (foundAt(file)?.size !== 0 || logSize(file) === 0) return;
  throw new CatalogError(
    'catalog_unusable',
    `${file} is empty, but the log ${file}-wal beside it is not: the catalog was cut off. ${restoring(file)}`,
  );
}

/** How to restore a backup: a log that stays behind would be applied to it. */
function restoring(file: string): string {
  return `To restore a backup, first remove ${file}, ${file}-wal and ${file}-shm, then copy it to ${file}.`;
}

/** The version of a schema's tables; 0 if it has none. */
export function versionOf(database: Database, schema: string): number {
  return Number(database.pragma(`${schema}.user_version`, { simple: true }));
}

/** Tables that every catalog has had since the first version. */
const firstTables = ['characteristic', 'category', 'product_group', 'product', 'product_grade', 'review', 'late_index'];

/** Refuses a database that is not a catalog, or one of an unknown version; an empty database may become one. */
export function refuseForeign(database: Database, file: string, schema: string, newest: number): void {
  const version = versionOf(database, schema);
  const mark = database.pragma(`${schema}.application_id`, { simple: true });
  const names = database.prepare(`SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table'`).pluck().all();
  if (mark !== applicationId && (mark !== 0 || version !== 0 || names.length > 0)) {
    throw new CatalogError(
      'catalog_unusable',
      `${file} is a SQLite database of another application; name a catalog, or a new file, with --db`,
    );
  }
  if (version > newest) {
    throw new CatalogError(
      'catalog_unusable',
      `${file} was made by a newer version (schema ${version}, this is ${newest}); update catalog-import`,
    );
  }
  const missing = mark === applicationId ? firstTables.filter((name) => !names.includes(name)) : [];
  if (version < 0 || (mark === applicationId && version === 0) || missing.length > 0) {
    throw new CatalogError(
      'catalog_unusable',
      `${file} is damaged: it is marked as a catalog and ${missing.length > 0 ? `lacks the table ${missing[0]}` : 'has no version'}. ${restoring(file)}`,
    );
  }
}
