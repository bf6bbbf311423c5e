// Archives and workbooks are read as the file, or the sheet, that is in them.
import { describe, expect, it } from 'vitest';
import { cellFormat, cellText } from '../../src/source/cell-format.js';
import { fileOf, readAll } from './given.js';
import { workbookOf, zipOf } from './given-zip.js';

describe('a .zip', () => {
  it('with one file is read as that file; what a Mac adds is none', async () => {
    const zip = zipOf({ 'feed/': '', 'feed/items.tsv': 'sku\tname\nA\tTea\n', '__MACOSX/items.tsv': 'x' });
    const { items, lines } = await readAll(fileOf(zip, 'feed.zip'));
    expect(items).toEqual([{ sku: 'A', name: 'Tea' }]);
    expect(lines).toEqual([2]);
  });

  it('with several files needs the name of one', async () => {
    const path = fileOf(zipOf({ 'a.csv': 'sku\nA\n', 'b.json': '[{"sku":"B"}]' }), 'feed.zip');
    await expect(readAll(path)).rejects.toThrow(/holds 2 files; name one with --sheet: a\.csv, b\.json/);
    expect((await readAll(path, { sheet: 'b.json' })).items).toEqual([{ sku: 'B' }]);
    await expect(readAll(path, { sheet: 'c.csv' })).rejects.toThrow(/holds no file called c\.csv/);
  });

  it('that is cut or damaged is an error that says so', async () => {
    const whole = zipOf({ 'a.csv': `sku,name\n${'A,Tea\n'.repeat(1000)}` });
    await expect(readAll(fileOf(whole.subarray(0, whole.length - 30), 'cut.zip'))).rejects.toThrow(
      /the archive is broken/,
    );
    const damaged = Buffer.from(whole);
    damaged.fill(0x55, 60, 75);
    const read = await readAll(fileOf(damaged, 'damaged.zip')).catch((cause: Error) => ({ failure: cause.message }));
    expect(read.failure).toMatch(/damaged\.zip/);
  });

  it('a table whose first column is called PK is a table', async () => {
    expect((await readAll(fileOf('PK,sku\n1,A\n', 'pk.csv'))).items).toEqual([{ sku: 'A' }]);
  });
});

describe('an .xlsx', () => {
  const c = (ref: string, value: string, more = '') => `<c r="${ref}"${more}><v>${value}</v></c>`;
  const rows =
    `<row r="1">${c('A1', '0', ' t="s"')}${c('B1', '1', ' t="s"')}${c('C1', '2', ' t="s"')}${c('D1', '3', ' t="s"')}</row>` +
    `<row r="2">${c('A2', '42', ' s="3"')}${c('B2', '4', ' t="s"')}${c('C2', '1999.5', ' s="2"')}${c('D2', '7')}</row>` +
    `<row r="4"><c r="A4" t="inlineStr"><is><t>B-1</t></is></c>${c('C4', '0.1')}</row>`;
  const book = workbookOf(
    { Notes: '<row r="1"><c r="A1" t="inlineStr"><is><t>nothing</t></is></c></row>', Items: rows },
    ['sku', 'name', 'price', 'stock', 'Tea, &quot;green&quot;&#10;loose'],
  );

  it('is read by the name of its sheet, numbers as they are shown, lines by the number of the row', async () => {
    const { items, lines } = await readAll(fileOf(book, 'book.xlsx'), { sheet: 'Items' });
    expect(items).toEqual([
      { sku: '00042', name: 'Tea, "green"\nloose', price: '1999.50', stock: 7 },
      { sku: 'B-1', price: '0.1' },
    ]);
    // A line break inside a cell counts as a line, as it does in a CSV file.
    expect(lines).toEqual([2, 5]);
  });

  it('without the name the first sheet is meant; one that is not there is an error with those that are', async () => {
    await expect(readAll(fileOf(book, 'book.xlsx'))).rejects.toThrow(/no column fills sku/);
    await expect(readAll(fileOf(book, 'book.xlsx'), { sheet: 'Itmes' })).rejects.toThrow(
      /has no sheet Itmes; .*Notes, Items/,
    );
  });

  it('entities that an XML bomb declares are not expanded', async () => {
    const bomb = workbookOf({ A: '<row r="1"><c t="inlineStr"><is><t>&lol;</t></is></c></row>' });
    const read = await readAll(fileOf(bomb, 'bomb.xlsx')).catch((cause: Error) => ({ failure: cause.message }));
    expect(read.failure).toMatch(/the workbook is broken in xl\/worksheets\/sheet1\.xml/);
  });

  it.each([
    ['45658', 14, undefined, '2025-01-01'],
    ['45658', 15, undefined, '1-Jan-25'],
    ['45658', 16, undefined, '1-Jan'],
    ['45658', 17, undefined, 'Jan-25'],
    ['0.75', 18, undefined, '6:00 PM'],
    ['0', 19, undefined, '12:00:00 AM'],
    ['0.75', 20, undefined, '18:00'],
    ['0.75', 21, undefined, '18:00:00'],
    ['45658.5', 22, undefined, '2025-01-01 12:00'],
    ['0.0423', 45, undefined, '00:55'],
    ['1.5', 46, undefined, '36:00:00'],
    ['0.000005', 47, undefined, '00:00.4'],
    ['46015', 164, 'dd/mm/yyyy;@', '24/12/2025'],
    ['46015', 164, '[$-407]dd\\.mm\\.yyyy', '24.12.2025'],
    ['46015.3', 164, 'd.m.yy h:mm', '24.12.25 7:12'],
    ['45658.000694444', 164, 'yyyy-mm-dd"T"hh:mm:ss', '2025-01-01T00:01:00'],
    ['45658.999999', 164, 'dd.mm.yyyy hh:mm:ss', '02.01.2025 00:00:00'],
    ['46015', 164, 'mmmm yyyy', 'December 2025'],
    ['46015', 164, '[$-en-US]mmm d, yyyy', 'Dec 24, 2025'],
    ['46015', 164, '[$-de-DE]d. mmmm yyyy', '2025-12-24'],
    ['46015', 164, '[$-407]d. mmmm yyyy', '2025-12-24'],
    ['46015', 164, '[$-F800]dddd, mmmm dd, yyyy', '2025-12-24'],
    ['46015.5', 164, 'dddd d.m.yyyy', '2025-12-24 12:00:00'],
    ['46015', 164, '[$-407]mmmm', '2025-12-24'],
    ['12.5', 164, '0.00 mm', '12.50'],
    ['1', 164, 'yyyy-mm-dd', '1900-01-01'],
    ['61', 164, 'yyyy-mm-dd', '1900-03-01'],
    ['-1', 164, 'dd.mm.yyyy', '-1'],
    ['0.19', 9, undefined, '19%'],
    ['12.5', 164, '#,##0.00 "€"', '12.50'],
    ['12.345', 2, undefined, '12.345'],
    ['4006381333931', 0, undefined, '4006381333931'],
    ['0.30000000000000004', 0, undefined, '0.3'],
    ['8720000000000', 11, undefined, '8720000000000'],
    ['7', 164, '000', '007'],
    ['-5', 164, '0.00;[Red]-0.00', '-5.00'],
  ])('%s in format %s %s is %s', (value, id, code, text) => {
    expect(cellText(value, cellFormat(id, code), false)).toBe(text);
  });
});
