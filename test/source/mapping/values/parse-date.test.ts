import { describe, expect, it } from 'vitest';
import { dateParser, formatFault, isTimeZone } from '../../../../src/source/mapping/values/parse-date.js';

const seconds = (iso: string): number => Date.parse(iso) / 1000;

describe('a date becomes Unix seconds in the zone it was written in', () => {
  it.each([
    ['DD.MM.YYYY', 'Europe/Berlin', '24.12.2023', '2023-12-23T23:00:00Z'],
    ['DD.MM.YYYY HH:mm', 'Europe/Berlin', '01.07.2023 12:30', '2023-07-01T10:30:00Z'],
    ['D/M/YY', 'UTC', '3/4/24', '2024-04-03T00:00:00Z'],
    ['MM/DD/YYYY', 'America/New_York', '03/10/2024', '2024-03-10T05:00:00Z'],
    ['iso', 'Europe/Berlin', '2013-01-01', '2012-12-31T23:00:00Z'],
    ['iso', 'Europe/Berlin', '2022-05-12T22:07:58.327Z', '2022-05-12T22:07:58Z'],
    ['iso', 'UTC', '2022-05-12T22:07:58+02:00', '2022-05-12T20:07:58Z'],
    ['iso', 'Europe/Berlin', '2022-05-12 22:07-0530', '2022-05-13T03:37:00Z'],
    ['iso', 'Asia/Kolkata', '2022-05-12T00:00', '2022-05-11T18:30:00Z'],
    // What systems write for no date.
    ['iso', 'UTC', '0001-01-01T00:00:00', '0001-01-01T00:00:00Z'],
    ['DD.MM.YYYY', 'Etc/GMT-1', '24.12.0023', '0023-12-23T23:00:00Z'],
    ['DD.MM.YY', 'UTC', '01.01.69', '2069-01-01T00:00:00Z'],
    ['DD.MM.YY', 'UTC', '01.01.70', '1970-01-01T00:00:00Z'],
    ['HH:mm:ss DD.MM.YYYY', 'UTC', '23:59:59 31.12.2023', '2023-12-31T23:59:59Z'],
    ['YYYYMMDD', 'UTC', '20240229', '2024-02-29T00:00:00Z'],
    ['unix', 'UTC', '1700000000', '2023-11-14T22:13:20Z'],
  ])('%s in %s: %s', (format, zone, text, iso) => {
    expect(dateParser(format, zone)(text)).toBe(seconds(iso));
  });

  it.each([
    ['DD.MM.YYYY', '31.02.2024'],
    ['DD.MM.YYYY', '2024-02-01'],
    ['DD.MM.YYYY', '1.2.2024'],
    ['iso', '2023-02-29'],
    ['iso', '0000-00-00'],
    ['iso', '2024-02-01T10:00+24:00'],
    ['iso', '2024-02-01T10:00-05:60'],
    ['DD.MM.YYYY', '01.13.2024'],
    ['DD.MM.YYYY', '01.00.2024'],
    ['DD.MM.YYYY', '00.01.2024'],
    ['DD.MM.YYYY HH:mm', '01.01.2024 24:00'],
    ['DD.MM.YYYY HH:mm', '01.01.2024 23:60'],
    ['HH:mm:ss DD.MM.YYYY', '23:59:60 31.12.2023'],
    ['unix', '123456789012'],
    ['unix', '-1'],
  ])('%s does not read %s', (format, text) => {
    expect(dateParser(format, 'UTC')(text)).toBeUndefined();
  });

  it.each([
    ['DD-MMM-YY', 'has the month twice'],
    ['YYYY/YY', 'has the year twice'],
    ['HH:mm HH', 'has the hour twice'],
    ['yyyy-mm-dd', 'has no year'],
    ['DD.MM', 'has no year'],
    ['HH:mm', 'has no year'],
    ['DD YYYY', 'has a day and no month'],
  ])('the format %s %s', (format, fault) => {
    expect(formatFault(format)).toBe(fault);
  });

  it.each(['iso', 'unix', 'YYYY', 'MM/YYYY', 'D.M.YY', 'YYYYMMDDHHmmss', 'YYYY-MM-DDTHH:mm:ssZ'])(
    'the format %s is one of dates',
    (format) => {
      expect(formatFault(format)).toBeUndefined();
      expect(() => dateParser(format, 'UTC')).not.toThrow();
    },
  );

  it('knows which zones there are', () => {
    expect(isTimeZone('Europe/Berlin')).toBe(true);
    expect(isTimeZone('Europe/Entenhausen')).toBe(false);
  });
});
