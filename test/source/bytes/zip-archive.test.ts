// Archives and workbooks are read as the file, or the sheet, that is in them.
import { describe, expect, it } from 'vitest';
import { cellFormat, cellText } from '../../../src/source/xlsx/cell-format.js';
import { isFull } from '../../tier.js';
import { fileOf, readAll } from '../given.js';
import { workbookOf, zipOf } from '../given-zip.js';

describe('a .zip', () => {
  it('with one file is read as that file; what macOS adds is skipped', async () => {
    const zip = zipOf({ 'feed/': '', 'feed/items.tsv': 'sku\tname\nA\tTea\n', '__MACOSX/items.tsv': 'x' });
    const { items, lines } = await readAll(fileOf(zip, 'feed.zip'));
    expect(items).toEqual([{ sku: 'A', name: 'Tea' }]);
    expect(lines).toEqual([2]);
  });

  it('with several files needs the name of one', async () => {
    const path = fileOf(zipOf({ 'a.csv': 'sku\nA\n', 'b.json': '[{"sku":"B"}]' }), 'feed.zip');
    await expect(readAll(path)).rejects.toThrow(/contains 2 files; name one with --sheet: a\.csv, b\.json/);
    expect((await readAll(path, { sheet: 'b.json' })).items).toEqual([{ sku: 'B' }]);
    await expect(readAll(path, { sheet: 'c.csv' })).rejects.toThrow(/contains no file named c\.csv/);
  });

  it('that is truncated or damaged is refused', async () => {
    const whole = zipOf({ 'a.csv': `sku,name\n${'A,Tea\n'.repeat(1000)}` });
    await expect(readAll(fileOf(whole.subarray(0, whole.length - 30), 'cut.zip'))).rejects.toThrow(
      /the archive is broken/,
    );
    const damaged = Buffer.from(whole);
    damaged.fill(0x55, 60, 75);
    const read = await readAll(fileOf(damaged, 'damaged.zip')).catch((cause: Error) => ({ failure: cause.message }));
    expect(read.failure).toMatch(/damaged\.zip/);
  });

  it.each([
    [9, 'deflate64 \\(method 9\\)'],
    [12, 'bzip2 \\(method 12\\)'],
    [14, 'LZMA \\(method 14\\)'],
    [77, 'method 77'],
  ])('that is packed by method %i is an error that names a supported method', async (method, words) => {
    const path = fileOf(zipOf({ 'a.csv': 'sku\nA\n' }, method), 'feed.zip');
    await expect(readAll(path)).rejects.toMatchObject({
      code: 'input_unreadable',
      message: expect.stringMatching(new RegExp(`a\\.csv is packed by ${words}; pack it again`)),
    });
  });

  it('a table whose first column is called PK is a table', async () => {
    expect((await readAll(fileOf('PK,sku\n1,A\n', 'pk.csv'))).items).toEqual([{ sku: 'A' }]);
  });
});

