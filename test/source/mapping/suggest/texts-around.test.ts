// Codes of currencies in the text around the records, and what else may be meant by them.
import { expect, it } from 'vitest';
import { currenciesAround } from '../../../../src/source/mapping/suggest/texts-around.js';

it.each([
  ['Fiyatlar TRY', ['TRY']],
  ['Prices in EUR', ['EUR']],
  ['PRICES IN EUR', ['EUR']],
  ['TRY OUR PRICES', []],
  ['ALL PRICES IN €', ['EUR']],
])('%s: %s', (text, codes) => {
  expect(currenciesAround(text).flatMap((one) => one.codes)).toEqual(codes);
});
