// A long text is stored once: after a change its hash tells whether a record still has it.
import { expect, it } from 'vitest';
import { isStill, keptAfter } from '../../../src/core/ledger/recorded-change.js';

const [short, long] = ['x'.repeat(40), 'x'.repeat(41)];

it('texts of up to 40 characters and other values are stored as they are', () => {
  for (const value of ['', short, 7, null]) expect(keptAfter(value)).toBe(value);
  expect(keptAfter(long)).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{16}$/) });
});

it('a record still has the value that a change gave it, and no other', () => {
  const values = ['', short, long, `${long}x`, 'y'.repeat(41), 7, null];
  for (const after of values)
    for (const value of values) expect(isStill(value, keptAfter(after)), `${value} ${after}`).toBe(value === after);
});

it('no value but a long text has a hash', () => {
  const hash = keptAfter(long) as { hash: string };
  expect([isStill(long, hash), isStill(long.slice(1), hash), isStill(7, hash), isStill(null, hash)]).toEqual([
    ...[true, false, false, false],
  ]);
});
