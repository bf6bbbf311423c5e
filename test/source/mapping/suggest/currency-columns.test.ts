// Which columns say the currency of the prices, and which may be those of other amounts.
import { describe, expect, it } from 'vitest';
import { currencyLine, withoutOtherCurrency } from '../../../../src/source/mapping/suggest/currency-line.js';
import { askAmong, type Match } from '../../../../src/source/mapping/suggest/questions.js';
import { columnsOf } from './profiles.js';

type Table = Parameters<typeof columnsOf>[0];

/** The line of the currency, or the candidates of its question. */
function currencyOf(prices: readonly string[], table: Table, around = '') {
  const columns = columnsOf(table);
  const found = currencyLine(
    columns.filter(({ name }) => prices.includes(name)),
    { columns, records: 3, around },
    undefined,
  );
  if ('line' in found) return /currency: (.*?)(?: {3}#.*)?$/.exec(found.line)?.[1];
  return found.question.candidates.map((one) => ('value' in one ? one.value : one.column));
}

const plain = ['10,50', '9,95', '7,00'];
const euro = ['10,50 €', '9,95', '7,00'];
const dollars = ['USD', 'USD', 'USD'];

describe('the currency of prices', () => {
  it.each<[string, readonly string[], Table, string]>([
    [
      'next to the same amounts as one of them',
      ['Preis A', 'Preis B'],
      { 'Preis A': plain, 'Preis B': ['8,00', '7,00', '6,00'], Anzeige: ['10,50 €', '9,95 €', '7,00 €'] },
      '{ value: EUR }',
    ],
    [
      'whatever that of a cost is',
      ['price'],
      { price: euro, 'cost.amount': ['4,50', '3,95', '2,00'], 'cost.currency': dollars },
      '{ value: EUR }',
    ],
    ['whatever that of a reference price is', ['price'], { price: euro, msrp_currency: dollars }, '{ value: EUR }'],
    [
      'next to each, where a column for it is empty',
      ['Preis'],
      { Preis: ['10,50 EUR', '9,95 USD', '7,00 EUR'], Währung: ['', '', ''] },
      '{ from: "Preis" }',
    ],
    [
      'in a column, written in several ways',
      ['Preis'],
      { Preis: plain, Währung: ['EUR', '€', 'Euro'] },
      '{ value: EUR }',
    ],
    [
      'in a column, next to a number',
      ['Preis'],
      { Preis: plain, Währung: ['1 EUR', '1 EUR', '1 EUR'] },
      '{ value: EUR }',
    ],
    [
      'in the object of one of them',
      ['price.amount', 'offer.amount'],
      { 'price.amount': plain, 'offer.amount': ['8,00', '7,00', '6,00'], 'price.currency': dollars },
      '{ value: USD }',
    ],
    [
      'in the object of one of them, inside others',
      ['a.price.amount', 'a.offer.amount'],
      { 'a.price.amount': plain, 'a.offer.amount': ['8,00', '7,00', '6,00'], 'a.price.currency': dollars },
      '{ value: USD }',
    ],
    [
      'in the object of all of them',
      ['item.price', 'item.vk'],
      { 'item.price': plain, 'item.vk': ['8,00', '7,00', '6,00'], 'item.currency': dollars },
      '{ value: USD }',
    ],
  ])('is certain %s', (_, prices, table, line) => expect(currencyOf(prices, table)).toBe(line));

  it.each<[string, readonly string[], Table, readonly string[], string?]>([
    ['of some of the same amounts', ['Preis'], { Preis: plain, Anzeige: ['10,50 €', '', '7,00 €'] }, ['EUR']],
    [
      'of codes of parts with the same numbers',
      ['Preis'],
      { Preis: ['101', '102', '103'], Teil: ['R101', 'R102', 'R103'] },
      [],
    ],
    ['of what the shop pays', ['Preis'], { Preis: plain, ek_currency: dollars }, ['USD']],
    [
      'of an object in which some candidates are',
      ['item.price', 'list.price'],
      { 'item.price': plain, 'list.price': ['8,00', '7,00', '6,00'], 'item.currency': dollars },
      ['USD'],
    ],
    ['of a column in which some name one', ['Preis'], { Preis: plain, Währung: ['EUR', '?', 'EUR'] }, ['Währung']],
    ['and no column that names none', ['Preis'], { Preis: plain, Währung: ['A1', 'B2', 'A1'] }, []],
    ['of a column of several', ['Preis'], { Preis: plain, Währung: ['EUR', '€', 'USD'] }, ['Währung']],
    ['of a column of a sign that several have', ['Preis'], { Preis: plain, Währung: ['$', 'kr', '$'] }, ['Währung']],
    ['and no amounts of which one is a word', ['Preis'], { Preis: plain, Wert: ['12,50', 'Euro', '13,50'] }, []],
    [
      'of another price, where a line above says another one',
      ['Preis'],
      { Preis: plain, UVP: ['14,90 €', '12,90 €', '9,90 €'] },
      ['EUR', 'PLN'],
      'Waluta;PLN;\n',
    ],
    ['of no prices, though a line above says one', [], { Bestand: ['1', '2', '3'] }, ['PLN'], 'Waluta;PLN;\n'],
  ])('is asked %s', (_, prices, table, candidates, around) => {
    expect(currencyOf(prices, table, around)).toEqual(candidates);
  });
});

describe('a column of currencies', () => {
  const isTaken = (table: Table) => {
    const columns = columnsOf(table);
    const named = (name: string) => columns.filter((one) => one.name.startsWith(name));
    const [sure] = named('Währung');
    const matched = new Map<string, Match>([
      ['price', askAmong(named('Preis'))],
      ...(sure ? [['currency', { sure }] as const] : []),
    ]);
    return withoutOtherCurrency({ matched, own: new Map() }).matched.has('currency');
  };

  it.each<[string, Table, boolean]>([
    ['plain', { Preis: plain, Währung: dollars }, true],
    ['with another currency next to amounts', { Preis: euro, Währung: dollars }, false],
    [
      'with another currency next to amounts of one of them',
      { 'Preis A': ['10,50 $', '9,95', '7,00'], 'Preis B': euro, Währung: dollars },
      false,
    ],
    ['with a word instead of an amount', { Preis: ['10,50', 'TOP', '7,00'], Währung: dollars }, true],
  ])('is that of prices %s: %j', (_, table, is) => expect(isTaken(table)).toBe(is));
});
