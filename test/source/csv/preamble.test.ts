// Tables with more than rows: titles above the header, rows that are titles of others, columns of one name.
import { describe, expect, it } from 'vitest';
import { preambleLines } from '../../../src/source/csv/preamble.js';
import { inspectFile } from '../../../src/source/inspection/inspect-file.js';
import type { MappingSection, Section } from '../../../src/source/mapping/mapping.js';
import { allowed } from '../../tier.js';
import { fileOf, readAll, readCsv } from '../given.js';

const mapped = (fields: Section['fields'], read: MappingSection['read'] = {}): MappingSection => ({
  name: 'm.yaml',
  place: 'the mapping',
  read,
  tables: {},
  section: { to: 'products', fields },
});

const list = `Preisliste, gültig ab 1.1.\n\n"Muster GmbH, 12345 Ort"\nArt;Bezeichnung;Preis\nA-1;Tee;1,50\nA-2;Tasse;2\nA-3;Löffel;3\n`;
const fields = { sku: 'Art', name: 'Bezeichnung', price: { column: 'Preis', number: { decimal: ',' } } };
const items = [
  { sku: 'A-1', name: 'Tee', price: '1.50' },
  { sku: 'A-2', name: 'Tasse', price: '2' },
  { sku: 'A-3', name: 'Löffel', price: '3' },
];

describe('lines above the header', () => {
  it.each<readonly [string, MappingSection['read']]>([
    ['are skipped by their number', { skip: 3 }],
    ['are skipped up to the row that has the names of columns', { header: { containing: ['preis', 'Art'] } }],
  ])('%s', async (_, read) => {
    const options = { mapped: mapped(fields, read), ...(read.skip !== undefined && { skip: read.skip }) };
    const result = await readCsv(list, options);
    expect(result.items).toEqual(items);
    expect(result.lines).toEqual([5, 6, 7]);
    expect(result.notes).toContain('2 rows above the header skipped');
  });

  it('JSON in a cell does not move the header', () => {
    const cell = '"[{""size"":""S"",""stock"":1},{""size"":""M"",""stock"":2},{""size"":""L"",""stock"":0}]"';
    const rows = ['A', 'B', 'C', 'D'].map((sku) => `${sku},Tee,${cell}`);
    expect(preambleLines(`sku,name,variants\n${rows.join('\n')}\n`)).toBe(0);
    expect(preambleLines(`Price list\n\nsku,name,variants\n${rows.join('\n')}\n`)).toBe(2);
  });

  it('without a row that has the names is an error', async () => {
    const read = { header: { containing: ['Art', 'Gewicht'] } };
    await expect(readCsv(list, { mapped: mapped(fields, read) })).rejects.toThrow(
      /has no row with the columns "Art", "Gewicht"/,
    );
  });

  it('are found by inspect, with the columns below them', async () => {
    const { found, columns, records } = await inspectFile({ file: fileOf(list) });
    expect(found).toMatchObject({ skip: 3, delimiter: ';' });
    expect(columns.map(({ name }) => name)).toEqual(['Art', 'Bezeichnung', 'Preis']);
    expect(records).toBe(3);
    expect((await inspectFile({ file: fileOf('sku,name\nA,x\nB,y\nC,z\n') })).found.skip).toBeUndefined();
  });
});

describe('rows with a single filled cell', () => {
  const text = 'Art;Preis\nBohrer;\nA-1;1\nA-2;2\nSägen\nA-3;3\n';
  it('are the value of a column in the rows that follow', async () => {
    const read = { sections: 'Gruppe' };
    const { items: found, lines } = await readCsv(text, { mapped: mapped({ sku: 'Art', category: 'Gruppe' }, read) });
    expect(found).toEqual([
      { sku: 'A-1', category: 'Bohrer' },
      { sku: 'A-2', category: 'Bohrer' },
      { sku: 'A-3', category: 'Sägen' },
    ]);
    expect(lines).toEqual([3, 4, 6]);
  });

  it('are records where they have only a code like those above', async () => {
    const rows = 'Art;Preis;x\n2024;;\nA-1;1;y\nA-22;;\nA-3;3;y\n2025;;\nA-4;4;z\n';
    const { items: found, notes } = await readCsv(rows, {
      mapped: mapped({ sku: 'Art', category: 'G' }, { sections: 'G' }),
    });
    const records = [1, 22, 3].map((n) => ({ sku: `A-${n}`, category: '2024' }));
    expect(found).toEqual([...records, { sku: 'A-4', category: '2025' }]);
    expect(notes.join()).toContain('2 rows with a single filled cell are titles of sections');
  });

  it('are followed by empty rows, which are no records', async () => {
    const rows = 'Art;Preis;x\nBohrer;;\n;;\nA-1;1;\n ; ;\n';
    const { items: found } = await readCsv(rows, { mapped: mapped({ sku: 'Art', category: 'G' }, { sections: 'G' }) });
    expect(found).toEqual([{ sku: 'A-1', category: 'Bohrer' }]);
  });
});

