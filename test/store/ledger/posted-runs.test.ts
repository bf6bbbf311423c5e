// Runs of POSTs: their rows while they send, and what their ends do.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rawEntry } from '../../../src/core/entry.js';
import { CatalogError } from '../../../src/core/errors.js';
import { hashNumber } from '../../../src/core/ledger/recorded-change.js';
import { runTable } from '../../../src/core/ledger/run-tables.js';
import { noCounts } from '../../../src/core/report-counts.js';
import { storeCatalog } from '../../../src/store/catalog.js';
import type { PostedRunEnd } from '../../../src/store/ledger/posted-end.js';
import { type PostedRun, recordPostedRun } from '../../../src/store/ledger/posted-runs.js';
import { feedRun } from '../../../src/store/ledger/run-of-feed.js';
import type { OpenRun } from '../../../src/store/ledger/runs.js';
import { type Item, resourceCalled } from '../../given.js';
import { type Listed, products, type Shop, shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

const groups = resourceCalled('groups');
const eur = { currency: 'EUR' };
const start = 1_764_000_000;

const posted = (token: string | undefined, feed = ''): PostedRun => ({ owner: 'o', user: 'u', token, feed });
const counted = (one: Item) => ({ ...noCounts(), ...one });

/** Sends a POST of a run: products, or the names of groups. */
async function send({ store }: Shop, of: PostedRun, items: Listed | readonly string[], file = ''): Promise<PostedRun> {
  const isOfGroups = Array.isArray(items);
  const resource = isOfGroups ? groups : products;
  const recorder = recordPostedRun(of, { resource: resource.name, file });
  const feed = of.feed === '' ? undefined : feedRun(of.feed, { marksAll: true });
  const batch = isOfGroups
    ? items.map((name) => rawEntry({ name }))
    : Object.entries(items).map(([sku, item]) => rawEntry({ sku, ...eur, ...item }));
  for await (const { refused } of storeCatalog(store, { recorder, feed }).importBatches(resource, [batch]))
    expect(refused).toBe(0);
  return of;
}

const end = ({ ledger }: Shop, of: PostedRun, how: Partial<PostedRunEnd> = {}) =>
  ledger.endPosted(of, { resource: products, isComplete: true, ...how });

const runOf = async ({ ledger }: Shop, number: number) =>
  (await ledger.runs()).find((run) => run.number === number) as NonNullable<Awaited<ReturnType<typeof ledger.runs>>[0]>;

const listings = async ({ ledger }: Shop) =>
  (await ledger.listings(await ledger.runs())).map(({ feed, resource, records }) => `${feed} ${resource} ${records}`);

const prices = async (shop: Shop, ...skus: readonly string[]) =>
  Promise.all(skus.map(async (sku) => (await shop.product(sku))['price']));

/** A shop in which the feed a, below erp, sends A, B and C for 1.00; they all are of erp’s first run, too, for 2.00. */
async function ranked(): Promise<Shop> {
  const shop = shopOn(memoryStore());
  await shop.ledger.setFeeds((settings) => ({ ...settings, order: ['erp', 'a'] }));
  for (const [feed, price] of Object.entries({ a: '1.00', erp: '2.00' }))
    await shop.run(feed, { A: { ...eur, price }, B: { ...eur, price }, C: { ...eur, price } });
  return shop;
}

const two = { price: '2.00' };

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start * 1000 }));
afterEach(() => void vi.useRealTimers());

