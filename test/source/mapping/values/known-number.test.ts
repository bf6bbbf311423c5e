// Numbers that are known carry that, and the currencies next to them.
import { expect, it } from 'vitest';
import { WrittenNumber } from '../../../../src/source/json/written-number.js';
import { besideOf, knownNumber, madeOf, moneyOf } from '../../../../src/source/mapping/values/known-number.js';
import { isPlainNumber, shiftNumber } from '../../../../src/source/mapping/values/plain-numbers.js';

const beside = (written: string) => ({ source: 'column "price"', text: `1 ${written}`, written, codes: [written] });

it('what a step makes of a known number is known, and of a text a text', () => {
  expect(madeOf('1,5', '1.5')).toBe('1.5');
  expect(madeOf(knownNumber('1.5'), '2.5')).toBeInstanceOf(WrittenNumber);
  expect(madeOf(knownNumber('1.5'), '2.5 kg')).toBe('2.5 kg');
});

it('the currencies next to the amounts of a list are those of all, each once', () => {
  const amounts = [
    moneyOf('1.5', [beside('EUR')]),
    '2',
    moneyOf('3.5', [beside('USD')]),
    moneyOf('4.5', [beside('EUR')]),
  ];
  expect(besideOf(amounts).map(({ written }) => written)).toEqual(['EUR', 'USD']);
  expect(besideOf(['1', '2'])).toEqual([]);
});

it('a number to calculate with has at most a thousand characters', () => {
  expect(['9'.repeat(1000), '9'.repeat(1001), '1,5', '-1.50'].map(isPlainNumber)).toEqual([true, false, false, true]);
});

it.each([
  ['19.99', 2, '1999'],
  ['19.99', 3, '19990'],
  ['1999', -2, '19.99'],
  ['-0.05', 1, '-0.5'],
] as const)('%s moved by %i is %s', (number, places, moved) => expect(shiftNumber(number, places)).toBe(moved));
