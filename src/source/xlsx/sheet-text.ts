// Converts a sheet of a workbook to CSV text, row by row, so that workbooks are read like tables. Only shared strings
// are held in memory. Cells are written as they are shown where that is the data: dates, fixed decimals, leading zeros,
// per cent, codes.
import type { FileNote } from '../../core/diagnostics/file-notes.js';
import { CatalogError } from '../../core/errors.js';
import { isSameName } from '../../files/file-in.js';
import type { Archive } from '../bytes/zip-archive.js';
import type { NumberCell } from '../csv/number-cells.js';
import type { Attributes, XmlEvents } from '../xml/xml-parser.js';
import { cellText } from './cell-format.js';
import { parsedPart, readWorkbook, tooMuch, unescaped, type Workbook } from './workbook.js';

/** Maximum characters of a cell, and of a row, which becomes one line. */
const longestCell = 1024 * 1024;
const longestRow = 1024 * 1024;
const mostRows = 1_048_576;
const mostColumns = 16_384;

/** Empty cells up to the widest column for each filled one, and in all before they are counted: a sheet may name far columns only. */
const mostEmpty = 300;
const uncounted = 2_000_000;

export interface SheetText {
  readonly rows: AsyncGenerator<Buffer>;
  /** Notes about the sheet; complete after its rows were read. @param header the row of the header: those below it are records */
  notes(header?: number): readonly FileNote[];
  /** The currency that all numbers of a column are shown with, by the column's index; complete after its rows were read. */
  currencies(): readonly (string | undefined)[];
  /** The cells of a row that are numbers with a fraction, or with a currency. It is asked for each row once, when its text was read. */
  numbers(row: number): readonly NumberCell[] | undefined;
  /** The sheets that could be read instead: those that are not hidden. */
  readonly otherSheets: readonly string[];
}

/**
 * Opens a sheet as CSV.
 * @param wanted the name of the sheet; by default the first that is not hidden
 * @throws CatalogError for an unknown sheet, or a broken workbook
 */
export async function sheetText(file: string, archive: Archive, wanted: string | undefined): Promise<SheetText> {
  const book = await readWorkbook(file, archive);
  const visible = book.sheets.filter(({ hidden }) => !hidden);
  const sheet = wanted === undefined ? visible[0] : book.sheets.find(({ name }) => isSameName(name, wanted));
  if (sheet === undefined) {
    const names = book.sheets.map(({ name, hidden }) => (hidden ? `${name} (hidden)` : name)).join(', ');
    const what = wanted === undefined ? 'has no sheet that is not hidden' : `has no sheet ${wanted}`;
    throw new CatalogError('usage', `${file} ${what}; name one with --sheet: ${names}.`);
  }
  const others = book.sheets
    .filter((one) => one !== sheet)
    .map(({ name, hidden }) => `${name}${hidden ? ' (hidden)' : ''}`);
  const chosen = wanted === undefined && others.length > 0 ? [sheetNote(sheet.name, others)] : [];
  const seen: Seen = {
    hiddenRows: 0,
    merged: new Map(),
    errors: 0,
    uncalculated: 0,
    currencies: [],
    numbers: new Map(),
  };
  return {
    rows: rowsOf(file, archive, { path: sheet.path, book, seen }),
    notes: (header = 0) => [...chosen, ...seenNotes(seen, header)],
    currencies: () => seen.currencies,
    numbers(row) {
      const found = seen.numbers.get(row);
      seen.numbers.delete(row);
      return found;
    },
    otherSheets: visible.flatMap(({ name }) => (name === sheet.name ? [] : [name])),
  };
}

function sheetNote(name: string, others: readonly string[]): FileNote {
  const more = others.length > 10 ? ` and ${others.length - 10} more` : '';
  const words = `the sheet "${name}" is read; --sheet names another: ${others.slice(0, 10).join(', ')}${more}`;
  return { code: 'records_guessed', words };
}

/** Counts of values that a spreadsheet shows differently from its file. */
interface Seen {
  hiddenRows: number;
  /** How many cells are merged over several rows, by the first row. */
  readonly merged: Map<number, number>;
  errors: number;
  uncalculated: number;
  /** Of each column with numbers; '' where some are shown without, or with another one. */
  readonly currencies: string[];
  /** Of the rows that were not asked for yet, the cells that are numbers with a fraction, or with a currency. */
  readonly numbers: Map<number, NumberCell[]>;
}

function seenNotes({ hiddenRows, merged: all, errors, uncalculated }: Seen, header: number): FileNote[] {
  // Merged cells in titles and in the header are not part of a record.
  const merged = [...all].reduce((sum, [row, cells]) => (row > header ? sum + cells : sum), 0);
  const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
  const words = [
    ...(hiddenRows > 0 ? [`${count(hiddenRows, 'hidden row')} read like the others`] : []),
    ...(merged > 0
      ? [
          `${count(merged, 'cell')} merged over several rows, read as empty below the first: fill in a mapping repeats the value`,
        ]
      : []),
    ...(errors > 0 ? [`${count(errors, 'cell')} with an error such as #N/A, read as that text`] : []),
    ...(uncalculated > 0
      ? [
          `${count(uncalculated, 'formula')} without a result, read as empty: open and save the workbook in a spreadsheet`,
        ]
      : []),
  ];
  return words.map((one) => ({ code: 'cells_odd', words: one }));
}

interface Sheet {
  readonly path: string;
  readonly book: Workbook;
  readonly seen: Seen;
}

