// The figures of load.mjs for a server on a catalog in PostgreSQL:
//   npm run build && tsx test/bench/load-postgres.ts [seconds] [connections] [workers]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startBenchDatabase } from './postgres.js';

const folder = mkdtempSync(join(tmpdir(), 'load-postgres-'));
const database = await startBenchDatabase(folder);
try {
  if (database === undefined) console.log('PostgreSQL: missing');
  else {
    console.log('PostgreSQL');
    const load = fileURLToPath(new URL('load.mjs', import.meta.url));
    const env = { ...process.env, CATALOG_BENCH_DB: database.address('load') };
    const { status } = spawnSync(process.execPath, [load, ...process.argv.slice(2)], { stdio: 'inherit', env });
    process.exitCode = status ?? 1;
  }
} finally {
  await database?.stop();
  rmSync(folder, { recursive: true, force: true });
}