describe('a run of POSTs', () => {
  it('is that of its name, or without one that of its key and day', async () => {
    const shop = shopOn(memoryStore());
    await send(shop, posted('t1', 'erp'), { A: {} });
    await send(shop, posted('t2'), { B: {} });
    await send(shop, posted('t1', 'erp'), { C: {} });
    await send(shop, posted(undefined), { D: {} });
    await send(shop, posted(undefined), { E: {} });
    await send(shop, { ...posted(undefined), owner: 'p' }, { F: {} });
    vi.setSystemTime((start + 86_400) * 1000);
    await send(shop, posted(undefined), { G: {} });
    const runs = await shop.ledger.runs();
    expect(runs.map(({ number, state, feed, total }) => [number, state, feed, total])).toEqual([
      [1, 'received', 'erp', 2],
      [2, 'received', '', 1],
      [3, 'daily', '', 2],
      [4, 'daily', '', 1],
      [5, 'daily', '', 1],
    ]);
    expect(runs[0]?.detail).toMatchObject({ command: 'POST', user: 'u', files: [{ file: '', resource: 'product' }] });
  });

  it('has its files, each once for a resource, and tells of each change in which it is', async () => {
    const shop = shopOn(memoryStore());
    const of = posted('t');
    await send(shop, of, { A: {} }, 'a');
    await send(shop, of, { B: {} }, 'b');
    await send(shop, of, ['G'], 'a');
    await send(shop, of, { A: two }, 'a');
    await send(shop, of, { B: two }, 'b');
    const run = await runOf(shop, 1);
    expect(run.detail.files).toEqual([
      { file: 'a', resource: 'product' },
      { file: 'b', resource: 'product' },
      { file: 'a', resource: groups.name },
    ]);
    const told: unknown[] = [];
    for await (const some of shop.ledger.changes(run)) told.push(...some.map(({ key, file }) => `${key} ${file}`));
    expect(told).toEqual(['A 0', 'B 1', 'G 2', 'A 0', 'B 1']);
  });

  it('tells a thousand files apart, and assigns what comes in further ones to the last', async () => {
    const shop = shopOn(memoryStore());
    const of = posted('t');
    await send(shop, of, { A: {} }, '0');
    const files = Array.from({ length: 998 }, (_, i) => ({ file: `${i}`, resource: 'product' }));
    const [row] = await shop.store.readAll(runTable);
    // biome-ignore lint/correctness/useYield: nothing is asked for
    await shop.store.write(function* (draft) {
      if (row !== undefined) draft.save(runTable, { ...row, detail: JSON.stringify({ command: 'POST', files }) }, row);
    });
    for (const [i, sku] of ['B', 'C', 'D', 'E'].entries()) await send(shop, of, { [sku]: {} }, `new ${i}`);
    const run = await runOf(shop, 1);
    expect(run.detail.files).toHaveLength(1000);
    expect(run.detail.files.slice(0, 999)).toEqual([...files, { file: 'new 0', resource: 'product' }]);
    const places: number[] = [];
    for await (const some of shop.ledger.changes(run)) places.push(...some.map(({ file }) => file));
    expect(places).toEqual([0, 998, 999, 999, 999]);
  });

  it('notes the latest run of the catalog at its last request, not at its end', async () => {
    const shop = await ranked();
    const of = await send(shop, posted('t', 'erp'), { A: { price: '3.00' } });
    expect((await runOf(shop, 3)).detail.seen).toBeUndefined();
    await shop.run('', { D: eur });
    await send(shop, of, { A: { price: '4.00' } });
    await shop.run('', { E: eur });
    expect((await runOf(shop, 3)).detail.seen).toBe(4);
    expect(await end(shop, of)).toHaveLength(2);
    expect((await runOf(shop, 3)).detail.seen).toBe(4);
  });

  it('marks what it changes by a short name, if it has a name; its end loads whatever it changes', () => {
    const recorder = (of: PostedRun, isEnd = false) =>
      recordPostedRun(of, { resource: 'product', file: '' }, isEnd ? { isEnd: true } : {});
    const { sharedRun, mostLoaded } = recorder(posted('t1'));
    expect(sharedRun).toMatch(/^p[0-9a-z]{1,6}$/);
    expect(recorder(posted('t1')).sharedRun).toBe(sharedRun);
    expect(recorder(posted('t2')).sharedRun).not.toBe(sharedRun);
    expect(recorder({ ...posted('t1'), owner: 'p' }).sharedRun).not.toBe(sharedRun);
    expect(recorder(posted(undefined)).sharedRun).toBeUndefined();
    expect(mostLoaded).toBe(64 * 1024 * 1024);
    expect(recorder(posted('t1'), true).mostLoaded).toBeUndefined();
  });
});

