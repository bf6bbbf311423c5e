// What passes on at the end of a run, while another run of the feed goes on sending.
import { expect, it } from 'vitest';
import { rawEntry } from '../../../src/core/entry.js';
import type { Report } from '../../../src/core/import-report.js';
import { noFeedSettings } from '../../../src/core/ledger/feed-ranking.js';
import { offerTable } from '../../../src/core/ledger/run-tables.js';
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

it('is told of a dry run, which changes nothing; a run forgets what its feed offered, and counts none of it as its items', async () => {
  const shop = shopOn(memoryStore());
  const { ledger, store } = shop;
  await ledger.setFeeds(() => ({ ...noFeedSettings, order: ['erp', 'a'] }));
  for (const [feed, price] of Object.entries({ a: '1.00', erp: '2.00' }))
    await shop.run(feed, { A: { currency: 'EUR', price }, B: { currency: 'EUR', price } });
  const nothing = { resource: products, keys: new Float64Array(), total: 0, untrusted: 0 };
  const reports: Report[] = [];
  const runs = await ledger.runs();
  const told = await ledger.passOn('erp', undefined, nothing, { runs, onReport: (one) => void reports.push(one) });
  expect(told).toEqual(['A', 'B']);
  expect(reports.flatMap(({ data }) => data.map(({ changes }) => changes))).toMatchObject([
    [{ field: 'price', from: '2.00', to: '1.00' }],
    [{ field: 'price', from: '2.00', to: '1.00' }],
  ]);
  expect([await shop.product('A'), await shop.product('B')]).toMatchObject([{ price: '2.00' }, { price: '2.00' }]);
  await shop.run('erp', {});
  expect([await shop.product('A'), await shop.product('B')]).toMatchObject([{ price: '1.00' }, { price: '1.00' }]);
  expect((await store.readAll(offerTable)).map(({ id }) => id.split('/', 1)[0])).toEqual(['a', 'a']);
  expect((await ledger.runs()).at(-1)).toMatchObject({ updated: 0, total: 0 });
});
