import { expect, it } from 'vitest';
import { limitPercent } from '../../../src/core/text/percent.js';

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
