// What is missing from a feed.
import { expect, it } from 'vitest';
import { shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

const eur = { currency: 'EUR' };

it('are the records that this feed no longer lists, and none of another one', async () => {
  const shop = shopOn(memoryStore());
  await shop.run('erp', { A: eur, B: eur });
  await shop.run('a', { C: eur, D: eur });
  const { run } = await shop.run('erp', { A: eur });
  await shop.run('a', { D: eur });
  const missing = await shop.ledger.missing('erp', await shop.ledger.runs());
  expect(missing).toMatchObject([{ resource: 'product', key: 'B', sinceRun: run }]);
});

const item = (status: string, more = {}) => ({ ...eur, status, ...more });

it('are suspended if they are shown and no other feed lists them, and the run tells it; a dry run only says so', async () => {
  const shop = shopOn(memoryStore());
  const { ledger } = shop;
  await shop.run('a', { SHARED: item('activated') });
  const all = { A: item('activated'), B: item('activated'), DRAFT: item('draft'), SHARED: item('activated') };
  await shop.run('erp', { KEPT: item('activated'), ...all });
  await shop.run('erp', { KEPT: item('activated') });
  const runs = await ledger.runs();
  const missing = await ledger.missing('erp', runs);
  expect(missing.map(({ key }) => key).sort()).toEqual(Object.keys(all).sort());
  const open = await ledger.begin({ feed: 'erp', detail: { command: 'products', files: [] } });
  const suspended = async (by: typeof open | undefined) =>
    (await ledger.suspend('erp', by, missing, runs)).map(({ key, status }) => `${key} ${status}`);
  const expected = ['A activated', 'B activated'];
  expect(await suspended(undefined)).toEqual(expected);
  expect(await shop.product('A')).toMatchObject({ status: 'activated' });
  expect(await suspended(open)).toEqual(expected);
  for (const [sku, { status }] of Object.entries(all))
    expect([sku, await shop.product(sku)]).toMatchObject([sku, { status: 'AB'.includes(sku) ? 'suspended' : status }]);
  await open.end({ state: 'done', exit: 0 });
  const run = (await ledger.runs()).at(-1);
  expect(run).toMatchObject({ total: 0, updated: 0 });
  const told: unknown[] = [];
  if (run !== undefined)
    for await (const some of ledger.changes(run)) for (const { key, fields } of some) told.push([key, fields]);
  const fields = [{ field: 'status', before: 'activated', value: 'suspended' }];
  expect(told).toEqual([
    ['A', fields],
    ['B', fields],
  ]);
  // It is hidden already.
  expect(await suspended(undefined)).toEqual([]);
});
