import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberFaultText } from '../../../../src/core/diagnostics/number-problems.js';
import { currencyIn, parseNumber } from '../../../../src/source/mapping/values/parse-number.js';
import {
  addNumbers,
  multiplyNumbers,
  roundNumber,
  shiftNumber,
} from '../../../../src/source/mapping/values/plain-numbers.js';

function read(text: string, decimal?: '.' | ','): string {
  const found = parseNumber(text, { decimal });
  return 'fault' in found ? `! ${numberFaultText(found.fault, text)}` : found.text;
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
    ['.50', '0.50'],
    [',50', '0.50'],
    ['-.5', '-0.5'],
    ['€.02', '0.02'],
    ['Rs.50', '50'],
    ['15.-', '15'],
    ['15,–', '15'],
    ["1'234.--", '1234'],
    ['229,99 incl. 19% MwSt', '229.99'],
    ['ab 12,50 €', '12.50'],
    ['10.00 (excl. VAT)', '10.00'],
    ['1,234.50 USD', '1234.50'],
    ['R$ 10,00', '10.00'],
    ['12.50*', '12.50'],
    ['12.50 (EUR)', '12.50'],
    ['(EUR) 12.50', '12.50'],
    ['(net 12.50)', '12.50'],
    ['net (12.50)', '12.50'],
    ['١٢٫٥٠٠', '12.500'],
    ['\u200f1,234.50 \u200f₪\u200e', '1234.50'],
    ['\u200e-12.50\u200e', '-12.50'],
    ['1 299:-', '1299'],
    ['1.299:-', '1299'],
    ['299:–', '299'],
    ['Rs. 499/-', '499'],
    ['Rs.1,299/-', '1299'],
    ['499.00/-', '499.00'],
    ['KSh 1,000/=', '1000'],
    ['S/ 12.90', '12.90'],
    ['S/.50', '50'],
    ['S/ -12.90', '-12.90'],
    ['12.90 S/', '12.90'],
    ['12.90 S/ *', '12.90'],
    ['12.90 (S/.)', '12.90'],
    ['12.90- S/', '-12.90'],
    ['₹ 1,299 /-', '1299'],
    ['1 299 :-', '1299'],
  ])('%s is read without a given decimal sign', (text, number) => {
    expect(read(text)).toBe(number);
  });

  it.each([
    ['1.234', '1234 or 1.234'],
    ['15,990', '15990 or 15.990'],
    ['1.000', '1000 or 1.000'],
    ['999,999', '999999 or 999.999'],
  ])('%s may be either and is refused, not guessed', (text, either) => {
    expect(read(text)).toContain(`! is ${either},`);
  });

  it.each([
    ['1.234', ',', '1234'],
    ['1.234', '.', '1.234'],
    ['15,990', ',', '15.990'],
    ['15,990', '.', '15990'],
    // ٫ is always the decimal sign, and ٬ always groups.
    ['١٢٫٥٠٠', ',', '12.500'],
    ['١٬٢٣٤٫٥', ',', '1234.5'],
    ['12٫5', ',', '12.5'],
  ] as const)('%s with the decimal sign %s is %s', (text, decimal, number) => {
    expect(read(text, decimal)).toBe(number);
  });

  it.each([
    ['0.500', ','],
    ['-0.500', ','],
    ['0,500', '.'],
    ['00.500', ','],
    ['0.500,00', ','],
    ['0.500.000', undefined],
    ["0'500", undefined],
    ['0 500', undefined],
  ] as const)('%s with the decimal sign %s is not 500: a zero begins no groups', (text, decimal) => {
    expect(read(text, decimal)).toMatch(/^! is not a number/);
  });

  it.each([
    ['￥12,800', ','],
    ['12,850円', ','],
    ['290.000 ₫', '.'],
    ['1.299:-', '.'],
  ] as const)('%s with the decimal sign %s is refused, since it has no decimals', (text, decimal) => {
    expect(read(text, decimal)).toContain(`! is not a number with the decimal sign ${decimal};`);
    expect(read(text, decimal === '.' ? ',' : '.')).toMatch(/^\d+$/);
    expect(read(text)).toMatch(/^\d+$/);
  });

  it('a zero begins no Indian groups', () => {
    expect(parseNumber('0,12,345', { grouping: 'indian' })).toHaveProperty('fault');
    expect(parseNumber('1,02,345', { grouping: 'indian' })).toMatchObject({ text: '102345' });
  });

  it.each([
    '',
    'abc',
    '2 x 3,50',
    '1e3',
    '8,72E+12',
    '5.',
    '.5.',
    'EUR.50',
    '1.234.-',
    'item 10.50',
    '12 Stk',
    '10,00€/Stk',
    '10 USD 9',
    '10-20',
    '1,2,3',
    '12.34.56',
    '1,234.5,6',
    '1,23,456.50',
    '1.23,4',
    // An accountant's -12.50.
    '(12.50)',
    '$ (1,234.50)',
    '(12,50 EUR)',
    'AB-12',
    'from-5',
    '( 5 )',
    // In Spanish it is without tax, and no price in sol.
    '12.90 S/ IVA',
    '12.90 s/',
    'B/12',
    '12 S/M',
  ])('%j is not a number', (text) => {
    expect(read(text)).toMatch(/^! /);
  });

  it.each([
    ['80 characters of words', `net ${'incl. '.repeat(12)}.... `, true],
    ['81 characters of words', `net ${'incl. '.repeat(12)}..... `, false],
    ['200 characters of digits', '1'.repeat(196), true],
    ['201 characters of digits', '1'.repeat(197), false],
  ])('%s before 5.50 are read: %s', (_, lead, isRead) => {
    expect(read(`${lead}5.50`)).toMatch(isRead ? /^1*5\.50$/ : /^! is not a number/);
  });

  it('nothing behind a number is overlooked, however far it is', () => {
    for (const spaces of [1, 10, 70, 100, 190, 195, 196, 300]) {
      expect(read(`5.50${' '.repeat(spaces)}Stk`)).toMatch(/^! /);
      expect(read(`5.50${' '.repeat(spaces)}`)).toBe('5.50');
    }
  });

  it('names the unexpected word, which `ignore` accepts', () => {
    expect(read('12 Stk')).toBe(
      '! holds "Stk" next to the number; leave the word out with number: {ignore: [Stk]}, ' +
        'or give a unit its factor with number: {units: {Stk: 1}}',
    );
    expect(read('12 gr')).toBe(
      '! holds "gr" next to the number; give the unit its factor with number: {units: {gr: 0.001}}',
    );
    expect(read('ca. 12')).toBe('! holds "ca" next to the number; leave the word out with number: {ignore: [ca]}');
    expect(read('12 Lbs')).toMatch(/with number: \{units: \{Lbs: 0\.45359237\}\}$/);
    expect(read('12 constructor')).toMatch(/with number: \{units: \{constructor: 1\}\}$/);
    expect(parseNumber('12 Stk', { ignore: new Set(['stk']) })).toMatchObject({ text: '12' });
    // What one column ignores, the next one does not.
    expect(read('12 Stk')).toMatch(/^! holds/);
  });

  it.each([
    ['12,5O', 'O', '12,50'],
    ['1.2OO', 'OO', '1.200'],
    ['12,5o €', 'o', '12,50 €'],
    ['l2,50', 'l', '12,50'],
    ['I2', 'I', '12'],
  ])('letters among the digits of %s are no unit, but digits', (text, letters, digits) => {
    expect(read(text)).toBe(`! has "${letters}" among its digits; if digits are meant, write "${digits}"`);
  });

  it.each(['5l', '5 l', '12,5l', '12 O', 'O 12', 'I 5', '12,5S'])('the letter of %s may be a unit', (text) => {
    expect(read(text)).toMatch(/^! holds "[lOIS]" next to the number/);
  });

  it.each([
    ['1,234.50 USD', ['USD']],
    ['€ 5', ['EUR']],
    ['100 kr', ['SEK', 'NOK', 'DKK', 'ISK']],
    ['5 zł', ['PLN']],
    ['5 000 FCFA', ['XOF', 'XAF']],
    ['١٢٣٫٥٠ ر.س.\u200f', ['SAR']],
    ['د.ك 12.50', ['KWD']],
    ['S/ 12.90', ['PEN']],
    ['RD$ 5', ['DOP']],
    ['GH₵5', ['GHS']],
    ['inkl€10', ['EUR']],
  ])('%s has the currencies it can stand for', (text, codes) => {
    expect(parseNumber(text)).toMatchObject({ currencies: [{ codes }] });
  });

  it('signs with punctuation are read before and after a number, with any blank', () => {
    const signs = { 'S/': 'PEN', 'S/.': 'PEN', 'B/.': 'PAB', 'Rs.': 'INR', 'kr.': 'SEK', R$: 'BRL' };
    const others = { 'Fr.': 'CHF', 'din.': 'RSD', 'лв.': 'BGN', 'د.إ': 'AED', 'ر.س.': 'SAR', 'ש"ח': 'ILS' };
    const sign = fc.constantFrom(...Object.entries({ ...signs, ...others }));
    const blank = fc.constantFrom('', ' ', '\u00a0', '\u202f');
    const amount = fc.constantFrom('12.90', '-12.90', '−12.90', '1,299.00', '7', '1299/-');
    fc.assert(
      fc.property(sign, blank, amount, ([written, code], between, number) => {
        const text = number.replace('−', '-').replace(/,|\/-/g, '');
        for (const whole of [written + between + number, number + between + written]) {
          expect(parseNumber(whole)).toMatchObject({ text, currencies: [{ codes: expect.arrayContaining([code]) }] });
          expect(currencyIn(whole)?.codes).toContain(code);
        }
      }),
    );
  });

  it.each([
    ['￥12,800', '12800'],
    ['12.800 JPY', '12800'],
    ['1,250円', '1250'],
    ['₩1,500', '1500'],
    ['12.900 ₫', '12900'],
    ['1.500 kr', undefined],
    ['1.234 €', undefined],
    ['$1,234', undefined],
    ['1.234 CNY', undefined],
  ])('%s has no decimals where none of its currencies has', (text, number) => {
    expect(parseNumber(text)).toMatchObject(number === undefined ? { fault: { kind: 'ambiguous' } } : { text: number });
  });

  it.each([
    ['0.500', ',', '{decimal: "."}'],
    ['￥12,800', ',', '{decimal: "."}'],
    ['12,50', '.', '{decimal: ","}'],
    ['1,23,456.50', '.', '{grouping: indian}'],
    ['1,23,456.50', ',', '{grouping: indian}'],
  ] as const)('%s with the decimal sign %s is refused with number: %s', (text, decimal, remedy) => {
    expect(read(text, decimal)).toContain(`a column of such numbers is read by number: ${remedy}`);
    const other = decimal === '.' ? (',' as const) : ('.' as const);
    const style = remedy.includes('indian') ? ({ grouping: 'indian' } as const) : { decimal: other };
    expect(parseNumber(text, style)).not.toHaveProperty('fault');
  });

  it('what no style reads is refused with the form of a number', () => {
    expect(read('12.345.67', '.')).toBe('! is not a number with the decimal sign .; write it like 1234.50');
  });

  it('lakhs and crores are read if the mapping allows them', () => {
    expect(parseNumber('1,23,456.50', { grouping: 'indian' })).toMatchObject({ text: '123456.50' });
    expect(parseNumber('12,34,56,789', { grouping: 'indian' })).toMatchObject({ text: '123456789' });
    expect(parseNumber('1,234,56', { grouping: 'indian' })).toHaveProperty('fault');
  });

  it('a number written with a comma is refused where the point is the decimal sign', () => {
    expect(read('12,50', '.')).toMatch(/^! is not a number with the decimal sign \./);
  });

  it('every amount is read back from either notation', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), fc.constantFrom('.', ','), (cents, decimal) => {
        const plain = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
        const other = decimal === '.' ? (',' as const) : ('.' as const);
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
    expect(multiplyNumbers('450', '0.001')).toBe('0.45');
    expect(multiplyNumbers('-12.50', '100')).toBe('-1250');
    expect(multiplyNumbers('0.1', '0.2')).toBe('0.02');
    expect(multiplyNumbers('100', '0')).toBe('0');
    expect(roundNumber('0.068357', 3)).toBe('0.068');
    expect(roundNumber('2.9765', 3)).toBe('2.977');
    expect(roundNumber('-1.005', 2)).toBe('-1.01');
  });
});
