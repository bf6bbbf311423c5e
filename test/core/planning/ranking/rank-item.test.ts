// Items of several feeds for one record: what each offers, and what of it applies.
import { describe, expect, it } from 'vitest';
import { unreadableEntry } from '../../../../src/core/entry.js';
import { offerTable } from '../../../../src/core/ledger/run-tables.js';
import type { Table } from '../../../../src/core/rows/table.js';
import { unchangedLine } from '../../../../src/core/unchanged-line.js';
import { noticed, problemsOf } from '../../../given.js';
import { type Shop, shopWith } from '../planned-batches.js';

const item = (fields: Readonly<Record<string, unknown>> = {}) => ({ sku: 'A', currency: 'EUR', ...fields });
const ranked = { order: ['high', 'low'] };
const make = { plan: 'make', dryRun: true, diff: true } as const;

/** A product of both feeds: the name of the higher one applies. */
async function named() {
  const shop = await shopWith(ranked);
  await shop.run('low').send('products', [item({ name: 'low' })]);
  await shop.run('high').send('products', [item({ name: 'high', note: 'n' })]);
  return shop;
}

describe('a field that two ranked feeds send', () => {
  it('is that of the higher one, until it no longer sends it', async () => {
    const shop = await named();
    const { data } = await shop.run('low').send('products', [item({ name: 'lower', badge: 'b' })]);
    expect(data[0]?.notice).toEqual([
      { code: 'owned_by_feed', field: 'name', message: '"lower" was not applied: feed high owns the field.' },
    ]);
    expect(await shop.product('A')).toMatchObject({ name: 'high', badge: 'b', note: 'n' });
    const { data: passed } = await shop.run('high').send('products', [item({ note: 'n' })]);
    expect(passed[0]).toMatchObject({ action: 'updated', notice: [{ code: 'passed_to_feed', field: 'name' }] });
    expect(await shop.product('A')).toMatchObject({ name: 'lower', badge: 'b', note: 'n' });
    const { data: again } = await shop.run('high').send('products', [item({ note: 'n' })]);
    expect(again[0]).toMatchObject({ action: 'unchanged', notice: [] });
  });

  it.each([
    ['in one transaction', [[item({ name: 'high' }), item({ note: 'n' })]]],
    ['in two', [[item({ name: 'high' })], [item({ note: 'n' })]]],
    [
      'in two, of which the first has what was applied last',
      [[item({ name: 'high', note: 'n' })], [item({ note: 'n' })]],
    ],
    [
      'in two, the first with a row that is refused',
      [[item({ price: 'x' }), item({ name: 'high' })], [item({ note: 'n' })]],
    ],
    ['in three', [[item({ name: 'high' })], [item({ note: 'n' })], [item({ note: 'n' })]]],
  ])('is also that of a row of the same run with the same key: %s', async (_, transactions) => {
    const shop = await named();
    const run = shop.run('high');
    for (const items of transactions) await run.send('products', items);
    expect(await shop.product('A')).toMatchObject({ name: 'high', note: 'n' });
    await shop.run('high').send('products', [item({ note: 'n' })]);
    expect(await shop.product('A')).toMatchObject({ name: 'low', note: 'n' });
  });

  const refused = item({ name: 'refused', price: 'x' });
  const broken = unreadableEntry({ code: 'row_shape', field: '', message: 'broken' }, 'A');
  const settled = { kind: 'settled', item: item(), line: unchangedLine('A', null, []) };

  it.each([
    ['was refused', refused],
    ['could not be read', broken],
    ['was settled before', settled],
  ])('is not that of a row of the same run which %s', async (_, before) => {
    for (const transactions of [[[before, item({ note: 'n' })]], [[before], [item({ note: 'n' })]]]) {
      const shop = await named();
      const run = shop.run('high');
      for (const items of transactions) await run.send('products', items);
      expect(await shop.product('A')).toMatchObject({ name: 'low', note: 'n' });
    }
  });
});

describe('in a plan', () => {
  it('an item that only offers something is an item of it, and a repetition says so', async () => {
    const shop = await named();
    const { data } = await shop
      .run('low')
      .send('products', [item({ name: 'low', note: 'low' }), item({ note: 'low' }), { ...item(), sku: 'B' }], make);
    expect(data.map(({ action, planned }) => ({ action, planned }))).toEqual([
      { action: 'unchanged', planned: { expect: {} } },
      { action: 'unchanged', planned: undefined },
      { action: 'created', planned: { expect: null } },
    ]);
    const high = await shop.run('high').send('products', [item({ tag: 't' }), item({ tag: 'u' })], make);
    expect(high.data.map(({ planned }) => planned?.repeats)).toEqual([undefined, true]);
    expect((await shop.rows(offerTable as Table)).map(({ id }) => id)).toEqual(['low/product/A', 'high/product/A']);
  });

  it('items of feeds without a ranking repeat nothing', async () => {
    const shop = await shopWith({ only: { other: 'create' } });
    const { data } = await shop.run('a').send('products', [item(), item({ name: 'n' })], make);
    expect(data.map(({ planned }) => planned)).toEqual([{ expect: null }, { expect: { name: 'A' } }]);
  });

  it('an item that is applied counts with one of its run that is not in the plan', async () => {
    const shop = await named();
    const planned = { expect: { note: 'n' } };
    const sent = (repeats: boolean) => [
      { kind: 'raw', item: item({ note: 'm' }), planned: repeats ? { ...planned, repeats } : planned },
    ];
    await shop.run('high').send('products', sent(true), { plan: 'apply' });
    expect(await shop.product('A')).toMatchObject({ name: 'high', note: 'm' });
  });
});

