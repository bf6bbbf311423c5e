// An amount that is written with a currency, where the currency of the product is another one.
import { expect, it } from 'vitest';
import { amountInOtherCurrency } from '../../../src/core/planning/amount-currency.js';
import { given } from '../../given.js';

const dollars = { field: 'price', text: '$5.00', source: 'column "Price"', written: '$', codes: ['USD', 'CAD'] };

it.each([
  ['', undefined],
  ['CAD', undefined],
  ['EUR', dollars],
])('is compared with %j', (currency, found) => {
  expect(amountInOtherCurrency([dollars], currency)).toBe(found);
});

it('refuses the item, by the currency that it sends or that is stored', () => {
  const shop = given().has('product', { sku: 'A', currency: 'EUR' });
  const item = { sku: 'A', price: '5.00' };
  const sent = (currency?: string) =>
    shop.line('product', { kind: 'raw', item: { ...item, ...(currency && { currency }) }, amounts: [dollars] });
  expect(sent()).toMatchObject({ code: 'currency_mismatch', reason: expect.stringContaining('names $') });
  expect(sent('EUR').code).toBe('currency_mismatch');
  expect(sent('USD').action).toBe('updated');
});
