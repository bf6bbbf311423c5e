// Set-up of tests on PostgreSQL: a database of the shared server for each test file, a schema of it for each catalog.
import pg from 'pg';
import { sharedServer } from './shared-server.js';

/** A database of the shared server. */
export interface TestDatabase {
  /** The address of a catalog; another one for each name. */
  address(schema: string): string;
  /** Runs a statement as the owner of the database. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Deletes all rows of a catalog. */
  empty(schema: string): Promise<void>;
  close(): Promise<void>;
}

/** Why there is no PostgreSQL for these tests; undefined where there is one. */
export const { missing } = await sharedServer();

let count = 0;

/** Makes a database. */
export async function newTestDatabase(): Promise<TestDatabase> {
  const { port } = await sharedServer();
  const base = `postgres://postgres@127.0.0.1:${port}`;
  const name = `test_${process.pid}_${++count}`;
  const asOwner = async (sql: string): Promise<void> => {
    const owner = new pg.Client(`${base}/postgres`);
    await owner.connect();
    await owner.query(sql).finally(() => owner.end());
  };
  // As a copy of files it needs no log, which is in memory.
  await asOwner(`CREATE DATABASE ${name} STRATEGY FILE_COPY`);
  const client = new pg.Client(`${base}/${name}`);
  await client.connect();
  return {
    address: (schema) => `${base}/${name}?schema=${schema}`,
    query: async (sql) => (await client.query(sql)).rows,
    async empty(schema) {
      const { rows } = await client.query(
        `SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' AND tablename NOT IN ('catalog', 'reference_epoch')`,
      );
      const deletes = rows.map(({ tablename }) => `DELETE FROM ${schema}.${tablename};`).join(' ');
      await client.query(`BEGIN; SET LOCAL session_replication_role = replica; ${deletes} COMMIT`);
    },
    async close() {
      await client.end();
      await asOwner(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
