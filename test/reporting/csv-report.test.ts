// Cells of the CSV report: what a supplier or a remote wrote steers neither a spreadsheet nor a terminal.
import { describe, expect, it } from 'vitest';
import type { Line } from '../../src/core/import-report.js';
import { noCounts } from '../../src/core/report-counts.js';
import { product } from '../../src/core/resources/product.js';
import type { ImportedFile } from '../../src/importing/observer.js';
import { csvReport } from '../../src/reporting/formats/csv-report.js';

function rowOf(over: Partial<Line>): string {
  let text = '';
  const report = csvReport(
    (some) => {
      text += some;
      return undefined;
    },
    { diff: true },
  );
  const line: Line = {
    index: 0,
    external_id: 'A',
    action: 'refused',
    id: null,
    code: 'field_type',
    title: 'T',
    reason: 'R',
    notice: [],
    ...over,
  };
  const file: Pick<ImportedFile, 'file' | 'resource'> = { file: 'f.csv', resource: product };
  report.begin?.(file as ImportedFile);
  report.batch?.({
    report: { object: 'list', resource: 'product', dry_run: false, data: [line], ...noCounts() },
    lines: [2],
    offset: 0,
  });
  return text.slice(text.indexOf('\n') + 1);
}

describe('a row of the CSV report', () => {
  it.each(['\r', '\n', '\r\n', '\u202e', '\u2028', '\u2029', '\u009b', '\u001b[2J', '\u0000', '\u2066'])(
    'holds no %j, wherever it came from',
    (sign) => {
      const text = `a${sign}b`;
      const row = rowOf({
        external_id: text,
        title: text,
        reason: text,
        notice: [{ code: 'field_ignored', field: text, message: text }],
        changes: [{ field: text, from: text, to: text }],
      });
      expect(row.indexOf('\n')).toBe(row.length - 1);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(row.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
    },
  );

  it.each(['=1+1', '\t=1+1', ' +1', '\r\n@x', '＝1'])('%j is not a formula', (text) => {
    expect(rowOf({ external_id: text })).toMatch(/^f\.csv,product,2,0,'/);
  });
});
