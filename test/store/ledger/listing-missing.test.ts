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
