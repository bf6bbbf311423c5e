// Conditions on the fields of records: what they compare, and what cannot be asked.
import { describe, expect, it } from 'vitest';
import { comparesName, recordConditions, useOneOf } from '../../../src/core/reading/record-conditions.js';
import { resourceCalled } from '../../given.js';

function holds(
  word: string,
  field: string,
  value: string,
  record: Readonly<Record<string, unknown>>,
): boolean | string {
  const made = recordConditions(resourceCalled(word), [{ field, value }]);
  return typeof made === 'function' ? made(record) : made.fault;
}

describe('a condition', () => {
  it.each([
    ['an amount by its value', 'price', '19.9', { price: '19.90' }, true],
    ['another amount', 'price', '19.9', { price: '19.91' }, false],
    ['a missing amount is not 0', 'price', '0', { price: '' }, false],
    ['nor is one that was not read', 'price', '0', {}, false],
    ['0 is 0.00', 'price', '0', { price: '0.00' }, true],
    ['a missing amount by nothing', 'price', '', { price: '' }, true],
    ['a number', 'stock', '5', { stock: 5 }, true],
    ['a number in another form', 'stock', '5.0', { stock: 5 }, true],
    ['another number', 'stock', '5', { stock: 50 }, false],
    ['a SKU exactly', 'sku', 'a1', { sku: 'A1' }, false],
    ['a name in any letters', 'name', 'desk LAMP', { name: 'Desk lamp' }, true],
    [
      'a category by its name, in any letters',
      'category',
      'phones',
      { category: 'cate_1', category_name: 'Phones' },
      true,
    ],
    ['a group by its name exactly', 'group', 'g', { group: 'prgr_1', group_name: 'G' }, false],
    ['the same group', 'group', 'G', { group: 'prgr_1', group_name: 'G' }, true],
    ['no name where none is asked for', 'category', ' ', { category: '', category_name: '' }, false],
  ])('compares %s', (_, field, value, record, expected) => {
    expect(holds('products', field, value, record)).toBe(expected);
  });

  it.each([
    ['categories', true],
    ['groups', false],
  ])('compares the names of %s as the catalog does', (word, expected) => {
    expect(holds(word, 'name', 'home', { name: 'Home' })).toBe(expected);
    expect(holds(word, 'name', 'Home', { name: 'Home' })).toBe(true);
  });

  it.each([
    ['pric', '5', 'pric is not a field of products to compare. Did you mean price?'],
    ['status', 'activatd', 'status activatd does not exist. Did you mean activated?'],
    ['price', 'much', '"much" is not a number, such as 12.50.'],
    ['price', ' ', '" " is not a number, such as 12.50.'],
  ])('%s=%s cannot be asked', (field, value, fault) => {
    expect(holds('products', field, value, {})).toBe(fault);
  });

  it('needs the names of other records where it compares one', () => {
    const compares = (field: string, value: string) => comparesName(resourceCalled('products'), { field, value });
    expect(['Phones', 'cate_1'].map((value) => compares('category', value))).toEqual([true, false]);
    expect(compares('name', 'Lamp')).toBe(false);
  });
});

it('a word that is like none is answered with all', () => {
  expect(useOneOf('x', ['price', 'stock'])).toBe('Use one of price, stock.');
  expect(useOneOf(`${'p'.repeat(60)}x`, ['p'.repeat(60)])).toBe(`Use one of ${'p'.repeat(60)}.`);
  expect(useOneOf(`${'p'.repeat(59)}x`, ['p'.repeat(60)])).toBe(`Did you mean ${'p'.repeat(60)}?`);
});
