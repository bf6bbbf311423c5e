// What is saved of an accepted item, and what its line says; that a refused one leaves nothing, plan-batches.test.ts shows.
import { describe, expect, it } from 'vitest';
import { suspensionTable } from '../../../src/core/ledger/run-tables.js';
import { byUndo } from '../../../src/core/ledger/suspension.js';
import type { ImportMode } from '../../../src/core/planning/item-task.js';
import type { Row, Table } from '../../../src/core/rows/table.js';
import { given, type Item, noticed } from '../../given.js';
import { shopWith } from './planned-batches.js';

describe('a record that was suspended since it was not listed', () => {
  const run = byUndo('1');
  /** A suspended product with a suspension. */
  function suspendedLamp(suspension: { readonly id?: string; readonly status: string }) {
    const tables = new Map<Table, Map<string, Row>>();
    const shop = given({ tables }).has('product', { sku: 'LAMP', currency: 'EUR', status: 'suspended' });
    const row = { id: shop.id('product', 'LAMP'), run, ...suspension };
    tables.set(suspensionTable as Table, new Map([[JSON.stringify([row.id]), row]]));
    return shop;
  }
  const live = { status: 'draft' };
  const over = { status: '', run: '' };

  it.each<[string, Item, Partial<ImportMode>, object, object]>([
    ['regains its status', {}, {}, { status: 'draft' }, over],
    ['regains it next to other changes', { name: 'Lamp' }, {}, { status: 'draft', name: 'Lamp' }, over],
    ['keeps a status that is sent', { status: 'activated' }, {}, { status: 'activated' }, { status: '', run }],
    ['keeps the status where it is sent', { status: 'suspended' }, {}, { status: 'suspended' }, { status: '', run }],
    ['keeps it where nothing is listed', { name: 'Lamp' }, { isListing: false }, { status: 'suspended' }, live],
  ])('%s', (_, item, mode, read, suspension) => {
    const shop = suspendedLamp(live);
    const line = shop.line('product', { sku: 'LAMP', ...item }, { diff: true, ...mode });
    const isRegained = suspension === over;
    expect(line.notice).toEqual(
      isRegained
        ? [
            {
              ...{ code: 'status_regained', field: 'status' },
              message: 'is listed again; its status is "draft" again, as before it was suspended.',
            },
          ]
        : [],
    );
    expect(line.action).toBe(item['status'] === 'suspended' ? 'unchanged' : 'updated');
    if (isRegained) expect(line.changes).toContainEqual({ field: 'status', from: 'suspended', to: 'draft' });
    expect(shop.read('product', 'LAMP')).toMatchObject(read);
    expect(shop.table('suspension')).toMatchObject([suspension]);
    expect(shop.line('product', { sku: 'LAMP' })).toMatchObject({
      action: mode.isListing === false ? 'updated' : 'unchanged',
    });
  });

  it.each([
    ['is over', { status: '' }],
    ['is that of another record', { id: 'prod_9', ...live }],
  ])('keeps its status where the suspension %s', (_, suspension) => {
    const shop = suspendedLamp(suspension);
    const before = shop.rows();
    expect(shop.line('product', { sku: 'LAMP' })).toMatchObject({ action: 'unchanged', notice: [] });
    expect(shop.rows()).toEqual(before);
  });
});

it.each([
  ['regains its status where the feed lists it', true, 'draft'],
  ['keeps its status where the feed no longer lists it', false, 'suspended'],
])('a suspended record %s', async (_, lists, status) => {
  const shop = await shopWith();
  const { data } = await shop.send('products', [{ sku: 'LAMP', currency: 'EUR', status: 'suspended' }]);
  await shop.save(suspensionTable as Table, { id: String(data[0]?.id), status: 'draft', run: '1' });
  await shop.run('a', { lists }).send('products', [{ sku: 'LAMP', name: 'Lamp' }]);
  expect(await shop.product('LAMP')).toMatchObject({ name: 'Lamp', status });
});

describe('an item that changes only entries of a list', () => {
  const lamp = { sku: 'LAMP', currency: 'EUR', price: '5.00', media: [{ file: 'file_1' }] };

  it('moves updated_at of its record', () => {
    const shop = given().has('product', lamp);
    const { updated_at: before } = shop.read('product', 'LAMP');
    expect(shop.line('product', { ...lamp, media: [{ file: 'file_2' }] }).action).toBe('updated');
    expect(Number(shop.read('product', 'LAMP')['updated_at'])).toBeGreaterThan(Number(before));
  });
});

it('a refused item takes no identifier', () => {
  const shop = given();
  const items = [{ name: 'A' }, { name: 'B', parent: 'none' }, { name: 'C' }];
  expect(shop.send('category', items).data.map(({ id }) => id)).toEqual(['cate_00000001', null, 'cate_00000002']);
});

it('each repetition names the first item of its record, known or new', () => {
  const shop = given().has('category', { name: 'A' });
  const items = ['B', 'A', 'C', 'A', 'a', 'B'].map((name) => ({ name }));
  const { data } = shop.send('category', items);
  expect(data.map((line) => noticed(line).length)).toEqual([0, 0, 0, 1, 1, 1]);
  expect(data.slice(3).map(({ notice }) => /item \d/.exec(notice[0]?.message ?? '')?.[0])).toEqual([
    'item 1',
    'item 1',
    'item 0',
  ]);
});
