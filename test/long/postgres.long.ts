// PostgreSQL for a long time: 500 importers killed, restarts and failovers under imports, four importers on 40,000 products.
// POSTGRES_KILLS, POSTGRES_RESTARTS and POSTGRES_PRODUCTS make it shorter; CATALOG_TEST_POSTGRES names another version.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFeed } from '../bench/feed.js';
import { newOwnServer, newServerPair, type OwnServer } from '../postgres/own-server.js';
import { mixed, runImporters } from '../proof/postgres-writers.js';
import { type Ended, runProgram } from '../proof/program.js';

const kills = Number(process.env['POSTGRES_KILLS'] ?? 500);
const restarts = Number(process.env['POSTGRES_RESTARTS'] ?? 20);
const products = Number(process.env['POSTGRES_PRODUCTS'] ?? 40_000);
const rows = 8000;

const folder = mkdtempSync(join(tmpdir(), 'catalog-postgres-long-'));
const feed = join(folder, 'feed.csv');
let server: OwnServer;
beforeAll(async () => {
  writeFeed('csv', rows, feed);
  server = await newOwnServer();
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true });
});

const args = (db: string) => ['products', feed, '--db', db, '--output', 'ndjson', '--report', 'all'];
type Query = OwnServer['query'];

/** The identifiers that were reported as created. */
const reported = ({ lines }: Ended): string[] =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ action }) => action === 'created')
    .map(({ id }) => id);

async function storedIn(schema: string, query: Query): Promise<ReadonlySet<string>> {
  return new Set((await query(`SELECT id FROM ${schema}.product`)).map(({ id }) => String(id)));
}

describe('PostgreSQL', () => {
  it(`an importer killed ${kills} times: nothing reported is missing, nothing is half, running again completes`, async () => {
    let inside = 0;
    for (let n = 0; n < kills; n++) {
      const schema = `kill_${n}`;
      const after = Math.floor(Math.random() * rows * 0.9);
      const ended = await runProgram(args(`${server.address}?schema=${schema}`), {
        onLines(lines, child) {
          if (lines > after) setTimeout(() => child.kill('SIGKILL'), Math.random() * 50);
        },
      });
      const tables = await server.query(`SELECT to_regclass('${schema}.product') IS NOT NULL AS made`);
      if (tables[0]?.['made'] === true) {
        const stored = await storedIn(schema, server.query);
        expect(reported(ended).filter((id) => !stored.has(id))).toEqual([]);
        expect(stored.size % 40).toBe(0);
        if (stored.size > 0 && stored.size < rows) inside++;
        if (n % 25 === 0) {
          const again = await runProgram(args(`${server.address}?schema=${schema}`));
          expect(again.code, again.stderr).toBe(0);
          expect((await storedIn(schema, server.query)).size).toBe(rows);
        }
        await server.query(`DROP SCHEMA ${schema} CASCADE`);
      }
    }
    console.log(`postgres: ${kills} kills, ${inside} of them within the import`);
  });

  it(`restarted ${restarts} times under an import: what was reported is there, and running again completes`, async () => {
    let survived = 0;
    for (let n = 0; n < restarts; n++) {
      const [schema, after] = [`restart_${n}`, Math.floor(Math.random() * rows * 0.7)];
      let restarting: Promise<void> | undefined;
      const ended = await runProgram(args(`${server.address}?schema=${schema}`), {
        onLines(lines) {
          if (lines > after) restarting ??= server.stop(n % 2 === 0 ? 'SIGQUIT' : 'SIGINT').then(() => server.start());
        },
      });
      await restarting;
      expect([0, 7], ended.stderr).toContain(ended.code);
      if (ended.code === 0) survived++;
      const stored = await storedIn(schema, server.query);
      expect(reported(ended).filter((id) => !stored.has(id))).toEqual([]);
      const again = await runProgram(args(`${server.address}?schema=${schema}`));
      expect(again.code, again.stderr).toBe(0);
      expect((await storedIn(schema, server.query)).size).toBe(rows);
    }
    console.log(`postgres: ${restarts} restarts, ${survived} imports went on`);
  });

  it('fails over to a synchronous standby under an import: what was reported is there, and it goes on', async () => {
    const pair = await newServerPair();
    try {
      let failing: Promise<void> | undefined;
      const ended = await runProgram(args(pair.address), {
        onLines(lines) {
          if (lines > 500) failing ??= pair.failOver();
        },
      });
      await failing;
      expect([0, 7], ended.stderr).toContain(ended.code);
      const stored = await storedIn('catalog_import', pair.query);
      const told = reported(ended);
      expect(told.filter((id) => !stored.has(id))).toEqual([]);
      console.log(`postgres: failover with exit ${ended.code}, ${told.length} reported, ${stored.size} stored`);
      const again = await runProgram(args(pair.address));
      expect(again.code, again.stderr).toBe(0);
      expect((await storedIn('catalog_import', pair.query)).size).toBe(rows);
    } finally {
      await pair.remove();
    }
  });

  it.each([2, 4])(`%i importers of the same ${products} products`, async (importers) => {
    const started = performance.now();
    const schema = `writers_${importers}`;
    const ended = await runImporters(folder, `${server.address}?schema=${schema}`, { importers, products });
    const seconds = (performance.now() - started) / 1000;
    for (const { code, stderr, lines } of ended) {
      expect(code, stderr).toBe(0);
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ total: products, refused: 0 });
    }
    expect(await server.query(mixed(schema))).toEqual([]);
    expect(await server.query(`SELECT count(*)::int AS n FROM ${schema}.product`)).toEqual([{ n: products }]);
    console.log(`postgres: ${importers} importers, ${Math.round((importers * products) / seconds)} items a second`);
  });
});
