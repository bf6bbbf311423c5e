// The item that a record is exported as, and what it cannot hold.
import { describe, expect, it } from 'vitest';
import { exportFields, exportItem } from '../../../src/core/reading/export-item.js';
import { type Item, resourceCalled } from '../../given.js';

function exported(word: string, record: Item) {
  const leftOut: string[] = [];
  const item = exportItem(resourceCalled(word), record, (why) => leftOut.push(why));
  return { item, leftOut };
}

const lists = { grades: [], attributes: [], media: [] };

describe('an exported item', () => {
  it('has the fields of its resource, and no second name of one', () => {
    const fields = exportFields({ ...resourceCalled('products') });
    expect(fields).toContain('sku');
    expect(fields).not.toContain('external_id');
    expect(exportFields({ ...resourceCalled('reviews') })).toContain('external_id');
  });

  it('has what the record has, and names in place of identifiers', () => {
    const record = { id: 'prod_1', sku: 'A', name: '', weight: null, category: 'cate_1', category_name: 'Home' };
    expect(exported('products', { ...record, ...lists })).toEqual({
      item: { sku: 'A', name: '', category: 'Home', ...lists },
      leftOut: [],
    });
  });

  it('does not exist of a deleted record', () => {
    expect(exported('products', { sku: 'A', status: 'deleted', ...lists })).toEqual({
      item: undefined,
      leftOut: ['deleted'],
    });
  });
});

describe('references to what the shop no longer has', () => {
  it('are left out', () => {
    const record = { name: 'Home', image: 'file_1', seo_image: 'file_2', warranty: 'w', unresolved: ['file_1', 'w'] };
    expect(exported('categories', record)).toEqual({
      item: { name: 'Home', seo_image: 'file_2' },
      leftOut: ['unresolved_reference', 'unresolved_reference'],
    });
    expect(exported('categories', { name: 'Home', image: 'file_1', unresolved: [] })).toEqual({
      item: { name: 'Home', image: 'file_1' },
      leftOut: [],
    });
  });

  it('leave out a whole list of photos, and of a value its link', () => {
    const media = [{ file: 'file_1' }, { file: 'file_2' }];
    const product = (unresolved: string[]) => exported('products', { sku: 'A', ...lists, media, unresolved });
    const { media: _, ...others } = lists;
    expect(product(['file_2'])).toEqual({ item: { sku: 'A', ...others }, leftOut: ['unresolved_reference'] });
    expect(product(['file_3'])).toEqual({ item: { sku: 'A', ...lists, media }, leftOut: [] });
    const link = { link_label: 'more', link_page: 'page-2' };
    const values = [
      { label: 'S', link_label: 'more', link_page: 'page-1' },
      { label: 'M', ...link },
    ];
    expect(exported('characteristics', { name: 'Size', scope: 'catalog', values, unresolved: ['page-1'] })).toEqual({
      item: { name: 'Size', scope: 'catalog', values: [{ label: 'S' }, { label: 'M', ...link }] },
      leftOut: ['unresolved_reference'],
    });
  });
});

describe('price and stock of a product', () => {
  const product = (grades: readonly Item[], fields: Item) => {
    const { item = {} } = exported('products', { sku: 'A', ...lists, grades, ...fields });
    return { price: item['price'], stock: item['stock'] };
  };
  const grade = (fields: Item) => ({ grade: 'new', status: 'activated', price: '', stock: null, ...fields });

  it.each([
    ['without grades are its own', [], { price: '0.00', stock: 0 }, { price: '0.00', stock: 0 }],
    ['are those of its grades', [grade({ price: '5.00', stock: 1 })], { price: '5.00', stock: 1 }, {}],
    ['are its own where no grade has one', [grade({})], { price: '5.00', stock: 1 }, { price: '5.00', stock: 1 }],
    ['are left out where they say nothing', [grade({})], { price: '0.00', stock: 0 }, {}],
    [
      'are those of the active grades',
      [grade({}), grade({ grade: 'good', status: 'suspended', price: '5.00', stock: 1 })],
      { price: '7.00', stock: 2 },
      { price: '7.00', stock: 2 },
    ],
  ])('%s', (_, grades, fields, expected) => {
    expect(product(grades, fields)).toEqual({ price: undefined, stock: undefined, ...expected });
  });
});

it('a characteristic with a value that its list no longer has is left out', () => {
  const entry = (type: string, value: string, unlisted?: boolean) => ({
    ...{ type: `attr_${type}`, type_name: type, value },
    ...(unlisted !== undefined && { unlisted }),
  });
  const attributes = [entry('Size', 'S', true), entry('Size', 'M', false), entry('Fit', 'slim', false)];
  expect(exported('products', { sku: 'A', ...lists, attributes })).toEqual({
    item: { sku: 'A', ...lists, attributes: [{ type: 'Fit', value: 'slim' }] },
    leftOut: ['unlisted_value', 'unlisted_value'],
  });
  expect(exported('products', { sku: 'A', ...lists, attributes: attributes.slice(1) }).leftOut).toEqual([]);
});

it.each([
  ['catalog', '', { scope: 'catalog', scope_ident: '' }, []],
  ['category', 'Home', { scope: 'category', scope_ident: 'Home' }, []],
  ['product', '', {}, ['scope_of_deleted']],
])('a scope that refers to nothing is left out: %s %j', (scope, scope_name, fields, leftOut) => {
  expect(exported('characteristics', { name: 'Size', scope, scope_ident: 'x', scope_name })).toEqual({
    item: { name: 'Size', ...fields },
    leftOut,
  });
});
