// Ports for programs that need a fixed one, and may be restarted on it.
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFolderVariable } from './run-folder.js';

/** Below the ports that systems give to outgoing connections and to servers without one of their own. */
const [first, count] = [20_000, 10_000];

/** Reserves a port within a run of the tests, whose folder global-setup.ts makes and removes. */
function claim(port: number): boolean {
  try {
    mkdirSync(join(process.env[runFolderVariable] ?? tmpdir(), `port-${port}`));
    return true;
  } catch {
    // Another test has it.
    return false;
  }
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A port that nobody listens on, and that no other test of this run is given. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count);
    if (claim(port) && (await canListen(port))) return port;
  }
}