describe('the end of a run of POSTs', () => {
  it.each([
    ['erp', 1, 3],
    ['', 0, 0],
  ])('of the feed %j has the counts of its requests, %d of them refused: exit code %d', async (feed, refused, exit) => {
    const shop = shopOn(memoryStore());
    const of = await send(shop, posted('t', feed), { A: {}, B: {} });
    const unwritten = [
      counted({ unchanged: 2, refused, total: 2 + refused }),
      counted({ unchanged: 1, updated: 1, total: 2 }),
    ];
    vi.setSystemTime((start + 60) * 1000);
    expect(await end(shop, of, { unwritten })).toEqual([]);
    expect(unwritten).toEqual([noCounts(), noCounts()]);
    const run = await runOf(shop, 1);
    expect(run).toMatchObject({ state: 'done', exit, started: start, ended: start + 60 });
    expect(run).toMatchObject({ created: 2, updated: 1, unchanged: 3, refused, total: 6 + refused });
    expect(run.detail.ended).toEqual(['product']);
    expect(run.detail.effects).toEqual(feed === '' ? undefined : { suspended: 0, regained: 0, passed_on: 0 });
    expect(Object.keys(run.detail).sort()).toEqual(
      ['command', 'ended', 'files', 'user', ...(feed === '' ? [] : ['effects'])].sort(),
    );
  });

  it('that cannot be saved keeps the counts for the next one', async () => {
    const shop = shopOn(memoryStore());
    const of = await send(shop, posted('t', 'erp'), { A: {} });
    const gone = new CatalogError('catalog_unavailable', 'gone');
    const failing = shopOn({ ...shop.store, write: () => Promise.reject(gone) });
    const unwritten = [counted({ unchanged: 2, total: 2 }), counted({ refused: 1, total: 1 })];
    await expect(end(failing, of, { unwritten })).rejects.toBe(gone);
    expect(unwritten).toEqual([counted({ unchanged: 2, refused: 1, total: 3 }), noCounts()]);
    await expect(end(failing, of, { unwritten: [] })).rejects.toBe(gone);
    await end(shop, of, { unwritten });
    expect(await runOf(shop, 1)).toMatchObject({ created: 1, unchanged: 2, refused: 1, total: 4, exit: 3 });
  });

  it('of one that has not begun does nothing without a list of its feed; with one it begins and ends it', async () => {
    const shop = await ranked();
    const unwritten = [counted({ unchanged: 1, total: 1 })];
    expect(await end(shop, posted('t', 'erp'), { unwritten })).toBeUndefined();
    expect(await end(shop, posted('t'), { unwritten, listed: ['A'] })).toBeUndefined();
    expect(await end(shop, posted('t', 'erp'), { unwritten, listed: ['A'], isComplete: false })).toBeUndefined();
    expect(unwritten).toEqual([counted({ unchanged: 1, total: 1 })]);
    expect(await shop.ledger.runs()).toHaveLength(2);
    const lines = await end(shop, posted('t', 'erp'), { unwritten, listed: ['A', 'B'] });
    expect(lines).toMatchObject([{ external_id: 'C', cause: 'passed_on' }]);
    expect(await prices(shop, 'A', 'B', 'C')).toEqual(['2.00', '2.00', '1.00']);
    expect(await runOf(shop, 3)).toMatchObject({ state: 'done', unchanged: 1, total: 1, feed: 'erp' });
    expect((await runOf(shop, 3)).detail.effects).toMatchObject({ passed_on: 1 });
    expect(await listings(shop)).toEqual(['a product 3', 'erp product 2']);
  });

  it('of one that sent nothing new begins and ends it, too, where its list is that of before', async () => {
    const shop = await ranked();
    expect(await end(shop, posted('t', 'erp'), { listed: ['A', 'B', 'C'] })).toEqual([]);
    expect(await runOf(shop, 3)).toMatchObject({ state: 'done', exit: 0, feed: 'erp', total: 0 });
    expect((await shop.ledger.listings(await shop.ledger.runs())).map(({ run }) => run)).toEqual([1, 3]);
  });

  it('that comes after that of a later run leaves what that one listed; listings come in the order of an import', async () => {
    const shop = await ranked();
    const of = await send(shop, posted('t', 'erp'), { A: two });
    await shop.run('erp', { A: { ...eur, ...two }, B: { ...eur, ...two }, C: { ...eur, ...two } });
    expect(await end(shop, of, { listed: ['A'] })).toEqual([]);
    expect(await listings(shop)).toEqual(['a product 3', 'erp product 3']);
    await send(shop, of, ['G']);
    await end(shop, of, { resource: groups, listed: ['G'] });
    expect(await listings(shop)).toEqual(['erp product_group 1', 'a product 3', 'erp product 3']);
  });

  it('of a part of a feed passes nothing on, and leaves what the feed lists, as does that of a run without a feed', async () => {
    const shop = await ranked();
    const of = await send(shop, posted('t', 'erp'), { A: { price: '3.00' } });
    expect(await end(shop, of, { isComplete: false })).toEqual([]);
    expect(await end(shop, of, { isComplete: false, listed: ['A'] })).toEqual([]);
    const without = await send(shop, posted('u'), { A: { stock: 1 } });
    expect(await end(shop, without)).toEqual([]);
    expect(await end(shop, without, { listed: ['A'] })).toEqual([]);
    expect(await prices(shop, 'A', 'B', 'C')).toEqual(['3.00', '2.00', '2.00']);
    expect(await listings(shop)).toEqual(['a product 3', 'erp product 3']);
  });

  it('for a resource of which it sent nothing passes nothing on, however much it sent of others', async () => {
    const shop = await ranked();
    const of = await send(shop, posted('t', 'erp'), ['G']);
    expect(await end(shop, of)).toEqual([]);
    expect(await prices(shop, 'A', 'B', 'C')).toEqual(['2.00', '2.00', '2.00']);
    await send(shop, of, { A: two });
    expect(await end(shop, of)).toMatchObject([{ external_id: 'B' }, { external_id: 'C' }]);
    expect((await runOf(shop, 3)).detail).toMatchObject({ ended: ['product'], effects: { passed_on: 2 } });
  });

  it('that is sent again is not done again, and tells the same; one that was not done is done then', async () => {
    const shop = await ranked();
    const of = await send(shop, posted('t', 'erp'), { A: { price: '3.00' }, B: { stock: 4 } });
    const first = await end(shop, of, { isRepeated: true });
    const changes = [{ field: 'price', from: '2.00', to: '1.00' }];
    expect(first).toMatchObject([{ external_id: 'C', cause: 'passed_on', changes }]);
    await send(shop, posted('later', 'erp'), { A: { price: '5.00' }, B: { price: '5.00' }, C: { price: '5.00' } });
    expect(await end(shop, of, { isRepeated: true })).toEqual(first);
    expect(await prices(shop, 'A', 'B', 'C')).toEqual(['5.00', '5.00', '5.00']);
    expect((await runOf(shop, 3)).detail.effects).toMatchObject({ passed_on: 1 });
  });

  it('that comes a second time of itself is done, and adds up', async () => {
    const shop = await ranked();
    const of = await send(shop, posted('t', 'erp'), { A: two, B: two, C: { price: '3.00' } });
    expect(await end(shop, of)).toEqual([]);
    for (const [listed, gone] of [
      [['A', 'B'], 'C'],
      [['A'], 'B'],
    ] as const)
      expect(await end(shop, of, { listed })).toMatchObject([{ external_id: gone }]);
    expect((await runOf(shop, 3)).detail).toMatchObject({ ended: ['product'], effects: { passed_on: 2 } });
    expect(await listings(shop)).toEqual(['a product 3', 'erp product 1']);
    // What it lists is told in one form or another: spaces around a key do not count.
    expect(await end(shop, of, { listed: [' A '] })).toEqual([]);
  });

  it('while a file of the feed is imported passes nothing on, and leaves to that import what the feed lists', async () => {
    const shop = await ranked();
    await shop.run('erp', { A: { ...eur, ...two }, B: { ...eur, ...two } });
    const open = await shop.ledger.begin({ feed: 'erp', detail: { command: 'products', files: [] } });
    const of = await send(shop, posted('t', 'erp'), { A: two, D: two });
    expect(await end(shop, of)).toEqual([]);
    expect(await listings(shop)).toEqual(['a product 3', 'erp product 2']);
    await open.end({ state: 'failed', exit: 1 });
    // One of another feed is none of its business.
    await shop.ledger.begin({ feed: 'other', detail: { command: 'products', files: [] } });
    expect(await end(shop, of)).toMatchObject([{ external_id: 'B' }]);
    expect(await listings(shop)).toEqual(['a product 3', 'erp product 2']);
    expect((await shop.ledger.listings(await shop.ledger.runs())).map(({ run }) => run)).toEqual([1, 5]);
  });

  it('counts the records that regained their status, and none where nothing was suspended', async () => {
    const shop = shopOn(memoryStore());
    const item = { ...eur, status: 'activated' };
    await shop.run('erp', { A: item, B: item, C: item });
    await shop.run('erp', { A: item }, { suspends: true });
    expect(await shop.product('B')).toMatchObject({ status: 'suspended' });
    const of = await send(shop, posted('t', 'erp'), { A: { stock: 1 }, B: { stock: 1 } });
    expect(await shop.product('B')).toMatchObject({ status: 'activated' });
    await end(shop, of, { listed: ['A', 'B'] });
    expect((await runOf(shop, 3)).detail.effects).toEqual({ suspended: 0, regained: 1, passed_on: 0 });
  });
});

