// What inspect suggests for a workbook, whose cells do not hold all that they show.
import { describe, expect, it } from 'vitest';
import { workbookOf } from './given-zip.js';
import { suggested } from './suggested.js';

type Cell = string | { readonly number: number; readonly style?: number };

const letters = 'ABCDEFGH';

/** The XML of rows; the style 4 is the first of the given formats. */
const sheet = (rows: readonly (readonly Cell[])[]): string =>
  rows
    .map((cells, i) => {
      const all = cells.map((cell, at) => {
        const place = `r="${letters[at]}${i + 1}"`;
        return typeof cell === 'string'
          ? `<c ${place} t="inlineStr"><is><t>${cell}</t></is></c>`
          : `<c ${place} s="${cell.style ?? 0}"><v>${cell.number}</v></c>`;
      });
      return `<row r="${i + 1}">${all.join('')}</row>`;
    })
    .join('');

const amount = (number: number, style = 4): Cell => ({ number, style });
const priced = (...prices: readonly Cell[]): string =>
  sheet([['SKU', 'Name', 'Preis'], ...prices.map((price, i) => [`A-${i}`, ['Topf', 'Glas', 'Krug'][i] ?? '', price])]);

describe('the currency that only the format of cells shows', () => {
  it.each([
    ['#,##0.00 "€"', 'EUR'],
    ['#,##0.00\\ [$€-407]', 'EUR'],
    ['[$zł-415] #,##0.00', 'PLN'],
    ['_-* #,##0.00\\ [$Kč-405]_-;\\-* #,##0.00\\ [$Kč-405]_-', 'CZK'],
    ['[$₺-41F]#,##0.00', 'TRY'],
    ['[$CHF-807] #,##0.00', 'CHF'],
    ['#,##0.00 [$UAH]', 'UAH'],
  ])('is that of the price: %s', async (format, code) => {
    const book = workbookOf({ List: priced(amount(10.5), amount(2.5), amount(7)) }, [], { formats: [format] });
    expect((await suggested(book, 'feed.xlsx')).yaml).toContain(`currency: { value: ${code} }`);
  });

  it.each([
    ['#,##0.00 "kr"', 'SEK'],
    ['"$"#,##0.00', 'USD'],
  ])('is asked where it has several: %s', async (format, code) => {
    const book = workbookOf({ List: priced(amount(10.5), amount(2.5), amount(7)) }, [], { formats: [format] });
    const { yaml } = await suggested(book, 'feed.xlsx');
    expect(yaml).toContain('currency: ?');
    expect(yaml).toContain(`{ value: ${code} }: "Preis" has`);
  });

  it('is asked where cells of a column differ, or some show none', async () => {
    const formats = ['#,##0.00 "€"', '#,##0.00 "zł"'];
    for (const other of [5, 0]) {
      const book = workbookOf({ List: priced(amount(10.5), amount(2.5, other), amount(7)) }, [], { formats });
      expect((await suggested(book, 'feed.xlsx')).yaml).toContain('currency: ?');
    }
  });
});

it('titles of sections may have numbers', async () => {
  const rows = ['A-1', 'A-2', 'B-1', 'B-2'].map((code, i): readonly Cell[] => [code, `Topf ${i}`, amount(10.5 + i, 0)]);
  const list = sheet([
    ['Art', 'Name', 'Preis'],
    ['Serie 200'],
    ...rows.slice(0, 2),
    ['Serie 300 Pro'],
    ...rows.slice(2),
  ]);
  const { yaml, fields } = await suggested(workbookOf({ List: list }), 'feed.xlsx');
  expect(yaml).toContain('sections: Section');
  expect(fields).toMatchObject({ sku: 'Art', name: 'Name', price: 'Preis' });
});

it('an amount with a rounding error is read as it is shown', async () => {
  const book = workbookOf({ List: priced(amount(27.9900000000001, 0), amount(2.5, 0), amount(1e-7, 0)) });
  const { samples } = { samples: (await suggested(book, 'feed.xlsx')).yaml };
  expect(samples).toContain('price: "Preis"   # 27.99\n');
});
