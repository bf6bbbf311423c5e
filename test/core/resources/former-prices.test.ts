// The bounds of the evidence of former prices: which days count, and how much of it a row keeps.
import { expect, it } from 'vitest';
import { formerPricesAfter, lowestPrice } from '../../../src/core/resources/former-prices.js';
import type { Row } from '../../../src/core/rows/table.js';

const day = 86_400;
const first: Row = {
  ...{ status: 'activated', currency: 'EUR', price: 9000, price_compare: null, updated_at: 1000, former_prices: '' },
};

/** The product with another price from a time on. */
function priced(row: Row, price: number, at: number): Row {
  const next = { ...row, price, updated_at: at };
  return { ...next, former_prices: formerPricesAfter(next, row, undefined) };
}

it('a price counts that was applied within the last 30 days, and not one that ended 30 days ago', () => {
  const row = priced(priced(first, 5000, 2000), 8000, 3000);
  expect(lowestPrice(row, 3000 + 30 * day - 1).price).toBe(5000);
  expect(lowestPrice(row, 3000 + 30 * day).price).toBe(8000);
});

it('a row stays short however often its price rises, and knows the lowest of 30 days to half a day', () => {
  let row = first;
  // Each hour a cent more: none of the former prices is above a later one.
  for (let hour = 1; hour <= 24 * 40; hour++) row = priced(row, 9000 + hour, 1000 + hour * 3600);
  expect(String(row['former_prices']).length).toBeLessThan(130 * 15);
  const { price, days } = lowestPrice(row, 1000 + 24 * 40 * 3600);
  // Ten days are over: 240 prices.
  expect(days).toBe(30);
  expect(price).toBeLessThanOrEqual(9240);
  expect(price).toBeGreaterThanOrEqual(9240 - 12);
});
