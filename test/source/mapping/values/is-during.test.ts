import { expect, it } from 'vitest';
import { isDuring } from '../../../../src/source/mapping/values/date-span.js';

const now = Date.parse('2026-11-24T12:00:00Z') / 1000;

it.each([
  ['2026-11-24T12:00Z/2026-11-25', true],
  ['2026-11-20/2026-11-24', true],
  ['2026-11-20/2026-11-23', false],
  ['2026-11-24T13:00+0100/2026-11-24T13:01+01:00', true],
  ['2026-11-24T12:00/2026-11-24T12:00', false],
  ['2026-11-25/2026-11-30', false],
  ['/2026-11-24', true],
  ['2026-11-24/', true],
  [' 2026-11-24 08:00:00 / 2026-11-24 18:00:00 ', true],
  ['/', true],
  ['2026-11-24', undefined],
  ['2026-11-24/2026-11-31', undefined],
  ['1/2/3', undefined],
  ['today/tomorrow', undefined],
])('whether noon of 24 November is in %s: %s', (period, expected) => {
  expect(isDuring(period, now, 'UTC')).toBe(expected);
});
