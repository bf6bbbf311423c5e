// Opens a catalog in PostgreSQL by its address: for imports and reads, or as the base of a dry run.
import { CatalogError } from '../../core/errors.js';
import type { Store } from '../store.js';
import { type PostgresAddress, readAddress } from './address.js';
import { connect } from './connect.js';
import { foreignObjects, refuseForeign } from './foreign-objects.js';
import { postgresStore } from './postgres-store.js';
import { integerColumns, migrate, newestVersion, refuseOthers, versionOf } from './schema.js';
import { asCatalogError, type ServerName } from './server-error.js';
import type { Session } from './session.js';
import { type SessionPool, sessionPool } from './session-pool.js';
import type { IntegerColumns } from './sql-parts.js';

export interface OpenPostgresOptions {
  readonly address: string;
  /** Milliseconds to wait for another writer's lock. */
  readonly lockTimeout: number;
  /** Whether missing tables are created and older ones migrated; otherwise both are failures. */
  readonly create: boolean;
  /** Milliseconds for which a change tries to reconnect after its connection was lost. */
  readonly patience: number;
}

const mostSessions = 4;

interface Opened {
  readonly pool: SessionPool;
  readonly server: ServerName;
}

function open(address: PostgresAddress, lockTimeout: number): Opened {
  const { name, schema } = address;
  return { server: { name, schema }, pool: sessionPool(() => connect(address, schema, lockTimeout), mostSessions) };
}

/** Runs the first query of a catalog, and closes the connections if it fails. */
async function prepared<T>({ pool, server }: Opened, look: (session: Session) => Promise<T>): Promise<T> {
  try {
    return await pool.use(look);
  } catch (error) {
    await pool.close();
    throw asCatalogError(server, error);
  }
}

/**
 * Opens the store of a catalog.
 * @throws CatalogError `catalog_unavailable` where the server cannot be reached, `catalog_unusable` where it refuses, where
 *   there are no tables and none are to be made, or where a newer program made them
 */
export async function openPostgres({ address, lockTimeout, create, patience }: OpenPostgresOptions): Promise<Store> {
  const opened = open(readAddress(address, process.env), lockTimeout);
  const version = newestVersion();
  const integers = await prepared(opened, async (session) => {
    if (create) await migrate(session, opened.server);
    else refuseOlder(await versionOf(session, opened.server.schema), opened.server);
    return checkedColumns(session, opened.server, true);
  });
  return postgresStore({ ...opened, version, integers, patience });
}

/**
 * Opens a catalog that is only read, as the base of a dry run. It is left as it is.
 * @returns undefined where there are no tables yet
 */
export async function openForDryRun(address: string, lockTimeout: number): Promise<Store | undefined> {
  const opened = open(readAddress(address, process.env), lockTimeout);
  const { schema } = opened.server;
  const { version, integers } = await prepared(opened, async (session) => {
    const found = await versionOf(session, schema);
    return { version: found, integers: await checkedColumns(session, opened.server, found === newestVersion()) };
  });
  if (version === 0) {
    await opened.pool.close();
    return undefined;
  }
  refuseOlder(version, opened.server);
  return postgresStore({ ...opened, version, integers, patience: 0 });
}

/** Whether there are tables of a catalog. */
export async function hasTables(address: string, lockTimeout: number): Promise<boolean> {
  const opened = open(readAddress(address, process.env), lockTimeout);
  const version = await prepared(opened, (session) => versionOf(session, opened.server.schema));
  await opened.pool.close();
  return version > 0;
}

/**
 * Creates the tables of a catalog, or migrates them.
 * @returns the versions before and after; 0 where there were no tables
 */
export async function migratePostgres(address: string, lockTimeout: number): Promise<{ from: number; to: number }> {
  const opened = open(readAddress(address, process.env), lockTimeout);
  const from = await prepared(opened, (session) => migrate(session, opened.server));
  await opened.pool.close();
  return { from, to: newestVersion() };
}

/** The columns that hold integers, of a catalog that nothing interferes with. */
async function checkedColumns(session: Session, server: ServerName, isNewest: boolean): Promise<IntegerColumns> {
  const foreign: string[] = [];
  const integers = new Set<string>();
  await session.run([integerColumns(server.schema, integers), foreignObjects(server.schema, foreign, isNewest)]);
  refuseForeign(foreign, server);
  return integers;
}

function refuseOlder(version: number, server: ServerName): void {
  refuseOthers(version, server);
  if (version === newestVersion()) return;
  const { name, schema } = server;
  throw new CatalogError(
    'catalog_unusable',
    version === 0
      ? `${name} has no catalog in schema ${schema} yet; import into it first, or run: catalog-import db migrate`
      : `${name}: schema ${schema} was made by an older version; bring it up to date with: catalog-import db migrate`,
  );
}
