// The bounds of the evidence of former prices: which days count, and how much of it a row keeps.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  beforeRun,
  formerPricesAfter,
  lowestPrice,
  noFormerPrices,
} from '../../../src/core/resources/former-prices.js';
import type { Row } from '../../../src/core/rows/table.js';

const day = 86_400;
const first: Row = {
  ...{ status: 'activated', currency: 'EUR', price: 9000, price_compare: null, updated_at: 1000, former_prices: '' },
};

/** The product with another price from a time on. */
function priced(row: Row, price: number, at: number, more: Partial<Row> = {}): Row {
  const next = { ...row, price, ...more, updated_at: at } as Row;
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

const usd = { currency: 'USD' };
const eur = { currency: 'EUR' };

it('a price counts in its own currency, also after the product had another one in between; the known days begin again', () => {
  const before = priced(priced(first, 6000, 10 * day), 10_000, 12 * day);
  const back = priced(priced(before, 10_000, 20 * day, usd), 10_000, 21 * day, eur);
  expect(lowestPrice(back, 22 * day)).toEqual({ price: 6000, days: 1, since: null });
  const reduced = priced(back, 8000, 22 * day, { price_compare: 10_000 });
  expect(lowestPrice(reduced, 23 * day)).toEqual({ price: 6000, days: 1, since: 22 * day });
  // Announced with the change of the currency.
  const other = priced(before, 10_000, 20 * day, usd);
  expect(lowestPrice(other, 21 * day)).toEqual({ price: 10_000, days: 1, since: null });
  const atOnce = priced(other, 8000, 21 * day, { ...eur, price_compare: 10_000 });
  expect(lowestPrice(atOnce, 23 * day)).toEqual({ price: 6000, days: 0, since: 21 * day });
  const dollars = priced(atOnce, 8000, 24 * day, { ...usd, price_compare: null });
  expect(lowestPrice(dollars, 24 * day).price).toBe(8000);
});

it('evidence of earlier builds is of the currency that the product has', () => {
  const former_prices = '864000;0:8000:9;-86400:9500;0:9000|7|9000|EUR|activated|864000;;-86400:9500';
  const row = { ...first, price: 7000, price_compare: 10_000, updated_at: 10 * day, former_prices } as Row;
  const plain = priced(row, 9900, 20 * day, { price_compare: null });
  expect(lowestPrice(plain, 21 * day)).toEqual({ price: 7000, days: 11, since: null });
  const other = priced(plain, 8000, 22 * day, usd);
  expect(lowestPrice(other, 23 * day)).toEqual({ price: 8000, days: 1, since: null });
  expect(lowestPrice(priced(other, 9900, 24 * day, eur), 39 * day).price).toBe(7000);
  expect(lowestPrice(priced(other, 9900, 24 * day, eur), 51 * day).price).toBe(9900);
});

it('the lowest price is that of the prices in its currency that applied within 30 days, whatever the product was in between', () => {
  const change = fc.record({
    hours: fc.integer({ min: 1, max: 300 }),
    price: fc.integer({ min: 1, max: 9 }),
    currency: fc.constantFrom('EUR', 'USD', 'GBP'),
    status: fc.constantFrom('activated', 'activated', 'draft'),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      let row = first;
      const applied: { price: number; currency: unknown; until: number }[] = [];
      let at = Number(first['updated_at']);
      for (const { hours, ...next } of changes) {
        at += hours * 3600;
        if (row['status'] === 'activated')
          applied.push({ price: Number(row['price']), currency: row['currency'], until: at });
        row = priced(row, next.price, at, next);
      }
      const now = at + 3600;
      const own = row['status'] === 'activated' ? [Number(row['price'])] : [];
      const former = applied.filter(({ currency, until }) => currency === row['currency'] && until > now - 30 * day);
      const prices = [...own, ...former.map(({ price }) => price)];
      expect(lowestPrice(row, now).price).toBe(prices.length === 0 ? null : Math.min(...prices));
    }),
  );
});

it('the prices of a rise and a fall are kept as long as they can be the lowest', () => {
  // A short text is only appended to.
  const rows = [7000, 6000, 6000, 8000].reduce((row, price, i) => priced(row, price, (i + 2) * day), first);
  expect(rows['former_prices']).toBe('1000;;171800:9000;258200:7000;431000:6000');
  // With another currency it is read: what is above a later price cannot be the lowest again.
  const other = priced(rows, 8000, 6 * day, usd);
  expect(other['former_prices']).toBe(`${6 * day};;EUR${-day}:6000;EUR0:8000`);
  const back = priced(priced(other, 5000, 7 * day), 9000, 8 * day, eur);
  expect(back['former_prices']).toBe(`${8 * day};;${-3 * day}:6000;${-2 * day}:8000;USD0:5000`);
});

it('what ended 30 days ago is dropped once the evidence is read', () => {
  const rows = [6000, 7000].reduce((row, price, i) => priced(row, price, (i + 2) * day), first);
  expect(priced(rows, 7000, 33 * day, usd)['former_prices']).toBe(`${33 * day};;EUR0:7000`);
  expect(priced(rows, 7000, 33 * day - 1, usd)['former_prices']).toBe(
    `${33 * day - 1};;EUR${1 - 30 * day}:6000;EUR0:7000`,
  );
});

/** The product after a run has written it. */
function writtenBy(run: string, row: Row, price: number | null, at: number): Row {
  const next = { ...row, price, updated_at: at } as Row;
  return { ...next, former_prices: formerPricesAfter(next, row, run) };
}

it('a product is known as it was before the run that last changed it, however often the run wrote it', () => {
  const once = writtenBy('run-1', first, 8000, 2000);
  const twice = writtenBy('run-1', once, 7000, 3000);
  for (const row of [once, twice]) {
    const { price, currency, status } = beforeRun(row, 'run-1') ?? {};
    expect([price, currency, status]).toEqual([9000, 'EUR', 'activated']);
  }
  // Of another run, also one whose name begins or ends alike, it is as it is stored.
  for (const run of ['run-2', 'run', 'run-12', 'un-1']) expect(beforeRun(twice, run)).toBe(twice);
  const later = writtenBy('run-2', twice, 6000, 4000);
  expect(beforeRun(later, 'run-2')?.['price']).toBe(7000);
  expect(beforeRun(later, 'run-1')).toBe(later);
  // A run that changes no price keeps what is known of the one before.
  expect(beforeRun(writtenBy('run-3', later, 6000, 5000), 'run-2')?.['price']).toBe(7000);
});

it('of a product that a run created nothing is known from before it, and no price is null', () => {
  const created = { ...first, former_prices: noFormerPrices('run-1') } as Row;
  expect(beforeRun(created, 'run-1')).toBeUndefined();
  expect(beforeRun(created, 'run-2')).toBe(created);
  const unpriced = { ...first, price: null } as Row;
  expect(beforeRun(writtenBy('run-1', unpriced, 8000, 2000), 'run-1')?.['price']).toBeNull();
});
