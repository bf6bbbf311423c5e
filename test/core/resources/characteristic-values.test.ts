// The closed list of a characteristic, and characteristics shared by the service.
import { describe, expect, it } from 'vitest';
import { given, type Item } from '../../given.js';

describe('values', () => {
  it('labels are unique within the characteristic, case-insensitive', () => {
    const line = given().line('attribute', {
      name: 'A',
      values: [{ label: 'Écru' }, { label: 'b' }, { label: 'ÉCRU' }],
    });
    expect(line.code).toBe('duplicate_entry');
    expect(line.reason).toContain('values[2]');
    expect(
      given().has('attribute', { name: 'A', values: [{ label: 'x' }] }, { name: 'B', values: [{ label: 'x' }] }),
    ).toBeDefined();
  });

  it('only active values are returned, in display order', () => {
    const shop = given().has('attribute', {
      name: 'A',
      values: [
        { label: 'c', position: 3 },
        { label: 'off', position: 2, status: 'suspended' },
        { label: 'a', position: 1 },
        { label: 'gone', position: 0 },
      ],
    });
    shop.has('attribute', { name: 'A', values: [{ label: 'c' }, { label: 'off' }, { label: 'a' }] });
    expect((shop.read('attribute', 'A')['values'] as Item[]).map(({ label }) => label)).toEqual(['a', 'c']);
  });

  it('a value reads with its identifier; absent text fields are empty', () => {
    const shop = given().has('attribute', { name: 'A', values: [{ label: 'x', position: 1 }] });
    expect(shop.read('attribute', 'A')['values']).toEqual([
      {
        id: expect.stringMatching(/^atvl_/),
        label: 'x',
        hex: '',
        position: 1,
        status: 'activated',
        description: '',
        link_label: '',
        link_page: '',
      },
    ]);
  });

  it('link_label is sent together with link_page', () => {
    const values = (value: Item) => ({ name: 'A', values: [{ label: 'x', ...value }] });
    expect(given().line('attribute', values({ link_label: 'More' })).code).toBe('link_incomplete');
    expect(given().line('attribute', values({ link_page: 'page-1' })).code).toBe('link_incomplete');
    expect(given().line('attribute', values({ link_label: 'More', link_page: '' })).code).toBe('link_incomplete');
    expect(given().line('attribute', values({ link_label: '', link_page: 'page-1' })).code).toBe('link_incomplete');
    expect(given().line('attribute', values({ link_label: 'More', link_page: 'page-1' })).action).toBe('created');
    expect(given().line('attribute', values({ link_label: '', link_page: '' })).action).toBe('created');
  });

  it("sending '' for link_page together with '' for link_label removes the link", () => {
    const shop = given().has('attribute', {
      name: 'A',
      values: [{ label: 'x', link_label: 'More', link_page: 'page-1' }],
    });
    expect(shop.line('attribute', { name: 'A', values: [{ label: 'x' }] }).action).toBe('unchanged');
    expect(shop.read('attribute', 'A')['values']).toMatchObject([{ link_label: 'More', link_page: 'page-1' }]);
    expect(shop.line('attribute', { name: 'A', values: [{ label: 'x', link_label: '', link_page: '' }] }).action).toBe(
      'updated',
    );
    expect(shop.read('attribute', 'A')['values']).toMatchObject([{ link_label: '', link_page: '' }]);
  });
});

describe('shared characteristics', () => {
  const shop = () => given().has('shared-characteristics', { name: 'Energy', values: [{ label: 'A+' }] });

  it('can be read and carry shared = true', () => {
    expect(shop().read('attribute', 'energy')).toMatchObject({ shared: true, values: [{ label: 'A+' }] });
  });

  it('cannot be written', () => {
    const it = shop();
    const before = it.rows();
    const line = it.line('attribute', { name: 'ENERGY', values: [] });
    expect(line).toMatchObject({ action: 'refused', code: 'shared_read_only', id: it.id('attribute', 'Energy') });
    expect(it.line('attribute', { name: 'Energy' }).code).toBe('shared_read_only');
    expect(it.rows()).toEqual(before);
  });

  it('are loaded again as unchanged', () => {
    expect(shop().line('shared-characteristics', { name: 'Energy', values: [{ label: 'A+' }] }).action).toBe(
      'unchanged',
    );
  });

  it('can be named by products and axes', () => {
    const it = shop();
    expect(
      it.line('product', { sku: 'A', currency: 'EUR', attributes: [{ type: 'Energy', value: 'a+' }] }).action,
    ).toBe('created');
    expect(it.line('product_group', { name: 'G', axes: [{ attribute: 'Energy' }] }).action).toBe('created');
  });
});
