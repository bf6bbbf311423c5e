// The ledger on every kind of store. Several feeds and one record: what counts depends on what each feed lists, never on whose
// run was first. And undoing what takes more than one record at once.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawEntry } from '../../src/core/entry.js';
import { type FeedSettings, noFeedSettings } from '../../src/core/ledger/feed-ranking.js';
import { type RunRow, runId, runTable } from '../../src/core/ledger/run-tables.js';
import { productTable } from '../../src/core/resources/product-table.js';
import { storeCatalog } from '../../src/store/catalog.js';
import { feedRun } from '../../src/store/ledger/run-of-feed.js';
import type { LedgerRun } from '../../src/store/ledger/runs.js';
import type { Store } from '../../src/store/store.js';
import { type Item, type Listed, products, type Shop, shopOn } from './ledger-shop.js';

async function ranked(open: () => Promise<Store>, settings: Partial<FeedSettings>): Promise<Shop> {
  const shop = shopOn(await open());
  await shop.ledger.setFeeds(() => ({ ...noFeedSettings, ...settings }));
  return shop;
}

const eur = { currency: 'EUR' };

/** Fields whose value is what was sent. */
const fields = ['name', 'price', 'stock', 'description', 'note'] as const;
const skus = ['A', 'B', 'C'] as const;
const feeds = ['erp', 'a', 'b', 'house', 'other'] as const;
/** `house` has no rank, and owns stock; `other` has none and owns nothing. */
const settings = { order: ['erp', 'a', 'b'], own: { house: ['stock'] }, senders: ['other'] };
const strengthOf = (feed: string, field: string): number =>
  feed === 'house' && field === 'stock' ? 0 : settings.order.includes(feed) ? settings.order.indexOf(feed) + 1 : 9;

const value = fc.record(
  {
    name: fc.constantFrom('N1', 'N2', 'N3'),
    price: fc.integer({ min: 1, max: 9 }).map((price) => `${price}.00`),
    stock: fc.integer({ min: 0, max: 9 }),
    description: fc.constantFrom('', 'D1', 'D2'),
    note: fc.constantFrom('X1', 'X2'),
  },
  { requiredKeys: [] },
);
const listed = fc.record({ A: value, B: value, C: value }, { requiredKeys: [] });
/** The runs of all feeds, and two orders in which they take place: those of one feed keep theirs. */
const nights = fc
  .record({
    runs: fc.array(fc.record({ feed: fc.constantFrom(...feeds), lists: listed }), { minLength: 2, maxLength: 7 }),
    seed: fc.array(fc.nat(1000), { minLength: 7, maxLength: 7 }),
  })
  .map(({ runs, seed }) => {
    const queues = new Map<string, typeof runs>();
    for (const one of runs) queues.set(one.feed, [...(queues.get(one.feed) ?? []), one]);
    const other = runs.map((_, i) => {
      const waiting = [...queues.values()].filter((queue) => queue.length > 0);
      return (waiting[(seed[i] ?? 0) % waiting.length] ?? []).shift() as (typeof runs)[number];
    });
    return { runs, other };
  });

/** The value that counts: that of the strongest feed whose last run sends the field; undefined where it is open. */
function winner(runs: readonly { readonly feed: string; readonly lists: Listed }[], sku: string, field: string) {
  const last = new Map(runs.map(({ feed, lists }) => [feed, lists]));
  const senders = [...last].filter(([, lists]) => lists[sku]?.[field] !== undefined);
  const [first] = senders.sort(([a], [b]) => strengthOf(a, field) - strengthOf(b, field));
  // Against a feed without a rank the last one wins, unless a feed owns the field.
  const isOpen = senders.length > 1 && senders.some(([feed]) => strengthOf(feed, field) === 9);
  if (first === undefined || (isOpen && strengthOf(first[0], field) > 0)) return undefined;
  return first[1][sku]?.[field];
}

async function played(open: () => Promise<Store>, runs: readonly { readonly feed: string; readonly lists: Listed }[]) {
  const shop = await ranked(open, settings);
  for (const { feed, lists } of runs)
    await shop.run(feed, Object.fromEntries(Object.entries(lists).map(([sku, item]) => [sku, { ...eur, ...item }])));
  return Promise.all(skus.map((sku) => shop.product(sku)));
}

