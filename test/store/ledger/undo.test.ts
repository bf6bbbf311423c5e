// What an undo counts and keeps. That it restores what would be if its runs had never been is shown on every kind of store
// (undo-contract.ts).
import { describe, expect, it } from 'vitest';
import { shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

const eur = { currency: 'EUR' };

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

  it('keeps nothing that its run did not change, whichever run gave the record its status before', async () => {
    const shop = shopOn(memoryStore());
    await shop.run('', { A: { ...eur, price: '1.00' } });
    await shop.run('', { A: { status: 'activated' } });
    const { run } = await shop.run('', { A: { price: '2.00' } });
    expect(await shop.undo(run)).toMatchObject({ restored: 1, kept: 0, keptFields: [] });
    expect(await shop.product('A')).toMatchObject({ price: '1.00', status: 'activated' });
  });
});
