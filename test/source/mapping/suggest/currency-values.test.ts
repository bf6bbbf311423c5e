// The currencies that values name: by codes, signs, and words in many languages.
import { expect, it } from 'vitest';
import {
  areCurrencies,
  codesIn,
  currencySteps,
  holdsCurrencies,
} from '../../../../src/source/mapping/suggest/currency-values.js';
import { columnOf } from './profiles.js';

it.each([
  ['EUR', ['EUR']],
  ['Euro', ['EUR']],
  ['US Dollar', ['USD']],
  ['Schweizer Franken', ['CHF']],
  ['Euro (EUR)', ['EUR']],
  ['EUR - Euro', ['EUR']],
  ['USD US-Dollar', ['USD']],
  ['CHF Schweizer Franken', ['CHF']],
  ['EUR netto', ['EUR']],
  ['WIR-Euro', []],
  ['ALL prices', []],
  ['EUR/CHF', []],
  ['¥', ['JPY', 'CNY']],
  ['kr', ['SEK', 'NOK', 'DKK', 'ISK']],
  ['-', []],
  ['Red', []],
  ['Silver', []],
  ['Eu', []],
  ['Euro 2', []],
  [`US${' '.repeat(32)}Dollar`, ['USD']],
  [`US${' '.repeat(33)}Dollar`, []],
])('%s: %j', (text, codes) => expect(codesIn(text)).toEqual(codes));

it.each([
  ['Krone', 'SEK'],
  ['dólares', 'USD'],
  ['Pounds', 'GBP'],
])('%s is rather one of several currencies: %s', (text, code) => {
  expect(codesIn(text)[0]).toBe(code);
  expect(codesIn(text).length).toBeGreaterThan(1);
});

it('a column holds currencies where each of its values is one', () => {
  expect([holdsCurrencies, areCurrencies].map((are) => are(columnOf('currency', ['EUR', 'usd'])))).toEqual([
    true,
    true,
  ]);
  expect([holdsCurrencies, areCurrencies].map((are) => are(columnOf('currency', ['€', 'EUR'])))).toEqual([false, true]);
  expect([holdsCurrencies, areCurrencies].map((are) => are(columnOf('currency', ['EUR', 'Red'])))).toEqual([
    false,
    false,
  ]);
  expect([holdsCurrencies, areCurrencies].map((are) => are(columnOf('currency', ['', ''])))).toEqual([false, false]);
});

it('a value that is written in several cases is mapped once', () => {
  expect(currencySteps(columnOf('currency', ['Euro (EUR)', 'EURO (EUR)', 'USD']))).toEqual([
    'map: { "Euro (EUR)": EUR }',
    'else: keep',
  ]);
});
