// The report on one item in a dry run, and with the list of its changes (diff). Decisions 1.5, 2.5.
import { describe, expect, it } from 'vitest';
import { given } from '../../given.js';

const lamp = { sku: 'LAMP', currency: 'EUR', name: 'Lamp', price: '10.00' };

describe('a dry run', () => {
  it('writes nothing', () => {
    const shop = given().has('product', lamp);
    const before = shop.rows();
    shop.send(
      'product',
      [
        { ...lamp, price: 3 },
        { sku: 'B', currency: 'EUR' },
      ],
      { dryRun: true },
    );
    expect(shop.rows()).toEqual(before);
  });

  it('id is null for items that would be created and filled for existing records', () => {
    const shop = given().has('product', lamp);
    const report = shop.send(
      'product',
      [
        { ...lamp, price: 3 },
        { sku: 'B', currency: 'EUR' },
      ],
      { dryRun: true },
    );
    expect(report.data.map(({ id, action }) => [action, id])).toEqual([
      ['updated', shop.id('product', 'LAMP')],
      ['created', null],
    ]);
  });
});

describe('the identifier of a record that a dry run would create', () => {
  const dry = { dryRun: true };

  it('is null on every line about it, repeated ones too', () => {
    const report = given().send('product', [lamp, { ...lamp, price: 3 }, { sku: 'LAMP', price: 'x' }, lamp], dry);
    expect(report.data.map(({ action, id }) => [action, id])).toEqual([
      ['created', null],
      ['updated', null],
      ['refused', null],
      ['updated', null],
    ]);
  });

  it('is null in later batches too, and can be referred to', () => {
    const shop = given().has('category', { name: 'Old' });
    const items = [{ name: 'Phones' }, { name: 'Cases', parent: 'Phones' }, { name: 'Old', parent: 'Cases' }];
    const reports = shop.sendBatches('category', [items, [{ name: 'phones', position: 3 }]], dry);
    expect(reports.flatMap(({ data }) => data.map(({ action, id }) => [action, id]))).toEqual([
      ['created', null],
      ['created', null],
      ['updated', shop.id('category', 'Old')],
      ['updated', null],
    ]);
  });
});

describe('diff', () => {
  it('each line carries changes, field by field, as a read shows them', () => {
    const shop = given().has('product', lamp);
    expect(shop.line('product', { sku: 'LAMP', price: 12, stock: 4 }, { diff: true }).changes).toEqual(
      expect.arrayContaining([
        { field: 'price', from: '10.00', to: '12.00' },
        { field: 'stock', from: 0, to: 4 },
      ]),
    );
  });

  it('an unchanged and a refused line carry an empty list', () => {
    const shop = given().has('product', lamp);
    expect(shop.line('product', lamp, { diff: true }).changes).toEqual([]);
    expect(shop.line('product', { sku: 'LAMP', price: 'x' }, { diff: true }).changes).toEqual([]);
  });

  it('from is null on a record that was not there', () => {
    const changes = given().line('product', lamp, { diff: true }).changes ?? [];
    expect(changes).toContainEqual({ field: 'price', from: null, to: '10.00' });
    expect(changes.every(({ from }) => from === null)).toBe(true);
  });

  it('lists of a new record, and of its children, what was sent', () => {
    const values = [{ label: 'Red' }];
    expect(given().line('attribute', { name: 'A', values }, { diff: true }).changes).toContainEqual({
      field: 'values[Red].label',
      from: null,
      to: 'Red',
    });
    const axes = [{ source: 'grade' }];
    expect(given().line('product_group', { name: 'G', axes }, { diff: true, dryRun: true }).changes).toEqual([
      { field: 'name', from: null, to: 'G' },
      { field: 'axes[grade].source', from: null, to: 'grade' },
    ]);
  });

  it('in a dry run also for child lists', () => {
    const shop = given().has('product', { ...lamp, grades: [{ grade: 'new', price: 5, stock: 1 }] });
    const item = {
      sku: 'LAMP',
      grades: [
        { grade: 'new', price: 6 },
        { grade: 'good', price: 2, stock: 3 },
      ],
    };
    const dry = shop.line('product', item, { dryRun: true, diff: true });
    const real = shop.line('product', item, { diff: true });
    expect(dry.changes).toEqual(real.changes);
    expect(dry.changes).toContainEqual({ field: 'grades[new].price', from: '5.00', to: '6.00' });
    expect(dry.action).toBe('updated');
  });

  it('without it the line has exactly the members of the specification', () => {
    expect(given().line('product', lamp)).not.toHaveProperty('changes');
  });
});
