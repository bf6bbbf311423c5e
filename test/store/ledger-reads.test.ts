// How often the end of a feed's run reads what there may be thousands or millions of: all runs, all offers, what all feeds list.
import { expect, it } from 'vitest';
import { rawEntry } from '../../src/core/entry.js';
import { listingTable, offerTable, runTable } from '../../src/core/ledger/run-tables.js';
import type { Table } from '../../src/core/rows/table.js';
import { storeCatalog } from '../../src/store/catalog.js';
import { recordPostedRun } from '../../src/store/ledger/posted-runs.js';
import { feedRun } from '../../src/store/ledger/run-of-feed.js';
import type { Store } from '../../src/store/store.js';
import { type Listed, products, type Shop, shopOn } from './ledger-shop.js';
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

/** A store whose reads of whole tables are counted, by table. */
function counting(store: Store): { readonly store: Store; readonly reads: Map<string, number> } {
  const reads = new Map<string, number>();
  const count = ({ name }: Table) => void reads.set(name, (reads.get(name) ?? 0) + 1);
  const counted: Store = {
    ...store,
    readAll(table) {
      count(table as unknown as Table);
      return store.readAll(table);
    },
    scan(table, page, plan) {
      if (page.after === undefined) count(table as unknown as Table);
      return store.scan(table, page, plan);
    },
  };
  return { store: counted, reads };
}

/** Sends what a run over HTTP sends, without its end. */
async function send({ store }: Shop, token: string, listed: Listed) {
  const posted = { owner: 'o', user: 'u', token, feed: 'erp' };
  const recorder = recordPostedRun(posted, { resource: 'product', file: '' });
  const target = storeCatalog(store, { recorder, feed: feedRun('erp', { marksAll: true }) });
  const batch = Object.entries(listed).map(([sku, item]) => rawEntry({ sku, ...item }));
  for await (const { refused } of target.importBatches(products, [batch])) expect(refused).toBe(0);
  return posted;
}

const all: Listed = { A: { ...eur, price: '1.00' }, B: { ...eur, price: '1.00' }, C: { ...eur, price: '1.00' } };

it('the end of a run over HTTP reads the offers once, and lists what is offered but for what it passes on', async () => {
  const { store, reads } = counting(memoryStore());
  const shop = shopOn(store);
  await shop.ledger.setFeeds((settings) => ({ ...settings, order: ['erp', 'supplier'] }));
  await shop.run('supplier', { C: { ...eur, price: '9.00' } });
  await shop.ledger.endPosted(await send(shop, 't1', all), { resource: products, isComplete: true });
  const posted = await send(shop, 't2', { A: { ...eur, price: '2.00' }, B: { ...eur, price: '2.00' } });
  reads.clear();
  const lines = await shop.ledger.endPosted(posted, { resource: products, isComplete: true });
  expect(lines).toMatchObject([{ external_id: 'C', changes: [{ field: 'price', from: '1.00', to: '9.00' }] }]);
  expect(Object.fromEntries(reads)).toEqual({ [offerTable.name]: 1, [runTable.name]: 1 });
  const listings = await shop.ledger.listings(await shop.ledger.runs());
  expect(listings.map(({ feed, records }) => [feed, records])).toEqual([
    ['supplier', 1],
    ['erp', 2],
  ]);
});

it('the end of a run over HTTP reads neither runs nor offers where no feed is ranked', async () => {
  const { store, reads } = counting(memoryStore());
  const shop = shopOn(store);
  const posted = await send(shop, 't', all);
  reads.clear();
  expect(await shop.ledger.endPosted(posted, { resource: products, isComplete: true })).toEqual([]);
  expect(Object.fromEntries(reads)).toEqual({});
});

it('the end of a run over HTTP with a list of its keys reads what its own feed lists, and not the other feeds', async () => {
  const { store, reads } = counting(memoryStore());
  const shop = shopOn(store);
  await shop.ledger.setFeeds((settings) => ({ ...settings, order: ['erp', 'supplier'] }));
  await shop.run('supplier', all);
  const first = await send(shop, 't1', all);
  await send(shop, 't2', { B: { ...eur, price: '2.00' } });
  reads.clear();
  await shop.ledger.endPosted(first, { resource: products, isComplete: true, listed: ['A'] });
  expect(reads.get(listingTable.name)).toBeUndefined();
  expect(await shop.product('B')).toMatchObject({ price: '2.00' });
});
