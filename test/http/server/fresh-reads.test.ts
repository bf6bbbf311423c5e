import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postedRuns } from '../../../src/cli/serve/recorded-posts.js';
import { rawEntry } from '../../../src/core/entry.js';
import { findResource, shopResources } from '../../../src/core/resources/index.js';
import { newImporter } from '../../../src/http/server/imports/import-batch.js';
import { serveCatalog } from '../../../src/http/server/server.js';
import { type LocalCatalog, openCatalog } from '../../../src/store/open.js';
import { built } from '../../built.js';
import { linesOf, outcome, startChild } from '../../child.js';
import { allowed } from '../../tier.js';
import { allScopes, type GivenServer, givenServer, rawAnswer } from './given-server.js';

const product = '/v1/product/import';
const target = `${product}?sku=A`;
const item = (price: string) => ({ sku: 'A', currency: 'EUR', price });
const folder = await built('store/open', 'core/entry', 'core/resources/index');

let given: GivenServer;
beforeEach(async () => {
  given = await givenServer();
  await given.post(product, { items: [item('1.00')] });
});
afterEach(() => given.stop());

/** The price that a read shows; asked for often enough that the answer is kept. */
async function price(times = 1): Promise<string> {
  let shown = '';
  for (let i = 0; i < times; i++) shown = (await given.get(target)).body.response.price;
  return shown;
}

/** Another process that imports a price for each line it is sent, and says when it is committed. */
function otherProcess(file: string) {
  const program = `
    const { openCatalog } = await import(${JSON.stringify(join(folder, 'open.js'))});
    const { rawEntry } = await import(${JSON.stringify(join(folder, 'entry.js'))});
    const { findResource } = await import(${JSON.stringify(join(folder, 'index.js'))});
    const { createInterface } = await import('node:readline');
    const catalog = await openCatalog({ file: ${JSON.stringify(file)}, create: false });
    for await (const price of createInterface({ input: process.stdin })) {
      const batch = [rawEntry({ sku: 'A', currency: 'EUR', price })];
      for await (const report of catalog.importBatches(findResource('product'), [batch])) console.log(report.data[0].action);
    }
    await catalog.close();`;
  const child = startChild(process.execPath, ['--input-type=module', '-e', program]);
  let count = 0;
  return {
    async imported(text: string): Promise<string> {
      child.stdin?.write(`${text}\n`);
      return String((await linesOf(child, /.+/, ++count)).at(-1));
    },
    async end(): Promise<void> {
      child.stdin?.end();
      await outcome(child);
    },
  };
}

describe('a change is visible to the next read', () => {
  it('where this process made it', async () => {
    for (let i = 1; i <= 20; i++) {
      expect(await price(3)).toBe(`${i}.00`);
      await given.post(product, { items: [item(`${i + 1}.00`)] });
    }
  });

  it('where another process has reported the change', async () => {
    const other = otherProcess(given.file);
    for (let i = 2; i <= 60; i++) {
      expect(await other.imported(`${i}.00`)).toBe('updated');
      expect(await price(3)).toBe(`${i}.00`);
    }
    await other.end();
  });

  it('where both write in turn, and reads never go back', async () => {
    const other = otherProcess(given.file);
    let shown = 0;
    let isOver = false;
    const reading = (async () => {
      while (!isOver) {
        const now = Number(await price());
        expect(now).toBeGreaterThanOrEqual(shown);
        shown = now;
      }
    })();
    for (let i = 2; i <= 40; i++) {
      if (i % 2 === 0) await other.imported(`${i}.00`);
      else await given.post(product, { items: [item(`${i}.00`)] });
      expect(await price()).toBe(`${i}.00`);
    }
    isOver = true;
    await reading;
    await other.end();
  });

  it('where it changes a record whose name is in the response', async () => {
    const { body } = await given.post('/v1/category/import', { items: [{ name: 'Phones' }] });
    await given.post(product, { items: [{ sku: 'A', category: body.response.data[0].id }] });
    const named = async () => (await given.get(`${target}&include=names`)).body.response.category_name;
    for (let i = 0; i < 3; i++) expect(await named()).toBe('Phones');
    const review = { external_id: 'r', customer_external_id: 'c', product_sku: 'B', rating: 5 };
    const customers = findResource('customer', shopResources) ?? expect.unreachable();
    for await (const _ of given.catalog.importBatches(customers, [[rawEntry({ external_id: 'c' })]]));
    await given.post('/v1/product-review/import', { items: [review] });
    const linked = async () => (await given.get('/v1/product-review/import?external_id=r')).body.response.product;
    for (let i = 0; i < 3; i++) expect(await linked()).toBe('');
    const added = await given.post(product, { items: [{ sku: 'B', currency: 'EUR' }] });
    expect(await linked()).toBe(added.body.response.data[0].id);
  });

  it('where a product is deleted, and where a record appears that was not found before', async () => {
    expect((await given.get(`${product}?sku=new`)).status).toBe(404);
    expect((await given.get(`${product}?sku=new`)).status).toBe(404);
    const other = await openCatalog({ file: given.file, create: false });
    const products = findResource('product') ?? expect.unreachable();
    for await (const _ of other.importBatches(products, [[rawEntry({ sku: 'new', currency: 'EUR' })]]));
    for (let i = 0; i < 3; i++) expect((await given.get(`${product}?sku=new`)).body.response.status).toBe('draft');
    await other.deleteProduct('new');
    expect((await given.get(`${product}?sku=new`)).body.response.status).toBe('deleted');
    await other.close();
  });
});

