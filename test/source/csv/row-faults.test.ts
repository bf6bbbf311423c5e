// Rows whose cells are not where their header says: amounts cut at a decimal comma, and rows within a quoted cell.
import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../src/source/inspection/inspect-file.js';
import { fileOf, readCsv } from '../given.js';

const table = 'sku,name,currency,price,stock,note\n';

describe('a decimal comma without quotes, next to an empty last cell', () => {
  it.each([
    ['in every row', 'A,x,EUR,12,50,5,\nB,y,EUR,14,90,6,\nC,z,EUR,19,5,7,\n', ['A', 'B', 'C']],
    ['in some rows', 'A,x,EUR,12,50,5,\nB,y,EUR,14,6,\nC,z,EUR,19,95,7,\nD,z,EUR,19,7,n\n', ['A', 'C']],
    ['with a comma between thousands', 'A,x,EUR,1,234.50,5,\nB,y,EUR,14,6,\n', ['A']],
    ['with a currency', 'A,x,EUR,€ 12,50,5,\nB,y,EUR,12,50 €,5,\n', ['A', 'B']],
    ['below a row that ends in a delimiter', 'A,x,EUR,12.50,5,,\nB,y,EUR,14,90,6,\nC,y,EUR,14,90,6,\n', []],
    ['with three decimals', 'A,x,EUR,0,990,5,\nB,y,EUR,12,500,6,\n', ['A', 'B']],
    ['next to a quoted comma', 'A,"x, y",EUR,12,50,5,\n', ['A']],
  ])('refuses its row %s, or the price would be too low', async (_, rows, refused) => {
    const { problems } = await readCsv(table + rows);
    expect(problems.map(({ externalId }) => externalId)).toEqual(refused);
    for (const { code, message } of problems) {
      expect(code).toBe('row_shape');
      expect(message).toMatch(
        /^the row has 7 cells, the header has 6; .+ may be one amount or two cells: quote the amount/,
      );
    }
  });

  it('is told from delimiters at the end of all rows, also by a header that ends in one', async () => {
    for (const text of [
      `${table}A,x,EUR,12.50,5,,\nB,y,EUR,14,90,6,\nC,z,EUR,7,8,,\n`,
      'sku,name,currency,price,stock,note,\nA,x,EUR,12,50,,\nB,y,EUR,14,90,n,\n',
      `${table}A,x,EUR,"12","50",n,\n`,
      `${table}A,x,EUR,14,6,n\nB,y,EUR,12,50,n,\n`,
      `${table}A,x,EUR,12,5,n,\n`,
      'sku,name,stock,price\nA,x,12,50,\n',
      'sku;name;price;stock\nA;x;12;50;\n',
    ])
      expect((await readCsv(text)).problems).toEqual([]);
  });

  it('is found by inspect, below the header that has fewer delimiters', async () => {
    const { found, records, troubles, notes } = await inspectFile({
      file: fileOf(`${table}A,x,EUR,12,50,5,\nB,y,EUR,14,90,6,\nC,z,EUR,19,95,7,\n`),
    });
    expect(found.skip).toBeUndefined();
    expect({ records, notes }).toEqual({ records: 3, notes: [] });
    expect(troubles).toMatchObject([{ what: 'rows with another number of cells than the header', count: 3 }]);
    expect((await inspectFile({ file: fileOf('sku,name\nA,x,\nB,y,\nC,z,\n') })).found.skip).toBeUndefined();
  });
});

describe('a quote opened by mistake', () => {
  const header = 'sku;name;currency;price\n';
  it.each([
    ['and closed by an inch mark', 'A;"Profi;EUR;1.00\nB;Monitor 19";EUR;2.00\n', 3],
    ['and closed behind words', 'A;"Profi;EUR;1.00\nB;Monitor;EUR;\nD;"";EUR;3.00\nE;Zange";EUR;2.00\n', 0],
    ['several rows above', `A;"Profi;EUR;1.00\n${'B;x;EUR;2.00\n'.repeat(30)}D;Rohr 3/4";EUR;2.00\n`, 33],
    ['in lines that end in CRLF', 'A;"Profi;EUR;1.00\r\nB;Rohr 5";EUR;2.00\r\nC;x;EUR;3.00\r\n', 3],
    ['in the last cell', 'A;Profi;EUR;"1.00\nB;Monitor;EUR;19"\n', 3],
  ])('%s costs its row, which says where it ends', async (_, rows, last) => {
    const { items, problems } = await readCsv(`${header}${rows}Z;x;EUR;3.00\n`);
    expect(items.at(-1)).toMatchObject({ sku: 'Z' });
    expect(problems[0]).toMatchObject({ code: 'row_shape', externalId: 'A', params: { lines: expect.any(Number) } });
    if (last > 0) expect(problems[0]?.message).toContain(`closes on line ${last},`);
  });

  it('is still found where the refused row comes back with its reasons', async () => {
    const rows = 'A;"Profi;EUR;1.00\nB;Monitor 19";EUR;2.00;2;row_shape;"a quote; that opens"\n';
    const { items } = await readCsv(`sku;name;currency;price;_line;_code;_reason\n${rows}`);
    expect(items).toEqual(['!row_shape']);
  });

  it.each([
    ['prose', 'sku,name,description\nA,Tea,"Great tea\nSmall, red, 19"\nB,Tea,"One, two\nSmall, red, nice"\n'],
    ['sizes', 'sku,name,description,currency,price\nA,Tea,"S,M,L\n40,41,42",EUR,1.00\n'],
    ['a table', 'sku;name;description;currency;price\nA;Tea;"1;2;3\n4;5;6";EUR;1.00\n'],
    ['HTML', 'sku;name;description\nA;Tea;"Auswahl\nK&uuml;che &amp; Bad"\nB;Tea;"<td>1</td>\n<td>2;3;4</td>"\n'],
    ['lines', 'sku;name;description;price\nA;Tea;"one\ntwo 19""\n\nthree";1.00\nB;Tea;"one\n2";2.00\n'],
    ['two columns', 'sku,name\nA,"Tea\nB,19"\n'],
  ])('is not taken from a text of several lines: %s', async (_, text) => {
    expect((await readCsv(text)).problems).toEqual([]);
  });
});

describe('empty rows', () => {
  it('are skipped with a notice, as in a workbook', async () => {
    const { items, lines, notes } = await readCsv('sku;name;price\nA;x;1\n;;\n ;;;\nB;y;2\n;\n;;;;\n');
    expect(items).toMatchObject([{ sku: 'A' }, { sku: 'B' }]);
    expect({ lines, notes }).toEqual({ lines: [2, 5], notes: ['4 empty rows skipped'] });
  });

  it('are no row without cells for inspect', async () => {
    const { records, troubles } = await inspectFile({ file: fileOf('sku;name;price\nA;x;1\n;;\n;\nB;y;2\n') });
    expect({ records, troubles }).toEqual({ records: 2, troubles: [] });
  });
});
