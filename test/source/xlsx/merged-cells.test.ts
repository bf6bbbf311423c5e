// Cells of a workbook that are merged over several rows are reported where they hold values of records, and only there.
import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../src/source/inspection/inspect-file.js';
import { fileOf, readAll } from '../given.js';
import { workbookOf } from '../given-zip.js';
import { readMapped } from '../mapping/given.js';

const cell = (words: string) => (words === '' ? '<c/>' : `<c t="inlineStr"><is><t>${words}</t></is></c>`);
const row = (...cells: readonly string[]) => `<row>${cells.map(cell).join('')}</row>`;
const titles = row('Our list') + row();
const header = row('sku', 'name');
const records = row('A', 'Tea') + row('B', 'Pot') + row('C');

function merging(rows: string, ...refs: readonly string[]): Buffer {
  const cells = refs.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
  return workbookOf({ A: `${rows}</sheetData><mergeCells>${cells}</mergeCells><sheetData>` });
}

const bookOf = (...given: Parameters<typeof merging>) => fileOf(merging(...given), 'x.xlsx');
const aboutMerged = ({ notes }: { readonly notes: readonly string[] }) => notes.filter((words) => /merged/.test(words));
const one = [expect.stringMatching(/^1 cell merged over several rows, read as empty below the first: fill/)];

describe('merged cells are not reported', () => {
  it.each([
    ['of a title', titles + header + records, 'A1:B2', { skip: 2 }],
    ['of a header of two rows', header + row('', 'short') + records, 'A1:A2', {}],
    ['of names above the header', row('Number', 'Names') + header + records, 'A1:A2', { skip: 1 }],
  ])('%s', async (_, rows, ref, options) => {
    const read = await readAll(bookOf(rows, ref), options);
    expect(read.items).toContainEqual({ sku: 'A', name: 'Tea' });
    expect(aboutMerged(read)).toEqual([]);
  });

  it('of names, but the column that has none below them', async () => {
    const read = await readAll(bookOf(row('Number', 'Names') + row('', 'sku') + records, 'A1:A2'), { skip: 1 });
    expect(read.unknown).toEqual({ 'column 1': 3 });
    expect(aboutMerged(read)).toEqual([]);
  });
});

describe('merged cells of records are reported', () => {
  it('below a title', async () => {
    const book = bookOf(titles + header + records, 'A1:B2', 'B5:B6');
    expect(aboutMerged(await readAll(book, { skip: 2 }))).toEqual(one);
    // Inspection finds the header itself.
    expect(aboutMerged(await inspectFile({ file: book }))).toEqual(one);
  });

  it('of the first record, where the mapping names the columns', async () => {
    const mapping = 'read: { skip: 2, columns: [sku, name] }\nfields: { sku: sku, name: name }\n';
    const read = await readMapped(mapping, merging(titles + records, 'A1:B2', 'B3:B5'), { name: 'x.xlsx' });
    expect(read.items).toHaveLength(3);
    expect(aboutMerged(read)).toEqual(one);
  });
});