it('changes are counted once for the reads that arrive together, and for each alone after one waited long for its turn', async () => {
  await price(3);
  const { catalog, keys, key } = given;
  let counts = 0;
  const counting: LocalCatalog = {
    ...catalog,
    changeCount() {
      counts++;
      return catalog.changeCount?.();
    },
  };
  const server = await serveCatalog(
    { catalog: counting, keys, importBatch: newImporter(postedRuns(catalog)) },
    {
      address: { host: '127.0.0.1', port: 0 },
      trustedProxies: [],
      limits: { rate: 1000, authFailures: 1000 },
      log: { write: () => {} },
    },
  );
  const ask = (more = ''): string => `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;
  /** How often changes are counted for ten reads that are sent at once. */
  async function countsForTen(): Promise<number> {
    counts = 0;
    const text = await rawAnswer(new URL(server.url), ask().repeat(9) + ask('Connection: close\r\n'));
    expect(text.match(/"price":"1.00"/g)).toHaveLength(10);
    return counts;
  }
  expect(await countsForTen()).toBe(1);

  let isBusy = true;
  const work = (): void => {
    for (const begin = performance.now(); performance.now() - begin < 30; );
    if (isBusy) setImmediate(work);
  };
  // What it does while it is busy it does for two seconds, which may be over before the ten are sent.
  await expect
    .poll(async () => {
      isBusy = true;
      work();
      await countsForTen();
      isBusy = false;
      return countsForTen();
    })
    .toBe(10);
  await server.stop();
});

describe('a kept answer obeys the rules of a read', () => {
  it('a key without the scope does not get it, nor an unknown one, nor nobody', async () => {
    await price(3);
    const { text: key } = await given.keys.create({
      name: 'part',
      scopes: allScopes.filter((scope) => scope !== 'product:read'),
      expiresAt: null,
    });
    expect((await given.get(target, { key })).status).toBe(403);
    expect((await given.get(target, { key: '' })).status).toBe(401);
    expect((await given.get(target, { key: `${given.key}x` })).status).toBe(401);
  });

  it('a key does not get it a second after it was revoked by another process', async () => {
    const { id, text: key } = await given.keys.create({ name: 'gone', scopes: ['product:read'], expiresAt: null });
    for (let i = 0; i < 5; i++) expect((await given.get(target, { key })).status).toBe(200);
    const other = await openCatalog({ file: given.file, create: false });
    await (await other.keys()).revoke(id);
    await other.close();
    const revoked = performance.now();
    await expect
      .poll(async () => (await given.get(target, { key })).body.response.error, { interval: 20 })
      .toBe('revoked_api_key');
    // Beside the second that is promised: a busy machine.
    expect(performance.now() - revoked).toBeLessThan(allowed(1500));
  });

  it('a key that expires is refused at its second, however often it was asked with', async () => {
    const expiresAt = Math.floor(Date.now() / 1000) + 2;
    const { text: key } = await given.keys.create({ name: 'short', scopes: ['product:read'], expiresAt });
    for (;;) {
      const { status } = await given.get(target, { key });
      if (Date.now() >= expiresAt * 1000) break;
      expect(status).toBe(200);
    }
    expect((await given.get(target, { key })).body.response.error).toBe('expired_api_key');
  });

  it('it counts against the rate, a 304 and a HEAD too', async () => {
    const limited = await givenServer({ limits: { rate: 6, authFailures: 20 } });
    await limited.post(product, { items: [item('1.00')] });
    await limited.get(target);
    const { headers } = await limited.get(target);
    const condition = { headers: { 'if-none-match': String(headers['etag']) } };
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, i) => limited.call(i % 2 === 0 ? 'GET' : 'HEAD', target, condition)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([304, 429]));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(4);
    await limited.stop();
  });

  it('it is not given where the catalog was removed', async () => {
    await price(3);
    for (const part of ['', '-wal', '-shm']) rmSync(given.file + part);
    await expect.poll(async () => (await given.get(target)).status).toBe(503);
  });
});

describe('ETag and If-None-Match', () => {
  it('a client that has the answer gets 304 without a body, until the record changes', async () => {
    const first = await given.get(target);
    const etag = String(first.headers['etag']);
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(first.headers['cache-control']).toBe('private, no-cache');
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*', ` ${etag} , "other"`]) {
      const { status, headers, body } = await given.get(target, { headers: { 'if-none-match': condition } });
      expect([condition, status, headers['etag'], body]).toEqual([condition, 304, etag, undefined]);
      expect(headers['content-type']).toBeUndefined();
      expect(headers['ratelimit']).toBeDefined();
    }
    for (const condition of ['"other"', etag.slice(1, -1), '']) {
      expect((await given.get(target, { headers: { 'if-none-match': condition } })).status).toBe(200);
    }
    await given.post(product, { items: [item('2.00')] });
    const changed = await given.get(target, { headers: { 'if-none-match': etag } });
    expect([changed.status, changed.body.response.price]).toEqual([200, '2.00']);
    expect(changed.headers['etag']).not.toBe(etag);
  });

  it('is the same for a kept answer, for HEAD, and for another server on the same catalog', async () => {
    const tags = new Set<unknown>();
    for (let i = 0; i < 3; i++) tags.add((await given.get(target)).headers['etag']);
    tags.add((await given.call('HEAD', target)).headers['etag']);
    expect(tags.size).toBe(1);
    const head = await given.call('HEAD', target, { headers: { 'if-none-match': String([...tags][0]) } });
    expect(head.status).toBe(304);
  });

  it('works for lists, and not for what is not found', async () => {
    const list = await given.get('/v1/product/list?limit=1');
    const etag = String(list.headers['etag']);
    expect((await given.get('/v1/product/list?limit=1', { headers: { 'if-none-match': etag } })).status).toBe(304);
    const missing = await given.get(`${product}?sku=nobody`, { headers: { 'if-none-match': '*' } });
    expect(missing.status).toBe(404);
    expect(missing.headers['etag']).toBeUndefined();
  });
});