describe('columns of one name', () => {
  it('are lists by their order', async () => {
    const text = 'id,Param,Value,Param,Value\n1,Colour,red,Size,L\n2,,,Size,M\n';
    const attributes = {
      each: { parallel: { name: 'Param', value: 'Value' } },
      entry: { type: '$name', value: '$value' },
    };
    const { items: found } = await readCsv(text, { mapped: mapped({ sku: 'id', attributes }) });
    expect(found).toEqual([
      {
        sku: '1',
        attributes: [
          { type: 'Colour', value: 'red' },
          { type: 'Size', value: 'L' },
        ],
      },
      { sku: '2', attributes: [{ type: 'Size', value: 'M' }] },
    ]);
  });

  it('and lists within JSON records are read alike', async () => {
    const record = { id: 1, variants: [{ sku: 'A', price: 1 }, { price: 2.5 }], images: [{ src: 'a' }, { src: 'b' }] };
    const map = mapped({
      sku: 'id',
      name: { column: 'variants[].sku', join: '|' },
      media: { each: { parallel: { file: 'images[].src' } }, entry: { file: '$file' } },
      attributes: {
        each: { parallel: { name: 'variants[].sku', value: 'variants[].price' } },
        entry: { type: { column: '$name', default: 'none' }, value: '$value' },
      },
    });
    const { items: found } = await readAll(fileOf(`${JSON.stringify(record)}\n`, 'f.ndjson'), { mapped: map });
    expect(found).toMatchObject([
      {
        sku: '1',
        media: [{ file: 'a' }, { file: 'b' }],
        attributes: [
          { type: 'A', value: '1' },
          { type: 'none', value: '2.5' },
        ],
      },
    ]);
  });
});

describe('input that is not a feed', () => {
  it.each<readonly [string, Buffer | string, RegExp]>([
    ['Parquet', 'PAR1....', /is a Parquet file, which cannot be read; export it as CSV/],
    ['.xls', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]), /an old Excel workbook/],
    [
      'a password',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
      /with a password/,
    ],
    ['7-Zip', Buffer.from('377abcaf271c0004', 'hex'), /a 7-Zip archive/],
    ['RAR', Buffer.from('Rar!\x1a\x07\x01', 'latin1'), /a RAR archive/],
    ['bzip2', 'BZh91AY', /packed by bzip2/],
    ['xz', Buffer.from('fd377a585a000004', 'hex'), /packed by xz/],
    ['Zstandard', Buffer.from('28b52ffd0458', 'hex'), /packed by Zstandard/],
    ['tar', Buffer.concat([Buffer.alloc(257), Buffer.from('ustar\x0000')]), /a tar archive/],
    ['PDF', '%PDF-1.7', /a PDF document/],
    ['a page', '\n<!DOCTYPE html>\n<html><body>Log in</body></html>', /an HTML page, not a feed: often a login page/],
  ])('%s is named, with what to do', async (_, content, words) => {
    await expect(readAll(fileOf(content, 'feed.csv'))).rejects.toMatchObject({
      code: 'input_unreadable',
      message: expect.stringMatching(words),
    });
  });

  it('a damaged file shows its columns up to the damage', async () => {
    const { columns, records, failure } = await inspectFile({ file: fileOf('sku,name\nA,x\nB,"y\n') });
    expect(columns.map(({ name }) => name)).toEqual(['sku', 'name']);
    expect(records).toBe(1);
    expect(failure?.message).toMatch(/line 3 opens a quote that is never closed/);
  });

  it.each(['\t', '\t\t"', ' ', ', "', ',""x'])('a head of nothing but %j takes no time', (part) => {
    const head = part.repeat(65_536 / part.length);
    const begun = performance.now();
    for (const text of [head, `"${head}`, `,"${head}x`]) preambleLines(text);
    expect(performance.now() - begun).toBeLessThan(allowed(200));
  });
});
