// What an undo counts and keeps. That it restores what would be if its runs had never been is shown on every kind of store
// (undo-contract.ts).
import { beforeEach, describe, expect, it } from 'vitest';
import { storeCatalog } from '../../../src/store/catalog.js';
import { batchOf } from '../../entries.js';
import { resourceCalled } from '../../given.js';
import { nightlyShop, type Shop, shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

const eur = { currency: 'EUR' };

/** That a field stays, as a run changed its record. */
function fieldsKept(run: number, field: string): unknown {
  return expect.arrayContaining([{ resource: 'product', key: 'A', field, reason: 'record_changed', run }]);
}

describe('an undo', () => {
  it('counts the records that its runs changed: none that it only looked at, as they were undone before', async () => {
    const shop = shopOn(memoryStore());
    await shop.run('erp', { A: { ...eur, price: '1.00' }, B: { ...eur, price: '1.00' } });
    const { run: dear } = await shop.run('erp', { A: { ...eur, price: '9.00' }, B: { ...eur, price: '1.00' } });
    expect(await shop.undo(dear)).toMatchObject({ items: 1, restored: 1 });
    const { run: last } = await shop.run('erp', { A: { ...eur, price: '1.00' }, B: { ...eur, price: '2.00' } });
    expect(await shop.undo(last)).toMatchObject({ items: 1, restored: 1, unchanged: 0 });
    // Its own record counts, though nothing is left to be done.
    expect(await shop.undo(last)).toMatchObject({ items: 1, restored: 0, unchanged: 1 });
  });

  it('counts no record of which it only took back what a lower feed is remembered to send', async () => {
    const shop = shopOn(memoryStore());
    await shop.ledger.setFeeds((settings) => ({ ...settings, order: ['erp', 'a'] }));
    await shop.run('erp', { A: { ...eur, price: '1.00' } });
    const { run } = await shop.run('a', { A: { ...eur, price: '9.00' }, B: { ...eur, price: '9.00' } });
    expect(await shop.undo(run)).toMatchObject({ items: 1, suspended: 1 });
    await shop.run('erp', { B: { ...eur, price: '1.00' } });
    expect(await shop.product('A')).toMatchObject({ price: '1.00' });
  });

  it('tells of the records that it kept how many there are of each reason, and of each later run', async () => {
    const shop = shopOn(memoryStore());
    const item = { ...eur, price: '1.00' };
    const { run } = await shop.run('', { A: item, B: item, C: item, D: item });
    const { run: second } = await shop.run('', { A: { price: '2.00' }, B: { price: '2.00' } });
    const { run: third } = await shop.run('', { C: { price: '3.00' } });
    await shop.unrecorded({ D: { price: '4.00' } });
    const dry = await shop.ledger.undo([run], undefined, new AbortController().signal);
    expect(dry).toMatchObject({ items: 4, kept: 4 });
    expect(dry.changedBy).toEqual(
      new Map([
        [second, 2],
        [third, 1],
      ]),
    );
    expect([...dry.keptBecause.values()].reduce((sum, count) => sum + count)).toBe(4);
    expect(dry.keptBecause.get('unrecorded_change')).toBe(1);
    const { run: _, ...real } = await shop.undo(run);
    expect(real).toEqual(dry);
    expect(await shop.product('A')).toMatchObject({ price: '2.00' });
  });

  it('of several transactions of a file has that file once, and counts what it changed', async () => {
    const { store, ledger, undo, product } = shopOn(memoryStore());
    const open = await ledger.begin({ feed: '', detail: { command: 'products', files: [] } });
    const catalog = storeCatalog(store, { recorder: open.addFile({ file: 'a.csv', resource: 'product' }) });
    for (const sku of ['A', 'B', 'C'])
      for await (const { created } of catalog.importBatches(resourceCalled('products'), [batchOf([{ sku, ...eur }])]))
        expect(created).toBe(1);
    await open.end({ state: 'done', exit: 0 });
    const { run } = await undo(open.number);
    expect(await product('B')).toMatchObject({ status: 'suspended' });
    const told = (await ledger.runs()).find(({ number }) => number === run);
    expect(told).toMatchObject({ chunks: 3, updated: 3, unchanged: 0, created: 0, total: 3 });
    expect(told?.detail.files).toEqual([{ file: 'a.csv', resource: 'product' }]);
  });

  it('keeps nothing that its run did not change, whichever run gave the record its status before', async () => {
    const shop = shopOn(memoryStore());
    await shop.run('', { A: { ...eur, price: '1.00' } });
    await shop.run('', { A: { status: 'activated' } });
    const { run } = await shop.run('', { A: { price: '2.00' } });
    expect(await shop.undo(run)).toMatchObject({ restored: 1, kept: 0, keptFields: [] });
    expect(await shop.product('A')).toMatchObject({ price: '1.00', status: 'activated' });
  });

  it('of a later run takes its value back, also of a record whose creation was undone and that stayed', async () => {
    const shop = shopOn(memoryStore());
    const { run: created } = await shop.run('', { A: { ...eur, price: '1.00', status: 'draft' } });
    const { run: kept } = await shop.run('', { A: { stock: 1 } });
    expect(await shop.undo(created)).toMatchObject({ kept: 1, keptFields: fieldsKept(kept, 'price') });
    const { run } = await shop.run('', { A: { price: '2.00', status: 'activated' } });
    expect(await shop.undo(run)).toMatchObject({ items: 1, restored: 1, kept: 0, keptFields: [] });
    expect(await shop.product('A')).toMatchObject({ price: '1.00', stock: 1, status: 'draft' });
  });

  it('brings back no value of a run that was undone while another one stood over it: that one is kept, and named', async () => {
    const shop = shopOn(memoryStore());
    const { run: created } = await shop.run('', { A: { ...eur, price: '1.00' } });
    const { run: dear } = await shop.run('', { A: { price: '9.00' } });
    const { run: other } = await shop.run('', { A: { stock: 1 } });
    await shop.undo(created);
    expect(await shop.undo(dear)).toMatchObject({ kept: 1, keptFields: fieldsKept(other, 'price') });
    expect(await shop.product('A')).toMatchObject({ price: '9.00' });
  });

  it('names no status of a record that its runs did not change, though the creation of it was undone', async () => {
    const shop = shopOn(memoryStore());
    const { run: created } = await shop.run('', { A: { ...eur, status: 'activated' } });
    await shop.run('', { A: { stock: 1 } });
    await shop.undo(created);
    const { run } = await shop.run('', { B: eur });
    expect(await shop.undo(run)).toMatchObject({ items: 1, kept: 0, suspended: 1, keptFields: [] });
  });

  it.each([12, 13, 14, 15, 16, 17])(
    'leaves a product suspended that its feed no longer lists for %d runs',
    async (nights) => {
      const shop = shopOn(memoryStore());
      const night = (price: string) => shop.run('erp', { A: { ...eur, price } }, { suspends: true });
      await shop.run('erp', { A: eur, B: { ...eur, status: 'activated' } });
      await shop.undo((await night('1.00')).run);
      for (let i = 1; i < nights; i++) await night('1.00');
      expect(await shop.product('B')).toMatchObject({ status: 'suspended' });
      expect(await shop.undo((await night('2.00')).run)).toMatchObject({ restored: 1 });
      expect(await shop.product('B')).toMatchObject({ status: 'suspended' });
    },
  );

  it('of the creation of a product leaves nothing but its SKU, which is its name, too', async () => {
    const shop = shopOn(memoryStore());
    const { run } = await shop.run('', { A: { ...eur, name: 'Phone', price: '1.00' } });
    await shop.undo(run);
    expect(await shop.product('A')).toMatchObject({ name: 'A', price: '0.00', status: 'suspended' });
  });

  describe('with a feed that only updates', () => {
    let shop: Shop;
    const items = { A: { ...eur, status: 'activated', price: '1.00' }, B: { ...eur, price: '1.00' } };
    const taken = { status: 'suspended', price: '0.00', stock: 0 };
    beforeEach(async () => {
      shop = shopOn(memoryStore());
      await shop.ledger.setFeeds((settings) => ({ ...settings, only: { w: 'update' } }));
    });

    it('empties what was created after that feed had listed it', async () => {
      const { run: first } = await shop.run('erp', items);
      await shop.undo(first);
      const { notices } = await shop.run('w', { A: { stock: 3 } });
      expect(notices['A']).toEqual([expect.stringContaining('not_created')]);
      const { run } = await shop.run('erp', items);
      expect(await shop.undo(run)).toMatchObject({ items: 2, suspended: 2, kept: 0 });
      expect(await shop.product('A')).toMatchObject({ ...taken, currency: '' });
    });

    it('empties what that feed changed, and brings both back', async () => {
      const { run } = await shop.run('erp', items);
      const { run: other } = await shop.run('w', { A: { stock: 3 } });
      const { run: undo, ...done } = await shop.undo(run);
      expect(done).toMatchObject({ items: 2, suspended: 2, kept: 0 });
      expect(await shop.product('A')).toMatchObject(taken);
      expect(await shop.undo(undo)).toMatchObject({ restored: 2, kept: 0 });
      expect(await shop.product('A')).toMatchObject({ status: 'activated', price: '1.00', stock: 3 });
      expect(await shop.undo(other)).toMatchObject({ restored: 1, kept: 0 });
      expect(await shop.product('A')).toMatchObject({ status: 'activated', price: '1.00', stock: 0 });
    });

    it('leaves what that feed created before it was set so', async () => {
      await shop.ledger.setFeeds((settings) => ({ ...settings, only: {} }));
      await shop.run('w', { A: { ...eur, stock: 3 } });
      await shop.ledger.setFeeds((settings) => ({ ...settings, only: { w: 'update' } }));
      const { run } = await shop.run('erp', items);
      expect(await shop.undo(run)).toMatchObject({ restored: 1, suspended: 1, kept: 0 });
      expect(await shop.product('A')).toMatchObject({ status: 'draft', price: '0.00', stock: 3 });
    });
  });

  describe('where each run is of another night', () => {
    let shop: Shop;
    beforeEach(async () => {
      shop = nightlyShop();
      await shop.ledger.setFeeds((settings) => ({ ...settings, order: ['erp', 'a'] }));
    });

    it('an undo of a lower feed names nothing of a higher one', async () => {
      await shop.run('erp', { B: eur }, { suspends: true });
      await shop.run('erp', { C: eur }, { suspends: true });
      const { run } = await shop.run('a', { C: eur }, { suspends: true });
      expect(await shop.undo(run)).toMatchObject({ items: 0, kept: 0, keptFields: [] });
    });

    it('an undo leaves a product on sale that came back before', async () => {
      await shop.run('erp', { A: { ...eur, status: 'activated' } });
      await shop.run('erp', { C: eur }, { suspends: true });
      await shop.run('', { A: eur });
      const { run } = await shop.run('', { A: { stock: 3 } });
      expect(await shop.undo(run)).toMatchObject({ restored: 1, suspended: 0, kept: 0 });
      expect(await shop.product('A')).toMatchObject({ stock: 0, status: 'activated' });
    });
  });

  it('names a status that stays since a change outside the history may have come after the run that would suspend the record', async () => {
    const shop = shopOn(memoryStore());
    const { run: first } = await shop.run('', { X: eur });
    await shop.run('erp', { A: { ...eur, status: 'activated' } });
    await shop.unrecorded({ A: { name: 'Lamp' } });
    await shop.undo(first);
    const { run } = await shop.run('a', { A: eur });
    await shop.run('erp', { B: eur }, { suspends: true });
    const { keptFields } = await shop.undo(run);
    expect(keptFields).toEqual([{ resource: 'product', key: 'A', field: 'status', reason: 'unrecorded_change' }]);
    expect(await shop.product('A')).toMatchObject({ status: 'activated' });
  });
});
