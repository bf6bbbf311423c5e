import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/core/diagnostics/refusal-codes.js';
import { csvCutter, longestRow } from '../../../src/source/csv/csv-cutter.js';
import { type CsvDialect, detectDialect } from '../../../src/source/csv/csv-dialect.js';
import { inspectFile } from '../../../src/source/inspection/inspect-file.js';
import { corpus } from '../../corpora.js';
import { allowed, repetitions } from '../../tier.js';
import { fileOf, readAll, readCsv } from '../given.js';

/** Cuts a text given in pieces of `size` characters. */
function cut(text: string, dialect: CsvDialect = detectDialect(text), size = text.length + 1) {
  const cutter = csvCutter('f.csv', dialect);
  const rows: string[][] = [];
  const lines: number[] = [];
  const faults: number[] = [];
  const onRow = (cells: string[], line: number, _raw: string, fault?: Problem) => {
    rows.push(cells);
    lines.push(line);
    if (fault !== undefined) faults.push(line);
  };
  for (let at = 0; at < text.length; at += size) cutter.cut(text.slice(at, at + size), false, onRow);
  cutter.cut('', true, onRow);
  return { rows, lines, faults };
}

describe('rows', () => {
  it('equal those of csv-parse, whatever the delimiter, the line ends and the size of the chunks', () => {
    const cell = fc.oneof(
      fc.string({
        unit: fc.constantFrom('a', '1', '"', ',', ';', '\t', '|', '\n', '\r', ' ', 'é', '😀'),
        maxLength: 6,
      }),
      fc.constantFrom('', 'x', '12" pipe', '""', '\r\n'),
    );
    const written = fc.record({ cell, quoted: fc.boolean() });
    const document = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t', '|'),
      newline: fc.constantFrom('\n', '\r\n', '\r'),
      rows: fc.array(fc.array(written, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 }),
      ended: fc.boolean(),
      size: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(document, ({ delimiter, newline, rows, ended, size }) => {
        const lines = rows.map((row) =>
          row
            .map(({ cell, quoted }) =>
              quoted || cell.startsWith('"') || /[\r\n]/.test(cell) || cell.includes(delimiter)
                ? `"${cell.replaceAll('"', '""')}"`
                : cell,
            )
            .join(delimiter),
        );
        const text = lines.join(newline) + (ended ? newline : '');
        const expected = parse(text, {
          delimiter,
          record_delimiter: newline,
          relax_quotes: true,
          relax_column_count: true,
          skip_empty_lines: true,
        });
        const dialect: CsvDialect = { delimiter, newline: newline === '\r' ? '\r' : '\n' };
        expect(cut(text, dialect, size).rows).toEqual(expected);
      }),
      { numRuns: repetitions('CSV_TEXTS', { fast: 150, moderate: 350, full: 10000 }) },
    );
  });

  it('have the physical line on which they begin', () => {
    for (const newline of ['\n', '\r\n', '\r']) {
      const text = ['a,b', '', '1,"x', 'y"', '2,z', '', '', '"3', '",4'].join(newline);
      expect(cut(text)).toEqual({
        rows: [
          ['a', 'b'],
          ['1', `x${newline}y`],
          ['2', 'z'],
          [`3${newline}`, '4'],
        ],
        lines: [1, 3, 5, 8],
        faults: [],
      });
    }
    expect(cut('a,b\r1,"x\ny"\r2,z\r').lines).toEqual([1, 2, 4]);
    expect(cut('a,b\r\n1,2\n3,4\r\n').rows).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it('take a quote inside an unquoted cell literally', () => {
    expect(cut('sku,name\nA,12" pipe\nB,2"x4"\n').rows.slice(1)).toEqual([
      ['A', '12" pipe'],
      ['B', '2"x4"'],
    ]);
  });

  it('have the text of a cell that is a formula of a text, and other formulas as they are', () => {
    const rows = [
      ['="sku"', '"=""name"""', 'n'],
      ['="0012"', '"=""a,\nb"""', '"=""5"""" pipe"""'],
      ['=""', '="a"&"b"', '=A1'],
      ['x="1"', '="1', '"=""é😀"""'],
    ].map((cells) => cells.join(','));
    expect(cut(rows.join('\n')).rows).toEqual([
      ['sku', 'name', 'n'],
      ['0012', 'a,\nb', '5" pipe'],
      ['', '="a"&"b"', '=A1'],
      ['x="1"', '="1', 'é😀'],
    ]);
  });

  it('may be padded after a closing quote', () => {
    expect(cut('a,b  \n"1,x"  ,"2"\t\r\n').rows[1]).toEqual(['1,x', '2']);
  });

  it('continue after a misplaced quote, which invalidates only its own row', () => {
    expect(cut('a,b\n1,"x"y\n2,z\n')).toMatchObject({ faults: [2], lines: [1, 2, 3] });
  });

  it('keep half a surrogate pair, which marks damage, inside quotes and out', () => {
    const text = 'a,b\n"\udc80 ""x""",y\n\ud83d,"z"\n"\u{10dc80}",w\n';
    expect(cut(text).rows.slice(1)).toEqual([
      ['\udc80 "x"', 'y'],
      ['\ud83d', 'z'],
      ['\u{10dc80}', 'w'],
    ]);
  });

  it('of the csv-spectrum corpus are read as expected', () => {
    const folder = corpus('csv-spectrum');
    if (folder === undefined) return console.info('csv-spectrum is not on this machine: nothing compared.');
    // One of the twelve has another phone number in its JSON than in its CSV.
    const files = readdirSync(join(folder, 'csvs')).filter((file) => file !== 'location_coordinates.csv');
    expect(files).toHaveLength(11);
    for (const file of files) {
      const [header = [], ...rows] = cut(readFileSync(join(folder, 'csvs', file), 'utf8')).rows;
      const expected = JSON.parse(readFileSync(join(folder, 'json', file.replace('.csv', '.json')), 'utf8'));
      expect(rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]])))).toEqual(expected);
    }
  });
});

