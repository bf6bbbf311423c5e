// Rows as a CSV file for a spreadsheet, without formulas.
import { byteOrderMark, cell } from '../../formats/csv-cell.js';
import type { RefusedRow } from '../refused-row.js';
import { element } from './elements.js';
import type { UnpackedRows } from './refused-rows.js';

/** The rows as CSV: line, code and reason after their cells, under the columns of their files. */
export function rowsAsCsv(rows: readonly RefusedRow[], { heads, files }: UnpackedRows): string {
  const namesOf = ({ f, names }: RefusedRow): readonly string[] => names ?? heads[f] ?? [];
  const columns = [...new Set(rows.flatMap(namesOf))];
  const isMany = new Set(rows.map(({ f }) => f)).size > 1;
  const resultColumns = [...(isMany ? ['_file'] : []), '_line', '_code', '_reason'];
  const lines = rows.map((row) => {
    const names = namesOf(row);
    const cells = columns.map((name) => row.cells?.[names.indexOf(name)] ?? '');
    const reported = [
      ...(isMany ? [files[row.f] ?? ''] : []),
      String(row.l),
      row.code,
      [row.reason, ...(row.more ?? [])].join(' '),
    ];
    return [...cells, ...reported].map(cell).join(',');
  });
  return `${[[...columns, ...resultColumns].map(cell).join(','), ...lines].join('\r\n')}\r\n`;
}

/** Offers a text as a file download. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([byteOrderMark, text], { type: 'text/csv;charset=utf-8' }));
  const link = element('a', { download: name, href: url });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