/** @param cases how many random orders are tried */
export function ledgerContract(name: string, open: () => Promise<Store>, cases: number): void {
  describe(`several feeds ${name}`, () => {
    it('in whatever order they run: the highest one that lists a record and sends a field counts', async () => {
      await fc.assert(
        fc.asyncProperty(nights, async ({ runs, other }) => {
          const catalogs = await Promise.all([played(open, runs), played(open, other)]);
          for (const [i, sku] of skus.entries())
            for (const field of fields) {
              const counts = winner(runs, sku, field);
              if (counts === undefined) continue;
              for (const catalog of catalogs) expect(catalog[i]?.[field], `${sku} ${field}`).toBe(counts);
            }
        }),
        { numRuns: cases },
      );
    });

    it('a lower feed gets a notice about the owner of a field, only where its value differs', async () => {
      const shop = await ranked(open, { order: ['erp', 'a'] });
      await shop.run('erp', { A: { ...eur, name: 'Lamp', price: '10.00' } });
      const { notices } = await shop.run('a', { A: { ...eur, name: 'Lamp', price: '9.00', note: 'new' } });
      expect(notices['A']).toEqual(['owned_by_feed price: "9.00" was not applied: feed erp owns the field.']);
      expect(await shop.product('A')).toMatchObject({ name: 'Lamp', price: '10.00', note: 'new' });
    });

    it('a field that the higher feed no longer sends gets the next feed’s value at once', async () => {
      const shop = await ranked(open, { order: ['erp', 'a', 'b'] });
      await shop.run('b', { A: { ...eur, price: '8.00' } });
      await shop.run('a', { A: { ...eur, price: '9.00' } });
      await shop.run('erp', { A: { ...eur, price: '10.00', stock: 1 } });
      const { notices } = await shop.run('erp', { A: { ...eur, stock: 2 } });
      expect(notices['A']).toEqual(['passed_to_feed price: Feed erp no longer sends it: the value of feed a applies.']);
      expect(await shop.product('A')).toMatchObject({ price: '9.00', stock: 2 });
      await shop.run('a', {});
      expect(await shop.product('A')).toMatchObject({ price: '8.00' });
    });

    it('what a feed sent before no feed was ranked any more does not come back once some are ranked again', async () => {
      const shop = await ranked(open, { order: ['erp', 'a'] });
      await shop.run('a', { A: { ...eur, price: '8.00' } });
      await shop.run('erp', { A: { ...eur, price: '10.00' } });
      await shop.ledger.setFeeds((before) => ({ ...before, order: [] }));
      await shop.run('a', { A: { ...eur, price: '9.00' } });
      await shop.ledger.setFeeds((before) => ({ ...before, order: ['erp', 'a'] }));
      expect(await shop.ledger.silentFeeds('erp', 'product', await shop.ledger.runs())).toEqual({
        above: [],
        below: ['a'],
      });
      await shop.run('erp', { A: { ...eur, price: '11.00' } });
      await shop.run('erp', {});
      expect(await shop.product('A')).toMatchObject({ price: '11.00' });
      await shop.run('a', { A: { ...eur, price: '7.00' } });
      expect(await shop.product('A')).toMatchObject({ price: '7.00' });
    });

    it('setting a feed keeps what others send who rank theirs at the same moment', async () => {
      const store = await open();
      const shop = shopOn(store);
      let isFirst = true;
      async function rankedMeanwhile(): Promise<void> {
        if (!isFirst) return;
        isFirst = false;
        await shop.ledger.setFeeds((before) => ({ ...before, order: ['erp', 'a'] }));
        await shop.run('a', { A: { ...eur, price: '8.00' } });
        await shop.run('erp', { A: { ...eur, price: '10.00' } });
      }
      const slow = shopOn({
        ...store,
        async write(plan) {
          await rankedMeanwhile();
          return store.write(plan);
        },
        async deleteExpired(table, time) {
          await rankedMeanwhile();
          return store.deleteExpired(table, time);
        },
      });
      await slow.ledger.setFeeds((before) => ({ ...before, only: { a: 'update' } }));
      await shop.run('erp', {});
      expect(await shop.product('A')).toMatchObject({ price: '8.00' });
    });

    it('grades of a lower feed and the price of a higher one do not mix', async () => {
      const graded = { A: { ...eur, grades: [{ grade: 'new', price: '7.00', stock: 3 }] } };
      const priced = { A: { ...eur, price: '10.00' } };
      const orders: readonly (readonly [string, Listed])[][] = [
        [
          ['a', graded],
          ['erp', priced],
        ],
        [
          ['erp', priced],
          ['a', graded],
        ],
      ];
      for (const order of orders) {
        const shop = await ranked(open, { order: ['erp', 'a'] });
        for (const [feed, lists] of order) await shop.run(feed, lists);
        const product = await shop.product('A');
        expect(product['price']).toBe('10.00');
        expect((product['grades'] as { status: string }[]).filter(({ status }) => status === 'activated')).toEqual([]);
        await shop.run('erp', {});
        expect(await shop.product('A')).toMatchObject({ price: '7.00', stock: 3 });
      }
    });

    it('a price in another currency stays out with its currency', async () => {
      const shop = await ranked(open, { order: ['erp', 'a'] });
      await shop.run('erp', { A: { ...eur, name: 'Lamp' } });
      await shop.run('a', { A: { currency: 'USD', price: '9.00' } });
      expect(await shop.product('A')).toMatchObject({ currency: 'EUR', price: '0.00' });
      await shop.run('a', { A: { currency: 'EUR', price: '8.00' } });
      expect(await shop.product('A')).toMatchObject({ currency: 'EUR', price: '8.00' });
      await shop.run('a', { A: { currency: 'USD', price: '9.00' } });
      await shop.run('erp', {});
      expect(await shop.product('A')).toMatchObject({ currency: 'USD', price: '9.00' });
    });

    it('rows of one run that share a key are what the feed sends together', async () => {
      const shop = await ranked(open, { order: ['erp', 'a'] });
      await shop.run('a', { A: { ...eur, price: '9.00', stock: 5 } });
      const run = await shop.ledger.begin({ feed: 'erp', detail: { command: 'products', files: [] } });
      const feed = feedRun('erp');
      for (const item of [{ price: '10.00' }, { stock: 1 }, { note: 'x' }]) {
        const recorder = run.addFile({ file: 'erp.csv', resource: 'product' });
        const batches = [[rawEntry({ sku: 'A', ...eur, ...item })]];
        for await (const _ of storeCatalog(shop.store, { recorder, feed }).importBatches(products, batches));
      }
      await run.end({ state: 'done', exit: 0 });
      expect(await shop.product('A')).toMatchObject({ price: '10.00', stock: 1 });
    });

    it('an undo takes back what a feed is remembered to send, too', async () => {
      const shop = await ranked(open, { order: ['erp', 'a'] });
      await shop.run('erp', { A: { ...eur, price: '10.00' } });
      await shop.run('a', { A: { ...eur, price: '9.00', note: 'n' } });
      const before = await shop.product('A');
      const { run } = await shop.run('a', { A: { ...eur, price: '900.00', note: 'm' } });
      await shop.undo(run);
      expect(await shop.product('A')).toEqual(before);
      // The price that was undone does not come back once the higher feed drops the record.
      const { run: dropped } = await shop.run('erp', {});
      expect(await shop.product('A')).toMatchObject({ price: '9.00', note: 'n' });
      await shop.undo(dropped);
      expect(await shop.product('A')).toMatchObject({ price: '10.00' });
      await shop.run('a', { A: { ...eur, price: '7.00' } });
      expect(await shop.product('A')).toMatchObject({ price: '10.00' });
    });

    it('an undo that is undone remembers again what a feed sends', async () => {
      const shop = await ranked(open, { order: ['erp', 'a'] });
      await shop.run('erp', { A: { ...eur, price: '10.00' } });
      const { run: first } = await shop.run('a', { A: { ...eur, price: '9.00' } });
      const { run: second } = await shop.run('a', { A: { ...eur, price: '8.00' } });
      for (const [undone, price] of [
        [second, '8.00'],
        [first, '8.00'],
      ] as const) {
        const { run: undo } = await shop.undo(undone);
        await shop.undo(undo);
        const { run: dropped } = await shop.run('erp', {});
        expect(await shop.product('A')).toMatchObject({ price });
        await shop.undo(dropped);
        expect(await shop.product('A')).toMatchObject({ price: '10.00' });
      }
    });

    it('a run that is under way is not forgotten, nor what began later; one that was forgotten cannot be undone', async () => {
      const shop = shopOn(await open());
      const { run } = await shop.run('', { A: { ...eur, price: '10.00' } });
      await shop.run('', { A: { ...eur, price: '11.00' } });
      const [, second] = await shop.ledger.runs();
      const underWay = await shop.ledger.begin({ feed: 'a', detail: { command: 'products', files: [] } });
      const started = (await shop.ledger.runs()).at(-1)?.started ?? 0;
      const { last } = await shop.ledger.forget(-100, await shop.ledger.runs());
      expect(last).toBeLessThan(underWay.number);
      expect((await shop.ledger.runs()).every((one) => one.number > run || one.started >= started)).toBe(true);
      await underWay.end({ state: 'failed', exit: 1 });
      await shop.ledger.forget(-100, await shop.ledger.runs());
      expect(await shop.ledger.runs()).toEqual([]);
      const undoing = shop.ledger.undo([(second as LedgerRun).number], undefined, new AbortController().signal);
      await expect(undoing).rejects.toThrow('was forgotten during the undo');
      expect(await shop.product('A')).toMatchObject({ price: '11.00' });
    });

    const seenIn = (store: Store, number: number, seconds: number, process?: string): Promise<void> =>
      store.write(function* (draft) {
        draft.find(runTable, 'id', runId(number));
        yield;
        const row = draft.find(runTable, 'id', runId(number)) as RunRow;
        const seen_at = Math.floor(Date.now() / 1000) + seconds;
        draft.save(runTable, { ...row, process: process ?? row.process, seen_at }, row);
      });

    it.runIf(process.platform === 'linux')(
      'a run whose process is alive goes on, also where its machine slept or its clock jumped; of another host a minute of silence ends it',
      async () => {
        const shop = shopOn(await open(), 60_000);
        const begin = { feed: 'erp', detail: { command: 'products', files: [] } };
        const underWay = await shop.ledger.begin(begin);
        underWay.abandon();
        for (const seconds of [-86_400, 86_400]) {
          await seenIn(shop.store, underWay.number, seconds);
          expect(await shop.ledger.runs()).toMatchObject([{ state: 'open' }]);
        }
        // A second run of the feed waits for it, until its process cannot be checked.
        const waited: number[] = [];
        const second = shop.ledger.begin({ ...begin, onWait: (run) => void waited.push(run) });
        await expect.poll(() => waited).toEqual([underWay.number]);
        await seenIn(shop.store, underWay.number, -70, 'another host');
        expect((await second).number).toBe(2);
        expect(await shop.ledger.runs()).toMatchObject([{ state: 'interrupted' }, { state: 'open' }]);
      },
    );

    it('a run of another host that was seen last in a future far away, as its clock was set back, has ended', async () => {
      const shop = shopOn(await open());
      const underWay = await shop.ledger.begin({ feed: 'erp', detail: { command: 'products', files: [] } });
      underWay.abandon();
      await seenIn(shop.store, underWay.number, 600, 'another host');
      expect(await shop.ledger.runs()).toMatchObject([{ state: 'open' }]);
      await seenIn(shop.store, underWay.number, 86_400, 'another host');
      expect(await shop.ledger.runs()).toMatchObject([{ state: 'interrupted' }]);
      expect((await shop.run('erp', { A: eur })).run).toBe(2);
    });

    it('a run whose process died is kept as interrupted when another begins, be it of another feed', async () => {
      const shop = shopOn(await open());
      for (const feed of ['erp', '']) {
        const dead = await shop.ledger.begin({ feed, detail: { command: 'products', files: [] } });
        dead.abandon();
        await seenIn(shop.store, dead.number, -70, 'another host');
      }
      const stored = async () => (await shop.store.readAll(runTable)).map(({ state, ended_at }) => [state, ended_at]);
      const dates = (await shop.store.readAll(runTable)).map(({ seen_at }) => seen_at);
      await shop.run('prices', { A: eur });
      expect((await stored()).slice(0, 2)).toEqual(dates.map((seen) => ['interrupted', seen]));
      // The next run of its feed does not wait for it.
      expect((await shop.run('erp', { A: eur })).run).toBe(4);
    });

    it('a transaction loads stored texts up to its limit', async () => {
      const shop = shopOn(await open());
      const note = 'n'.repeat(70_000);
      await shop.run('', Object.fromEntries(['A', 'B', 'C'].map((sku) => [sku, { ...eur, note }])));
      const load = (most: number): Promise<number> =>
        shop.store.write(function* (draft) {
          draft.limitTexts(most);
          const find = () => ['A', 'B', 'C'].flatMap((sku) => draft.find(productTable, 'sku', sku) ?? []);
          find();
          yield;
          return find().length;
        });
      await expect(load(200_000)).rejects.toMatchObject({ code: 'batch_too_large' });
      expect(await load(220_000)).toBe(3);
    });

    it('a catalog has an identity of its own', async () => {
      const [store, other] = [await open(), await open()];
      const { ledger } = shopOn(store);
      const identity = await ledger.identity();
      expect(await ledger.identity()).toBe(identity);
      if (store !== other) expect(await shopOn(other).ledger.identity()).not.toBe(identity);
    });

    it('an undo names no run that gave nothing: a night of a lower feed after it changes nothing of what a higher one sends', async () => {
      const shop = shopOn(await open());
      const ranking = { order: ['erp', 'supplier'], own: { warehouse: ['stock'] } };
      await shop.ledger.setFeeds((settings) => ({ ...settings, ...ranking }));
      const listed = { ...eur, name: 'Lamp', description: 'For 40 lamps', status: 'activated', brand: 'b' };
      const night = (price: string) => shop.run('erp', { A: { ...listed, price }, B: { ...listed, price } });
      const supplied = () => shop.run('supplier', { A: { ...eur, price: '5.00' }, C: eur });
      await night('10.00');
      await supplied();
      await shop.run('warehouse', { A: { stock: 1 }, B: { stock: 2 } });
      const { run } = await night('11.00');
      await supplied();
      expect(await shop.undo(run)).toMatchObject({ restored: 2, kept: 0, keptFields: [] });
      expect(await shop.product('A')).toMatchObject({ price: '10.00' });
      expect(await shop.product('B')).toMatchObject({ price: '10.00' });
    });

    it('an undo gives slugs back that records traded, in a circle too, unless somebody else has one', async () => {
      const shop = shopOn(await open());
      const slugs = async () => {
        const found = await Promise.all(
          ['A', 'B', 'C'].map((sku) => storeCatalog(shop.store).read(products, { key: sku })),
        );
        return found.map((product) => product?.['slug']);
      };
      const importRows = async (rows: readonly Item[]): Promise<number> => {
        const run = await shop.ledger.begin({ feed: '', detail: { command: 'products', files: [] } });
        const recorder = run.addFile({ file: 'a.csv', resource: 'product' });
        for await (const { refused } of storeCatalog(shop.store, { recorder }).importBatches(products, [
          rows.map(rawEntry),
        ]))
          expect(refused).toBe(0);
        await run.end({ state: 'done', exit: 0 });
        return run.number;
      };
      await importRows(['A', 'B', 'C'].map((sku) => ({ sku, ...eur, slug: `of-${sku}` })));
      const before = await slugs();
      // A and B trade, then all three move on by one.
      const traded = await importRows([
        ...[
          { sku: 'A', slug: 'tmp' },
          { sku: 'B', slug: 'of-a' },
          { sku: 'A', slug: 'of-b' },
        ],
        ...[
          { sku: 'A', slug: 'tmp' },
          { sku: 'C', slug: 'of-b' },
          { sku: 'B', slug: 'of-c' },
          { sku: 'A', slug: 'of-a' },
        ],
      ]);
      const after = await slugs();
      expect(after).toEqual(['of-a', 'of-c', 'of-b']);
      const { run, restored, kept } = await shop.undo(traded);
      expect({ restored, kept }).toEqual({ restored: 2, kept: 0 });
      expect(await slugs()).toEqual(before);
      await shop.undo(run);
      expect(await slugs()).toEqual(after);
      // B moved on: of-b cannot be had before C gives it up, which cannot as long as of-c is another's.
      await importRows([
        { sku: 'B', slug: 'elsewhere' },
        { sku: 'D', ...eur, slug: 'of-c' },
      ]);
      expect(await shop.undo(traded)).toMatchObject({ kept: 2 });
      expect(await slugs()).toEqual(['of-a', 'elsewhere', 'of-b']);
    });

    it('a record whose creation was undone gets its slug again when it comes back, unless another has it', async () => {
      const shop = shopOn(await open());
      const send = (...skus: string[]) =>
        shop.run('a', Object.fromEntries(skus.map((sku) => [sku, { ...eur, name: 'Phone' }])));
      const slugs = (...skus: string[]) =>
        Promise.all(skus.map(async (sku) => (await storeCatalog(shop.store).read(products, { key: sku }))?.['slug']));
      await send('A');
      const { run } = await send('A', 'B', 'C', 'D');
      expect(await slugs('A', 'B', 'C', 'D')).toEqual(['phone', 'phone-2', 'phone-3', 'phone-4']);
      await shop.undo(run);
      await shop.run('b', { E: { ...eur, slug: 'phone-3' } });
      await send('A', 'D', 'C', 'B');
      expect(await slugs('A', 'B', 'C', 'D', 'E')).toEqual(['phone', 'phone-2', 'phone-5', 'phone-4', 'phone-3']);
    });

    it('new records get the values set for their feed, known ones do not', async () => {
      const setNew = { a: { product: { status: 'activated' } } };
      const shop = await ranked(open, { setNew });
      await shop.run('erp', { A: eur });
      await shop.run('a', { A: eur, B: eur, C: { ...eur, status: 'suspended' } });
      const status = async (sku: string) => (await shop.product(sku))['status'];
      expect(await Promise.all(['A', 'B', 'C'].map(status))).toEqual(['draft', 'activated', 'suspended']);
    });
  });
}