describe('the end of a run of POSTs beside other runs of its feed', () => {
  it('takes for gone what only earlier ones sent', async () => {
    const shop = await ranked();
    await send(shop, posted('before', 'erp'), { B: { price: '3.00' } });
    const of = await send(shop, posted('t', 'erp'), { A: two });
    await send(shop, posted('later', 'erp'), { C: { price: '4.00' } });
    expect(await end(shop, of)).toMatchObject([{ external_id: 'B' }]);
    expect(await prices(shop, 'A', 'B', 'C')).toEqual(['2.00', '1.00', '4.00']);
  });

  it.each([
    [true, ['2.00', '3.00', '4.00']],
    [false, ['2.00', '1.00', '1.00']],
  ])('keeps what an earlier one sent that still sends: %s', async (sends, expected) => {
    const shop = await ranked();
    const before = posted('before', 'erp');
    await send(shop, before, { B: { price: '3.00' } });
    const of = await send(shop, posted('t', 'erp'), { A: two });
    if (sends) await send(shop, before, { C: { price: '4.00' } });
    await end(shop, of);
    expect(await prices(shop, 'A', 'B', 'C')).toEqual(expected);
  });

  it.each([
    ['before, and ended before', -20, -10, ['2.00', '1.00', '1.00']],
    ['before, and ended after', -20, 10, ['2.00', '2.00', '1.00']],
    ['after', 10, 20, ['2.00', '2.00', '1.00']],
  ])('keeps what an import from a file lists that began %s it began', async (_, began, ended, expected) => {
    const shop = await ranked();
    const { ledger } = shop;
    const sent = posted('t', 'erp');
    let open: OpenRun | undefined;
    const steps = new Map<number, () => Promise<unknown>>([
      [0, () => send(shop, sent, { A: two })],
      [
        began,
        async () => {
          open = await ledger.begin({ feed: 'erp', detail: { command: 'products', files: [] } });
        },
      ],
      [
        ended,
        async () => {
          const seen = { resource: products, keys: Float64Array.of(hashNumber('B')), total: 1, untrusted: 0 };
          const change = await ledger.compare('erp', seen, await ledger.runs());
          const run = { feed: 'erp', run: open?.number ?? 0 };
          await open?.end({ state: 'done', exit: 0 }, (draft) => ledger.planListings(run, [change], draft));
        },
      ],
    ]);
    for (const [at, step] of [...steps].sort(([a], [b]) => a - b)) {
      vi.setSystemTime((start + 100 + at) * 1000);
      await step();
    }
    await end(shop, sent);
    expect(await prices(shop, 'A', 'B', 'C')).toEqual(expected);
  });

  it('keeps what one of several lists that came since, and nothing of one that was undone', async () => {
    const shop = await ranked();
    const of = await send(shop, posted('t', 'erp'), { A: { ...two, stock: 1 } });
    const item = { ...eur, ...two };
    const { run } = await shop.run('erp', { A: item, B: item });
    await shop.run('erp', { A: item, D: item });
    expect(await prices(shop, 'B')).toEqual(['1.00']);
    expect(await end(shop, of)).toEqual([]);
    expect(run).toBe(4);
  });
});
