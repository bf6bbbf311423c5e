// Currencies next to amounts, brackets around them, and words of taxes.
import { expect, it } from 'vitest';
import { currencyIn, parseNumber } from '../../../../src/source/mapping/values/parse-number.js';

/** The number and the currencies next to it; undefined where it is refused. */
function read(text: string, decimal?: '.' | ',') {
  const found = parseNumber(text, { decimal });
  return 'fault' in found ? undefined : [found.text, ...(found.currencies ?? []).flatMap(({ codes }) => codes)];
}

it.each([
  ['€12.50', ['12.50', 'EUR']],
  ['12.50 €', ['12.50', 'EUR']],
  ['EUR 12.50 USD', ['12.50', 'EUR', 'USD']],
  ['S/ 12.50', ['12.50', 'PEN']],
  ['B/. 12.50', ['12.50', 'PAB']],
  ['12.50 EUR)', ['12.50', 'EUR']],
  ['(12.50)', undefined],
  ['(12.50 EUR)', undefined],
  ['(ab 12.50 EUR)', ['12.50', 'EUR']],
  ['12.50 EUR inkl. 19 % MwSt', ['12.50', 'EUR']],
  ['12.50 EUR 19', undefined],
  ['１２．５０', ['12.50']],
  ['１，２３４．５０', ['1234.50']],
])('%s is %j', (text, amount) => expect(read(text)).toEqual(amount));

it.each([
  ['￥12,800', undefined, ['12800', 'JPY', 'CNY']],
  ['￥12,800', '.', ['12800', 'JPY', 'CNY']],
  ['￥12,800', ',', undefined],
  ['12,800 EUR', ',', ['12.800', 'EUR']],
  ['￥12,800 EUR', undefined, undefined],
] as const)('%s with %s is %j', (text, decimal, amount) => expect(read(text, decimal)).toEqual(amount));

it('signs with punctuation are found in a text', () => {
  expect(['S/. 12.50', 'B/.12.50'].map((text) => currencyIn(text)?.codes)).toEqual([['PEN'], ['PAB']]);
});
