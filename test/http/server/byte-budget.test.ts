// What requests keep in memory is bounded, for all of them and for each key and address.
import { expect, it } from 'vitest';
import { byteBudget } from '../../../src/http/server/admission/byte-budget.js';

it('a holder with several requests has a quarter at most, and one request alone may have all of it', () => {
  const budget = byteBudget(100);
  const alone = budget.reserve(['a']);
  expect([alone.grow(60), alone.grow(30), alone.grow(11)]).toEqual([true, true, false]);
  expect(budget.reserve(['a']).grow(1)).toBe(false);
  expect(budget.hasRoom(1, ['a'])).toBe(false);
  expect(budget.hasRoom(10, ['b'])).toBe(true);
  expect(budget.hasRoom(11, ['b'])).toBe(false);
  alone.release();
  const [one, other] = [budget.reserve(['a', '::1']), budget.reserve(['a'])];
  expect([one.grow(20), other.grow(5), other.grow(1), one.grow(1)]).toEqual([true, true, false, false]);
  // Another key from the same address.
  expect(budget.reserve(['b', '::1']).grow(6)).toBe(false);
  expect(budget.used()).toBe(25);
});

it('what must be sent is held beyond the budget, and all is free once it is released, whatever comes later', () => {
  const budget = byteBudget(100);
  const sent = budget.reserve(['a']);
  sent.force(150);
  expect([budget.used(), budget.hasRoom(1, ['b'])]).toEqual([150, false]);
  sent.release();
  sent.release();
  sent.force(10);
  expect([sent.grow(1), budget.used(), budget.hasRoom(100, ['a'])]).toEqual([false, 0, true]);
});
