// Prices whose cells say that they are other amounts are asked about.
import { describe, expect, it } from 'vitest';
import { workbookOf } from '../../given-zip.js';
import { suggested } from '../../suggested.js';

const feed = (header: string, ...rows: readonly string[]) =>
  [`Nr;Name;${header}`, ...rows.map((row, i) => `A-${i};${['Cup', 'Pot', 'Tin'][i]};${row}`)].join('\n');

describe('the price is a question', () => {
  it.each([
    ['statt 10,00', 'statt: an old price; write { column: "Preis", number: { ignore: ["statt"] } }'],
    ['UVP 10,00', 'uvp: a recommended price; write { column: "Preis", number: { ignore: ["uvp"] } }'],
    ['EK 10,00 EUR', 'ek: what the shop pays; write { column: "Preis", number: { ignore: ["ek"] } }'],
    ['ab 10,00', 'ab: the least of several prices'],
    ['10,00 netto', 'netto: without tax'],
    ['10,00 € zzgl. MwSt', 'zzgl: without tax'],
    ['10,00 excl. VAT', 'excl: without tax'],
    ['10,00 HT', 'ht: without tax'],
  ])('where all cells are like %s', async (cell, says) => {
    const { asked, fields } = await suggested(feed('Preis', cell, cell.replace('10', '12'), cell.replace('10', '14')));
    expect(fields['price']).toBeUndefined();
    expect(asked['price']).toEqual({ Preis: `its values say ${says}` });
  });

  it('where some are', async () => {
    const { asked } = await suggested(feed('Preis', '10,00 netto', '12,00', '14,00'));
    expect(asked['price']).toEqual({ Preis: '1 of its 3 values say netto: without tax' });
  });

  it('where they are no numbers for other words', async () => {
    const { asked } = await suggested(feed('Preis', 'instead of 10,00', 'instead of 12,00', 'instead of 14,00'));
    expect(asked['price']?.['Preis']).toMatch(/^its values say instead: an old price; all different/);
  });

  it('where only the format of a workbook says it', async () => {
    const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
    const rows = [1.5, 2.5].map(
      (amount, i) =>
        `<row r="${i + 2}">${cell(`A${i + 2}`, `A-${i}`)}<c r="B${i + 2}" s="4"><v>${amount}</v></c></row>`,
    );
    const list = `<row r="1">${cell('A1', 'Nr')}${cell('B1', 'Preis')}</row>${rows.join('')}`;
    const asked = async (format: string) =>
      (await suggested(workbookOf({ list }, [], { formats: [format] }), 'feed.xlsx')).asked['price'];
    expect(await asked('0.00" netto"')).toEqual({ Preis: 'its values say netto: without tax' });
    expect(await asked('0.00" € netto"')).toEqual({ Preis: 'its values say netto: without tax' });
    expect(await asked('0.00" inkl."')).toBeUndefined();
  });
});

it.each([
  ['Preis', '10,00 inkl. MwSt'],
  ['Preis;UVP', '10,00;UVP 12,00'],
  ['Preis;Streichpreis', '10,00;statt 12,00'],
])('no question about %s of %s', async (header, row) => {
  const { asked } = await suggested(feed(header, row, row.replace('10', '11'), row.replace('10', '9')));
  expect([asked['price'], asked['price_compare']]).toEqual([undefined, undefined]);
});
