// What passes on at the end of a run, while another run of the feed goes on sending.
import { expect, it } from 'vitest';
import { rawEntry } from '../../../src/core/entry.js';
import { noFeedSettings } from '../../../src/core/ledger/feed-ranking.js';
import { storeCatalog } from '../../../src/store/catalog.js';
import { ledgerOf } from '../../../src/store/ledger/ledger.js';
import { recordPostedRun } from '../../../src/store/ledger/posted-runs.js';
import { feedRun } from '../../../src/store/ledger/run-of-feed.js';
import { products, shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

it('is nothing that another run of the feed sends between the search for it and its change', async () => {
  const store = memoryStore();
  const shop = shopOn(store);
  await shop.ledger.setFeeds(() => ({ ...noFeedSettings, order: ['erp', 'a'] }));
  for (const [feed, price] of Object.entries({ a: '1.00', erp: '2.00' }))
    await shop.run(feed, { A: { currency: 'EUR', price }, B: { currency: 'EUR', price } });
  const posted = { owner: 'o', user: 'u', token: 't', feed: 'erp' };
  const recorder = recordPostedRun(posted, { resource: 'product', file: '' });
  const server = storeCatalog(store, { recorder, feed: feedRun('erp', { marksAll: true }) });
  const sent = [[rawEntry({ sku: 'A', currency: 'EUR', price: '2.00' })]];
  const ledger = ledgerOf(
    {
      store,
      importing(origin) {
        const catalog = storeCatalog(store, origin);
        async function* importBatches(...args: Parameters<typeof catalog.importBatches>) {
          for await (const { refused } of server.importBatches(products, sent)) expect(refused).toBe(0);
          yield* catalog.importBatches(...args);
        }
        return { ...catalog, importBatches };
      },
    },
    5000,
  );
  const open = await ledger.begin({ feed: 'erp', detail: { command: 'products', files: [] } });
  const nothing = { resource: products, keys: new Float64Array(), total: 0, untrusted: 0 };
  expect(await ledger.passOn('erp', open, nothing, { runs: await ledger.runs() })).toEqual(['B']);
  await open.end({ state: 'done', exit: 0 });
  expect([await shop.product('A'), await shop.product('B')]).toMatchObject([{ price: '2.00' }, { price: '1.00' }]);
});
