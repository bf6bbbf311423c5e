// A catalog in PostgreSQL behind PgBouncer: session mode works, transaction mode is refused.
import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnSync, startChild, written } from '../../child.js';
import { typedAsProcess } from '../../cli/started.js';
import { freePort } from '../../free-port.js';
import { missing, newTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { until } from '../../until.js';

const hasPooler = spawnSync('pgbouncer', ['--version']).status === 0;
const why = missing ?? (hasPooler ? undefined : 'the program pgbouncer is not installed');

describe.skipIf(why !== undefined)(`behind PgBouncer${why === undefined ? '' : `: ${why}`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-pooler-'));
  // It runs without the rights of root.
  chmodSync(folder, 0o777);
  const poolers: ChildProcess[] = [];
  let database: TestDatabase;
  beforeAll(async () => {
    database = await newTestDatabase();
    writeFileSync(join(folder, 'feed.csv'), 'sku,currency,price\nA,EUR,1.50\nB,EUR,2\n');
  });
  afterAll(async () => {
    for (const pooler of poolers) pooler.kill('SIGKILL');
    await database.close();
    rmSync(folder, { recursive: true });
  });

  /** Starts a pooler in front of the database. @returns the address of a catalog behind it */
  async function pooled(mode: 'session' | 'transaction'): Promise<string> {
    const port = await freePort();
    const server = new URL(database.address(`pooled_${mode}`));
    const config = [
      '[databases]',
      `shop = host=127.0.0.1 port=${server.port} dbname=${server.pathname.slice(1)} user=postgres`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any`,
      `pool_mode = ${mode}\ndefault_pool_size = 8`,
    ];
    writeFileSync(join(folder, `${mode}.ini`), config.join('\n'));
    const rights = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const pooler = startChild('pgbouncer', [join(folder, `${mode}.ini`)], rights);
    await until('the pooler to listen', () => answers(port), { instead: () => written(pooler) });
    return `postgres://postgres@127.0.0.1:${port}/shop${server.search}`;
  }

  function answers(port: number): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  }

  const importFeed = (db: string) => typedAsProcess(folder, ['products', 'feed.csv', '--db', db, '--output', 'ndjson']);

  it('session mode supports sequential and concurrent importers', async () => {
    const db = await pooled('session');
    expect((await importFeed(db)).stdout).toContain('"created":2');
    const both = await Promise.all([importFeed(db), importFeed(db)]);
    for (const { code, stdout, stderr } of both) {
      expect(code, stderr).toBe(0);
      expect(stdout).toContain('"unchanged":2');
    }
  });

  it('transaction mode is refused with a remedy, and the command ends', async () => {
    const db = await pooled('transaction');
    // The first may get one connection for all it does, and then has its settings.
    const first = await importFeed(db);
    const second = await importFeed(db);
    expect([0, 7]).toContain(first.code);
    expect(second.code).toBe(7);
    expect(second.stderr).toContain('pooler in transaction mode');
    expect(second.stderr).toContain('use pool_mode = session');
  });
});
