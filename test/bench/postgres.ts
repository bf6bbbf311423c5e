// PostgreSQL beside SQLite, for the table of figures: a server with the settings that it comes with.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../free-port.js';
import { initialize, start, stop } from '../postgres/server-files.js';

export interface BenchDatabase {
  /** The port of the server. */
  readonly port: number;
  /** The address of a catalog that is empty before the next run; by another port, that of a proxy before the server. */
  readonly address: (schema: string, by?: number) => string;
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
  const base = (by: number) => `postgres://postgres@127.0.0.1:${by}/postgres`;
  return {
    port,
    address: (schema, by = port) => `${base(by)}?schema=${schema}`,
    async drop(schema) {
      const client = new pg.Client(base(port));
      await client.connect();
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.end();
    },
    stop: () => stop(pid),
  };
}
