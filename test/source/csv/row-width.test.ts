// Rows with another number of cells than the header: what is nothing, what is refused, and what is said of the header.
import { describe, expect, it } from 'vitest';
import { fileOf, readAll } from '../given.js';

const read = (content: string) => readAll(fileOf(content));

describe('trailing delimiters', () => {
  it.each([
    ['behind every row', 'sku,name\nA,Tea,\nB,Milk,,\n'],
    ['behind the header', 'sku,name,\nA,Tea\nB,Milk\n'],
    ['behind both', 'sku,name,,\nA,Tea,,\nB,Milk,\n'],
    ['with blanks between them', 'sku,name\nA,Tea, \nB,Milk,"",\n'],
  ])('%s are nothing', async (_, content) => {
    const { items, problems, notes } = await read(content);
    expect(problems).toEqual([]);
    expect(items).toMatchObject([
      { sku: 'A', name: 'Tea' },
      { sku: 'B', name: 'Milk' },
    ]);
    expect(notes).toEqual([]);
  });

  it('an empty cell beyond the header may be the last one of a row that lost its quotes: it is refused, not shifted', async () => {
    const shifted = 'K1,Kestrel K1, with stylus,12.50,\n';
    const header = 'sku,name,price,note\n';
    expect((await read(`${header}A,x,1,n\n${shifted}B,y,2,\n`)).items).toMatchObject([
      { sku: 'A' },
      '!row_shape',
      { sku: 'B', name: 'y' },
    ]);
    expect((await read(header + shifted)).items).toEqual(['!row_shape']);
    // Where every row ends in a delimiter, or columns are set apart by spaces, that is how the file is written.
    expect((await read(`${header}A,x,1,n,\nB, y,2,n,\n`)).items).toMatchObject([
      { sku: 'A' },
      { sku: 'B', name: ' y' },
    ]);
    expect((await read('sku, name, note\nA, x, n,\n')).items).toMatchObject([{ sku: 'A' }]);
  });

  it('a cell beyond the header that holds something refuses its row; so does a named cell that is not there', async () => {
    const { items, problems } = await read('sku,name\nA,Tea,x\nB\nC,Milk\n');
    expect(problems.map(({ code }) => code)).toEqual(['row_shape', 'row_shape']);
    expect(items).toHaveLength(3);
  });

  it('cells below a header without a name fill nothing, and are counted', async () => {
    const { items, unknown } = await read('sku,name,\nA,Tea,x\nB,Milk\n');
    expect(items).toMatchObject([{ sku: 'A' }, { sku: 'B' }]);
    expect(unknown).toHaveProperty('column 3');
  });
});

describe('a first line that is not a header', () => {
  it('of another length than nearly all rows is reported', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => `${i},Tea,5,1`).join('\n');
    const { notes, problems } = await read(`sku,list of 2026\n${rows}\n`);
    expect(problems).toHaveLength(20);
    expect(notes).toEqual([
      expect.stringMatching(/^the first line has 2, 20 of 20 rows have 4 cells: is it the header\?/),
    ]);
  });

  it('some ragged rows do not cast doubt on it', async () => {
    const { notes } = await read('sku,name\nA,Tea\nB,x,y\nC,x,y\nD,x,y\n');
    expect(notes).toEqual([]);
  });
});

it('a quote inside an unquoted cell is kept, with one note', async () => {
  const { items, notes } = await read('sku,name\nA,13" screen\nB,"13"" screen"\nC,plain\nD,5" pipe\n');
  expect(items).toMatchObject([{ name: '13" screen' }, { name: '13" screen' }, {}, { name: '5" pipe' }]);
  expect(notes).toEqual([
    '2 rows have a quote inside a cell that is not quoted itself; it was kept as it is (lines 2, 5)',
  ]);
});
