// What lives in the shop outside the interface: loaded by `shop load`, only referred to by imports.
import { describe, expect, it } from 'vitest';
import { given, noticed, problemsOf } from '../../given.js';

describe.each([
  ['brands', ''],
  ['warranties', ''],
  ['pages', ''],
  ['files', 'file_'],
])('%s', (kind, prefix) => {
  it('are recognized by id and have an optional name', () => {
    const shop = given();
    const id = `${prefix}a1`;
    expect(shop.line(kind, { id })).toMatchObject({ action: 'created', external_id: id, id });
    expect(shop.line(kind, { id, name: 'A' }).action).toBe('updated');
    expect(shop.line(kind, { id }).action).toBe('unchanged');
    expect(shop.line(kind, { name: 'A' }).code).toBe('field_required');
  });

  it('have identifiers of the stated form', () => {
    const accepted =
      prefix === '' ? ['x', '7', 'Größe-1', 'x'.repeat(190)] : ['file_x', 'file_-_9', `file_${'x'.repeat(64)}`];
    const refused =
      prefix === '' ? ['a b', 'x'.repeat(191), 'a\tb'] : ['x', 'file_', 'file_a b', `file_${'x'.repeat(65)}`, 'prod_1'];
    for (const id of accepted) expect(`${id} ${given().line(kind, { id }).code}`).toBe(`${id} null`);
    for (const id of refused) expect(`${id} ${given().line(kind, { id }).action}`).toBe(`${id} refused`);
  });
});

describe('customers', () => {
  it('are recognized by external_id, exactly', () => {
    const shop = given().has('customers', { external_id: 'c1' });
    expect(shop.line('customers', { external_id: 'c1' })).toMatchObject({
      action: 'unchanged',
      id: expect.stringMatching(/^cust_/),
    });
    expect(shop.line('customers', { external_id: 'C1' }).action).toBe('created');
    expect(shop.line('customers', {}).code).toBe('field_required');
  });
});

describe('orders', () => {
  const order = { external_id: 'o1', created_at: 1_600_000_000, items: [{ external_id: 'l1' }, { external_id: 'l2' }] };
  const review = {
    external_id: 'r1',
    customer_external_id: 'c1',
    product_sku: 'A',
    rating: 5,
    order_external_id: 'o1',
  };

  it('have a date and lines, and are unchanged when loaded again', () => {
    const shop = given();
    expect(shop.line('orders', order)).toMatchObject({ action: 'created', id: expect.stringMatching(/^ordr_/) });
    expect(shop.line('orders', order)).toMatchObject({ action: 'unchanged', notice: [] });
    expect(shop.line('orders', { external_id: 'o1' }).action).toBe('unchanged');
    expect(shop.line('orders', { ...order, created_at: 7 }).action).toBe('updated');
  });

  it('whose line was left out no longer have it', () => {
    const shop = given().has('customers', { external_id: 'c1' }).has('orders', order);
    expect(shop.line('product_review', { ...review, order_item_external_id: 'l2' }).action).toBe('created');
    expect(noticed(shop.line('orders', { external_id: 'o1', items: [{ external_id: 'l1' }] }))).toEqual([
      'entries_deactivated',
    ]);
    expect(problemsOf(shop.line('product_review', { ...review, order_item_external_id: 'l2' }))).toEqual([
      'order_item_not_found order_item_external_id',
    ]);
  });

  it('name each line once', () => {
    const items = [{ external_id: 'l1' }, { external_id: 'l1' }];
    expect(given().line('orders', { ...order, items }).code).toBe('duplicate_entry');
  });
});

describe('deleting a product', () => {
  it('sets its status and returns whether there was one', () => {
    const shop = given().has('product', { sku: 'A', currency: 'EUR', price: 2 });
    expect(shop.deleteProduct('B')).toBe(false);
    expect(shop.deleteProduct('A')).toBe(true);
    const before = shop.rows();
    expect(shop.deleteProduct('A')).toBe(true);
    expect(shop.rows()).toEqual(before);
    expect(shop.read('product', 'A')).toMatchObject({ status: 'deleted', price: '2.00' });
  });
});
