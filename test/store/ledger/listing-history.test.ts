// What the complete runs of feeds did to a record, as far as they count.
import { expect, it } from 'vitest';
import { listingHistory } from '../../../src/store/ledger/listing-history.js';
import { products, shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

const eur = { currency: 'EUR', status: 'activated' };

it('is that they list it, or suspend it where they no longer do and no other feed does at that time', async () => {
  const shop = shopOn(memoryStore());
  const nights: readonly (readonly [feed: string, skus: string, suspends?: 'suspends'])[] = [
    ['erp', 'AB'],
    ['a', 'AC'],
    ['a', 'C'],
    ['erp', 'B', 'suspends'],
    ['erp', 'B'],
    ['a', 'A'],
    ['erp', 'AB'],
    ['erp', 'B', 'suspends'],
    ['erp', 'AB'],
  ];
  for (const [feed, skus, suspends] of nights)
    await shop.run(feed, Object.fromEntries([...skus].map((sku) => [sku, eur])), { suspends: suspends !== undefined });
  const history = await listingHistory(shop.store, await shop.ledger.runs());
  const effects = (counts: (run: number) => boolean) =>
    history
      .effects(counts)(products, { sku: 'A' })
      .map(({ feed, run, effect }) => `${run} ${feed} ${effect}`);
  const first = ['1 erp lists', '2 a lists', '3 a undefined', '4 erp suspends', '5 erp undefined'];
  expect(effects(() => true)).toEqual([...first, '6 a lists', '7 erp lists', '8 erp undefined', '9 erp lists']);
  expect(effects((run) => run !== 6)).toEqual([...first, '7 erp lists', '8 erp suspends', '9 erp lists']);
  expect(effects((run) => run !== 3)).toContain('4 erp undefined');
  expect(
    history
      .effects(() => true)(products, { sku: 'Z' })
      .map(({ effect }) => effect),
  ).not.toContain('lists');
});
