// Recognizes catalogs of this program. Any other file is refused unchanged, with a remedy.
import { CatalogError } from '../../../core/errors.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { foundAt } from '../../../files/found-file.js';
import { realPathOf } from '../../../files/same-file.js';
import type { Database } from '../driver.js';
import { logSize } from './catalog-file.js';

/** `CIMP`: distinguishes a catalog from any other SQLite file. */
export const applicationId = 0x43494d50;

/** The version of the tables of 0.1.0; those of builds before are not read. */
export const oldestVersion = 6;

/** SQLite deletes the log next to an empty file: what a truncated catalog still has there would be lost. */
export function refuseCutOff(file: string): void {
  if (foundAt(file)?.size !== 0 || logSize(file) === 0) return;
  throw new CatalogError(
    'catalog_unusable',
    `${file} is empty, but the log ${file}-wal next to it is not: the catalog was cut off. ${restoring(file)}`,
  );
}

/** SQLite waits for ever for a pipe in the place of its journal. */
export function refuseOddLog(file: string): void {
  const place = realPathOf(file);
  const odd = ['-journal', '-wal', '-shm'].find((suffix) => foundAt(place + suffix)?.isFile() === false);
  if (odd === undefined) return;
  const what = 'is not a file, as SQLite keeps one there';
  throw new CatalogError('catalog_unusable', `${file} cannot be opened: ${place}${odd} ${what}; remove it`);
}

/** How to restore a backup. */
function restoring(file: string): string {
  return `To restore a backup: catalog-import restore BACKUP --db ${file} --force`;
}

/** The version of its tables; 0 if it has none. */
export function versionOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/** Tables that every catalog has had since the first version. */
const firstTables = ['characteristic', 'category', 'product_group', 'product', 'product_grade', 'review', 'late_index'];

/** Refuses a database that is not a catalog, or one of an unknown version; an empty database may become one. */
export function refuseForeign(database: Database, file: string, newest: number): void {
  const version = versionOf(database);
  const mark = database.pragma('application_id', { simple: true });
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
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
  if (mark === applicationId && version > 0 && version < oldestVersion) {
    throw new CatalogError(
      'catalog_unusable',
      `${file} was made by a build before 0.1.0, whose tables are not read any more; name a new file with --db, and import into it again`,
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

/** A statement without comments and spaces that mean nothing. */
function plain(sql: string): string {
  return sql
    .replace(/--[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** How the objects of a database were made, by their names with their types; those that SQLite makes itself are left out. */
export function objectsIn(database: Database): ReadonlyMap<string, string> {
  const found = database
    .prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name')
    // better-sqlite3 13 compiles code from text to make objects of rows, which may be forbidden.
    .raw()
    .all() as readonly (readonly [type: string, name: string, sql: string])[];
  return new Map(found.map(([type, name, sql]) => [`${type} ${name}`, plain(sql)]));
}

/** How the objects of a catalog differ from those that this program makes. */
export interface SchemaFaults {
  /** They may change or hide rows, or run functions of somebody else. Tables of others next to ours do not. */
  readonly foreign: readonly string[];
  readonly missing: readonly string[];
}

/** @param own the objects of a catalog of this version */
export function schemaFaults(found: ReadonlyMap<string, string>, own: ReadonlyMap<string, string>): SchemaFaults {
  const others = [...found].filter(([name, sql]) => own.get(name) !== sql);
  return {
    foreign: others.flatMap(([name]) => {
      if (!name.startsWith('table ')) return [`the ${name}`];
      return own.has(name) ? [`the ${name}, made in another way`] : [];
    }),
    missing: [...own.keys()].filter((name) => !found.has(name)).map((name) => `the ${name}`),
  };
}

/** Faults that a message names; doctor tells all. */
const mostNamed = 10;

function some(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return names.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${groupDigits(more)} more, which doctor names` : '');
}

/** Refuses a catalog with such faults. */
export function refuseSchemaFaults(file: string, { foreign, missing }: SchemaFaults): void {
  if (foreign.length > 0)
    throw new CatalogError(
      'catalog_unusable',
      `${file} has objects that catalog-import did not make: ${some(foreign)}. It may change what is stored; take it out, or name another catalog`,
    );
  if (missing.length > 0)
    throw new CatalogError('catalog_unusable', `${file} is damaged: it lacks ${some(missing)}. ${restoring(file)}`);
}
