// Loads the better-sqlite3 that fits the running Node. From Node 22 on that is 13: its binaries are in the package and
// do not depend on the Node version. 12.11.1 is the last that runs on Node 20. Each one crashes the process on the
// other's Nodes: 13 with a segmentation fault on Node 20 and before 22.14, which lack Node-API 10, and 12 aborts on
// Node 24.19 and later when the garbage collector frees a statement
// (https://github.com/WiseLibs/better-sqlite3/issues/1515).
import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';
import { CatalogError } from '../../core/errors.js';

type Driver = typeof Sqlite;

export type Database = Sqlite.Database;

interface Release {
  /**
   * Package names under which it may be installed. In a clone the lock file contains both releases, so that one of them
   * has an alias.
   */
  readonly names: readonly string[];
  /** Versions from the first to below the second. */
  readonly oldest: readonly [major: number, minor: number, patch: number];
  readonly spec: string;
}

const forNode20: Release = {
  names: ['better-sqlite3-12', 'better-sqlite3'],
  oldest: [12, 11, 1],
  spec: 'better-sqlite3@12.11.1',
};

const fromNode22: Release = { names: ['better-sqlite3'], oldest: [13, 2, 0], spec: 'better-sqlite3@^13.2.0' };

function releaseFor(node: string): Release {
  return Number.parseInt(node, 10) < 22 ? forNode20 : fromNode22;
}

/** Whether neither release supports that Node: 12.11.1 is not built for it, and 13 needs a Node-API that it lacks. */
function isUnsupported(node: string): boolean {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  return major === 21 || (major === 22 && minor < 14) || (major === 23 && minor < 6);
}

function fits(version: string, { oldest }: Release): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  if (major !== oldest[0]) return false;
  return minor > oldest[1] || (minor === oldest[1] && patch >= oldest[2]);
}

/** The command that installs the right better-sqlite3 for a version of Node. */
export function driverRemedy(node: string): string {
  const { spec } = releaseFor(node);
  return `Install it with: npm install ${spec} (a global installation: npm install --global ${spec}; a clone of catalog-import: npm ci)`;
}

/**
 * Chooses among the installed packages by version, without loading one.
 * @param node the running version of Node, such as `24.21.0`
 * @param installed returns the version installed under a name, or undefined
 * @returns the name to load
 * @throws CatalogError if none fits, with the command that installs the right one
 */
export function chooseDriver(node: string, installed: (name: string) => string | undefined): string {
  if (isUnsupported(node)) {
    throw new CatalogError(
      'catalog_unusable',
      `better-sqlite3 does not run on Node ${node}. Use Node 20.19 or later of 20, 22.14 or later of 22, or 24 or later`,
    );
  }
  const release = releaseFor(node);
  const found: string[] = [];
  for (const name of release.names) {
    const version = installed(name);
    if (version === undefined) continue;
    if (fits(version, release)) return name;
    found.push(version);
  }
  const problem = found.length === 0 ? 'it is not installed' : `version ${found.join(' and ')} is installed`;
  throw new CatalogError(
    'catalog_unusable',
    `Node ${node} needs ${release.spec} to open a catalog, and ${problem}. ${driverRemedy(node)}`,
  );
}

const require = createRequire(import.meta.url);

function installedVersion(name: string): string | undefined {
  try {
    return (require(`${name}/package.json`) as { version: string }).version;
  } catch {
    return undefined;
  }
}

let loaded: Driver | undefined;

function driver(): Driver {
  loaded ??= require(chooseDriver(process.versions.node, installedVersion)) as Driver;
  return loaded;
}

/**
 * Opens a database with the driver that fits the running Node, which the first call loads.
 * @throws CatalogError if no driver fits or its binary cannot be loaded; SQLite's errors are thrown as they are
 */
export function openSqlite(file: string, options: Sqlite.Options): Sqlite.Database {
  const Database = driver();
  try {
    return new Database(file, options);
  } catch (error) {
    // Opening the first file loads the binary, which may be missing or built for another system.
    if (error instanceof Database.SqliteError || error instanceof TypeError) throw error;
    const node = process.versions.node;
    throw new CatalogError(
      'catalog_unusable',
      `better-sqlite3 cannot be loaded by Node ${node} on ${process.platform} ${process.arch}: ${(error as Error).message.split('\n')[0]}. ${driverRemedy(node)}`,
      { cause: error },
    );
  }
}

/** Whether an error comes from SQLite itself. */
export function isSqliteError(error: unknown): error is InstanceType<Driver['SqliteError']> {
  return loaded !== undefined && error instanceof loaded.SqliteError;
}
