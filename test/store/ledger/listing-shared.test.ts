// Records that another feed wrote last.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rawEntry } from '../../../src/core/entry.js';
import { hashNumber } from '../../../src/core/ledger/recorded-change.js';
import { storeCatalog } from '../../../src/store/catalog.js';
import { feedRun } from '../../../src/store/ledger/run-of-feed.js';
import { resourceCalled } from '../../given.js';
import { type Listed, products, type Shop, shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

const skus = ['A', 'B', 'C', 'D'];

const priced = (listed: readonly string[], price: number): Listed =>
  Object.fromEntries(listed.map((sku) => [sku, { currency: 'EUR', price: `${price}.00` }]));

/** What a run of a feed that reads these products is told of other feeds. */
async function sharedBy({ ledger }: Shop, feed: string, listed: readonly string[]) {
  const keys = Float64Array.from(listed.map(hashNumber)).sort();
  const runs = await ledger.runs();
  const change = await ledger.compare(feed, { resource: products, keys, total: keys.length, untrusted: 0 }, runs);
  return Object.fromEntries(await ledger.sharedWith(feed, change, runs));
}

it('are those that a run reads and another feed lists which changed something since the last run, where no ranking decides', async () => {
  const night = fc.record({ feed: fc.constantFrom('erp', 'a', 'b'), listed: fc.subarray(skus, { minLength: 1 }) });
  const course = fc.tuple(
    fc.array(fc.record({ night, isNewPrice: fc.boolean() }), { minLength: 1, maxLength: 6 }),
    fc.subarray(skus, { minLength: 1 }),
  );
  await fc.assert(
    fc.asyncProperty(course, async ([nights, listed]) => {
      const shop = shopOn(memoryStore());
      const lists = new Map<string, readonly string[]>();
      const wrote = new Set<string>();
      const prices = new Map<string, number>();
      for (const [
        nth,
        {
          night: { feed, listed: read },
          isNewPrice,
        },
      ] of nights.entries()) {
        const price = isNewPrice ? nth + 2 : 1;
        if (read.some((sku) => prices.get(sku) !== price)) wrote.add(feed);
        for (const sku of read) prices.set(sku, price);
        if (feed === 'erp') wrote.clear();
        lists.set(feed, read);
        await shop.run(feed, priced(read, price));
      }
      const expected = [...lists].flatMap(([feed, read]) => {
        const count = read.filter((sku) => listed.includes(sku)).length;
        return feed !== 'erp' && wrote.has(feed) && count > 0 ? [[feed, count] as const] : [];
      });
      expect(await sharedBy(shop, 'erp', listed)).toEqual(Object.fromEntries(expected));
    }),
    { numRuns: 8 },
  );
});

it('are none of a feed that is ranked against this one, nor where what another feed wrote was undone', async () => {
  const shop = shopOn(memoryStore());
  await shop.run('erp', priced(['A'], 1));
  const { run } = await shop.run('a', priced(['A', 'B'], 2));
  await shop.run('b', priced(['A', 'B'], 3));
  expect(await sharedBy(shop, 'erp', ['A', 'B'])).toEqual({ a: 2, b: 2 });
  await shop.undo(run);
  expect(await sharedBy(shop, 'erp', ['A', 'B'])).toEqual({ b: 2 });
  await shop.ledger.setFeeds((settings) => ({ ...settings, order: ['erp', 'b'] }));
  expect(await sharedBy(shop, 'erp', ['A', 'B'])).toEqual({});
});

it('are those of a feed that did not run since it is ranked, as what it sends is not known', async () => {
  const shop = shopOn(memoryStore());
  await shop.run('a', priced(['A', 'B'], 1));
  await shop.ledger.setFeeds((settings) => ({ ...settings, own: { a: ['stock'] } }));
  const items = ['A', 'B'].map((sku) => rawEntry({ sku, currency: 'EUR', price: '2.00' }));
  const importing = storeCatalog(shop.store, { feed: feedRun('erp') });
  for await (const { refused } of importing.importBatches(products, [items])) expect(refused).toBe(0);
  expect(await sharedBy(shop, 'erp', ['A', 'B'])).toEqual({ a: 2 });
  await shop.run('a', { A: { stock: 1 }, B: { stock: 2 } });
  expect(await sharedBy(shop, 'erp', ['A', 'B'])).toEqual({});
});

it('are those of a ranked feed for one that has no rank', async () => {
  const shop = shopOn(memoryStore());
  await shop.ledger.setFeeds((settings) => ({ ...settings, order: ['a', 'b'] }));
  await shop.run('a', priced(['A', 'B'], 2));
  expect(await sharedBy(shop, 'erp', ['A', 'B', 'C'])).toEqual({ a: 2 });
});

it.each([
  ['price and name', { price: 1, name: 1 }, { price: 1 }, true],
  ['price', { price: 1 }, { stock: 1, price: 1 }, true],
  ['nothing but keys and currencies', { sku: 1, currency: 1, price: 1 }, { sku: 1, currency: 1, stock: 1 }, false],
  ['what is not known of this one', undefined, { stock: 1 }, true],
  ['what is not known of the other', { price: 1 }, undefined, true],
])('are those of a feed that sends a field of this one: %s', async (_, mine, theirs, isShared) => {
  const shop = shopOn(memoryStore());
  const { ledger } = shop;
  await shop.run('other', priced(['C'], 3));
  await shop.run('a', priced(['A'], 2));
  const open = await ledger.begin({ feed: 'a', detail: { command: 'products', files: [] } });
  const filled = theirs && { filled: { product: { rows: 1, fields: theirs } } };
  const keys = Float64Array.of(hashNumber('A'));
  const seen = { resource: products, keys, total: 1, untrusted: 0 };
  const listing = await ledger.compare('a', seen, await ledger.runs());
  await open.end({ state: 'done', exit: 0, ...(filled && { found: filled }) }, (draft) =>
    ledger.planListings({ feed: 'a', run: open.number }, [listing], draft),
  );
  const runs = await ledger.runs();
  const change = await ledger.compare('erp', { ...seen, ...(mine && { filled: { rows: 1, fields: mine } }) }, runs);
  expect(Object.fromEntries(await ledger.sharedWith('erp', change, runs))).toEqual(isShared ? { a: 1 } : {});
});

it('are not told apart by what feeds send of other resources', async () => {
  const shop = shopOn(memoryStore());
  await shop.run('a', priced(['a', 'B'], 1));
  await shop.ledger.setFeeds((settings) => ({ ...settings, own: { a: ['stock'] } }));
  const importing = storeCatalog(shop.store, { feed: feedRun('erp') });
  // A group has the key of a product.
  const items = ['a', 'B'].map((sku) => rawEntry({ sku, currency: 'EUR', price: '2.00' }));
  for await (const { refused } of importing.importBatches(products, [items])) expect(refused).toBe(0);
  for await (const { refused } of importing.importBatches(resourceCalled('groups'), [[rawEntry({ name: 'a' })]]))
    expect(refused).toBe(0);
  expect(await sharedBy(shop, 'erp', ['a', 'B'])).toEqual({ a: 2 });
});
