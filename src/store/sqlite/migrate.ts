// The tables of a catalog: made anew, or migrated step by step, and what else is in its file.
import { readdirSync, readFileSync } from 'node:fs';
import { type Database, openSqlite } from './driver.js';
import {
  applicationId,
  objectsIn,
  oldestVersion,
  type SchemaFaults,
  schemaFaults,
  versionOf,
} from './file/recognize-catalog.js';

const folder = new URL('./schema/', import.meta.url);

/** The migrations, which a new catalog runs, too: the first, `007`, changes the tables of 0.1.0. */
export function stepNames(): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d+-/.test(name))
    .sort();
}

/** The tables of 0.1.0. */
const firstTables = 'catalog.sql';

function sqlOf(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8');
}

const ownObjects = new Map<number, ReadonlyMap<string, string>>();

/** What a catalog has that this program did not make for its version, and what it lacks. */
export function faultsIn(database: Database): SchemaFaults {
  const version = versionOf(database);
  const own = ownObjects.get(version) ?? objectsOf(version);
  ownObjects.set(version, own);
  return schemaFaults(objectsIn(database), own);
}

/** The objects of a new catalog. They are made in memory, which takes 1.5 ms: SQLite words a table that a step altered. */
function objectsOf(version: number): ReadonlyMap<string, string> {
  const scratch = openSqlite(':memory:', {});
  try {
    const steps = stepNames().slice(0, version - oldestVersion);
    for (const name of [firstTables, ...steps]) scratch.exec(sqlOf(name));
    return objectsIn(scratch);
  } finally {
    scratch.close();
  }
}

/** The version after all migrations: the newest this program knows. */
export function lastVersion(steps: readonly string[]): number {
  return oldestVersion + steps.length;
}

/**
 * Makes the tables of a new database, and migrates an older one, step by step to the newest version. Leaves foreign keys off,
 * since a table that is rebuilt could not be dropped otherwise.
 */
export function migrate(database: Database, steps: readonly string[]): void {
  const newest = lastVersion(steps);
  database.pragma('foreign_keys = OFF', { simple: true });
  const run = database.transaction(() => {
    // Another process may have migrated it before this one got the lock.
    const version = versionOf(database);
    if (version >= newest) return;
    const missing = version === 0 ? [firstTables, ...steps] : steps.slice(version - oldestVersion);
    for (const name of missing) database.exec(sqlOf(name));
    database.pragma(`user_version = ${newest}`, { simple: true });
    database.pragma(`application_id = ${applicationId}`, { simple: true });
  });
  run.immediate();
}
