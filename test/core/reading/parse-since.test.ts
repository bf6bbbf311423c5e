// Points in time as they are typed.
import { afterEach, expect, it } from 'vitest';
import { parseSince } from '../../../src/core/reading/parse-since.js';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

const seconds = (date: string): number => Date.parse(date) / 1000;
const now = seconds('2026-11-22T12:00:00Z');

it.each([
  ['0', 0],
  [' 1700000000 ', 1_700_000_000],
  ['7d', now - 7 * 86_400],
  ['30m', now - 1800],
  ['999999d', 0],
  ['2026-11-22', seconds('2026-11-22T00:00:00Z')],
  ['2026-11-22T08:30', seconds('2026-11-22T08:30:00Z')],
  ['2026-11-22 08:30:15.9', seconds('2026-11-22T08:30:15Z')],
  ['2026-11-22T08:30:00Z', seconds('2026-11-22T08:30:00Z')],
  ['2026-11-22T08:30+02:00', seconds('2026-11-22T06:30:00Z')],
  ['2026-01-31', seconds('2026-01-31T00:00:00Z')],
  ['2024-02-29', seconds('2024-02-29T00:00:00Z')],
  ['2000-02-29', seconds('2000-02-29T00:00:00Z')],
])('%s, a date without a zone in UTC, wherever it is read', (text, expected) => {
  for (const place of ['UTC', 'Asia/Tokyo']) {
    process.env['TZ'] = place;
    expect(parseSince(text, now)).toBe(expected);
  }
});

it.each([
  '',
  'yesterday',
  '22.11.2026',
  '2026-11',
  '2026-13-01',
  '2026-11-31',
  '2026-01-32',
  '2026-02-29',
  '1900-02-29',
])('%j is none', (text) => {
  expect(parseSince(text, now)).toBeUndefined();
});
