import { expect, it } from 'vitest';
import { limitPercent, shareWords } from '../../../src/core/text/percent.js';

it.each([
  [1 - 0.9901, '0.99 %'],
  [0.07, '7 %'],
  [0.2, '20 %'],
  [0.00001, '0.001 %'],
  [0, '0 %'],
  [1, '100 %'],
])('a limit of %d is shown as it was written: %s', (share, shown) => {
  expect(limitPercent(share)).toBe(shown);
});

it('a share of nothing is all of it, or none', () => {
  expect([shareWords(3, 0), shareWords(0, 0), shareWords(1, 3)]).toEqual(['100 % of 0', '0 % of 0', '33.3 % of 3']);
});
