import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addNumbers, readNumber, roundNumber, shiftNumber } from '../../../src/source/mapping/number-text.js';

function read(text: string, decimal?: '.' | ','): string {
  const found = readNumber(text, decimal);
  return 'fault' in found ? `! ${found.fault}` : found.text;
}

describe('a number as suppliers write it', () => {
  it.each([
    ['1.234,50', '1234.50'],
    ['1,234.50', '1234.50'],
    ['12,50', '12.50'],
    ['12.50', '12.50'],
    ['1.234.567', '1234567'],
    ["1'234.50", '1234.50'],
    ['1 234,5', '1234.5'],
    ['1\u00a0234,5', '1234.5'],
    ['1\u202f234', '1234'],
    ['€229,99 incl.', '229.99'],
    ['EUR 1.234,50', '1234.50'],
    ['Fr. 12.50', '12.50'],
    ['12,-', '12'],
    ['12,--', '12'],
    ['12,50-', '-12.50'],
    ['−5', '-5'],
    ['0.123', '0.123'],
    ['1234.500', '1234.500'],
    ['0', '0'],
  ])('%s is read without being told the decimal sign', (text, number) => {
    expect(read(text)).toBe(number);
  });

  it.each(['1.234', '15,990', '1.000', '999,999'])('%s may be either and is refused, not guessed', (text) => {
    expect(read(text)).toMatch(/^! is 1234 or 1\.234/);
  });

  it.each([
    ['1.234', ',', '1234'],
    ['1.234', '.', '1.234'],
    ['15,990', ',', '15.990'],
    ['15,990', '.', '15990'],
  ] as const)('%s with the decimal sign %s is %s', (text, decimal, number) => {
    expect(read(text, decimal)).toBe(number);
  });

  it.each([
    '',
    'abc',
    '2 x 3,50',
    '1e3',
    '8,72E+12',
    '.5',
    '5.',
    '1,2,3',
    '12.34.56',
    '1,234.5,6',
    '229,99 incl. 19% MwSt',
    '1.23,4',
  ])('%j is no number', (text) => {
    expect(read(text)).toMatch(/^! /);
  });

  it('a number written with a comma is refused where the point is the decimal sign', () => {
    expect(read('12,50', '.')).toMatch(/^! is no number with the decimal sign \./);
  });

  it('what was written in either notation is what is read, for every amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), fc.constantFrom('.', ','), (cents, decimal) => {
        const plain = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
        const other = decimal === '.' ? ',' : '.';
        const [whole = '', fraction = ''] = plain.split('.');
        const grouped = whole.replace(/\B(?=(\d{3})+$)/g, other);
        expect(read(`${grouped}${decimal}${fraction}`, decimal)).toBe(plain);
        expect(read(`${grouped}${decimal}${fraction}`)).toBe(plain);
      }),
    );
  });
});

describe('computing with plain numbers is exact', () => {
  it('adds, shifts and rounds half away from zero', () => {
    expect(addNumbers('0.1', '0.2')).toBe('0.3');
    expect(addNumbers('100', '-0.50')).toBe('99.50');
    expect(shiftNumber('1999', -2)).toBe('19.99');
    expect(shiftNumber('0.5', 3)).toBe('500');
    expect(shiftNumber('5', -3)).toBe('0.005');
    expect(roundNumber('0.068357', 3)).toBe('0.068');
    expect(roundNumber('2.9765', 3)).toBe('2.977');
    expect(roundNumber('-1.005', 2)).toBe('-1.01');
  });
});
