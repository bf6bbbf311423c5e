// Runs over HTTP: requests with the same Catalog-Run are explained and undone as one run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { postedRuns } from '../../../src/cli/serve/recorded-posts.js';
import { category } from '../../../src/core/resources/category.js';
import { product } from '../../../src/core/resources/product.js';
import { newImporter } from '../../../src/http/server/imports/import-batch.js';
import { folder, typedHere } from '../../cli/typed.js';
import { type GivenServer, givenServer } from './given-server.js';

const servers: GivenServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

async function given(): Promise<GivenServer> {
  const server = await givenServer();
  servers.push(server);
  return server;
}

const products = '/v1/product/import';
const item = (sku: string, price: number) => ({ sku, currency: 'EUR', price });

async function runsOf({ file }: Pick<GivenServer, 'file'>): Promise<Record<string, unknown>[]> {
  return JSON.parse((await typedHere(['runs', '--output', 'json', '--db', file])).stdout);
}

describe('runs over HTTP', () => {
  it('are the POSTs with one Catalog-Run, and can be undone', async () => {
    const server = await given();
    await server.post(products, { items: [item('A', 1), item('B', 1)] });
    const headers = { 'catalog-run': 'night-7', 'catalog-feed': 'erp' };
    await server.post(products, { items: [item('A', 2)] }, { headers });
    await server.post(products, { items: [item('B', 3), item('C', 3)] }, { headers });
    await server.post(products, { items: [item('A', 9)], dry_run: true }, { headers });
    expect(await runsOf(server)).toMatchObject([
      { run: 1, state: 'daily', feed: '', created: 2, user: 'test' },
      { run: 2, state: 'received', feed: 'erp', created: 1, updated: 2 },
    ]);
    const daily = await typedHere(['undo', '1', '--db', server.file]);
    expect(daily.code).toBe(2);
    expect(daily.stderr).toContain('without a Catalog-Run header');
    const undone = await typedHere(['undo', '2', '--db', server.file]);
    expect(undone.stdout).toBe('3 items: 2 restored, 1 suspended, 0 kept\n');
    expect((await server.get(`${products}?sku=B`)).body).toMatchObject({ response: { price: '1.00' } });
  });

  it('invalid run headers are refused', async () => {
    const server = await given();
    for (const headers of [{ 'catalog-run': 'x'.repeat(101) }, { 'catalog-feed': 'a/b' }]) {
      const answer = await server.post(products, { items: [item('A', 1)] }, { headers });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ response: { error: 'invalid_parameter' } });
    }
    expect(await runsOf(server)).toEqual([]);
  });

  it('are ended by a request that is sent again, where the process died before it did, and once only', async () => {
    const { catalog, file } = await given();
    const runs = postedRuns(catalog);
    const dies = newImporter({ ...runs, end: () => Promise.reject(new Error('killed')) });
    const listed = ['A', 'B'];
    const body = Buffer.from(JSON.stringify({ items: [item('A', 1), item('B', 1)], listed }));
    const run = { user: 'u', token: 'night-1', feed: 'erp', end: 'complete' };
    const post = { resource: product, body, owner: 'o', idempotencyKey: 'k', run };
    await expect(dies(post)).rejects.toThrow('killed');
    expect(await runsOf({ file })).toMatchObject([{ run: 1, state: 'received' }]);
    const importBatch = newImporter(runs);
    expect(await importBatch(post)).toMatchObject({ replayed: true });
    const ended = await runsOf({ file });
    expect(ended).toMatchObject([{ run: 1, state: 'done', created: 2 }]);
    expect(await importBatch(post)).toMatchObject({ replayed: true });
    expect(await runsOf({ file })).toEqual(ended);
    // The key stands for the feed and the end, too.
    const plain = { ...post, body: Buffer.from('{"items":[]}'), idempotencyKey: 'p' };
    expect(await importBatch(plain)).toMatchObject({ replayed: false });
    for (const other of [{ end: 'partial' }, { end: undefined }, { feed: undefined }])
      expect(await importBatch({ ...plain, run: { ...run, ...other } })).toMatchObject({ status: 422 });
  });

  it('are ended for each resource, and the end sent again is answered as before', async () => {
    const { catalog, file } = await given();
    await typedHere(['feeds', 'set', 'lower', '--below', 'erp', '--db', file]);
    const runs = postedRuns(catalog);
    const night = async (feed: string, token: string, skus: readonly string[], importer = newImporter(runs)) => {
      const items = skus.map((sku) => item(sku, feed === 'erp' ? 2 : 1));
      const run = { user: 'u', token, feed, end: 'complete' };
      const body = Buffer.from(JSON.stringify({ items, listed: skus }));
      const answer = await importer({ resource: product, body, owner: 'o', idempotencyKey: token, run });
      return { ...answer, ...('report' in answer && JSON.parse(answer.report)) };
    };
    const priceOf = async (sku: string) =>
      JSON.parse((await typedHere(['get', 'product', '--sku', sku, '--db', file])).stdout).price;
    await night('lower', 'l-1', ['A', 'B', 'C']);
    await night('erp', 'e-1', ['A', 'B', 'C']);
    const first = await night('erp', 'e-2', ['A']);
    const passed = { external_id: 'B', cause: 'passed_on', changes: [{ field: 'price', from: '2.00', to: '1.00' }] };
    expect(first).toMatchObject({
      replayed: false,
      end: { passed_on: 2, data: expect.arrayContaining([expect.objectContaining(passed)]) },
    });
    expect(await night('erp', 'e-2', ['A'])).toMatchObject({ replayed: true, end: first.end });
    // The process dies where the run has ended for another resource alone.
    await night('erp', 'e-3', ['A', 'B', 'C']);
    // What the feed lists again by now stays its own.
    expect(await night('erp', 'e-2', ['A'])).toMatchObject({ replayed: true, end: first.end });
    expect(await priceOf('B')).toBe('2.00');
    const dies = newImporter({
      ...runs,
      async end(post) {
        const ledger = await catalog.ledger();
        const posted = { owner: 'o', user: 'u', token: post.run.token, feed: 'erp' };
        await ledger.endPosted(posted, { resource: category, isComplete: false });
        throw new Error('killed');
      },
    });
    await expect(night('erp', 'e-4', ['A'], dies)).rejects.toThrow('killed');
    expect(await night('erp', 'e-4', ['A'])).toMatchObject({ replayed: true, end: { passed_on: 2 } });
    expect((await runsOf({ file })).at(-1)).toMatchObject({ end: { passed_on: 2 } });
  });

  it.each([
    ['with a list of keys', true],
    ['without one', false],
  ])('that end %s do not take what another run of the feed sent meanwhile for gone', async (_how, lists) => {
    const server = await given();
    await typedHere(['feeds', 'set', 'lower', '--below', 'erp', '--db', server.file]);
    const send = (feed: string, token: string, prices: Readonly<Record<string, number>>) => {
      const items = Object.entries(prices).map(([sku, price]) => item(sku, price));
      return server.post(products, { items }, { headers: { 'catalog-run': token, 'catalog-feed': feed } });
    };
    const end = async (token: string, listed: readonly string[]) => {
      const headers = { 'catalog-run': token, 'catalog-feed': 'erp', 'catalog-run-end': 'complete' };
      const { body } = await server.post(products, { items: [], ...(lists && { listed }) }, { headers });
      return body.response.end.passed_on;
    };
    await send('lower', 'l-1', { A: 1, B: 1, C: 1 });
    await send('erp', 'e-1', { A: 2, C: 2 });
    await send('erp', 'e-2', { A: 3, B: 3 });
    expect(await end('e-1', ['A', 'C'])).toBe(0);
    await send('erp', 'e-1', { B: 4 });
    expect(await end('e-2', ['A'])).toBe(0);
    await send('erp', 'e-3', { A: 3 });
    expect(await end('e-3', ['A', 'B'])).toBe(lists ? 1 : 2);
    for (const [sku, price] of Object.entries({ A: '3.00', B: lists ? '4.00' : '1.00', C: '1.00' }))
      expect((await server.get(`${products}?sku=${sku}`)).body.response).toMatchObject({ sku, price });
  });

  it('that end after a later run of their feed do not say what it lists', async () => {
    const server = await given();
    const send = (token: string, skus: readonly string[], listed?: readonly string[]) => {
      const headers = { 'catalog-run': token, 'catalog-feed': 'erp', ...(listed && { 'catalog-run-end': 'complete' }) };
      return server.post(products, { items: skus.map((sku) => item(sku, 1)), ...(listed && { listed }) }, { headers });
    };
    const missing = async () => {
      const { stdout } = await typedHere(['missing', '--feed', 'erp', '--output', 'json', '--db', server.file]);
      return JSON.parse(stdout).map(({ key }: { readonly key: string }) => key);
    };
    await send('e-1', ['A']);
    await send('e-2', ['B', 'C'], ['A', 'B', 'C']);
    await send('e-1', [], ['A']);
    expect(await missing()).toEqual([]);
    await send('e-3', [], ['A', 'B']);
    expect(await missing()).toEqual(['C']);
  });

  it('list the records of their refused items, of which nothing passes on', async () => {
    const server = await given();
    await typedHere(['feeds', 'set', 'lower', '--below', 'erp', '--db', server.file]);
    const night = async (feed: string, token: string, items: readonly unknown[]) => {
      const headers = { 'catalog-run': token, 'catalog-feed': feed, 'catalog-run-end': 'complete' };
      const { body } = await server.post(products, { items }, { headers });
      return [body.response.refused, body.response.end.passed_on];
    };
    await night('lower', 'l-1', [item('A', 1), item('B', 1)]);
    await night('erp', 'e-1', [item('A', 2), item('B', 2)]);
    const refused = { sku: 'A', price: '2,00' };
    expect(await night('erp', 'e-2', [refused, item('B', 2)])).toEqual([1, 0]);
    expect(await night('erp', 'e-3', [refused])).toEqual([1, 1]);
    expect(await night('erp', 'e-4', [{ sku: 'A', category: 'cate_none' }])).toEqual([1, 0]);
    expect((await server.get(`${products}?sku=A`)).body.response).toMatchObject({ price: '2.00' });
    expect(await night('erp', 'e-5', [item('B', 2)])).toEqual([0, 1]);
    expect((await server.get(`${products}?sku=A`)).body.response).toMatchObject({ price: '1.00' });
  });

  it('begin with their end where nothing changed, if it says what the feed lists, and not otherwise', async () => {
    const { catalog, file } = await given();
    const importBatch = newImporter(postedRuns(catalog));
    const night = (token: string, skus: readonly string[], listed: boolean) => {
      const body = Buffer.from(
        JSON.stringify({ items: skus.map((sku) => item(sku, 1)), ...(listed && { listed: skus }) }),
      );
      const run = { user: 'u', token, feed: 'erp', end: 'complete' };
      return importBatch({ resource: product, body, owner: 'o', idempotencyKey: undefined, run });
    };
    await night('n-1', ['A', 'B'], true);
    await night('n-2', ['A', 'B'], false);
    expect(await runsOf({ file })).toMatchObject([{ run: 1, state: 'done', created: 2 }]);
    await night('n-3', ['A'], true);
    expect(await runsOf({ file })).toMatchObject([{ run: 1 }, { run: 2, state: 'done', feed: 'erp', exit: 0 }]);
    const feeds = await typedHere(['feeds', '--output', 'json', '--db', file]);
    expect(JSON.parse(feeds.stdout)).toMatchObject([{ feed: 'erp', last_run: { run: 2 }, lists: { product: 1 } }]);
    const missing = await typedHere(['missing', '--feed', 'erp', '--output', 'json', '--db', file]);
    expect(JSON.parse(missing.stdout)).toMatchObject([{ key: 'B', since_run: 2 }]);
  });

  it('count the items of all their requests, also where the last ones, or all, changed nothing or were refused', async () => {
    const server = await given();
    const night = (token: string, items: readonly unknown[], more: { file?: string; listed?: string[] } = {}) => {
      const { file, listed } = more;
      const headers = {
        ...{ 'catalog-run': token, 'catalog-feed': 'erp', ...(file && { 'catalog-file': file }) },
        ...(listed && { 'catalog-run-end': 'complete' }),
      };
      return server.post(products, { items, ...(listed && { listed }) }, { headers });
    };
    await night('n-1', [item('A', 1), item('B', 1)], { file: 'one.csv' });
    await night('n-1', [item('A', 1)], { file: 'one.csv' });
    await night('n-1', [{ sku: 'C' }], { file: 'two.csv' });
    await night('n-1', [item('B', 1)], { listed: ['A', 'B', 'C'] });
    await night('n-2', [item('A', 1)]);
    await night('n-2', [item('B', 1)], { listed: ['A', 'B'] });
    expect(await runsOf(server)).toMatchObject([
      { run: 1, state: 'done', exit: 3, created: 2, unchanged: 2, refused: 1, total: 5 },
      { run: 2, state: 'done', exit: 0, created: 0, unchanged: 2, refused: 0, total: 2 },
    ]);
    // A further end counts nothing twice.
    await night('n-2', [], { listed: ['A', 'B'] });
    expect(await runsOf(server)).toMatchObject([{}, { run: 2, total: 2 }]);
  });

  it('are named by the client, with the feed', async () => {
    const server = await given();
    const file = join(folder(), 'feed.csv');
    const rows = Array.from({ length: 100 }, (_, i) => `S-${i},EUR,1\n`).join('');
    writeFileSync(file, `sku,currency,price\n${rows}`);
    const url = new URL(server.server.url).origin;
    const args = ['products', file, '--remote', url, '--feed', 'erp', '--quiet'];
    const { code } = await typedHere(args, { CATALOG_API_KEY: server.key });
    expect(code).toBe(0);
    expect(await runsOf(server)).toMatchObject([{ run: 1, state: 'done', feed: 'erp', created: 100, total: 100 }]);
  });
});
