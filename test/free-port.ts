// Ports for programs that need a fixed one, and may be restarted on it.
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Below the ports that systems give to outgoing connections and to servers without one of their own. */
const [first, count] = [20_000, 10_000];

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
    try {
      mkdirSync(join(tmpdir(), `port-${port}`));
    } catch {
      // Another test has it.
      continue;
    }
    if (await canListen(port)) return port;
  }
}
