// Numbers that are reserved for new products are used up before those reserved behind them.
import { expect, it } from 'vitest';
import { productNumbers } from '../../../src/store/postgres/product-numbers.js';
import { sessionPool } from '../../../src/store/postgres/session-pool.js';

const pool = sessionPool(() => Promise.reject(new Error('no connection is needed')), 1);

it('leaves no gap where a writer is alone, and skips what another one reserved in between', () => {
  const numbers = productNumbers(pool, 'catalog_import');
  const take = (count: number): readonly number[] => Array.from({ length: count }, () => numbers.next());
  numbers.add(8192, 8192);
  expect(numbers.toReserve()).toBe(0);
  expect(take(3000)).toEqual(Array.from({ length: 3000 }, (_, i) => 1 + i));
  const count = numbers.toReserve();
  expect(count).toBe(8192);
  numbers.add(count, 8192 + count);
  expect(take(8192).slice(0, 2)).toEqual([3001, 3002]);
  expect(numbers.toReserve()).toBe(count);
  numbers.add(count, 50_000);
  expect(numbers.next()).toBe(50_001 - count);
});
