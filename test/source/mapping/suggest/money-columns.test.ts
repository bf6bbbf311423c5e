// Which column is the price, which the reference price, and when a person has to choose.
import { describe, expect, it } from 'vitest';
import { isForSomething, namesRate } from '../../../../src/source/mapping/suggest/price-header.js';
import { suggested } from '../../suggested.js';

const amounts = [9.9, 19.9, 5.5, 3.2, 12.9, 49, 7.25, 15, 33.3, 21.5];
const names = [...'ABCDEFGHIJ'].map((letter) => `Lamp ${letter}`);
const written = (value: number | string) => (typeof value === 'string' ? value : value.toFixed(2).replace('.', ','));

type Cells = readonly (number | string)[];

/** What the columns of amounts next to a key and a name fill, or are asked for. */
async function prices(header: string, rows: readonly Cells[]) {
  const lines = rows.map((cells, i) => [`A-${i + 11}`, names[i], ...cells.map(written)].join(';'));
  const { fields, asked, questions } = await suggested([`SKU;Name;${header}`, ...lines].join('\n'));
  return {
    price: fields['price'] ?? (asked['price'] && Object.keys(asked['price'])),
    compared: fields['price_compare'] ?? (asked['price_compare'] && Object.keys(asked['price_compare'])),
    remarks: asked['price'],
    candidates: questions.find(({ field }) => field === 'price')?.candidates.length,
  };
}

/** Rows of amounts: each column has a factor for the record, or nothing. */
const rowsOf = (count: number, ...factors: readonly ((i: number) => number | undefined)[]): readonly Cells[] =>
  amounts.slice(0, count).map((amount, i) => factors.map((of) => (of(i) === undefined ? '' : amount * (of(i) ?? 0))));
const same = () => 1;
const times = (factor: number) => () => factor;
const turning = (i: number) => (i % 2 === 0 ? 0.9 : 1.1);

describe('the price is certain', () => {
  it.each([
    ['Preis;EK', rowsOf(10, same, (i) => (i === 4 ? 2 : 0.5)), 'Preis', undefined],
    [
      'Verkaufspreis;Zolltarif',
      amounts.slice(0, 4).map((one, i) => [one, `${84713000 + i * 17}`]),
      'Verkaufspreis',
      undefined,
    ],
    ['Exkl. moms;Inkl. moms', rowsOf(4, same, times(1.25)), 'Inkl. moms', undefined],
    ['Preis;EK;davon Mwst', rowsOf(4, same, times(0.5), times(0.19)), 'Preis', undefined],
    ['Preis;MwSt', rowsOf(4, same, times(0.19)), 'Preis', undefined],
    ['Preis;davon Mwst', [1, 2, 4, 8].map((one) => [one, one * 0.28]), 'Preis', undefined],
    ['Preis;Grundpreis', rowsOf(4, same, turning), 'Preis', undefined],
    ['price;final price', rowsOf(4, same, same), 'price', undefined],
    ['Preis;UVP', rowsOf(4, same, times(1.25)), 'Preis', 'UVP'],
    ['Preis;Stückpreis', rowsOf(4, same, times(0.25)), 'Preis', undefined],
    ['Preis je Stück', rowsOf(4, same), 'Preis je Stück', undefined],
    ['Preis;Normalpreis', rowsOf(4, same, (i) => (i === 0 ? undefined : 1.25)), 'Preis', 'Normalpreis'],
    ['Normalpreis;Normalpreis EUR', rowsOf(4, same, same), 'Normalpreis', undefined],
  ] as const)('%s', async (header, rows, price, compared) => {
    expect(await prices(header, rows)).toMatchObject({ price, compared });
  });
});