describe('the dialect', () => {
  it.each([
    ['a;b,c;d\n1,2;3', { delimiter: ';', newline: '\n' }],
    ['a\tb\r\n1,2\t3', { delimiter: '\t', newline: '\n' }],
    ['a|b\r1|2\r', { delimiter: '|', newline: '\r' }],
    ['"a;b;c",d\n', { delimiter: ',', newline: '\n' }],
    ['only\n', { delimiter: ',', newline: '\n' }],
    ['\n\r\na;b\n', { delimiter: ';', newline: '\n' }],
    ['sep=|\r\na,b,c|d\r\n', { delimiter: '|', newline: '\n' }],
  ])('of %j is found in the header line', (text, dialect) => {
    expect(detectDialect(text)).toEqual(dialect);
  });

  it.each([
    // Commas in names.
    ['Nr;Maße (B, H, T)\n1;10 x 20 x 30\n', ';'],
    ['Nr;Preis, netto\n1;9,90\n', ';'],
    ['Nr;Preis,netto\n1;9,90\n', ';'],
    ['Nr;Maße (B,H,T);Preis\n1;10 x 20;9,90\n2;;8\n', ';'],
    ['Nr\tMaße (B,H,T)\r1\t10\r2\t20\r', '\t'],
    ['sku, name;alias, price\nA, x, 1\n', ','],
    ['sku, name, price\nA, x; y, 1\n', ','],
    // Other signs in names.
    ['sku,size (S|M|L)\nA,S\nB,M\n', ','],
    ['sku,size (S|M|L)\nA,S|M|L\nB,M|L|S\n', ','],
    ['1) Nr;2) Maße, b, h, t\n', ';'],
    ['sku (EAN, GTIN;name;price\n', ';'],
    ['sku,"S|M|L"\n', ','],
    // Rows that lack their last cells, with commas in amounts.
    ['Nr;Name;Preis;Maße B,H\n1;Stuhl;9,90\n2;Tisch;8,90\n', ';'],
    ['Nr;Preis;Maße B,H\n1;9,90\n2;8,90\n', ';'],
    // Rows with more cells than the header.
    ['sku,name,a;b\nA,x,1;2,\nB,y,3;4,\n', ','],
  ])('of %j is that of its rows', (text, delimiter) => {
    expect(detectDialect(text).delimiter).toBe(delimiter);
  });

  it('is looked for in a bounded part of the file', () => {
    const open = `a,b;c\n${'1;2,3;"'.padEnd(30_000_000, ';')}`;
    // The parts of a text are joined when a character is asked for the first time: that is not measured.
    expect(open.charCodeAt(open.length - 1)).toBe(59);
    const begun = performance.now();
    expect(detectDialect(open).delimiter).toBe(';');
    expect(performance.now() - begun).toBeLessThan(allowed(50));
  });

  it('leaves a sep= line before the header out', async () => {
    expect(await readCsv('sep=;\r\nsku;stock\r\nA;1\r\n')).toMatchObject({
      items: [{ sku: 'A', stock: 1 }],
      lines: [3],
    });
  });

  it('takes a delimiter by name and refuses other words', async () => {
    expect((await readCsv('sku\tname\nA\tx,y,z', { delimiter: 'tab' })).items).toEqual([{ sku: 'A', name: 'x,y,z' }]);
    await expect(readCsv('sku', { delimiter: ';;' })).rejects.toThrow(/--delimiter.*not one character/);
  });
});

