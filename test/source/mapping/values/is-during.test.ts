import { expect, it } from 'vitest';
import { isDuring, spanParser } from '../../../../src/source/mapping/values/date-span.js';

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
  ['2026-11-20/2026-11-30/2026-12-31', undefined],
  ['today/tomorrow', undefined],
])('whether noon of 24 November is in %s: %s', (period, expected) => {
  expect(isDuring(period, now, 'UTC')).toBe(expected);
});

it.each([
  // Clocks go forward on 2026-03-29, and back on 2026-10-25.
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
  ['Europe/Berlin', '2026-11-27', '2026-11-26T23:00:00Z', '2026-11-27T23:00:00Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
  ['Asia/Kathmandu', '2026-11-27', '2026-11-26T18:15:00Z', '2026-11-27T18:15:00Z'],
  ['UTC', '2026-12-31', '2026-12-31T00:00:00Z', '2027-01-01T00:00:00Z'],
])('a day in %s lasts from midnight to midnight: %s', (zone, day, from, until) => {
  const [begin, end] = [from, until].map((text) => Date.parse(text) / 1000) as [number, number];
  const during = [begin - 1, begin, end - 1, end].map((now) => isDuring(`${day}/${day}`, now, zone));
  expect(during).toEqual([false, true, true, false]);
});

it.each([
  ['DD.MM.YYYY', '24.11.2026', '2026-11-24', '2026-11-25'],
  ['MM/YYYY', '11/2026', '2026-11-01', '2026-12-01'],
  ['YYYY-MM', '2026-12', '2026-12-01', '2027-01-01'],
  ['M.YY', '2.28', '2028-02-01', '2028-03-01'],
  ['YYYY', '2026', '2026-01-01', '2027-01-01'],
  ['YYYY-MM-DD HH:mm', '2026-11-24 10:00', '2026-11-24T10:00Z', '2026-11-24T10:00Z'],
  ['YYYY-MM-DD HH', '2026-11-24 10', '2026-11-24T10:00Z', '2026-11-24T10:00Z'],
  ['iso', '2026-11-24', '2026-11-24', '2026-11-25'],
  ['iso', '2026-11-24T10:00', '2026-11-24T10:00Z', '2026-11-24T10:00Z'],
  ['unix', '1700000000', '2023-11-14T22:13:20Z', '2023-11-14T22:13:20Z'],
])('a date of the form %s lasts to the end of what it names: %s', (format, text, from, until) => {
  const seconds = (iso: string) => Date.parse(iso) / 1000;
  expect(spanParser(format, 'UTC')(text)).toEqual({ from: seconds(from), until: seconds(until) });
});

it('a month ends where its zone has midnight', () => {
  const span = spanParser('MM/YYYY', 'Europe/Berlin')('03/2026');
  expect(span).toEqual({
    from: Date.parse('2026-02-28T23:00Z') / 1000,
    until: Date.parse('2026-03-31T22:00Z') / 1000,
  });
});
