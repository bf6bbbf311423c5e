// Each change moves the mark of its record on.
import { expect, it } from 'vitest';
import { changedAt } from '../../../src/core/ledger/changed-at.js';

it.each([
  ['earlier', 99, 100, 100],
  ['in the same second', 100, 100, 101],
  ['later by the clock of another host', 101, 100, 102],
  ['later by almost an hour', 3699, 100, 3700],
  ['later by an hour: the clock was set back', 3700, 100, 100],
])('the mark of a change, the one before being %s', (_, before, now, mark) => {
  expect(changedAt(before, now)).toBe(mark);
});
