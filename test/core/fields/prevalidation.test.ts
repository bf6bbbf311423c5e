import { expect, it } from 'vitest';
import { prevalidator } from '../../../src/core/fields/prevalidation.js';
import { product } from '../../../src/core/resources/product.js';

const validate = prevalidator(product.fields);

it('an item without any diagnostic has its normalized fields, whatever the one before had', () => {
  expect(validate({ sku: ' A ', currency: 'EUR', price: 12.5 })).toMatchObject({
    sku: 'A',
    currency: 'EUR',
    price: 1250,
  });
  expect(validate({ currency: 'EUR', sku: 'B', stock: 3 })).toEqual({ currency: 'EUR', sku: 'B', stock: 3 });
  expect(validate({ sku: 'C', name: 'Cup' })).toEqual({ sku: 'C', name: 'Cup' });
});

it('an item with a diagnostic is checked again by the plan, and the next one by itself', () => {
  expect(validate({ sku: 'A', price: 'x' })).toBeUndefined();
  expect(validate({ sku: 'A', unknown: 1 })).toBeUndefined();
  expect(validate({ currency: 'EUR' })).toBeUndefined();
  expect(validate({ sku: 'A', price: 1 })).toEqual({ sku: 'A', price: 100 });
});

it.each([[null], [undefined], ['A'], [7], [[{ sku: 'A' }]]])('%j is no item', (raw) =>
  expect(validate(raw)).toBeUndefined(),
);