describe('an .xlsx', () => {
  const text = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;

  it('has the lines of its rows, whatever line breaks their cells have', async () => {
    const table =
      `<row r="1">${text('A1', 'sku')}${text('B1', 'name')}</row><row r="2">${text('A2', 'A')}${text('B2', 'two&#10;lines&#10;more')}</row>` +
      `<row r="5">${text('A5', 'B')}</row>`;
    const { items, lines } = await readAll(fileOf(workbookOf({ Items: table }), 'items.xlsx'));
    expect(items).toHaveLength(2);
    expect(lines).toEqual([2, 5]);
  });

  it.each([
    ['a number beyond them', '7', ['sku']],
    ['no shared texts at all', '0', []],
    ['a word', 'x', ['sku']],
  ])('that names a shared text which does not exist is damaged: %s', async (_, number, shared) => {
    const table = `<row r="1">${text('A1', 'sku')}</row><row r="2"><c r="A2" t="s"><v>${number}</v></c></row>`;
    await expect(readAll(fileOf(workbookOf({ Items: table }, shared), 'items.xlsx'))).rejects.toThrow(
      /row 2 of the workbook names the shared text \w, which it does not have: the file is damaged/,
    );
  });

  it.each([
    ['cut off', '<sst><si><t>sku</t></si><si><t>A'],
    ['in another order of elements', '<sst><si><t>sku</t></si><t>A</t></si></sst>'],
    ['with a character that XML has not', '<sst><si><t>sku</t></si><si><t>A\u0001</t></si></sst>'],
    ['with an entity that is not closed', '<sst><si><t>sku</t></si><si><t>A&amp</t></si></sst>'],
  ])('whose shared texts are damaged is refused as a whole: %s', async (_, shared) => {
    const cells = '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row>';
    const parts = {
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="1" Target="a.xml"/></Relationships>',
      'xl/a.xml': `<worksheet><sheetData>${cells}</sheetData></worksheet>`,
      'xl/sharedStrings.xml': shared,
    };
    await expect(readAll(fileOf(zipOf(parts), 'items.xlsx'))).rejects.toMatchObject({ code: 'input_unreadable' });
  });

  it('has an empty cell where a shared text has no number', async () => {
    const table = `<row r="1">${text('A1', 'sku')}${text('B1', 'name')}</row><row r="2">${text('A2', 'A')}<c r="B2" t="s"/></row>`;
    const { items } = await readAll(fileOf(workbookOf({ Items: table }, ['nothing']), 'items.xlsx'));
    expect(items).toEqual([{ sku: 'A' }]);
  });

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
    expect(lines).toEqual([2, 4]);
  });

  it('without the name the first sheet is meant; one that is not there is an error with those that are', async () => {
    await expect(readAll(fileOf(book, 'book.xlsx'))).rejects.toThrow(
      /no column fills sku\. Columns: .* Of the workbook the sheet "Notes" is read; --sheet names another: Items\.$/,
    );
    await expect(readAll(fileOf(book, 'book.xlsx'), { sheet: 'Itmes' })).rejects.toThrow(
      /has no sheet Itmes; .*Notes, Items/,
    );
  });

  it('literal text of a number format is kept if it makes a code', async () => {
    const rows =
      '<row r="1"><c t="inlineStr"><is><t>sku</t></is></c><c t="inlineStr"><is><t>name</t></is></c></row>' +
      `<row r="2">${c('A2', '42', ' s="4"')}${c('B2', '0', ' t="s" s="5"')}</row>`;
    const coded = workbookOf({ A: rows }, ['tea'], { formats: ['"ART-"00000', '"Loose "@'] });
    expect((await readAll(fileOf(coded, 'coded.xlsx'))).items).toEqual([{ sku: 'ART-00042', name: 'Loose tea' }]);
  });

  it('characters that XML cannot represent are read from their escapes', async () => {
    const text = (words: string) => `<c t="inlineStr"><is><t>${words}</t></is></c>`;
    const rows = `<row>${text('sku')}${text('name')}</row><row>${text('A_x005F_1')}${c('B2', '0', ' t="s"')}</row>`;
    const { items } = await readAll(fileOf(workbookOf({ A: rows }, ['two_x000D_\nlines']), 'x.xlsx'));
    expect(items).toEqual([{ sku: 'A_1', name: 'two\r\nlines' }]);
  });

  it.each<readonly [string, (path: string) => string]>([
    [
      'in another case, as 1C writes them',
      (path) => path.replace('sharedStrings', 'SharedStrings').replace('sheet1', 'Sheet1'),
    ],
    ['where its relationships say', (path) => path.replace('sharedStrings.xml', 'texts/all.xml')],
    ['as it should be', (path) => path],
  ])('has its parts %s', async (_, placed) => {
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const parts: Record<string, string> = {
      '[Content_Types].xml': '<Types/>',
      'xl/workbook.xml':
        '<workbook xmlns:r="r"><sheets><sheet name="Chart" sheetId="1" r:id="c"/><sheet name="A" sheetId="2" r:id="a"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="c" Type="${office}/chartsheet" Target="chartsheets/sheet1.xml"/><Relationship Id="a" Type="${office}/worksheet" Target="worksheets\\sheet1.xml"/>${
        placed('sharedStrings.xml').includes('/')
          ? `<Relationship Id="t" Type="${office}/sharedStrings" Target="/xl/texts/all.xml"/>`
          : ''
      }</Relationships>`,
      'xl/chartsheets/sheet1.xml': '<chartsheet/>',
      'xl/worksheets/sheet1.xml':
        '<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>sku</t></is></c></row><row r="2"><c t="s"><v>0</v></c></row></sheetData></worksheet>',
      'xl/sharedStrings.xml': '<sst><si><t>A-1</t></si></sst>',
    };
    const packed = zipOf(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [placed(path), xml])));
    const { items, notes } = await readAll(fileOf(packed, 'x.xlsx'));
    expect([items, notes]).toEqual([[{ sku: 'A-1' }], []]);
  });

  it('has the cells of its columns, whatever delimiters are in their names', async () => {
    const cells = (...texts: string[]) => texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('');
    const rows = [cells('sku', 'size;colour;length'), cells('A', 'S; red; 5'), cells('B', 'sep=;')];
    const { items } = await readAll(
      fileOf(workbookOf({ A: rows.map((row) => `<row>${row}</row>`).join('') }), 'x.xlsx'),
    );
    expect(items).toMatchObject([{ sku: 'A' }, { sku: 'B' }]);
  });

  it('a text in CDATA is text', async () => {
    const rows =
      '<row><c t="inlineStr"><is><t>sku</t></is></c></row><row><c t="inlineStr"><is><t><![CDATA[<A>]]></t></is></c></row>';
    expect((await readAll(fileOf(workbookOf({ A: rows }), 'x.xlsx'))).items).toEqual([{ sku: '<A>' }]);
  });

  it('a hidden sheet is read only if it is named; with several sheets a note names the one that is read', async () => {
    const sheet = (sku: string) =>
      `<row><c t="inlineStr"><is><t>sku</t></is></c></row><row hidden="1"><c t="inlineStr"><is><t>${sku}</t></is></c></row>`;
    const path = fileOf(
      workbookOf({ Old: sheet('OLD'), Items: sheet('A'), More: sheet('B') }, [], { hidden: ['Old'] }),
      'x.xlsx',
    );
    const read = await readAll(path);
    expect(read.items).toEqual([{ sku: 'A' }]);
    expect(read.notes).toEqual([
      'the sheet "Items" is read; --sheet names another: Old (hidden), More',
      '1 hidden row read like the others',
    ]);
    expect((await readAll(path, { sheet: 'Old' })).items).toEqual([{ sku: 'OLD' }]);
    const none = fileOf(workbookOf({ Old: sheet('OLD') }, [], { hidden: ['Old'] }), 'x.xlsx');
    await expect(readAll(none)).rejects.toThrow(/no sheet that is not hidden; name one with --sheet: Old \(hidden\)/);
  });

  it('cells merged over several rows are reported: only the first row has their value', async () => {
    const text = (words: string) => `<c t="inlineStr"><is><t>${words}</t></is></c>`;
    const rows = `<row>${text('sku')}${text('name')}</row><row>${text('A')}${text('New')}</row><row>${text('B')}<c/></row>`;
    const merged = '</sheetData><mergeCells><mergeCell ref="B2:B3"/><mergeCell ref="D1:E1"/></mergeCells><sheetData>';
    const { items, notes } = await readAll(fileOf(workbookOf({ A: rows + merged }), 'x.xlsx'));
    expect(items).toEqual([{ sku: 'A', name: 'New' }, { sku: 'B' }]);
    expect(notes).toEqual([
      expect.stringMatching(/^1 cell merged over several rows, read as empty below the first: fill/),
    ]);
  });

  it('errors and formulas without a result are reported', async () => {
    const rows =
      '<row><c t="inlineStr"><is><t>sku</t></is></c><c t="inlineStr"><is><t>name</t></is></c><c t="inlineStr"><is><t>price</t></is></c></row>' +
      '<row><c t="inlineStr"><is><t>A</t></is></c><c t="e"><v>#N/A</v></c><c><f>B1*2</f></c></row>';
    const { items, notes } = await readAll(fileOf(workbookOf({ A: rows }), 'x.xlsx'));
    expect(items).toEqual([{ sku: 'A', name: '#N/A' }]);
    expect(notes).toEqual([
      '1 cell with an error such as #N/A, read as that text',
      expect.stringMatching(/^1 formula without a result, read as empty/),
    ]);
  });

  it.each<readonly [what: string, rows: string, shared: readonly string[], words: RegExp]>([
    [
      'a row far below the last',
      '<row r="90000000"><c><v>1</v></c></row>',
      [],
      /has a row 90000000; a sheet has at most 1048576 rows/,
    ],
    ['a column beyond the last', `<row>${c('XFE1', '1')}</row>`, [], /beyond column 16384/],
    [
      'far columns in many rows',
      `<row>${c('A1', '0', ' t="s"')}</row>${`<row>${c('A1', '1')}${c('XFD1', '1')}</row>`.repeat(1000)}`,
      ['sku'],
      /one filled cell among more than 300 up to column 16384; delete what is far to the right/,
    ],
    [
      'a far column in the first of many rows',
      `<row>${c('A1', '0', ' t="s"')}${c('XFD1', '1')}</row>${`<row>${c('A1', '1')}${c('B1', '1')}</row>`.repeat(1000)}`,
      ['sku'],
      /one filled cell among more than 300 up to column 16384; delete what is far to the right/,
    ],
    [
      'a row of long cells',
      `<row>${c('A1', '0', ' t="s"').repeat(1)}${'<c t="s"><v>0</v></c>'.repeat(3)}</row>`,
      ['x'.repeat(500_000)],
      /row 1 has more than 1048576 characters/,
    ],
    ['a tag that does not end', `<row ${'x'.repeat(5_000_000)}`, [], /does not end within 4194304 characters/],
    ['elements in each other', '<row>'.repeat(1000), [], /nested deeper than 64 levels/],
  ])('%s is refused', async (_, rows, shared, words) => {
    const read = await readAll(fileOf(workbookOf({ A: rows }, shared), 'x.xlsx')).catch((cause: Error) => ({
      failure: cause.message,
    }));
    expect(read.failure).toMatch(words);
  });

  it.skipIf(!isFull)('shared texts and styles have a limit, also where they are empty', async () => {
    const empty = (xml: string) => readAll(fileOf(zipOf({ ...parts, ...JSON.parse(xml) }), 'x.xlsx'));
    const parts = {
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="1" Target="a.xml"/></Relationships>',
      'xl/a.xml': '<worksheet/>',
    };
    await expect(
      empty(JSON.stringify({ 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(2_200_000)}</sst>` })),
    ).rejects.toThrow(/more text than fits/);
    await expect(
      empty(JSON.stringify({ 'xl/styles.xml': `<s><cellXfs>${'<xf/>'.repeat(70_000)}</cellXfs></s>` })),
    ).rejects.toThrow(/more than 65490 styles/);
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
    ['0', 164, '[$-F400]h:mm:ss AM/PM', '00:00:00'],
    ['0.75', 164, '[$-F400]h:mm:ss AM/PM', '18:00:00'],
    ['0.9999', 164, '[$-F400]h:mm:ss AM/PM', '23:59:51'],
    ['1.5', 164, '[$-F400]h:mm:ss AM/PM', '1.5'],
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
    ['1234567.891', 4, undefined, '1234567.891'],
    ['12345678.9015', 164, '#,##0.00', '12345678.9015'],
    ['1999.4999999999998', 164, '0.00', '1999.50'],
    ['100.10000000000001', 164, '0.00', '100.10'],
    ['42', 164, '"ART-"00000', 'ART-00042'],
    ['42', 164, '"ART-"General', 'ART-42'],
    ['42', 164, '"SKU "0', 'SKU 42'],
    ['7', 164, '"TOP-"000', 'TOP-007'],
    ['1.5', 164, '"v"0.0', 'v1.5'],
    ['123456', 164, '000\\-000', '123-456'],
    ['1234567', 164, '000-000', '1234-567'],
    ['42', 164, '000\\-000', '000-042'],
    ['42', 164, '0000"A"', '0042A'],
    ['42', 164, '00000"-2025"', '00042-2025'],
    ['5551234567', 164, '(###) ###-####', '(555) 123-4567'],
    ['5', 164, '0" Stk"', '5'],
    ['1.5', 164, '0.0" kg"', '1.5'],
    ['1234.5', 164, '#,##0.00\\ "€"', '1234.50'],
    ['1234.5', 164, '"CHF "#,##0.00', '1234.50'],
    ['1234.5', 164, '[$€-407]\\ #,##0.00', '1234.50'],
    ['1234.5', 164, '_-* #,##0.00\\ [$zł-415]_-;-* #,##0.00\\ [$zł-415]_-;_-* "-"??_-;_-@_-', '1234.50'],
    ['1234567.5', 164, '#\\ ##0.00', '1234567.50'],
    ['12.5', 164, '0.##', '12.5'],
    ['0.5', 164, '# ?/?', '0.5'],
    ['0.5', 164, '0.00E+00', '0.5'],
    ['-5', 164, '"ART-"000', '-ART-005'],
    ['1.5', 164, `0.${'0'.repeat(200)}`, `1.5${'0'.repeat(29)}`],
    ['1234567890123456789', 0, undefined, '1234567890123456789'],
  ])('%s in format %s %s is %s', (value, id, code, text) => {
    expect(cellText(value, cellFormat(id, code), false)).toBe(text);
  });
});
