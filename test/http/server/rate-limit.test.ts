// Rate limits by their clock: how many requests pass, and what is told of the others.
import { expect, it } from 'vitest';
import { minuteCounts, tokenBuckets } from '../../../src/http/server/admission/rate-limit.js';

it('a key that was silent for long may send no more at once than the requests of one second', () => {
  const take = tokenBuckets(3);
  expect(take('a', 0)).toEqual({ wait: 0, left: 2, untilFull: 1 });
  const later = Array.from({ length: 4 }, () => take('a', 60_000).wait);
  expect(later).toEqual([0, 0, 0, 1 / 3]);
  // A refused request takes nothing: the next passes when it was told.
  expect(take('a', 60_334).wait).toBe(0);
  expect(take('b', 60_334)).toMatchObject({ wait: 0, left: 2 });
});

it('of an address as many failures as allowed pass in a minute, and the others wait for its end', () => {
  const count = minuteCounts(2);
  expect([count('a', 0), count('a', 1000), count('a', 2000), count('b', 3000)]).toEqual([0, 0, 58, 0]);
  expect([count('a', 59_999), count('a', 60_000)]).toEqual([0.001, 0]);
});

it('a hundred thousand addresses are counted at once; of more the minute begins again', () => {
  const count = minuteCounts(1);
  count('first', 0);
  for (let i = 1; i < 100_000; i++) count(`a${i}`, 0);
  expect(count('first', 0)).toBeGreaterThan(0);
  count('one more', 0);
  expect(count('first', 0)).toBe(0);
});
