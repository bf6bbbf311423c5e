// Numbers of a workbook as its formats show them.
import { describe, expect, it } from 'vitest';
import { cellFormat, cellText } from '../../../src/source/xlsx/cell-format.js';

const shown = (value: string, code: string | undefined, id = 170) => cellText(value, cellFormat(id, code), false);

describe('the text of a number', () => {
  it.each(['0%', '0.0%', '0.00 %', '0.##%', '0.0#%', '#%', '#.##%', '#,##0.##%', 'General%'])(
    'is a per cent in every format of one: %s',
    (code) => {
      expect(Number(shown('0.075', code).replace('%', ''))).toBe(7.5);
      expect(Number(shown('0.2', code).replace('%', ''))).toBe(20);
      expect(shown('0.2', code)).toMatch(/^\d+(?:\.\d+)?%$/);
    },
  );

  it.each([
    ['0.075', '0.00" %"', '0.075 %'],
    ['0.075', '0.##', '0.075'],
    ['1999.5', '#,##0.00 USD', '1999.50'],
    ['45123.5', '#,##0.00 DKK', '45123.50'],
    ['12', '0 pcs', '12'],
    ['0.5', '0.00 h', '0.50'],
    ['7', '0 "mm"', '7'],
    ['0.5', '0.0" kg"', '0.5'],
    ['27.9900000000001', 'General', '27.99'],
  ])('%s in %s is %s, whatever words are next to it', (value, code, text) => {
    expect(shown(value, code)).toBe(text);
  });

  it.each([
    ['300', '0" g"', '300 g'],
    ['0.5', '0.0 \\l\\b', '0.5 lb'],
    ['2', '0" Pounds"', '2 Pounds'],
  ])('%s in %s is %s, as it is no weight in kilograms', (value, code, text) => {
    expect(shown(value, code)).toBe(text);
  });

  it.each([
    ['45123.5', 'yyyy-mm-dd hh:mm:ss.000', '2023-07-16 12:00:00.000'],
    ['45123.5', 'd.m.yy', '16.7.23'],
    ['45123', 'mmm', 'Jul'],
    ['45123', 'yyyy"年"m"月"d"日";@', '2023年7月16日'],
    ['45123', '[$-F800]dddd, mmmm dd, yyyy', '2023-07-16'],
    ['0.5', 'h:mm', '12:00'],
    ['1.5', '[h]:mm', '36:00'],
  ])('%s in %s is the date or time %s', (value, code, text) => {
    expect(shown(value, code)).toBe(text);
  });

  it('is a date in the built-in formats of Chinese, Japanese and Korean, which a workbook names by their numbers only', () => {
    for (const id of [27, 28, 29, 30, 31, 34, 35, 36, 50, 54, 57, 58])
      expect(shown('45123', undefined, id), `${id}`).toBe('2023-07-16');
    for (const id of [32, 33]) expect(shown('0.5', undefined, id), `${id}`).toBe('12:00:00');
    for (const id of [0, 26, 37, 49, 59]) expect(shown('45123', undefined, id), `${id}`).toBe('45123');
    expect(shown('45123', '0.00', 31)).toBe('45123.00');
  });
});
