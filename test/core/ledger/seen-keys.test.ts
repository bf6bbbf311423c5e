// Where every row of a feed was refused, what it listed before stays.
import { expect, it } from 'vitest';
import { isAllRefused } from '../../../src/core/ledger/seen-keys.js';

it.each([
  [2, 2, true],
  [2, 1, false],
  [2, undefined, false],
  [0, 0, false],
])('of %i rows with %s refused, all are refused: %s', (total, refused, expected) => {
  const filled = refused === undefined ? undefined : { rows: total, fields: {}, refused };
  expect(isAllRefused({ total, filled } as never)).toBe(expected);
});
