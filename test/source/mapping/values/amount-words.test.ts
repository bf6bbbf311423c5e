// Words next to an amount that say which amount it is.
import { describe, expect, it } from 'vitest';
import { numberFaultText } from '../../../../src/core/diagnostics/number-problems.js';
import { decimal } from '../../../../src/core/fields/fields.js';
import { amountWords, taxSaid } from '../../../../src/source/mapping/values/amount-words.js';
import { parseNumber } from '../../../../src/source/mapping/values/parse-number.js';
import { product } from '../../given.js';
import { readMapped } from '../given.js';

describe('an amount that says that it is another one is refused', () => {
  it.each([
    ['statt 5,00', 'statt', 'an old price'],
    ['5,00 € Statt', 'Statt', 'an old price'],
    ['was 5.00', 'was', 'an old price'],
    ['EK 13,00 €', 'EK', 'what the shop pays'],
    ['UVP 10,00', 'UVP', 'a recommended price'],
    ['RRP 5,00', 'RRP', 'a recommended price'],
    ['von 5,00', 'von', 'the least of several prices'],
    ['5,00 pro', 'pro', 'the price of a unit'],
  ])('%s', (text, word, says) => {
    const read = parseNumber(text);
    expect('fault' in read && numberFaultText(read.fault, text)).toBe(
      `holds "${word}": ${says}; if that is meant, leave the word out with number: {ignore: [${word}]}`,
    );
    expect(parseNumber(text, { ignore: new Set([word.toLowerCase()]) })).toMatchObject({
      sign: /[.,]/.exec(text)?.[0],
    });
  });

  it('EK-12 is a code, also where the word is ignored', () => {
    expect(parseNumber('EK-12', { ignore: new Set(['ek']) })).toHaveProperty('fault');
  });

  it('but for old and recommended prices as the reference price', async () => {
    const map = 'fields: { sku: sku, price: price, price_compare: { column: old, number: { decimal: "," } } }';
    const sent = 'sku;price;old\nA;5;statt 6,00\nB;5;UVP 6,00\nC;statt 5;6\nD;5;EK 6\n';
    const fields = { ...product, price_compare: decimal('price_compare', 2) };
    const { items } = await readMapped(map, sent, { fields });
    expect(items).toMatchObject([
      { price_compare: '6.00' },
      { price_compare: '6.00' },
      '!field_format',
      '!field_format',
    ]);
  });
});

it.each([
  ['10,00 zzgl. MwSt', 'net'],
  ['10,00 HT', 'net'],
  ['10,00 inkl. MwSt', 'gross'],
  ['10,00 netto (12,00 brutto)', undefined],
  ['10,00 €', undefined],
])('%s is %s', (text, tax) => expect(taxSaid(text)).toBe(tax));

it('words are found in any case, and not within others', () => {
  expect(amountWords('UVP 10,00 abzgl.')).toEqual(['uvp']);
});

it('a column of net and gross amounts is told with the first of each', async () => {
  const map = 'read: { decimal: "," }\nfields: { sku: sku, price: p }';
  const sent = 'sku;p\nA;1,50\nB;2,50 inkl. MwSt\nC;2,50 zzgl. MwSt\nD;2,50 netto\n';
  expect((await readMapped(map, sent)).notes).toEqual([
    'column "p": some amounts are with tax ("2,50 inkl. MwSt", line 3), others without tax ("2,50 zzgl. MwSt", line 4); ' +
      'make them alike, or leave out the others with skip:',
  ]);
  expect((await readMapped(map, sent.replace('B;2,50 inkl. MwSt\n', ''))).notes).toEqual([]);
});
