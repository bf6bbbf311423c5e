// The prices that a product had, by the history of its runs.
import { afterEach, expect, it, vi } from 'vitest';
import { shopOn } from '../ledger-shop.js';
import { memoryStore } from '../memory-store.js';

const start = 1_764_000_000;
const day = 86_400;

afterEach(() => void vi.useRealTimers());

it('are told with the runs that gave them, the latest first; of an unknown product nothing', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start * 1000 });
  const shop = shopOn(memoryStore());
  const runs: number[] = [];
  for (const [nights, price] of [
    [0, '10.00'],
    [1, '8.00'],
    [2, '9.00'],
  ] as const) {
    vi.setSystemTime((start + nights * day) * 1000);
    runs.push((await shop.run('', { B: { currency: 'EUR' }, A: { currency: 'EUR', price } })).run);
  }
  const now = start + 3 * day;
  const { record, periods } = (await shop.ledger.prices({ key: 'A' }, now)) ?? {};
  expect(record).toMatchObject({ sku: 'A', price: '9.00' });
  expect(record).toHaveProperty('lowest_price_30d');
  const known = { field: 'price', currency: 'EUR', unknown: null };
  expect(periods?.slice(0, 3)).toMatchObject([
    { ...known, since: start + 2 * day, until: null, price: 900, origin: { run: runs[2], line: 3 } },
    { ...known, since: start + day, until: start + 2 * day, price: 800, origin: { run: runs[1], line: 3 } },
    { ...known, since: start, until: start + day, price: 1000 },
  ]);
  expect(await shop.ledger.prices({ key: 'C' }, now)).toBeUndefined();
});
