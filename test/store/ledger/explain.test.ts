// Where the values of a record came from.
import { beforeEach, describe, expect, it } from 'vitest';
import { storeCatalog } from '../../../src/store/catalog.js';
import { batchOf } from '../../entries.js';
import { resourceCalled } from '../../given.js';
import { type Item, type Shop, shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

const eur = { currency: 'EUR' };
let shop: Shop;

/** The history of a field of product A, the latest first: its value, the run, and the feed and the run that sent it if others did. */
async function historyOf(field: string): Promise<unknown[]> {
  const explained = await shop.ledger.explain(resourceCalled('products'), 'A');
  const own = explained?.fields.filter((one) => one.field === field) ?? [];
  return own.map(({ value, run, from }) => [value, run, ...(from === undefined ? [] : [from.feed, from.run])]);
}

/** The values of other feeds that do not apply to product A. */
async function ownedOf(field: string): Promise<unknown[]> {
  const explained = await shop.ledger.explain(resourceCalled('products'), 'A');
  const own = explained?.owned.filter((one) => one.field === field) ?? [];
  return own.map(({ value, feed, owner, run, file, line }) => ({ value, feed, owner, run, file, line }));
}

const sent = async (feed: string, item: Item): Promise<number> =>
  (await shop.run(feed, { A: { ...eur, ...item } })).run;

describe('the history of a value', () => {
  beforeEach(async () => {
    shop = shopOn(memoryStore());
    await shop.ledger.setFeeds((settings) => ({ ...settings, order: ['erp', 'a', 'b'] }));
  });

  it('names the feed that sent it, where the feed of the run still lists the record without it', async () => {
    const first = await sent('a', { price: '9.00' });
    const higher = await sent('erp', { price: '10.00' });
    const passing = await sent('erp', { stock: 1 });
    // What it sends later, and others that sent the same, change nothing of that.
    await sent('a', { price: '8.00' });
    await sent('b', { price: '9.00' });
    expect((await historyOf('price')).slice(1)).toEqual([
      ['9.00', passing, 'a', first],
      ['10.00', higher],
    ]);
  });

  it('names no feed that is higher, but did not send it', async () => {
    const grades = (price: string) => ({ grades: [{ grade: 'new', price, stock: 1 }] });
    await sent('a', { stock: 1 });
    const first = await sent('b', { name: 'Lamp', price: '9.00' });
    await sent('erp', { name: 'Light', price: '10.00' });
    const { run } = await shop.run('erp', {});
    expect((await historyOf('price'))[0]).toEqual(['9.00', run, 'b', first]);
    expect((await historyOf('name'))[0]).toEqual(['Lamp', run, 'b', first]);
    const graded = await sent('b', grades('7.00'));
    await sent('erp', grades('10.00'));
    await sent('a', { name: 'Lamp' });
    const { run: last } = await shop.run('erp', {});
    expect((await historyOf('grades[new].price'))[0]).toEqual(['7.00', last, 'b', graded]);
  });

  it('names none for what the feed of the run sent itself, though another one sent the same', async () => {
    await sent('a', { price: '9.00', name: 'Lamp' });
    await sent('erp', { price: '10.00', name: 'Lamp' });
    const last = await sent('erp', { price: '9.00', name: 'Lamp' });
    expect((await historyOf('price'))[0]).toEqual(['9.00', last]);
  });

  it('names none for a run without a feed, nor for an undo', async () => {
    await sent('a', { price: '9.00' });
    const higher = await sent('erp', { price: '10.00' });
    const { run: undo } = await shop.undo(higher);
    expect((await historyOf('price'))[0]).toEqual(['9.00', undo]);
    await sent('erp', { price: '10.00' });
    const { run } = await shop.run('', { A: { price: '9.00' } });
    expect((await historyOf('price'))[0]).toEqual(['9.00', run]);
  });

  it('names none for a run without a feed that sent again what a feed still sends', async () => {
    await sent('a', { price: '9.00' });
    const { run: second } = await shop.run('', { A: { price: '8.00' } });
    const { run: third } = await shop.run('', { A: { price: '9.00' } });
    expect(await historyOf('price')).toEqual([
      ['9.00', third],
      ['8.00', second],
    ]);
  });

  it('names the feed for grades, too', async () => {
    const grades = (price: string) => ({ grades: [{ grade: 'new', price, stock: 1 }] });
    const first = await sent('a', grades('9.00'));
    await sent('erp', grades('10.00'));
    const { run } = await shop.run('erp', {});
    expect((await historyOf('grades[new].price'))[0]).toEqual(['9.00', run, 'a', first]);
  });

  it('is unknown to no run, also where the value changed since without history', async () => {
    const { run } = await shop.run('', { A: { ...eur, name: 'Mug' } });
    const { run: second } = await shop.run('', { A: { name: 'Cup' } });
    await shop.unrecorded({ A: { name: 'Bowl' } });
    expect(await historyOf('name')).toEqual([['Cup', second]]);
    expect(run).toBe(1);
  });

  it('of a feed that does not apply names the line that sent it last', async () => {
    await sent('erp', { price: '10.00' });
    await shop.run('a', { X: eur, A: { ...eur, price: '9.00' } });
    await sent('a', { price: '8.00' });
    const { run } = await shop.run('a', { X: eur, Y: eur, A: { ...eur, price: '7.00' } });
    await shop.run('a', { A: { ...eur, price: '7.00' } });
    const owned = { feed: 'a', owner: 'erp' };
    expect(await ownedOf('price')).toEqual([{ ...owned, value: '7.00', run, file: 0, line: 4 }]);
    // Another feed has a line of its own.
    const { run: other } = await shop.run('b', { A: { ...eur, price: '5.00' } });
    expect(await ownedOf('price')).toEqual([
      { ...owned, value: '7.00', run, file: 0, line: 4 },
      { ...owned, feed: 'b', value: '5.00', run: other, file: 0, line: 2 },
    ]);
  });
});

it('names the records that values refer to, former ones too', async () => {
  shop = shopOn(memoryStore());
  const categories = resourceCalled('categories');
  const names = batchOf([{ name: 'Lamps' }, { name: 'Cups' }]);
  for await (const { refused } of storeCatalog(shop.store).importBatches(categories, [names])) expect(refused).toBe(0);
  const idOf = async (key: string) => (await storeCatalog(shop.store).read(categories, { key }))?.['id'];
  const [lamps, cups] = [await idOf('Lamps'), await idOf('Cups')];
  await sent('', { category: lamps, name: 'A thing' });
  await sent('', { category: cups });
  const explained = await shop.ledger.explain(resourceCalled('products'), 'A');
  const [one] = explained?.fields.filter(({ field }) => field === 'category') ?? [];
  const named = new Map<unknown, string>(explained?.names);
  expect([named.get(one?.before), named.get(one?.value), named.size]).toEqual(['Lamps', 'Cups', 2]);
  const { run } = await shop.run('', { A: { category: lamps } });
  const told = [];
  for await (const some of shop.ledger.changes(
    (await shop.ledger.runs()).find(({ number }) => number === run) as never,
  ))
    told.push(...some.map(({ names: own }) => [...own.values()].sort()));
  expect(told).toEqual([['Cups', 'Lamps']]);
});

it('what the last accepted run of a feed read is how many rows, and how many of them had each field, if that is known', async () => {
  shop = shopOn(memoryStore());
  const { ledger } = shop;
  const accepted = async (feed: string) => Object.fromEntries(await ledger.acceptedRows(feed, await ledger.runs()));
  expect(await accepted('a')).toEqual({});
  await shop.run('a', { A: eur, B: eur });
  await shop.run('b', { A: eur });
  expect(await accepted('a')).toEqual({ product: { rows: 2 } });
  const [run] = await ledger.runs();
  const filled = { rows: 2, fields: { sku: 2, price: 1 } };
  const runs = run === undefined ? [] : [{ ...run, detail: { ...run.detail, filled: { product: filled } } }];
  expect(Object.fromEntries(await ledger.acceptedRows('a', runs))).toEqual({ product: { rows: 2, filled } });
});

it('silent feeds are those that list records of the resource', async () => {
  shop = shopOn(memoryStore());
  await sent('a', { price: '1.00' });
  await shop.ledger.setFeeds((settings) => ({ ...settings, order: ['c', 'erp', 'a', 'b'] }));
  const silent = async (feed: string) => shop.ledger.silentFeeds(feed, 'product', await shop.ledger.runs());
  expect(await silent('erp')).toEqual({ above: [], below: ['a'] });
  expect(await silent('b')).toEqual({ above: ['a'], below: [] });
  await sent('a', { price: '2.00' });
  expect(await silent('erp')).toEqual({ above: [], below: [] });
});
