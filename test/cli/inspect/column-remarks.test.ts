// What inspect says of columns shows a value of the file, and no other one.
import { expect, it } from 'vitest';
import { columnRemarks } from '../../../src/cli/inspect/inspection-remarks.js';
import { inspectFile } from '../../../src/source/inspection/inspect-file.js';
import { suggestMapping } from '../../../src/source/mapping/suggest/suggest-mapping.js';
import { fileOf } from '../../source/given.js';
import { known } from '../../source/suggested.js';

it.each([
  [
    'EAN',
    ['7,61234E+11', '4,02E+12'],
    'EAN: 2 values such as 7,61234E+11: a spreadsheet has lost their digits; export it again as text',
  ],
  ['Länge', ['17,434', '1,250'], 'Länge: 2 numbers such as 17,434 could have either decimal sign'],
])('%s', async (header, values, remark) => {
  const rows = values.map((value, i) => `A-${i};Cup ${i};${i + 5},50;${value}\n`).join('');
  const inspection = await inspectFile({ file: fileOf(`Nr;Name;Preis;${header}\n${rows}`, 'feed.csv') });
  expect(columnRemarks(inspection.columns, suggestMapping(inspection, known))).toEqual([remark]);
});
