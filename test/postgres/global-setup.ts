// Names the folder of the PostgreSQL server that a run of the tests may need, and ends that server with the run.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeVariable, stop } from './server-files.js';
import { folderVariable, runVariable, type Shared } from './shared-server.js';

export default function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-postgres-'));
  // Who the server runs as has to get to it.
  chmodSync(folder, 0o755);
  process.env[folderVariable] = folder;
  process.env[madeVariable] = join(folder, 'made');
  process.env[runVariable] = String(process.pid);
  return async () => {
    const told = join(folder, 'shared.json');
    const { pid } = existsSync(told) ? (JSON.parse(readFileSync(told, 'utf8')) as Shared) : {};
    if (pid !== undefined) await stop(pid);
    rmSync(folder, { recursive: true, force: true });
  };
}
