// Condition grades, and the price and stock that follow from them.
import { describe, expect, it } from 'vitest';
import { type Given, given, type Item, noticed, problemsOf } from '../../given.js';

const product = (fields: Item = {}) => ({ sku: 'A', currency: 'EUR', ...fields });
const read = (shop: Given) => shop.read('product', 'A');

describe('grades', () => {
  const grades = (...list: Item[]) => product({ grades: list });

  it.each([['new'], ['like_new'], ['very_good'], ['good'], ['poor']])('%s is a grade', (grade) => {
    expect(given().line('product', grades({ grade })).action).toBe('created');
  });

  it('each at most once', () => {
    expect(
      problemsOf(given().line('product', grades({ grade: 'new' }, { grade: 'good' }, { grade: 'new' })))[0],
    ).toContain('duplicate_entry');
  });

  it('price is the lowest grade price and stock the sum of the grades’ stock', () => {
    const shop = given().has(
      'product',
      grades({ grade: 'new', price: '9.90', stock: 2 }, { grade: 'good', price: '7.50', stock: 3 }),
    );
    expect(read(shop)).toMatchObject({ price: '7.50', stock: 5 });
  });

  it('a top-level price or stock sent with grades is not applied, and the item’s notice says so', () => {
    const shop = given();
    const line = shop.line('product', { ...grades({ grade: 'new', price: 9, stock: 2 }), price: 1, stock: 100 });
    expect(line.action).toBe('created');
    expect(noticed(line)).toEqual(['price_ignored', 'stock_ignored']);
    expect(read(shop)).toMatchObject({ price: '9.00', stock: 2 });
  });

  it('nor when the product already has listed grades', () => {
    const shop = given().has('product', grades({ grade: 'new', price: 9, stock: 2 }));
    const line = shop.line('product', { sku: 'A', price: 1, stock: 100 });
    expect(line.action).toBe('unchanged');
    expect(noticed(line)).toEqual(['price_ignored', 'stock_ignored']);
    expect(noticed(shop.line('product', { sku: 'A', stock: 100 }))).toEqual(['stock_ignored']);
    expect(read(shop)).toMatchObject({ price: '9.00', stock: 2 });
  });

  it('over listed grades with status activated', () => {
    const shop = given().has(
      'product',
      grades({ grade: 'new', price: 9, stock: 2 }, { grade: 'poor', price: 1, stock: 50, status: 'suspended' }),
    );
    expect(read(shop)).toMatchObject({ price: '9.00', stock: 2 });
  });

  it('all listed ones if none is activated', () => {
    const shop = given().has(
      'product',
      grades(
        { grade: 'new', price: 9, stock: 2, status: 'suspended' },
        { grade: 'poor', price: 1, stock: 5, status: 'suspended' },
      ),
    );
    expect(read(shop)).toMatchObject({ price: '1.00', stock: 7 });
  });

  it('a grade that was left out counts no longer', () => {
    const shop = given().has(
      'product',
      grades({ grade: 'new', price: 9, stock: 2 }, { grade: 'poor', price: 1, stock: 5 }),
    );
    shop.has('product', { sku: 'A', grades: [{ grade: 'new' }] });
    expect(read(shop)).toMatchObject({ price: '9.00', stock: 2 });
  });

  it('a grade without price or stock counts in the other sum only', () => {
    const shop = given().has(
      'product',
      grades({ grade: 'new', stock: 2 }, { grade: 'poor', price: 3 }, { grade: 'good', price: 4, stock: 5 }),
    );
    expect(read(shop)).toMatchObject({ price: '3.00', stock: 7 });
  });

  it('no listed grade with a price: the price stays', () => {
    const shop = given().has('product', product({ price: 8, stock: 1 }));
    shop.has('product', { sku: 'A', grades: [{ grade: 'new', stock: 4 }] });
    expect(read(shop)).toMatchObject({ price: '8.00', stock: 4 });
  });

  it('[] leaves price and stock as they were until they are sent, in the same item too', () => {
    const shop = given().has('product', grades({ grade: 'new', price: 9, stock: 2 }));
    const other = shop.copy();
    shop.has('product', { sku: 'A', grades: [] });
    expect(read(shop)).toMatchObject({ price: '9.00', stock: 2 });
    expect(shop.line('product', { sku: 'A', price: 5, stock: 1 })).toMatchObject({ action: 'updated', notice: [] });
    expect(read(shop)).toMatchObject({ price: '5.00', stock: 1 });
    const line = other.line('product', { sku: 'A', grades: [], price: 6 });
    expect(noticed(line)).toEqual(['entries_deactivated']);
    expect(read(other)).toMatchObject({ price: '6.00', stock: 2 });
  });

  it("'' clears a grade's price", () => {
    const shop = given().has('product', grades({ grade: 'new', price: 9 }, { grade: 'good', price: 5 }));
    shop.has('product', { sku: 'A', grades: [{ grade: 'new' }, { grade: 'good', price: '' }] });
    expect(read(shop)['price']).toBe('9.00');
  });

  it('a change of a grade alone updates the product', () => {
    const shop = given().has('product', grades({ grade: 'new', price: 9 }, { grade: 'good', price: 5, stock: 1 }));
    expect(shop.line('product', { sku: 'A', grades: [{ grade: 'new', price: 10 }, { grade: 'good' }] }).action).toBe(
      'updated',
    );
    expect(
      shop.line('product', { sku: 'A', grades: [{ grade: 'good' }, { grade: 'new', price: '10.00' }] }).action,
    ).toBe('unchanged');
  });
});
