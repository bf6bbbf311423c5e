// Every reported line is stored, and nothing else is reported, when the server, the connection or the
// importer; a running server recovers by itself.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCatalog } from '../../src/store/open.js';
import { readAddress } from '../../src/store/postgres/address.js';
import { connect } from '../../src/store/postgres/connect.js';
import { ConnectionLost } from '../../src/store/postgres/server-error.js';
import { writeFeed } from '../bench/feed.js';
import { allScopes, givenServer } from '../http/server/given-server.js';
import { newOwnServer, newRelay, type OwnServer } from '../postgres/own-server.js';
import { missing } from '../postgres/test-database.js';
import { allowed, tierOf } from '../tier.js';
import { until } from '../until.js';
import { type Ended, runHere, runProgram } from './program.js';

const rows = 4000;

describe.skipIf(missing !== undefined)(`PostgreSQL goes away${missing === undefined ? '' : `: ${missing}`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-postgres-proof-'));
  const feed = join(folder, 'feed.csv');
  let server: OwnServer;
  let schemas = 0;
  const newCatalog = (base = server.address): string => `${base}?schema=proof_${++schemas}`;

  beforeAll(async () => {
    writeFeed('csv', rows, feed);
    server = await newOwnServer();
  });
  afterAll(async () => {
    await server.remove();
    rmSync(folder, { recursive: true });
  });

  const args = (db: string) => ['products', feed, '--db', db, '--output', 'ndjson', '--report', 'all'];
  /** The identifiers that were reported as created. */
  const reported = ({ lines }: Ended): string[] =>
    lines
      .map((line) => JSON.parse(line))
      .filter(({ action }) => action === 'created')
      .map(({ id }) => id);

  /** Everything reported is there; running again completes it. */
  async function expectHonest(db: string, ended: Ended): Promise<void> {
    const schema = `proof_${schemas}`;
    const stored = new Set((await server.query(`SELECT id FROM ${schema}.product`)).map(({ id }) => String(id)));
    expect(reported(ended).filter((id) => !stored.has(id))).toEqual([]);
    const again = await runProgram(args(db));
    expect(again.code, again.stderr).toBe(0);
    expect(JSON.parse(again.lines.at(-1) ?? '')).toMatchObject({ total: rows, refused: 0, updated: 0 });
    expect(await server.query(`SELECT count(*)::int AS n FROM ${schema}.product`)).toEqual([{ n: rows }]);
  }

  // An import tries to get its connection back for 15 seconds.
  it.skipIf(tierOf(process.env['TEST_TIER']) !== 'full')(
    'stopped for good: 7 with a sentence, nothing reported that is not stored, running again completes',
    async () => {
      const db = newCatalog();
      let stopping: Promise<void> | undefined;
      const ended = await runProgram(args(db), {
        onLines: (lines) => {
          if (lines > 40) stopping ??= server.stop('SIGQUIT');
        },
      });
      await stopping;
      expect(ended.code, ended.stderr).toBe(7);
      expect(ended.stderr).toMatch(/PostgreSQL at 127\.0\.0\.1:\d+, database "postgres" cannot be reached \(.+\)/);
      await server.start();
      await expectHonest(db, ended);
    },
  );

  it('restarted under an import: it goes on and ends with 0, or with 7', async () => {
    const db = newCatalog();
    let restarting: Promise<void> | undefined;
    const ended = await runProgram(args(db), {
      onLines: (lines) => {
        if (lines > 40) restarting ??= server.stop('SIGINT').then(() => server.start());
      },
    });
    await restarting;
    // A restart that takes longer than an import tries to get its connection back.
    if (ended.code === 7) expect(ended.stderr).toContain('cannot be reached');
    else expect([ended.code, ended.stderr, reported(ended).length]).toEqual([0, expect.anything(), rows]);
    await expectHonest(db, ended);
  });

  it('COMMIT without an answer: what was committed is reported, once', async () => {
    const relay = await newRelay(server.port, (port) => `postgres://postgres@127.0.0.1:${port}/postgres`);
    const db = newCatalog(relay.address);
    let commits = 0;
    // A few times: where the pieces are small, every attempt would be cut.
    relay.cutsAfter = (piece) =>
      relay.cuts() < 4 && (piece.includes('COPY') || piece.includes('\\N\t')) ? ++commits % 4 === 0 : false;
    const ended = await runProgram(args(db));
    relay.cutsAfter = () => false;
    expect(relay.cuts()).toBeGreaterThan(0);
    expect(ended.code, ended.stderr).toBe(0);
    expect(new Set(reported(ended)).size).toBe(rows);
    await expectHonest(db, ended);
    relay.close();
  });

  it('COMMIT that an administrator cancels while it waits for a standby is not taken for durable', async () => {
    await server.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    await server.query('SELECT pg_reload_conf()');
    try {
      const session = await connect(readAddress(server.address, {}), 'public', 5000);
      let ended: unknown;
      let tables = 0;
      const commit = (): void => {
        ended = undefined;
        session
          .run([{ sql: 'BEGIN' }, { sql: `CREATE TABLE public.unconfirmed_${tables++} ()` }, { sql: 'COMMIT' }])
          .then(
            () => {
              ended = 'committed';
            },
            (error) => {
              ended = error;
            },
          );
      };
      commit();
      const cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
      // The processes of the server read the setting one after the other; until all have, a commit does not wait.
      await until('a commit that waits for the standby', async () => {
        if (ended === 'committed') commit();
        return (await server.query(cancel)).length === 1;
      });
      expect(await until('the end of the commit', () => ended)).toBeInstanceOf(ConnectionLost);
      expect(session.isOpen()).toBe(false);
    } finally {
      await server.query('ALTER SYSTEM RESET synchronous_standby_names');
      await server.query('SELECT pg_reload_conf()');
    }
  });

  it('a copy killed: started again it continues, and both catalogs are equal', async () => {
    const file = join(folder, 'copied.db');
    expect((await runHere(args(file))).code).toBe(0);
    const db = newCatalog();
    const stored = async (): Promise<number> => {
      const table = `proof_${schemas}.product`;
      const [found] = await server.query(`SELECT to_regclass('${table}') IS NOT NULL AS made`);
      if (found?.['made'] !== true) return 0;
      return Number((await server.query(`SELECT count(*)::int AS n FROM ${table}`))[0]?.['n']);
    };
    for (let turn = 1; (await stored()) === 0; turn++) {
      const env = { CATALOG_FAILPOINT: `after-commit:${turn}` };
      expect((await runProgram(['copy', '--from', file, '--to', db], { env })).signal).toBe('SIGKILL');
    }
    expect(await stored()).toBeLessThan(rows);
    const again = await runProgram(['copy', '--from', file, '--to', db]);
    expect(again.code, again.stderr).toBe(0);
    expect(again.lines.join('\n')).toMatch(/Both catalogs are equal: sha256 [0-9a-f]+/);
    expect(await stored()).toBe(rows);
  });

  it('an importer killed: whole batches only, no lock is left, running again completes', async () => {
    const db = newCatalog();
    for (const after of [40, 900]) {
      const ended = await runProgram(args(db), {
        onLines: (lines, child) => {
          if (lines > after) child.kill('SIGKILL');
        },
      });
      expect(ended.signal).toBe('SIGKILL');
      const stored = await server.query(`SELECT id FROM proof_${schemas}.product`);
      expect(stored.length % 40).toBe(0);
      const ids = new Set(stored.map(({ id }) => String(id)));
      expect(reported(ended).filter((id) => !ids.has(id))).toEqual([]);
    }
    await expectHonest(db, { code: 0, signal: null, lines: [], stderr: '' });
  });

  it('a server over HTTP answers 503 and /readyz says so, and both are well again when it is back', async () => {
    const given = await givenServer({ file: newCatalog() });
    const product = '/v1/product/import';
    const batch = (sku: string) => ({ items: [{ sku, currency: 'EUR' }] });
    expect((await given.post(product, batch('A'))).body.response.created).toBe(1);
    await server.stop('SIGQUIT');
    for (const answer of [
      await given.post(product, batch('B')),
      await given.get(`${product}?sku=A`),
      await given.get('/readyz', { key: '' }),
    ]) {
      expect([answer.status, answer.body.response.error]).toEqual([503, 'catalog_unavailable']);
      expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|postgres/);
    }
    expect((await given.get('/livez', { key: '' })).status).toBe(200);
    await server.start();
    await expect.poll(async () => (await given.get('/readyz', { key: '' })).status).toBe(200);
    expect((await given.post(product, batch('B'))).body.response.created).toBe(1);
    expect((await given.get(`${product}?sku=A`)).status).toBe(200);
    await given.stop();
  });

  it('two servers on one catalog: a key revoked by one is refused by the other within a second, idempotent requests are shared', async () => {
    const file = newCatalog();
    const [one, other] = [await givenServer({ file }), await givenServer({ file })];
    const { id, text: key } = await one.keys.create({ name: 'shared', scopes: allScopes, expiresAt: null });
    const product = '/v1/product/import';
    const body = { items: [{ sku: 'A', currency: 'EUR' }] };
    const headers = { 'idempotency-key': 'once' };
    const first = await one.post(product, body, { key, headers });
    const second = await other.post(product, body, { key, headers });
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body.response).toEqual(first.body.response);
    const revoked = performance.now();
    await (await openCatalog({ file, create: false }).then((catalog) => catalog.keys())).revoke(id);
    while ((await other.get(`${product}?sku=A`, { key })).status !== 401) {
      expect(performance.now() - revoked).toBeLessThan(allowed(1500));
      await sleep(20);
    }
    expect(performance.now() - revoked).toBeLessThan(allowed(1000));
    await one.stop();
    await other.stop();
  });
});