describe('a row that does not fit the header', () => {
  it('names the line ends where one row holds many with other line ends', async () => {
    for (const [own, others, words] of [
      ['\r\n', '\r', '3 line ends CR, and the lines of this file end in LF'],
      ['\n', '\r', '3 line ends CR, and the lines of this file end in LF'],
    ] as const) {
      const first = `sku,stock${own}A,1${own}`;
      const { items, problems } = await readCsv(first + ['B,2', 'C,3', 'D,4', 'E,5'].join(others) + own);
      expect(items).toEqual([{ sku: 'A', stock: 1 }, '!row_shape']);
      expect(problems[0]?.message).toContain(words);
    }
  });

  it('tells of a file whose end was never written, which a crash fills with NUL characters', async () => {
    const { items, problems } = await readCsv(`sku,name\nA,x\n${'\0'.repeat(4096)}`);
    expect(items).toMatchObject([{ sku: 'A' }, '!row_shape']);
    expect(problems[0]?.message).toContain('it holds NUL characters, as a file does that was not written to its end');
  });

  it('names the delimiter if its cells are separated differently', async () => {
    const { items, problems } = await readCsv('sku,name,price\nA,x,1\nB;y;2,50\nC,z\nD|z|3\n');
    expect(items).toMatchObject([{ sku: 'A' }, '!row_shape', '!row_shape', '!row_shape']);
    expect(problems[0]?.message).toContain('with ";" between them it has 3: use one delimiter throughout');
    expect(problems[1]?.message).toContain('quote cells that contain ","');
    expect(problems[2]?.message).toContain('with "|" between them it has 3');
  });

  it('is a refused line with its key, if that is certain, and the others are imported', async () => {
    const { items, lines, problems } = await readCsv('sku,name,stock\nA,x,1\nB,x,y,2\nC\n  \nD,z,3\n');
    expect(items).toEqual([
      { sku: 'A', name: 'x', stock: 1 },
      '!row_shape',
      '!row_shape',
      { sku: 'D', name: 'z', stock: 3 },
    ]);
    expect(lines).toEqual([2, 3, 4, 6]);
    expect(problems[0]).toMatchObject({
      externalId: 'B',
      message: expect.stringContaining('4 cells, the header has 3'),
    });
    expect(problems[1]).toMatchObject({
      externalId: 'C',
      message: expect.stringContaining('1 cell, the header has 3'),
    });
    expect((await readCsv('name,sku\nx,y,B\n')).problems[0]?.externalId).toBe('');
  });
});

