// A nightly sync over HTTP into a server whose catalog is in PostgreSQL: guards, runs, undo and plans as on a file.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type GivenServer, givenServer } from '../http/server/given-server.js';
import { missing, newTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { folder, typedHere } from './typed.js';

const products = '/v1/product/import';

describe.skipIf(missing !== undefined)(`a served catalog in PostgreSQL${missing ? `: ${missing}` : ''}`, () => {
  let database: TestDatabase;
  let server: GivenServer;
  const path = folder();
  const file = join(path, 'erp.csv');
  const env = { XDG_STATE_HOME: join(path, 'state') };

  beforeAll(async () => {
    // Requests without a run are one for each day: no midnight falls within this file.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    database = await newTestDatabase();
    server = await givenServer({ file: database.address('served') });
  });
  afterAll(async () => {
    await server.stop();
    await database.close();
    vi.useRealTimers();
  });

  const local = (...args: string[]) => typedHere([...args, '--db', server.file], env);
  const json = async (...args: string[]) => JSON.parse((await local(...args, '--output', 'json')).stdout);

  /** Sends a feed of 100 products with a price each. */
  function night(price: (i: number) => string, ...options: string[]) {
    const rows = Array.from({ length: 100 }, (_, i) => `P${i},EUR,${price(i)},${i % 7}\n`);
    writeFileSync(file, `sku,currency,price,stock\n${rows.join('')}`);
    const args = ['products', file, '--remote', server.server.url, '--feed', 'erp', '--report', 'none', ...options];
    return typedHere(args, { ...env, CATALOG_API_KEY: server.key });
  }

  /** Everything that is stored, table by table. */
  async function everything(): Promise<Readonly<Record<string, unknown>>> {
    const tables = await database.query("SELECT tablename FROM pg_tables WHERE schemaname = 'served' ORDER BY 1");
    const found: Record<string, unknown> = {};
    for (const { tablename } of tables) {
      const rows = await database.query(`SELECT t::text AS row FROM served."${tablename}" t ORDER BY 1`);
      found[String(tablename)] = rows.map(({ row }) => row);
    }
    return found;
  }

  const priceOf = async (sku: string) => (await server.get(`${products}?sku=${sku}`)).body.response.price;

  it('a night that a guard stops ends with exit code 8, and writes nothing there', async () => {
    expect((await night(() => '5.00')).code).toBe(0);
    const before = await everything();
    for (const option of [[], ['--changed-only'], ['--max-changed', '1%']]) {
      const stopped = await night((i) => (i < 40 ? '500.00' : '5.00'), ...option);
      expect(stopped.code, stopped.stderr).toBe(8);
      expect(stopped.stderr).toContain('40 would change in price too much, 40 % of 100');
      expect(stopped.stderr).toContain('    line 2: P0: price 5.00 → 500.00\n');
      expect(stopped.stderr).toMatch(/go on with:\n {2}catalog-import products .*--max-price-change off\n/);
    }
    expect(await everything()).toEqual(before);
    expect((await night((i) => (i < 40 ? '500.00' : '5.00'), '--max-price-change', 'off')).code).toBe(0);
    expect(await priceOf('P0')).toBe('500.00');
  });

  it('runs name feed, key, file and line, and are undone exactly', async () => {
    expect(await json('runs', '--feed', 'erp')).toMatchObject([
      { run: 1, state: 'done', exit: 0, created: 100, file: 'erp.csv', user: 'test', command: 'POST' },
      { run: 2, state: 'done', exit: 0, updated: 40, unchanged: 60 },
    ]);
    const why = await json('why', 'product', '--sku', 'P7', '--field', 'price');
    expect(why).toMatchObject([
      { run: 2, file: 'erp.csv', line: 9, value: '500.00', before: '5.00' },
      { run: 1, field: '', line: 9 },
    ]);
    expect((await local('undo', '2')).stdout).toBe('40 items: 40 restored, 0 suspended, 0 kept\n');
    expect(await priceOf('P0')).toBe('5.00');
  });

  it('where the catalog is a blocked night leaves its plan, and apply of it is what the server answers then', async () => {
    const blocked = await local('products', file, '--feed', 'erp', '--report', 'none');
    expect(blocked.code).toBe(8);
    const plan = /catalog-import apply (\S+\.plan)/.exec(blocked.stderr)?.[1] ?? '';
    expect(await priceOf('P0')).toBe('5.00');
    // What changed in between over HTTP is left out.
    await server.post(products, { items: [{ sku: 'P1', price: '6.00' }] });
    const applied = await local('apply', plan, '--output', 'json');
    expect(applied.code, applied.stderr).toBe(3);
    expect(JSON.parse(applied.stdout).response).toMatchObject({ updated: 39, refused: 1 });
    expect([await priceOf('P0'), await priceOf('P1')]).toEqual(['500.00', '6.00']);
  });

  it('requests with one Catalog-Run are one run, and those without one of their key and day, which undo refuses', async () => {
    const item = (sku: string) => ({ items: [{ sku, currency: 'EUR', price: '1' }] });
    const latest = (await json('runs')).at(-1).run as number;
    const today = new Date().toISOString().slice(0, 10);
    const send = (sku: string, headers = {}, key = server.key) =>
      server.post(products, item(sku), { headers: { ...headers }, key });
    const { text: other } = await server.keys.create({ name: 'till', scopes: ['product:write'], expiresAt: null });
    await Promise.all(['H1', 'H2', 'H3'].map((sku) => send(sku, { 'Catalog-Run': 'one', 'Catalog-Feed': 'shop' })));
    // A run may have any name, also that of a day.
    await send('H4', { 'Catalog-Run': today });
    await send('H5');
    await send('H6', {}, other);
    await send('H7', {}, other);
    const runs = (await json('runs')) as Record<string, unknown>[];
    expect(runs.filter(({ run }) => Number(run) > latest)).toMatchObject([
      { feed: 'shop', state: 'received', created: 3, user: 'test' },
      { feed: '', state: 'received', created: 1, user: 'test' },
      { state: 'daily', created: 2, user: 'till' },
    ]);
    const daily = runs.filter(({ state }) => state === 'daily');
    expect(daily).toMatchObject([{ user: 'test', updated: 1, created: 1 }, { user: 'till' }]);
    for (const { run } of daily) expect((await local('undo', String(run))).code).toBe(2);
    expect((await local('undo', String(latest + 1))).stdout).toContain('0 restored, 3 suspended');
    expect((await server.get(`${products}?sku=H2`)).body.response.status).toBe('suspended');
  });
});
