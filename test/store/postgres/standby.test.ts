// A catalog on a PostgreSQL hot standby: reads work as on its primary; writes are refused with the reason.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lineOf } from '../../child.js';
import { outcome, start } from '../../cli/started.js';
import { folder, products, typed } from '../../cli/typed.js';
import { newServerPair, type ServerPair } from '../../postgres/own-server.js';
import { missing } from '../../postgres/test-database.js';
import { until } from '../../until.js';

describe.skipIf(missing !== undefined)(`a standby${missing === undefined ? '' : `: ${missing}`}`, () => {
  let pair: ServerPair;
  let key = '';
  const cwd = folder({ 'feed.csv': products(2) });
  beforeAll(async () => {
    pair = await newServerPair();
    expect((await typed(cwd, ['products', 'feed.csv', '--feed', 'erp', '--db', pair.address])).code).toBe(0);
    key = (await typed(cwd, ['keys', 'create', '--name', 'k', '--all', '--db', pair.address])).stdout.trim();
    // The primary waits for its standby to have a commit, and not to show it.
    await until('the key on the standby', async () =>
      (await typed(cwd, ['keys', 'list', '--db', pair.standby])).stdout.includes('active'),
    );
  });
  afterAll(() => pair.remove());

  it.each([
    ['list', 'products'],
    ['get', 'product', '--sku', 'S-0'],
    ['info'],
    ['doctor'],
    ['runs'],
    ['why', 'product', '--sku', 'S-0'],
    ['export', 'products'],
    ['products', 'feed.csv', '--dry-run'],
  ])('reads: %s %s', async (...args) => {
    expect(await typed(cwd, [...args, '--db', pair.standby])).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('error'),
    });
  });

  it.each([
    ['products', 'feed.csv'],
    ['products', 'feed.csv', '--feed', 'erp'],
    ['keys', 'create', '--name', 'z', '--all'],
    ['shop', 'delete-product', 'S-0'],
    ['undo', '1'],
  ])('writes end with a sentence: %s %s', async (...args) => {
    const { code, stderr } = await typed(cwd, [...args, '--db', pair.standby]);
    expect([code, stderr]).toEqual([7, expect.stringContaining('is read-only: it is a standby')]);
  });

  it('serves reads, answers writes with 503 and takes them once it is the primary', async () => {
    const server = start(cwd, ['serve', '--port', '0', '--db', pair.standby]);
    const [url] = await lineOf(server, /http:\/\/[\d.:]+/);
    const ask = async (path: string, items?: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await fetch(url + path, {
        headers,
        ...(items && { method: 'POST', body: JSON.stringify({ items }) }),
      });
      const { response } = (await answer.json()) as { readonly response: { readonly error?: string } };
      return [answer.status, response.error];
    };
    const post = () => ask('/v1/product/import', [{ sku: 'NEW', currency: 'EUR' }]);
    // Each connection of the server is as good as before.
    for (let i = 0; i < 5; i++) {
      expect(await post()).toEqual([503, 'catalog_unavailable']);
      expect(await ask('/v1/product/import?sku=S-0')).toEqual([200, undefined]);
    }
    await pair.failOver();
    await expect.poll(post).toEqual([200, undefined]);
    server.kill('SIGTERM');
    expect((await outcome(server)).code).toBe(0);
  });
});