describe('the settings of feeds', () => {
  it('name each feed that sent items since some are ranked, once', async () => {
    const shop = await named();
    await shop.run('low').send('products', [item({ name: 'low' })]);
    expect((await shop.settings()).senders).toEqual(['low', 'high']);
  });

  it('name none, and no offer is kept, while none is ranked', async () => {
    const shop = await shopWith({ only: { other: 'create' } });
    await shop.run('a').send('products', [item({ name: 'a' })]);
    expect((await shop.settings()).senders).toEqual([]);
    expect(await shop.rows(offerTable as Table)).toEqual([]);
  });

  it('give new records the values that are set for the feed, next to those that the item has', async () => {
    const values = { currency: 'EUR', status: 'draft' };
    const shop = await shopWith({ setNew: { a: { product: values, category: { parent: 'none' } } } });
    const broken = unreadableEntry({ code: 'row_shape', field: '', message: 'broken' }, 'B');
    const { data } = await shop
      .run('a')
      .send('products', [{ sku: 'A' }, { sku: 'C', status: 'activated' }, { name: 'no key' }, broken]);
    expect(data.map(({ code, action }) => code ?? action)).toEqual([
      'created',
      'created',
      'field_required',
      'row_shape',
    ]);
    expect(data.slice(2).map(problemsOf)).toEqual([['field_required sku'], ['row_shape']]);
    expect(await shop.product('A')).toMatchObject({ currency: 'EUR', status: 'draft' });
    expect(await shop.product('C')).toMatchObject({ currency: 'EUR', status: 'activated' });
    const named = await shop.run('a').send('categories', [{ description: 'no key' }]);
    expect(named.data.map(problemsOf)).toEqual([['field_required name']]);
    await shop.run('b').send('products', [{ sku: 'A', status: 'activated' }]);
    await shop.run('a').send('products', [{ sku: 'A', name: 'n' }]);
    expect(await shop.product('A')).toMatchObject({ name: 'n', status: 'activated' });
  });

  it('let a feed only update, where it sends items, and not where a plan is applied or it lists nothing', async () => {
    const sent = async (context: object, mode: object) => {
      const shop = await shopWith({ only: { a: 'update' } });
      const { data } = await shop.run('a', context).send('products', [item()], mode);
      return data.map((line) => [line.action, ...noticed(line)]);
    };
    expect(await sent({}, {})).toEqual([['unchanged', 'not_created']]);
    expect(await sent({}, { plan: 'make', dryRun: true })).toEqual([['unchanged', 'not_created']]);
    expect(await sent({}, { plan: 'apply' })).toEqual([['created']]);
    expect(await sent({}, { isListing: false })).toEqual([['created']]);
    expect(await sent({ lists: false }, {})).toEqual([['created']]);
    expect(await sent({ feed: 'b' }, {})).toEqual([['created']]);
    expect(await sent({}, { only: 'create' })).toEqual([['created']]);
  });
});

describe('the run of an offer', () => {
  const sent = async (shop: Shop, id: string, fields: object, marksAll: boolean) => {
    await shop.run('high', { id, marksAll }).send('products', [item({ name: 'n', ...fields })]);
    return (await shop.rows(offerTable as Table)).map(({ run }) => run);
  };

  it('is that which first sent it, in files', async () => {
    const shop = await shopWith(ranked);
    expect(await sent(shop, 'r1', {}, false)).toEqual(['r1']);
    expect(await sent(shop, 'r2', {}, false)).toEqual(['r1']);
    expect(await sent(shop, 'r3', { price: 'x' }, false)).toEqual(['r1']);
    expect(await sent(shop, 'r4', { note: 'n' }, false)).toEqual(['r4']);
  });

  it('is that which last sent the record, where each item is marked with its run', async () => {
    const shop = await shopWith(ranked);
    for (const id of ['r1', 'r2']) expect(await sent(shop, id, {}, true)).toEqual([id]);
    expect(await sent(shop, 'r3', { price: 'x' }, true)).toEqual(['r3']);
  });
});
