// What an undo restores and keeps where feeds are ranked: a field that is named as kept has the value that it had before.
import { beforeEach, describe, expect, it } from 'vitest';
import type { FeedSettings } from '../../../src/core/ledger/feed-ranking.js';
import { nightlyShop, type Shop } from '../ledger-shop.js';

const eur = { currency: 'EUR' };
const nothingKept = { kept: 0, keptFields: [] };

describe('an undo where feeds are ranked', () => {
  let shop: Shop;
  beforeEach(async () => {
    shop = nightlyShop();
    await rank({ order: ['erp', 'a'] });
  });
  const rank = (settings: Partial<FeedSettings>) => shop.ledger.setFeeds((before) => ({ ...before, ...settings }));

  it.each([{}, { price: '5.00' }])(
    'gives a field what a lower feed sent that now sends it no more, and %o before',
    async (first) => {
      await shop.run('a', { A: { ...eur, ...first } });
      const { run: earlier } = await shop.run('erp', { A: { ...eur, price: '9.00' } });
      await shop.run('a', { A: { ...eur, price: '6.00' } });
      expect(await shop.undo(earlier)).toMatchObject({ restored: 1, ...nothingKept });
      await shop.run('a', { A: eur });
      const { run } = await shop.run('erp', { A: { ...eur, price: '9.00' } });
      expect(await shop.undo(run)).toMatchObject({ restored: 1, ...nothingKept });
      expect(await shop.product('A')).toMatchObject({ price: '6.00' });
    },
  );

  it('gives a field back what the higher feed had sent, which no longer lists the record', async () => {
    const item = { ...eur, status: 'activated', price: '10.00', name: 'e' };
    await shop.run('erp', { A: item, D: item });
    const { run } = await shop.run('a', { D: { ...eur, price: '9.00', name: 's' } });
    await shop.run('erp', { A: item }, { suspends: true });
    expect(await shop.product('D')).toMatchObject({ price: '9.00', name: 's', status: 'activated' });
    expect(await shop.undo(run)).toMatchObject({ items: 1, restored: 1, ...nothingKept });
    expect(await shop.product('D')).toMatchObject({ price: '10.00', name: 'e', status: 'suspended' });
  });

  it('names nothing that its run did not send', async () => {
    await rank({ own: { w: ['stock'] } });
    await shop.run('erp', { A: eur });
    const { run: earlier } = await shop.run('erp', { A: { ...eur, weight: '1' } });
    await shop.run('erp', { A: { ...eur, weight: '1' } });
    await shop.undo(earlier);
    await shop.run('erp', { A: eur });
    const { run } = await shop.run('w', { A: { stock: 5 } });
    expect(await shop.undo(run)).toMatchObject({ items: 1, restored: 1, ...nothingKept });
    expect(await shop.product('A')).toMatchObject({ weight: '1', stock: 0 });
    const { run: last } = await shop.run('a', { Q: eur });
    expect(await shop.undo(last)).toMatchObject({ items: 1, suspended: 1, ...nothingKept });
  });

  it('names the run that sent a field again, and none that sent a value which does not apply', async () => {
    const item = { ...eur, price: '10.00', name: 'e' };
    const { run } = await shop.run('erp', { A: item, B: item });
    await shop.run('a', { B: { currency: 'USD', price: '8.00', name: 's', description: 's' } });
    const { run: again } = await shop.run('erp', { A: item, B: item });
    const { keptFields } = await shop.undo(run);
    for (const key of ['A', 'B'])
      for (const field of ['name', 'price'])
        expect(keptFields).toContainEqual({ resource: 'product', key, field, reason: 'changed_since', run: again });
    expect(await shop.product('B')).toMatchObject({ price: '10.00', name: 'e', description: 's' });
  });

  it('gives what a lower feed sent since, also where no run that matters changed the record', async () => {
    const sent = (price: string) => ({ A: { ...eur, price } });
    await shop.run('a', sent('5.00'));
    const { run } = await shop.run('erp', sent('5.00'));
    await shop.run('a', sent('6.00'));
    const { run: undo } = await shop.undo(run);
    expect(await shop.product('A')).toMatchObject({ price: '6.00' });
    await shop.undo(undo);
    expect(await shop.product('A')).toMatchObject({ price: '5.00' });
  });

  it('gives what a lower feed sent since of a characteristic, and counts the record as changed', async () => {
    await shop.characteristics('Capacity');
    const sent = (value: string) => ({ A: { ...eur, attributes: [{ type: 'Capacity', value }] } });
    const valueOfA = async () => (await shop.product('A'))['attributes'];
    await shop.run('a', sent('64'));
    const { run } = await shop.run('erp', sent('128'));
    await shop.run('a', sent('32'));
    expect(await valueOfA()).toMatchObject([{ value: '128' }]);
    const { run: undo, ...done } = await shop.undo(run);
    expect(done).toMatchObject({ items: 1, restored: 1, ...nothingKept });
    expect(await valueOfA()).toMatchObject([{ value: '32' }]);
    const told = (await shop.ledger.runs()).find(({ number }) => number === undo);
    expect(told).toMatchObject({ updated: 1, unchanged: 0, total: 1 });
    await shop.undo(undo);
    expect(await valueOfA()).toMatchObject([{ value: '128' }]);
  });

  it('keeps what was changed outside the history, also where no run that matters changed the record', async () => {
    const sent = (price: string) => ({ A: { ...eur, price } });
    await shop.run('a', sent('5.00'));
    const { run } = await shop.run('erp', sent('5.00'));
    await shop.run('a', sent('6.00'));
    await shop.unrecorded(sent('7.00'));
    const { keptFields } = await shop.undo(run);
    expect(keptFields).toContainEqual(expect.objectContaining({ key: 'A', field: 'price' }));
    expect(await shop.product('A')).toMatchObject({ price: '7.00' });
  });

  it('keeps a price that grades without history may have left', async () => {
    await shop.run('', { C: eur });
    const { run } = await shop.run('', { C: { grades: [{ grade: 'good', price: 1, stock: 1 }] } });
    await shop.unrecorded({ C: { grades: [] } });
    await shop.run('a', { C: { ...eur, grades: [] } });
    const { keptFields } = await shop.undo(run);
    const reason = 'unrecorded_change';
    expect(keptFields).toMatchObject(['price', 'stock'].map((field) => ({ key: 'C', field, reason })));
  });

  it('names no run before its own as one that changed a field since', async () => {
    const { run: first } = await shop.run('a', { B: { ...eur, stock: 1 } });
    const { run: second } = await shop.run('erp', { B: { ...eur, stock: 2 } });
    const { run: passing } = await shop.run('erp', { B: eur });
    const { run: last } = await shop.run('', { B: { stock: 3 } });
    await shop.undo(first);
    await shop.undo(second);
    const { keptFields } = await shop.undo(last);
    expect(keptFields).toContainEqual(
      expect.objectContaining({ field: 'stock', reason: 'record_changed', run: passing }),
    );
  });

  it('names a status that the undone run gave, and that a lower feed would have given otherwise before a change outside the history', async () => {
    const { run } = await shop.run('erp', { A: { ...eur, status: 'activated' } });
    await shop.unrecorded({ A: { note: 'new' } });
    await shop.run('a', { A: { ...eur, status: 'draft', stock: 1 } });
    await shop.run('', { A: { stock: 2 } });
    await shop.unrecorded({ A: { note: 'old' } });
    const { keptFields } = await shop.undo(run);
    expect(await shop.product('A')).toMatchObject({ status: 'activated' });
    expect(keptFields).toContainEqual(expect.objectContaining({ field: 'status', reason: 'unrecorded_change' }));
  });

  it('names what a run no longer listed, the earlier run that sent it being undone then, if the record changed outside the history', async () => {
    const { run: first } = await shop.run('erp', { B: { ...eur, name: 'Lamp' } });
    const { run: undo } = await shop.undo(first);
    const { run } = await shop.run('erp', { A: eur });
    await shop.run('a', { B: { ...eur, name: 'Light' } });
    await shop.unrecorded({ B: { note: 'new' } });
    await shop.undo(undo);
    const { keptFields } = await shop.undo(run);
    expect(await shop.product('B')).toMatchObject({ name: 'Light' });
    expect(keptFields).toContainEqual(expect.objectContaining({ field: 'name', reason: 'unrecorded_change' }));
  });

  it('names nothing that an earlier undo left of a feed that only updates', async () => {
    await rank({ own: { w: ['stock'] }, only: { w: 'update' } });
    const { run: first } = await shop.run('', { B: eur });
    await shop.run('w', { B: { stock: 1 } });
    await shop.run('', { B: { stock: 2 } });
    await shop.undo(first);
    const { run } = await shop.run('', { A: eur });
    expect(await shop.undo(run)).toMatchObject(nothingKept);
    expect(await shop.product('B')).toMatchObject({ stock: 2 });
  });

  it('brings back nothing of a feed that only updates and that no longer listed the record while its creation was undone', async () => {
    await rank({ own: { w: ['stock'] }, only: { w: 'update' } });
    const { run: first } = await shop.run('', { B: eur });
    await shop.run('w', { B: { stock: 1 } });
    const { run: undo } = await shop.undo(first);
    await shop.run('w', { A: { stock: 2 } });
    expect(await shop.undo(undo)).toMatchObject({ items: 1, restored: 1, ...nothingKept });
    expect(await shop.product('B')).toMatchObject({ stock: 1 });
    await shop.run('a', { B: { stock: 3 } });
    expect(await shop.product('B')).toMatchObject({ stock: 3 });
  });

  it('says nothing of a run that sent again what applies, where later runs are undone, too', async () => {
    const sent = async (price: string) => (await shop.run('erp', { A: { ...eur, price } })).run;
    await shop.run('', { A: eur });
    const first = await sent('4.00');
    await sent('5.00');
    await sent('5.00');
    const others = [await sent('6.00'), await sent('5.00')];
    expect(await shop.undo(first, ...others)).toMatchObject(nothingKept);
    expect(await shop.product('A')).toMatchObject({ price: '5.00' });
  });

  it('gives what a lower feed sent, also where a person had set what the higher one sent then', async () => {
    await shop.run('', { A: eur });
    await shop.run('', { A: { price: '9.00' } });
    const { run } = await shop.run('erp', { A: { ...eur, price: '9.00' } });
    await shop.run('a', { A: { ...eur, price: '6.00' } });
    expect(await shop.undo(run)).toMatchObject({ restored: 1, ...nothingKept });
    expect(await shop.product('A')).toMatchObject({ price: '6.00' });
  });

  it('names nothing that was changed outside the history after a later run had given it otherwise', async () => {
    await shop.run('', { A: eur });
    const { run } = await shop.run('', { A: { price: '1.00' } });
    await shop.run('', { A: { price: '2.00' } });
    await shop.unrecorded({ A: { price: '3.00' } });
    expect(await shop.undo(run)).toMatchObject(nothingKept);
    expect(await shop.product('A')).toMatchObject({ price: '3.00' });
  });

  it('leaves what a feed that only updates sent again', async () => {
    await rank({ own: { w: ['stock'] }, only: { w: 'update' } });
    await shop.run('', { A: eur });
    const { run } = await shop.run('w', { A: { stock: 5 } });
    const { run: again } = await shop.run('w', { A: { stock: 5 } });
    const { keptFields } = await shop.undo(run);
    expect(keptFields).toEqual([
      { resource: 'product', key: 'A', field: 'stock', reason: 'changed_since', run: again },
    ]);
    expect(await shop.product('A')).toMatchObject({ stock: 5 });
  });
});
