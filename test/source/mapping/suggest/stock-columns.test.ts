// The stock by what its column and others beside it say. What the words of headers say is in ../../suggested-stock.test.ts.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

const names = ['Sand', 'Kies', 'Splitt', 'Ton', 'Lehm'];
const feed = (header: string, rows: readonly string[]): string =>
  [`SKU;Name;Preis;${header}`, ...rows.map((row, i) => `A-${i};${names[i]} fein;1${i},50;${row}`)].join('\n');

/** The columns that could be the stock, with their remarks; the one that surely is; undefined without any. */
async function stockOf(header: string, rows: readonly string[]) {
  const { fields, asked } = await suggested(feed(header, rows));
  return fields['stock'] ?? asked['stock'];
}

describe('a number that no header calls a stock may be one', () => {
  it.each([
    ['that only grows in a few records, in different lengths', 'Ubin', ['3', '14', '120', '121'], true],
    ['but not in five', 'Ubin', ['3', '14', '120', '121', '130'], false],
    ['nor where all are as long', 'Ubin', ['3001', '4014', '8120'], false],
    ['nor as years', 'Annata', ['2026', '2024', '2025'], false],
    ['nor with decimals', 'Ubin', ['1,5', '0,5', '2,5'], false],
    ['nor as amounts of money', 'Ubin', ['7 EUR', '3 EUR', '12 EUR'], false],
    ['nor as codes that may be read as such', 'Ubin', ['R-7', 'R-9', 'R-8'], false],
    ['nor as the number of an article', 'Artikel', ['14', '3', '120'], false],
  ])('%s', async (_, header, rows, isAsked) => {
    expect(await stockOf(header, rows)).toEqual(isAsked ? { [header]: '' } : undefined);
  });

  it.each([
    [[4, 2, 7], { 'parts[].left': '' }],
    [[2, 2, 2], undefined],
  ])('nor as one number in all entries of lists: %s', async (left, stock) => {
    const parts = [...left.map((one) => ({ left: one })), [{ left: 5 }, { left: 8 }]];
    const records = parts.map((some, i) => ({ sku: `A-${i}`, name: `${names[i]} fein`, price: 1.5 + i, parts: some }));
    expect((await suggested(JSON.stringify(records), 'feed.json')).asked['stock']).toEqual(stock);
  });
});

describe('what is in few records tells nothing of two counts', () => {
  it.each([
    [['14;', '3;12', ';8'], 'Bestand'],
    [
      ['14;2', '3;1', '100;'],
      {
        Bestand: 'always above "Reserviert", by 200 to 600 %',
        Reserviert: 'always below "Bestand", by 67 to 86 %',
      },
    ],
  ])('%s', async (rows, stock) => {
    expect(await stockOf('Bestand;Reserviert', rows)).toEqual(stock);
  });

  it.each([
    [['5', '5'], 'Menge'],
    [['5', '5', '5'], { Menge: '5 in all records' }],
  ])('nor of one number in all of them: %s', async (rows, stock) => {
    expect(await stockOf('Menge', rows)).toEqual(stock);
  });
});

describe('a stock that is doubted', () => {
  const unknown = (words: string) => `"${words}" is not known: say whether it is the stock that is sold`;
  const worded = 'some values are no counts: skladem 5 ks, > 10, na dotaz';

  it.each([
    ['of flags', 'Bestand', ['1', '0', '1'], { Bestand: 'only 1 and 0' }],
    ['by words', 'Stock', ['in stock', 'low', '7'], { Stock: 'some values are no counts: in stock, low' }],
    ['by a word that is not known', 'Stock virtual', ['14', '3', '0'], { 'Stock virtual': unknown('virtual') }],
    [
      'by a word that only a column of no stock has, too',
      'XMain;Stock Main Street',
      ['14;2', '3;7', '0;5'],
      {
        'Stock Main Street': `${unknown('Street')}; below "XMain" in 1 of 3 records`,
        XMain: 'below "Stock Main Street" in 2 of 3 records',
      },
    ],
    [
      'next to one in words',
      'Lieferantenbestand;Skladem',
      ['14;skladem 5 ks', '3;> 10', '0;na dotaz'],
      {
        Lieferantenbestand: unknown('Lieferanten'),
        Skladem: `${worded}; all different; such as skladem 5 ks, > 10`,
      },
    ],
    [
      'next to one that is not, and one in words',
      'Bestand;Bestand Lieferant;Skladem',
      ['14;7;skladem 5 ks', '3;9;> 10', '0;2;na dotaz'],
      {
        Bestand: 'below "Bestand Lieferant" in 2 of 3 records',
        'Bestand Lieferant': `${unknown('Lieferant')}; below "Bestand" in 1 of 3 records`,
      },
    ],
    [
      'in a file of orders',
      'Menge;Bestelldatum',
      ['2;03.01.2026', '1;04.01.2026', '3;04.01.2026'],
      { Menge: 'it may be the ordered quantity: "Bestelldatum" belongs to an order' },
    ],
  ])('%s', async (_, header, rows, stock) => {
    expect(await stockOf(header, rows)).toEqual(stock);
  });

  it('but not in a file of orders where it plainly says stock', async () => {
    expect(await stockOf('Bestand;Bestelldatum', ['2;03.01.2026', '1;04.01.2026', '3;04.01.2026'])).toBe('Bestand');
  });

  it('by a unit beside it, unless another number has its word', async () => {
    const rows = (unit: string) => ['14;30;', '3;45;', '0;20;'].map((row) => row + unit);
    const [other, own] = [
      await stockOf('Bestand;Länge;Länge Einheit', rows('m')),
      await stockOf('Bestand;Länge;Einheit', rows('m')),
    ];
    expect(other).toMatchObject({ Bestand: 'always below "Länge", by 53 to 100 %' });
    expect(own).toMatchObject({ Bestand: '"Einheit" says m; always below "Länge", by 53 to 100 %' });
  });
});

describe('a quantity that times the price is another column', () => {
  const ordered = (total: string) => ({ Menge: `it may be the ordered quantity: "${total}" is what it costs` });

  it.each([
    ['in all records', 'Menge;Summe', ['3;31,50', '2;23,00', '1;12,50'], ordered('Summe')],
    ['in both', 'Menge;Summe', ['3;31,50', '2;23,00'], ordered('Summe')],
    ['in the only one may be so by chance', 'Menge;Summe', ['3;31,50'], 'Menge'],
    ['of one piece each says nothing', 'Menge;Betrag', ['1;10,50', '-1;-11,50', '1;12,50'], 'Menge'],
    ['in one of them is so by chance', 'Menge;Breite', ['3;31,50', '2;24,00', '1;19,50'], 'Menge'],
    ['by one of two prices', 'Preis B;Menge;Summe', ['9,10;3;31,50', '9,20;2;23,00', '9,90;1;12,50'], ordered('Summe')],
  ])('%s', async (_, header, rows, stock) => {
    const content = feed(header, rows);
    const { fields, asked } = await suggested(content.replace('Preis;Preis B', 'Preis A;Preis B'));
    expect(fields['stock'] ?? asked['stock']).toEqual(stock);
  });
});
