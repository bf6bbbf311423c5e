// A sheet of a workbook → CSV text, row by row, so that all that is done with tables is done with workbooks too. Only the
// texts that its cells share are held in memory. The home of saxes.
//
// Cells are written as they are shown where that is what was meant: dates, fixed decimals, leading zeros, per cent.
import { type SaxesAttributePlain, SaxesParser } from 'saxes';
import { CatalogError } from '../core/errors.js';
import { type CellFormat, cellFormat, cellText } from './cell-format.js';
import type { Archive } from './zip.js';

/** Characters that a workbook's shared texts may have together; a million rows of names have a tenth. */
const mostShared = 256 * 1024 * 1024;
const longestCell = 1024 * 1024;

/** Whether an archive is a workbook. */
export function isWorkbook(names: readonly string[]): boolean {
  return names.includes('xl/workbook.xml');
}

/**
 * The rows of a sheet as CSV.
 * @param wanted the name of the sheet; the first where none is named
 * @throws CatalogError where there is no such sheet, or the workbook is broken
 */
export async function sheetText(
  file: string,
  archive: Archive,
  wanted: string | undefined,
): Promise<AsyncGenerator<Buffer>> {
  const book = await readBook(file, archive);
  const sheet = wanted === undefined ? book.sheets[0] : book.sheets.find(({ name }) => name === wanted);
  if (sheet === undefined) {
    const names = book.sheets.map(({ name }) => name).join(', ');
    throw new CatalogError('usage', `${file} has no sheet ${wanted ?? ''}; name one with --sheet: ${names}.`);
  }
  const shared = archive.names.includes('xl/sharedStrings.xml') ? await readShared(file, archive) : [];
  const formats = archive.names.includes('xl/styles.xml') ? await readFormats(file, archive) : [];
  return rowsOf(file, archive, { path: sheet.path, shared, formats, from1904: book.from1904 });
}

type Attributes = Readonly<Record<string, string>>;

interface Handlers {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** Reads one XML file of the workbook, chunk by chunk; names are without their prefix. */
async function* parsed(file: string, archive: Archive, path: string, handlers: Handlers): AsyncGenerator<void> {
  const parser = new SaxesParser({ fragment: false });
  let failure: Error | undefined;
  const local = (name: string): string => name.slice(name.indexOf(':') + 1);
  parser.on('error', (error) => {
    failure ??= error;
  });
  parser.on('opentag', ({ name, attributes }) =>
    handlers.open?.(local(name), attributes as Record<string, SaxesAttributePlain & string>),
  );
  parser.on('text', (text) => handlers.text?.(text));
  parser.on('closetag', ({ name }) => handlers.close?.(local(name)));
  const stream = await archive.open(path);
  const decoder = new TextDecoder('utf-8');
  try {
    for await (const block of stream) {
      parser.write(decoder.decode(block as Buffer, { stream: true }));
      if (failure !== undefined) throw failure;
      yield;
    }
    parser.close();
    if (failure !== undefined) throw failure;
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError('input_unreadable', `${file}: the workbook is broken in ${path} (${why}); save it again.`, {
      cause,
    });
  } finally {
    stream.destroy();
  }
}

async function readAll(file: string, archive: Archive, path: string, handlers: Handlers): Promise<void> {
  for await (const _ of parsed(file, archive, path, handlers));
}

interface Book {
  readonly sheets: readonly { readonly name: string; readonly path: string }[];
  /** Whether days are counted from 1904, as old Macs did. */
  readonly from1904: boolean;
}

async function readBook(file: string, archive: Archive): Promise<Book> {
  const targets = new Map<string, string>();
  await readAll(file, archive, 'xl/_rels/workbook.xml.rels', {
    open(name, { Id = '', Target = '' }) {
      if (name === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
    },
  });
  const sheets: { name: string; path: string }[] = [];
  let from1904 = false;
  await readAll(file, archive, 'xl/workbook.xml', {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key === 'id' || key.endsWith(':id'))?.[1] ?? '';
      sheets.push({ name: attributes['name'] ?? '', path: targets.get(id) ?? '' });
    },
  });
  return { sheets: sheets.filter(({ path }) => path !== ''), from1904 };
}

