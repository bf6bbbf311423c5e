// PostgreSQL beside SQLite, for the table of figures: a server with the settings that it comes with.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../free-port.js';
import { initialize, start, stop } from '../postgres/server-files.js';

export interface BenchDatabase {
  /** The address of a catalog that is empty before the next run. */
  readonly address: (schema: string) => string;
  /** Removes a catalog. */
  readonly drop: (schema: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a server in a folder; undefined where there is none for this machine. */
export async function startBenchDatabase(folder: string): Promise<BenchDatabase | undefined> {
  chmodSync(folder, 0o755);
  const files = initialize(join(folder, 'postgres'));
  if ('missing' in files) return undefined;
  const port = await freePort();
  const pid = await start(files, port);
  const base = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    address: (schema) => `${base}?schema=${schema}`,
    async drop(schema) {
      const client = new pg.Client(base);
      await client.connect();
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.end();
    },
    stop: () => stop(pid),
  };
}
