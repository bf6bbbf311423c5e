// Cells of a workbook that are numbers have a decimal point, whatever sign its texts have.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from '../../cli/typed.js';
import { fileOf, readAll } from '../given.js';
import { workbookOf } from '../given-zip.js';
import { readMapped } from './given.js';

type Cell = string | number;

const cellOf = (cell: Cell) =>
  typeof cell === 'number' ? `<c><v>${cell}</v></c>` : `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
const sheetOf = (rows: readonly (readonly Cell[])[]) =>
  workbookOf({ X: rows.map((row, i) => `<row r="${i + 1}">${row.map(cellOf).join('')}</row>`).join('') });

const comma = 'read: { decimal: "," }\n';
const lookup = 'fields: { sku: nr, weight: { column: nr, lookup: { table: t, column: w } } }';

describe('a number in a cell of a workbook', () => {
  it.each([
    ['in a field', `${comma}fields: { sku: nr, weight: w }`],
    ['without a sign of the file', 'fields: { sku: nr, weight: w }'],
    ['of a table', `${comma}tables: { t: { key: nr, columns: { w: w } } }\n${lookup}`],
    ['in a variable', `${comma}each: { parallel: { s: nr, w: w } }\nfields: { sku: $s, weight: $w }`],
    ['with units', 'fields: { sku: nr, weight: { column: w, number: { units: { kg: 1 } } } }'],
    ['that is compared', `${comma}keep: { of: w, at_most: 200 }\nfields: { sku: nr, weight: w }`],
    ['that is added', `${comma}fields: { sku: nr, weight: { columns: [w, x], take: sum } }`],
  ])('%s has a point, and texts have their sign', async (_, map) => {
    const book = sheetOf([
      ['nr', 'w', 'x'],
      ['A', 1.234],
      ['', ''],
      ['B', 12.125],
      ['C', '0,5'],
    ]);
    const { items } = await readMapped(map, book, { name: 'feed.xlsx' });
    expect(items).toEqual([
      { sku: 'A', weight: '1.234' },
      { sku: 'B', weight: '12.125' },
      { sku: 'C', weight: '0.5' },
    ]);
  });

  it('is written in texts as it was', async () => {
    const map = `${comma}fill: { columns: [t] }\nfields: { sku: nr, name: { template: "{t} m" }, weight: t }`;
    const book = sheetOf([
      ['nr', 't'],
      [1.5, 2.5],
      ['B', ''],
    ]);
    const { items } = await readMapped(map, book, { name: 'feed.xlsx' });
    expect(items).toEqual([
      { sku: '1.5', name: '2.5 m', weight: '2.5' },
      { sku: 'B', name: '2.5 m', weight: '2.5' },
    ]);
  });

  it('has a point without a mapping, too', async () => {
    const book = sheetOf([
      ['sku', 'weight', 'name'],
      ['A', 1.234, 1.234],
      ['B', '1,5', 'x'],
    ]);
    const { items } = await readAll(fileOf(book, 'feed.xlsx'), { decimal: ',' });
    expect(items).toMatchObject([
      { sku: 'A', weight: '1.234', name: '1.234' },
      { sku: 'B', weight: '1.5' },
    ]);
  });

  it('has the sign of the texts in the file of refused rows, which is read by the same mapping', async () => {
    const cwd = folder({
      'map.yaml': `to: products\n${comma}set: { currency: EUR }\nfields: { sku: nr, weight: w, stock: s }\n`,
    });
    const at = (name: string) => join(cwd, name);
    const rows = [
      ['nr', 'w', 's'],
      ['A', 1.234, 'x'],
    ];
    writeFileSync(at('feed.xlsx'), sheetOf(rows));
    const given = ['--map', at('map.yaml'), '--db', at('c.db'), '--refused-file', at('refused.csv')];
    expect(await typedHere(['products', at('feed.xlsx'), ...given])).toMatchObject({ code: 3 });
    expect(readFileSync(at('refused.csv'), 'utf8')).toContain('\nA,"1,234",x,');
  });
});
