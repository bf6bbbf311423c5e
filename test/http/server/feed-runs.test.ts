// Runs of ranked feeds over HTTP: what their ends take for gone, beside other runs of the same feed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { product } from '../../../src/core/resources/product.js';
import { folder, typedHere } from '../../cli/typed.js';
import { type GivenServer, givenServer } from './given-server.js';

const servers: GivenServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

const products = '/v1/product/import';
type Items = Readonly<Record<string, object>>;

/** A shop in which the feed erp is above the feed lower, which sends A, B and C for 1.00. */
async function given() {
  const server = await givenServer();
  servers.push(server);
  const typed = (...args: string[]) => typedHere([...args, '--db', server.file]);
  const path = folder();
  const post = async (feed: string, token: string, items: Items, end?: 'complete' | 'partial') => {
    const headers = { 'catalog-run': token, 'catalog-feed': feed, ...(end && { 'catalog-run-end': end }) };
    const sent = Object.entries(items).map(([sku, item]) => ({ sku, currency: 'EUR', ...item }));
    return (await server.post(products, { items: sent }, { headers })).body.response;
  };
  await typed('feeds', 'set', 'lower', '--below', 'erp');
  await post('lower', 'l-1', { A: { price: 1, note: 'low' }, B: { price: 1 }, C: { price: 1 } }, 'complete');
  return {
    ...server,
    typed,
    post,
    /** Imports rows of a file as the feed erp. */
    async night(rows: readonly string[], ...options: string[]) {
      writeFileSync(join(path, 'erp.csv'), `sku,currency,price,note\n${rows.join('\n')}\n`);
      const args = ['products', join(path, 'erp.csv'), '--feed', 'erp', '--max-missing', 'off', '--output', 'json'];
      return JSON.parse((await typed(...args, ...options)).stdout).response;
    },
    async shown(sku: string) {
      const { price, note, status } = (await server.get(`${products}?sku=${sku}`)).body.response;
      return `${price} ${note} ${status}`.trim();
    },
  };
}

describe('an item that is refused, and sent again in the same run', () => {
  it('leaves no field of an earlier run with its feed, over HTTP', async () => {
    const { post, shown } = await given();
    await post('erp', 'e-1', { A: { price: 2, note: 'high' } }, 'complete');
    await post('erp', 'e-2', { A: { price: '2,00' } });
    expect((await post('erp', 'e-2', { A: { price: 3 } })).data[0]).toMatchObject({ action: 'updated' });
    expect(await shown('A')).toBe('3.00 low draft');
    // What was accepted in the run, before and after another refusal, is together what the feed sends.
    await post('erp', 'e-2', { A: { price: '2,00' } });
    await post('erp', 'e-2', { A: { note: 'high' } });
    await post('erp', 'e-2', {}, 'complete');
    expect(await shown('A')).toBe('3.00 high draft');
  });

  it('does so where nothing else of it changed', async () => {
    const { post, shown } = await given();
    await post('erp', 'e-1', { A: { price: 2 } }, 'complete');
    for (const price of ['2,00', 2]) await post('erp', 'e-2', { A: { price } });
    await post('erp', 'e-2', { A: { note: 'high' } }, 'complete');
    expect(await shown('A')).toBe('2.00 high draft');
  });

  it('leaves none in a file', async () => {
    const { night, shown } = await given();
    await night(['A,EUR,2,high']);
    expect(await night(['A,EUR,x,', 'A,EUR,3,'])).toMatchObject({ refused: 1, updated: 1 });
    expect(await shown('A')).toBe('3.00 low draft');
    expect(await night(['A,EUR,3,high', 'A,EUR,x,', 'A,EUR,4,'])).toMatchObject({ refused: 1, updated: 2 });
    expect(await shown('A')).toBe('4.00 high draft');
  });
});

describe('the end of a run', () => {
  it('keeps what an import of the feed from a file listed meanwhile, also where that changed nothing', async () => {
    const { post, night, shown } = await given();
    await post('erp', 'e-1', { A: { price: 2 }, B: { price: 2 } }, 'complete');
    await post('erp', 'e-2', { C: { price: 2 } });
    await night(['A,EUR,2,', 'C,EUR,2,']);
    expect(await post('erp', 'e-2', {}, 'complete')).toMatchObject({ end: { passed_on: 0 } });
    expect([await shown('A'), await shown('B')]).toEqual(['2.00 low draft', '1.00  draft']);
  });

  it('passes nothing on while a file is imported for the feed, whose end keeps what was sent meanwhile', async () => {
    const { post, catalog, shown } = await given();
    await post('erp', 'e-1', { A: { price: 2 }, B: { price: 2 }, C: { price: 2 } }, 'complete');
    const ledger = await catalog.ledger();
    const open = await ledger.begin({ feed: 'erp', detail: { command: 'products', files: [] } });
    expect(await post('erp', 'e-2', { A: { price: 2 } }, 'complete')).toMatchObject({ end: { passed_on: 0 } });
    const nothing = { resource: product, keys: new Float64Array(), total: 0, untrusted: 0 };
    expect(await ledger.passOn('erp', open, nothing, { runs: await ledger.runs() })).toEqual(['B', 'C']);
    await open.end({ state: 'done', exit: 0 });
    expect([await shown('A'), await shown('B')]).toEqual(['2.00 low draft', '1.00  draft']);
  });

  it('says what the feed lists where its client does not: what ranked feeds sent', async () => {
    const { post, night, typed, shown } = await given();
    const json = async (...args: string[]) => JSON.parse((await typed(...args, '--output', 'json')).stdout);
    await post(
      'erp',
      'e-1',
      { A: { price: 2, status: 'activated' }, C: { price: 2, status: 'activated' } },
      'complete',
    );
    // What another feed lists is not suspended.
    await night(['B,EUR,2,'], '--missing', 'suspend');
    expect([await shown('A'), await shown('C')]).toEqual(['1.00 low activated', '1.00  activated']);
    await post('lower', 'l-2', { A: { price: 1 } }, 'complete');
    expect(await json('missing', '--feed', 'lower')).toMatchObject([{ key: 'B' }, { key: 'C' }]);
    expect(await json('feeds', 'retire', 'lower')).toMatchObject({ listed: 1, end: { suspended: 1 } });
  });
});