/** The texts that cells share, by their number; phonetic readings are none of them. */
async function readShared(file: string, archive: Archive): Promise<string[]> {
  const shared: string[] = [];
  let text: string | undefined;
  let inText = false;
  let phonetic = false;
  let size = 0;
  await readAll(file, archive, 'xl/sharedStrings.xml', {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') phonetic = true;
      else inText = name === 't' && !phonetic;
    },
    text(more) {
      if (!inText || text === undefined) return;
      text += more;
      size += more.length;
      if (size > mostShared)
        throw new CatalogError('input_unreadable', `${file} holds more text than fits; save the sheet as CSV.`);
    },
    close(name) {
      inText = false;
      if (name === 'rPh') phonetic = false;
      if (name === 'si') shared.push(text ?? '');
    },
  });
  return shared;
}

/** How cells of each style are shown. */
async function readFormats(file: string, archive: Archive): Promise<CellFormat[]> {
  const codes = new Map<string, string>();
  const formats: CellFormat[] = [];
  let inCells = false;
  await readAll(file, archive, 'xl/styles.xml', {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') codes.set(numFmtId, formatCode);
      if (name === 'cellXfs') inCells = true;
      if (name === 'xf' && inCells) formats.push(cellFormat(Number(numFmtId), codes.get(numFmtId)));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return formats;
}

interface Sheet {
  readonly path: string;
  readonly shared: readonly string[];
  readonly formats: readonly CellFormat[];
  readonly from1904: boolean;
}

/** The rows of a sheet as CSV; rows that are not there are empty lines, so that a line has its row's number. */
async function* rowsOf(
  file: string,
  archive: Archive,
  { path, shared, formats, from1904 }: Sheet,
): AsyncGenerator<Buffer> {
  let out = '';
  let written = 0;
  let width = 0;
  let cells: string[] = [];
  let row = 0;
  let cell = { at: 0, type: '', style: 0, text: '' };
  let inValue = false;

  function value(): string {
    const { type, text, style } = cell;
    if (type === 's') return shared[Number(text)] ?? '';
    if (type === 'b') return text === '1' ? 'true' : 'false';
    if (type === 'str' || type === 'inlineStr' || type === 'e' || type === 'd') return text;
    return text === '' ? '' : cellText(text, formats[style] ?? 'general', from1904);
  }

  function endRow(): void {
    while (cells.length > 0 && (cells.at(-1) ?? '') === '') cells.pop();
    if (cells.length === 0) return;
    out += '\n'.repeat(Math.max(0, row - 1 - written));
    written = Math.max(written, row - 1) + 1;
    // A row ends in a sheet with its last filled cell; a table's rows are all as wide as its header.
    width ||= cells.length;
    const wide = Array.from({ length: Math.max(width, cells.length) }, (_, i) => csvCell(cells[i] ?? ''));
    out += `${wide.join(',')}\n`;
  }

  const steps = parsed(file, archive, path, {
    open(name, attributes) {
      if (name === 'row') {
        row = Number(attributes['r'] ?? row + 1);
        cells = [];
      } else if (name === 'c') {
        const at = columnOf(attributes['r']) ?? cells.length;
        cell = { at, type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? 0), text: '' };
      } else if (name === 'v' || name === 't') inValue = true;
    },
    text(more) {
      if (!inValue) return;
      cell.text += more;
      if (cell.text.length > longestCell)
        throw new CatalogError(
          'input_unreadable',
          `${file}: a cell of row ${row} has more than ${longestCell} characters.`,
        );
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      else if (name === 'c' && cell.at < 16_384) {
        while (cells.length < cell.at) cells.push('');
        cells[cell.at] = value();
      } else if (name === 'row') endRow();
    },
  });
  for await (const _ of steps) {
    if (out === '') continue;
    yield Buffer.from(out);
    out = '';
  }
  if (out !== '') yield Buffer.from(out);
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `AB12` → 27. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
