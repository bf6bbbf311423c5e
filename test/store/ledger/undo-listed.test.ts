// What an undo makes of records that feeds list, no longer list, and suspend.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Item, nightlyShop, type Shop } from '../ledger-shop.js';

const shown: Item = { currency: 'EUR', status: 'activated' };
const suspends = { suspends: true };

describe('a product that a feed no longer lists', () => {
  let shop: Shop;
  beforeEach(() => {
    shop = nightlyShop();
  });
  const statusOfA = async () => (await shop.product('A'))['status'];

  it('is suspended once the run is undone for which another feed listed it, and on sale again after the undo of that', async () => {
    await shop.run('erp', { A: shown, B: shown });
    const { run } = await shop.run('a', { A: shown, C: shown });
    await shop.run('erp', { B: shown }, suspends);
    expect(await statusOfA()).toBe('activated');
    const { run: undo } = await shop.undo(run);
    expect(await statusOfA()).toBe('suspended');
    await shop.undo(undo);
    expect(await statusOfA()).toBe('activated');
  });

  it('stays suspended where the other feed did not list it any more', async () => {
    await shop.run('erp', { A: shown, B: shown });
    await shop.run('a', { A: shown, C: shown });
    await shop.run('a', { C: shown });
    await shop.run('erp', { B: shown }, suspends);
    expect(await statusOfA()).toBe('suspended');
    const { run } = await shop.run('', { A: { stock: 3 } });
    const before = await shop.product('A');
    expect(before).toMatchObject({ stock: 3 });
    await shop.undo(run);
    expect(await shop.product('A')).toMatchObject({ status: 'suspended', stock: 0 });
  });

  it('is on sale where another feed lists it since, and after the undo of a later run, too', async () => {
    await shop.run('erp', { A: shown, B: shown });
    await shop.run('erp', { B: shown }, suspends);
    await shop.run('a', { A: { currency: 'EUR' }, C: shown });
    expect(await statusOfA()).toBe('activated');
    const { run } = await shop.run('', { A: { stock: 3 } });
    await shop.undo(run);
    expect(await shop.product('A')).toMatchObject({ status: 'activated', stock: 0 });
  });

  it('is suspended again once the run that listed it again is undone', async () => {
    await shop.run('erp', { A: shown, B: shown });
    await shop.run('erp', { B: shown }, suspends);
    const { run } = await shop.run('erp', { A: { currency: 'EUR', stock: 3 }, B: shown });
    expect(await statusOfA()).toBe('activated');
    const { run: undo } = await shop.undo(run);
    expect(await shop.product('A')).toMatchObject({ status: 'suspended', stock: 0 });
    await shop.undo(undo);
    expect(await shop.product('A')).toMatchObject({ status: 'activated', stock: 3 });
  });

  it('is on sale once the run is undone that suspended it', async () => {
    await shop.run('erp', { A: shown, B: shown });
    const { run } = await shop.run('erp', { B: shown }, suspends);
    expect(await statusOfA()).toBe('suspended');
    const { run: undo } = await shop.undo(run);
    expect(await statusOfA()).toBe('activated');
    await shop.undo(undo);
    expect(await statusOfA()).toBe('suspended');
  });

  it('is suspended again once a status is undone that a run without a feed gave it, where the other feed did not list it any more', async () => {
    await shop.run('erp', { A: shown, B: shown });
    await shop.run('a', { A: shown, C: shown });
    await shop.run('a', { C: shown });
    await shop.run('erp', { B: shown }, suspends);
    const { run } = await shop.run('', { A: shown });
    expect(await statusOfA()).toBe('activated');
    await shop.undo(run);
    expect(await statusOfA()).toBe('suspended');
  });

  it('is on sale again once a status is undone that a run without a feed gave it, where another feed lists it since', async () => {
    await shop.run('erp', { A: shown, B: shown });
    await shop.run('erp', { B: shown }, suspends);
    await shop.run('a', { A: { currency: 'EUR' }, C: shown });
    const { run } = await shop.run('', { A: { status: 'draft' } });
    await shop.undo(run);
    expect(await statusOfA()).toBe('activated');
  });
});
