// Refuses headers that name no columns: text in another encoding, or lines that are quoted as a whole.
import { CatalogError } from '../../core/errors.js';
import { wideEncoding } from '../bytes/encoding-signs.js';
import { listColumns } from '../column-targets.js';
import type { ReaderContext } from '../record-reader.js';
import { delimiters } from './csv-dialect.js';

/** A header that is not text in the encoding of the file names no columns. */
export function refuseUnreadable(reading: ReaderContext, cells: readonly string[], raw: string): void {
  const { file, decoder } = reading;
  const damage = reading.damaged() ? decoder.damageIn(raw) : undefined;
  // UTF-16 read as something else is text with NULs in between; what has other control characters as well is not text.
  const wide = raw.includes('\0');
  if (damage === undefined && !wide) return;
  const what = wide
    ? 'contains NUL characters'
    : `holds byte ${damage?.byte ?? ''} that is not valid ${decoder.encoding}`;
  const encoding = `Name the encoding of the file, such as --encoding ${wide ? wideEncoding(raw) : 'windows-1252'}`;
  const remedy = wide && control.test(raw) ? 'It is not text: use a CSV, JSON or XLSX file' : encoding;
  throw new CatalogError(
    'input_unreadable',
    `${file}: the header ${what}. ${remedy}. Cells: ${listColumns(cells.map(printableCell))}.`,
  );
}

/** A header that is one quoted cell with delimiters in it: a program has put every line into quotes. */
export function refuseQuotedLines(file: string, [cell = '', ...more]: readonly string[], raw: string): void {
  if (more.length > 0 || !/^\ufeff?"/.test(raw)) return;
  const within = delimiters.find((delimiter) => cell.split(delimiter).length > 2);
  if (within === undefined) return;
  throw new CatalogError(
    'input_unreadable',
    `${file}: each line is one quoted cell, so that its columns (${JSON.stringify(within)} between them) are not seen. ` +
      `Export it again, or take the outer quotes off: sed -E 's/^"(.*)"(\\r?)$/\\1\\2/; s/""/"/g'. Header: ${listColumns([cell])}.`,
  );
}

/** A header in single quotes, which CSV does not know: a delimiter within them would end the cell. */
export function refuseSingleQuotes(file: string, cells: readonly string[]): void {
  if (cells.length < 2 || !cells.every((cell) => /^'.*'$/.test(cell))) return;
  throw new CatalogError(
    'input_unreadable',
    `${file}: its cells are in single quotes. Export it with double quotes ("), or without any. Header: ${listColumns(cells)}.`,
  );
}

/** A header whose delimiters have the same sign on both sides: `sku~|~name`. Its cells would keep these signs. */
export function refuseLongDelimiter(file: string, cells: readonly string[], delimiter: string): void {
  const sign = cells[0]?.at(-1) ?? '';
  if (cells.length < 2 || !/[~^#@§¦*]/.test(sign)) return;
  const isBetween = cells.every(
    (cell, i) => (i === 0 || cell.startsWith(sign)) && (i === cells.length - 1 || cell.endsWith(sign)),
  );
  if (!isBetween) return;
  const written = JSON.stringify(sign + delimiter + sign);
  throw new CatalogError(
    'input_unreadable',
    `${file}: ${written} separates its cells, and a delimiter is one character. Export it with another one, or replace ${written} by a tab.`,
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what tells
const control = /[\x01-\x08\x0e-\x1f]/;

function printableCell(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
  return text.replace(/[\0-\x1f\ud800-\udfff]/g, '?');
}