describe('a file concatenated from several', () => {
  const both = [
    { sku: 'A', name: 'x' },
    { sku: 'B', name: 'y' },
  ];

  it.each([
    ['as it was', 'sku,Name'],
    ['quoted', '"sku","name"'],
    ['behind a byte order mark', '\ufeffsku,name'],
    ['quoted behind a byte order mark', '\ufeff"sku","name"'],
    ['in other letters', 'SKU,Name'],
  ])('skips a repeated header, with a note: %s', async (_, again) => {
    const { items, lines, notes } = await readCsv(`sku,Name\nA,x\n${again}\nB,y\n`);
    expect(items).toEqual(both);
    expect(lines).toEqual([2, 4]);
    expect(notes).toEqual(['1 repeated header row skipped (line 3)']);
  });

  it('is read until the column order changes, which would fill the wrong fields', async () => {
    const { items, failure } = await readCsv('sku,name,note\nA,x,\n\ufeffname,note,sku\ny,,B\n');
    expect(items).toEqual([{ sku: 'A', name: 'x' }]);
    expect(failure).toMatch(/file\.csv: line 3 repeats the column names in another order: "?name"?, .*Split the file/);
  });

  it('is not detected in a record whose key equals a column name', async () => {
    const { items, failure } = await readCsv('sku,name\nsku,sku\nname,x\n\ufeffname,y\nsku,\n');
    expect(failure).toBeUndefined();
    expect(items).toMatchObject([{ sku: 'sku', name: 'sku' }, { sku: 'name' }, { name: 'y' }, { sku: 'sku' }]);
  });

  it('is not detected in a row of column names that is no permutation of the header', async () => {
    for (const [header, row] of [
      ['note,sku,sku copy,note', 'note,sku copy,sku copy,note'],
      ['sku,,', ',,sku'],
      ['sku,,', ',sku,'],
    ]) {
      const { failure, lines, notes } = await readCsv(`${header}\nA,,${header?.replace(/[^,]*,[^,]*,/, '')}\n${row}\n`);
      expect({ failure, lines, notes }).toEqual({ failure: undefined, lines: [2, 3], notes: [] });
    }
  });

  it('is reported by inspect', async () => {
    const file = fileOf('sku,name\nA,x\nsku,name\nB,y\nname,sku\nz,C\n');
    const { records, troubles } = await inspectFile({ file });
    expect(records).toBe(3);
    expect(troubles).toEqual([
      { what: 'the header repeated', count: 1, lines: [3] },
      { what: 'the header in another order', count: 1, lines: [5] },
    ]);
  });

  it('may have the note of a spreadsheet before each header', async () => {
    const { items, lines, notes } = await readCsv('sep=;\nsku;name\nA;x\nsep=;\nsku;name\nB;y\n');
    expect(items).toEqual(both);
    expect(lines).toEqual([3, 6]);
    expect(notes).toEqual(['1 repeated header row skipped (line 5)']);
  });

  it('may have one column, and many headers', async () => {
    const { items, notes } = await readCsv(`sku\nA\n${'sku\n'.repeat(7)}B\n`);
    expect(items).toEqual([{ sku: 'A' }, { sku: 'B' }]);
    expect(notes).toEqual(['7 repeated header rows skipped (lines 3, 4, 5, 6, 7 and 2 more)']);
  });
});

describe('a quote that is never closed', () => {
  it('is reported with the line on which its record begins, after the records before it', async () => {
    const { items, failure } = await readCsv('sku,name\nA,x\nB,"y\nC,z\n');
    expect(items).toEqual([{ sku: 'A', name: 'x' }]);
    expect(failure).toMatch(/file\.csv: the record that begins on line 3 opens a quote that is never closed/);
  });

  it('does not consume the rest of the file', async () => {
    const { items, failure } = await readCsv(`sku,name\nA,x\nB,"${'y\n'.repeat(longestRow)}`);
    expect(items).toEqual([{ sku: 'A', name: 'x' }]);
    expect(failure).toMatch(/line 3 does not end within 1048576 characters/);
  });

  it('in the header is reported at once', async () => {
    await expect(readCsv('sku,"name\nA,x')).rejects.toThrow(/line 1 opens a quote/);
  });
});

describe('the odd files of fixtures/odd', () => {
  const odd = (name: string) => join(import.meta.dirname, '../../../fixtures/odd', name);

  it.each([
    ['semicolon-cp1252.csv', { encoding: 'windows-1252', decimal: ',' as const }],
    ['utf16le.csv', { decimal: ',' as const }],
    ['utf16be.tsv', { decimal: ',' as const }],
    ['bom-cr.csv', { decimal: ',' as const }],
  ])('%s is read as it is meant', async (name, options) => {
    expect(await readAll(odd(name), options)).toMatchObject({
      items: [
        { sku: 'K-1', name: 'Größe L, 12" €', price: '1234.50', stock: 3 },
        { sku: 'K-2', name: 'Écran\nplat', price: '9.99', stock: 1200 },
      ],
      failure: undefined,
    });
  });

  it('broken.csv: each invalid row is refused, and no other', async () => {
    const { items, lines } = await readAll(odd('broken.csv'));
    expect(items).toEqual([
      { sku: 'A', name: 'good' },
      '!row_shape',
      '!row_shape',
      '!invalid_text',
      { sku: 'E', name: 'good' },
    ]);
    expect(lines).toEqual([2, 3, 4, 5, 6]);
  });
});

describe('an empty cell of a key', () => {
  it('is not sent, also with --empty clear: a key, or its other name, cannot be cleared', async () => {
    const { items } = await readCsv('sku,external_id,name\nA,,\n,B,\n', { empty: 'clear' });
    expect(items).toEqual([
      { sku: 'A', name: '' },
      { external_id: 'B', name: '' },
    ]);
  });
});