/** The rows of a sheet as CSV; missing rows are empty lines, so that line numbers equal row numbers. */
async function* rowsOf(file: string, archive: Archive, { path, book, seen }: Sheet): AsyncGenerator<Buffer> {
  let out = '';
  let written = 0;
  let width = 0;
  let spare = uncounted;
  const put = (cells: string[], row: number): void => {
    while (cells.length > 0 && (cells.at(-1) ?? '') === '') cells.pop();
    if (cells.length === 0) return;
    out += '\n'.repeat(Math.max(0, row - 1 - written));
    written = Math.max(written, row - 1) + 1;
    // A row in a sheet ends with its last filled cell; rows of a table are all as wide as its header.
    width ||= cells.length;
    const wide = Array.from({ length: Math.max(width, cells.length) }, (_, i) => csvCell(cells[i] ?? ''));
    spare -= wide.length - cells.reduce((filled, cell) => (cell === '' ? filled : filled + mostEmpty), 0);
    if (spare < 0)
      throw tooMuch(
        file,
        `rows up to ${row} of the workbook have one filled cell among more than ${mostEmpty} up to column ${wide.length}; delete what is far to the right, and save it again`,
      );
    out += `${wide.join(',')}\n`;
  };
  for await (const _ of parsedPart(file, archive, path, rowEvents(file, book, seen, put))) {
    if (out.length < 16_384) continue;
    yield Buffer.from(out);
    out = '';
  }
  if (out !== '') yield Buffer.from(out);
}

/** Assembles the cells of a sheet row by row. */
function rowEvents(file: string, book: Workbook, seen: Seen, put: (cells: string[], row: number) => void): XmlEvents {
  let cells: string[] = [];
  let row = 0;
  let length = 0;
  let cell = { at: 0, type: '', style: 0, text: '', formula: false };
  let inValue = false;
  let phonetic = false;

  function beginRow(attributes: Attributes): void {
    row = Number(attributes['r'] ?? row + 1);
    if (!(row >= 1 && row <= mostRows))
      throw tooMuch(file, `the workbook has a row ${attributes['r'] ?? row}; a sheet has at most ${mostRows} rows`);
    if (['1', 'true'].includes(attributes['hidden'] ?? '')) seen.hiddenRows++;
    cells = [];
    length = 0;
  }

  function watchNumber(text: string, currency: string | undefined): void {
    const before = seen.currencies[cell.at] ?? currency;
    seen.currencies[cell.at] = before === currency ? (currency ?? '') : '';
    if (currency === undefined && !isFraction.test(text)) return;
    seen.numbers.set(row, [...(seen.numbers.get(row) ?? []), { at: cell.at, currency }]);
  }

  function endCell(): void {
    if (cell.at >= mostColumns)
      throw tooMuch(file, `row ${row} of the workbook goes beyond column ${mostColumns}, the last a sheet has`);
    if (cell.formula && cell.text === '' && cell.type !== 'str') seen.uncalculated++;
    if (cell.type === 'e') seen.errors++;
    while (cells.length < cell.at) cells.push('');
    const text = shownText(cell, book);
    if (text === undefined) {
      const what = `row ${row} of the workbook names the shared text ${cell.text}, which it does not have`;
      throw tooMuch(file, `${what}: the file is damaged; save it again`);
    }
    cells[cell.at] = text;
    if (cell.type === 'n' && text !== '') watchNumber(text, book.styles[cell.style]?.currency);
    length += text.length;
    if (length > longestRow)
      throw tooMuch(file, `row ${row} has more than ${longestRow} characters; shorten its cells`);
  }

  return {
    open(name, attributes) {
      if (name === 'row') beginRow(attributes);
      else if (name === 'c') {
        const at = columnOf(attributes['r']) ?? cells.length;
        cell = { at, type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? 0), text: '', formula: false };
      } else if (name === 'f') cell.formula = true;
      else if (name === 'mergeCell') {
        const [first = 0, last = first] = (attributes['ref'] ?? '').match(/\d+/g)?.map(Number) ?? [];
        if (first !== last && first <= mostRows) seen.merged.set(first, (seen.merged.get(first) ?? 0) + 1);
      } else if (name === 'rPh') phonetic = true;
      else if ((name === 'v' || name === 't') && !phonetic) inValue = true;
    },
    text(more) {
      if (!inValue) return;
      cell.text += more;
      if (cell.text.length > longestCell)
        throw tooMuch(file, `a cell of row ${row} has more than ${longestCell} characters; shorten it`);
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      else if (name === 'rPh') phonetic = false;
      else if (name === 'c') endCell();
      else if (name === 'row') put(cells, row);
    },
  };
}

/** A number with a decimal point, and what its format shows next to it. */
const isFraction = /^[^\d.]*\d+\.\d+[^\d.]*$/;

/** The text of a cell; undefined for a shared text that does not exist. */
function shownText(
  { type, text, style }: { readonly type: string; readonly text: string; readonly style: number },
  { shared, styles, from1904 }: Workbook,
): string | undefined {
  if (type === 's' && text !== '') {
    const found = shared[Number(text)];
    return found === undefined ? undefined : worded(found);
  }
  if (text === '') return '';
  if (type === 'b') return text === '1' ? 'true' : 'false';
  if (type === 'str' || type === 'inlineStr') return worded(unescaped(text));
  if (type === 'e' || type === 'd') return text;
  return cellText(text, styles[style]?.number ?? 'general', from1904);

  /** A text cell with the text of its format: `"ART-"@`. */
  function worded(value: string): string {
    const words = styles[style]?.text;
    return words === undefined || value === '' ? value : words.prefix + value + words.suffix;
  }
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `AB12` → 27. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]+/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters.slice(0, 4)) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
