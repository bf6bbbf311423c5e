// A shop whose jobs notice something, on a catalog of its own or on a remote.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type GivenServer, givenServer } from '../../http/server/given-server.js';
import { folder, typedHere } from '../typed.js';

/** A shop, and what its jobs type. */
export interface Shop {
  at(name: string): string;
  write(name: string, text: string | Buffer): string;
  run(...args: string[]): ReturnType<typeof typedHere>;
  /** Types the night of a feed that reads this text, and expects nothing of it. */
  night(text: string, ...args: string[]): Promise<string[]>;
  /** From now on its jobs import into a remote: a new one, or what is at this address. */
  intoRemote(url?: string): Promise<GivenServer>;
}

export function shop(): Shop {
  const path = folder();
  const at = (name: string) => join(path, name);
  const env: NodeJS.ProcessEnv = { XDG_STATE_HOME: at('state'), CATALOG_DB: at('shop.db') };
  const write = (name: string, text: string | Buffer): string => {
    writeFileSync(at(name), text);
    return at(name);
  };
  const run = (...args: string[]) => typedHere(args, env);
  return {
    ...{ at, write, run },
    async night(text, ...args) {
      const typed = ['products', write('f.csv', text), '--feed', 'erp', ...args];
      await run(...typed, '--quiet');
      return typed;
    },
    async intoRemote(url) {
      const server = await givenServer();
      onTestFinished(() => server.stop());
      delete env['CATALOG_DB'];
      Object.assign(env, { CATALOG_REMOTE: url ?? server.server.url, CATALOG_API_KEY: server.key });
      return server;
    },
  };
}

export const off = ['--max-created', 'off', '--max-missing', 'off'];

/** Products as CSV. */
export const rows = (count: number, head = '', cell: (i: number) => string = () => ''): string =>
  `sku,currency,price${head}\n${Array.from({ length: count }, (_, i) => `00${i},EUR,10${cell(i)}\n`).join('')}`;
