// How often the end of a feed's run reads all runs of a catalog, of which there may be thousands.
import { expect, it } from 'vitest';
import { runTable } from '../../src/core/ledger/run-tables.js';
import { shopOn } from './ledger-shop.js';
import { memoryStore } from './memory-store.js';

const eur = { currency: 'EUR' };

it('the end of a run reads all runs once, whatever it suspends, and whatever other feeds list', async () => {
  const store = memoryStore();
  let reads = 0;
  const shop = shopOn({
    ...store,
    readAll(table) {
      if ((table as unknown) === runTable) reads++;
      return store.readAll(table);
    },
  });
  await shop.ledger.setFeeds((settings) => ({ ...settings, order: ['erp', 'supplier'] }));
  await shop.run('supplier', { A: eur, B: eur });
  await shop.run('web', { A: eur, B: eur, C: eur });
  await shop.run('erp', { A: eur, B: eur, C: eur, D: eur });
  reads = 0;
  await shop.run('erp', { A: { ...eur, price: '1.00' } }, { suspends: true });
  expect(reads).toBe(1);
  expect(await shop.product('D')).toMatchObject({ status: 'draft' });
});