describe('the price is asked about', () => {
  it.each([
    ['Preis;EK', rowsOf(10, same, (i) => (i > 7 ? 2 : 0.5)), ['Preis', 'EK'], undefined],
    ['price;discount;final', rowsOf(4, same, times(0.1), times(0.9)), ['price', 'discount', 'final'], undefined],
    ['price;final price', rowsOf(4, same, times(0.9)), ['price', 'final price'], undefined],
    ['price;net price after discount', rowsOf(4, same, times(0.9)), ['price', 'net price after discount'], undefined],
    ['Rate', [['120,5'], ['99'], ['250'], ['180']], ['Rate'], undefined],
    ['Average price incl. VAT', rowsOf(4, same), ['Average price incl. VAT'], undefined],
    [
      'Average net price excl. VAT;Average net cost excl. VAT',
      rowsOf(4, same, times(0.7)),
      ['Average net price excl. VAT', 'Average net cost excl. VAT'],
      undefined,
    ],
    ['Betrag;Währung', ['1990', '2490', '550', '320'].map((one) => [one, 'EUR']), ['Betrag'], undefined],
    [
      'Betrag;VK inkl. Pfand;Währung',
      ['1990', '2490', '550', '320'].map((one, i) => [one, i + 0.95, 'EUR']),
      ['VK inkl. Pfand'],
      undefined,
    ],
    ['Nettopreis;MwSt', amounts.slice(0, 4).map((one, i) => [one, i % 2 === 0 ? 19 : 7]), ['Nettopreis'], undefined],
    ['Nettopreis;VK inkl. Pfand', rowsOf(4, same, times(1.3)), ['Nettopreis', 'VK inkl. Pfand'], undefined],
    ['Preis A;Preis B;VK inkl. Pfand', rowsOf(4, same, turning, times(1.3)), ['Preis A', 'Preis B'], undefined],
    [
      'Normalpreis A;Normalpreis B;VK inkl. Pfand',
      rowsOf(4, same, turning, times(1.3)),
      ['Normalpreis A', 'Normalpreis B'],
      undefined,
    ],
    [
      'Stückpreis A;Stückpreis B;VK inkl. Pfand',
      rowsOf(4, same, turning, times(1.3)),
      ['Stückpreis A', 'Stückpreis B'],
      undefined,
    ],
    [
      'Preis;Standard price;VK inkl. Pfand',
      rowsOf(4, same, times(0.6), times(1.3)),
      ['Preis', 'Standard price'],
      undefined,
    ],
    [
      'VK inkl. Pfand;Frachtpreis;Porto',
      [
        [2.15, '5', 1.25],
        [0.95, '6', 1.5],
        [1.33, '7', 1.95],
      ],
      ['VK inkl. Pfand'],
      undefined,
    ],
    ['Preis;davon Mwst', [1, 2, 4, 8].map((one) => [one, one * 0.29]), ['Preis', 'davon Mwst'], undefined],
    ['Preis;davon Mwst', rowsOf(4, same, (i) => (i === 0 ? 0.1 : 1.19)), ['Preis', 'davon Mwst'], undefined],
    ['Shipping cost;Inkl. moms', amounts.slice(0, 4).map((one, i) => [4.9 + i, one]), ['Inkl. moms'], undefined],
    ['UVP;Listenpreis', rowsOf(4, same, times(1.25)), ['UVP', 'Listenpreis'], undefined],
    ['Nettopreis;UVP', rowsOf(4, same, times(1.25)), ['Nettopreis', 'UVP'], ['UVP']],
    ['Preis pro Paket;Grundpreis', rowsOf(4, same, turning), ['Preis pro Paket', 'Grundpreis'], undefined],
    ['Ihr Preis;UVP', rowsOf(10, same, (i) => (i === 3 ? undefined : 1.25)), ['Ihr Preis', 'UVP'], ['UVP']],
    ['Ihr Preis;UVP', rowsOf(10, same, (i) => (i < 2 ? undefined : 1.25)), ['Ihr Preis', 'UVP'], 'UVP'],
  ] as const)('%s', async (header, rows, price, compared) => {
    expect(await prices(header, rows)).toMatchObject({ price, compared, candidates: price.length });
  });

  it('amounts that are no numbers, where all have digits', async () => {
    const values = ['EUR 24.90 / m', 'EUR 4.90 / m', 'EUR 2.90 / kg'];
    const { remarks } = await prices(
      'Preis;VK inkl. Pfand',
      values.map((value, i) => [value, i + 3.9]),
    );
    expect(Object.keys(remarks ?? {})).toEqual(['Preis']);
    expect(remarks?.['Preis']).toContain('its values are not numbers');
  });

  it('whole amounts next to a currency may be hundredths, and an average is called by no word for a price', async () => {
    const whole = await prices(
      'Betrag;Währung',
      ['1990', '2490', '550'].map((one) => [one, 'EUR']),
    );
    expect(whole.remarks?.['Betrag']).toContain('may be hundredths: shift: -2');
    const average = await prices('Average price incl. VAT', rowsOf(4, same));
    expect(average.remarks).toEqual({ 'Average price incl. VAT': 'its header has no known word for a price' });
  });
});

describe('there is no price', () => {
  it.each([
    ['Rate', [['10'], ['100'], ['25'], ['80']]],
    ['Betrag', [['1990'], ['2490'], ['550'], ['320']]],
    ['Preis', [['EUR 24.90 / m'], ['auf Anfrage'], ['EUR 2.90 / kg']]],
    ['Exkl. moms', [[9.9], [9.9], [19.9], [19.9]]],
  ] as const)('%s: %j', async (header, rows) => {
    expect(await prices(header, rows)).toMatchObject({ price: undefined, compared: undefined });
  });
});

describe('a rate is one of goods', () => {
  it.each(['Rate', 'Standard rate'])('%s', (header) => {
    expect(namesRate(header)).toBe(true);
  });

  it.each(['Tax rate', 'Average rate', 'Percentage rate', 'Height rate', 'Rating', 'Price'])('not %s', (header) => {
    expect(namesRate(header)).toBe(false);
  });
});

it('a header says what the price is for', () => {
  const headers = ['Preis pro Paket', 'Karton Preis', 'Preis', 'Preis je 100', 'Price each'];
  expect(headers.map(isForSomething)).toEqual([true, true, false, false, false]);
});
