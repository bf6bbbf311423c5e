// The parts of a workbook: its sheets, shared strings, and number formats. Held in memory, so that each has a limit.
import { CatalogError } from '../../core/errors.js';
import type { Archive } from '../bytes/zip-archive.js';
import { type XmlEvents, XmlFault, xmlParser } from '../xml/xml-parser.js';
import { type CellFormat, cellFormat } from './cell-format.js';
import { type CellTextFormat, currencyShown, textFormat } from './number-format.js';

/**
 * Maximum characters of all shared strings, each counted with the overhead of an empty one. A million rows of names
 * need a third of it.
 */
const mostShared = 64 * 1024 * 1024;
const emptyText = 32;
/** Excel's limits for styles of cells, and for sheets. */
const mostStyles = 65_490;
const mostSheets = 10_000;

interface SheetEntry {
  readonly name: string;
  readonly path: string;
  readonly hidden: boolean;
}

/** How a style shows numbers and texts. */
interface CellStyle {
  readonly number: CellFormat;
  readonly text: CellTextFormat | undefined;
  readonly currency: string | undefined;
}

/** A workbook without its rows. */
export interface Workbook {
  readonly sheets: readonly SheetEntry[];
  /** Whether days are counted from 1904, as on old Macs. */
  readonly from1904: boolean;
  readonly shared: readonly string[];
  readonly styles: readonly CellStyle[];
}

/** Reads a workbook. @throws CatalogError `input_unreadable` if it is broken, or goes beyond a limit */
export async function readWorkbook(file: string, archive: Archive): Promise<Workbook> {
  const { parts, ...book } = await readSheets(file, archive);
  const { sharedStrings = 'xl/sharedStrings.xml', styles = 'xl/styles.xml' } = parts;
  return {
    ...book,
    shared: partNamed(archive, sharedStrings) === undefined ? [] : await readShared(file, archive, sharedStrings),
    styles: partNamed(archive, styles) === undefined ? [] : await readStyles(file, archive, styles),
  };
}

const folded = (name: string): string => name.replaceAll('\\', '/').toLowerCase();

/** The entry of a part, whose name is in any case: some programs write `SharedStrings.xml`. Undefined if there is none. */
function partNamed(archive: Archive, name: string): string | undefined {
  const wanted = folded(name);
  return archive.names.find((one) => folded(one) === wanted);
}

/** Whether an archive is a workbook. */
export function isWorkbook(names: readonly string[]): boolean {
  return names.some((name) => folded(name) === 'xl/workbook.xml');
}

/** Names without their prefix. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Characters given to the parser at a time: its events are handled before the next. */
const step = 2048;

/**
 * Reads one XML file of a workbook, piece by piece; names are without their prefix.
 * @throws CatalogError `input_unreadable` if it is broken
 */
export async function* parsedPart(
  file: string,
  archive: Archive,
  path: string,
  { open, text, close }: XmlEvents,
): AsyncGenerator<void> {
  const parser = xmlParser({
    ...(open && { open: (name, attributes) => open(localName(name), attributes) }),
    ...(text && { text }),
    ...(close && { close: (name) => close(localName(name)) }),
  });
  const stream = await archive.open(partNamed(archive, path) ?? path);
  const decoder = new TextDecoder('utf-8');
  try {
    for await (const block of stream) {
      const part = decoder.decode(block as Buffer, { stream: true });
      for (let at = 0; at < part.length; at += step) {
        parser.write(part.slice(at, at + step));
        yield;
      }
    }
    parser.end();
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    const why = cause instanceof XmlFault ? `line ${cause.line}: ${cause.message}` : String((cause as Error).message);
    throw tooMuch(file, `the workbook is broken in ${path} (${why}); save it again`, cause);
  } finally {
    stream.destroy();
  }
}

/** A failure that ends the reading of a workbook. */
export function tooMuch(file: string, what: string, cause?: unknown): CatalogError {
  return new CatalogError('input_unreadable', `${file}: ${what}.`, { cause });
}

async function readAll(file: string, archive: Archive, path: string, events: XmlEvents): Promise<void> {
  for await (const _ of parsedPart(file, archive, path, events));
}

interface Sheets extends Pick<Workbook, 'sheets' | 'from1904'> {
  /** Where the parts that all sheets share are, by the last word of their type. */
  readonly parts: Readonly<Partial<Record<string, string>>>;
}

async function readSheets(file: string, archive: Archive): Promise<Sheets> {
  const targets = new Map<string, string>();
  const parts: Record<string, string> = Object.create(null);
  let relationships = 0;
  await readAll(file, archive, 'xl/_rels/workbook.xml.rels', {
    open(name, { Id = '', Type = '', Target = '' }) {
      if (name !== 'Relationship') return;
      const path = /^[\\/]/.test(Target) ? Target.slice(1) : `xl/${Target}`;
      // The sheet of a chart or a dialog has no rows.
      if (!/(?:chart|dialog)sheet$/.test(Type)) targets.set(Id, path);
      parts[Type.slice(Type.lastIndexOf('/') + 1)] = path;
      if (++relationships > mostSheets) throw tooMuch(file, `the workbook has more than ${mostSheets} parts`);
    },
  });
  const sheets: SheetEntry[] = [];
  let from1904 = false;
  await readAll(file, archive, 'xl/workbook.xml', {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key === 'id' || key.endsWith(':id'))?.[1] ?? '';
      const hidden = (attributes['state'] ?? 'visible') !== 'visible';
      const path = targets.get(id) ?? '';
      if (path !== '') sheets.push({ name: unescaped(attributes['name'] ?? ''), path, hidden });
      if (sheets.length > mostSheets) throw tooMuch(file, `the workbook has more than ${mostSheets} sheets`);
    },
  });
  return { sheets, from1904, parts };
}

/** `_x000D_` encodes a character that XML cannot contain. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Shared strings by their number; phonetic readings do not count. */
async function readShared(file: string, archive: Archive, path: string): Promise<string[]> {
  const shared: string[] = [];
  let text: string | undefined;
  let inText = false;
  let phonetic = false;
  let size = 0;
  const take = (more: number): void => {
    size += more;
    if (size > mostShared) throw tooMuch(file, 'the workbook holds more text than fits; save the sheet as CSV');
  };
  await readAll(file, archive, path, {
    open(name) {
      if (name === 'si') {
        text = '';
        take(emptyText);
      } else if (name === 'rPh') phonetic = true;
      else inText = name === 't' && !phonetic;
    },
    text(more) {
      if (!inText || text === undefined) return;
      // A text in many runs takes memory for each of them until it is joined.
      take(more.length + (text === '' ? 0 : emptyText));
      text += more;
    },
    close(name) {
      inText = false;
      if (name === 'rPh') phonetic = false;
      if (name === 'si') shared.push(unescaped(text ?? ''));
    },
  });
  return shared;
}

/** The formats of cells, by style. */
async function readStyles(file: string, archive: Archive, path: string): Promise<CellStyle[]> {
  const codes = new Map<string, string>();
  const styles: CellStyle[] = [];
  let inCells = false;
  const check = (count: number): void => {
    if (count > mostStyles) throw tooMuch(file, `the workbook has more than ${mostStyles} styles`);
  };
  await readAll(file, archive, path, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') check(codes.set(numFmtId, formatCode.slice(0, 255)).size);
      if (name === 'cellXfs') inCells = true;
      if (name !== 'xf' || !inCells) return;
      const code = codes.get(numFmtId);
      check(
        styles.push({
          number: cellFormat(Number(numFmtId), code),
          text: code && textFormat(code) ? textFormat(code) : undefined,
          currency: code === undefined ? undefined : currencyShown(code),
        }),
      );
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return styles;
}
