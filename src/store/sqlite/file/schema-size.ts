// Looks at the size of a catalog's schema before SQLite reads it, which takes minutes for a million views, and all memory for a
// statement of 100 MB: the pages of its table are counted (https://sqlite.org/fileformat2.html#b_tree_pages). Any file may come
// from elsewhere; those whose pages make no sense are left to SQLite, which says what is wrong.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { CatalogError } from '../../../core/errors.js';
import { groupDigits, sanitizeText } from '../../../core/text/sanitize.js';
import { realPathOf } from '../../../files/same-file.js';
import { bytesIn, committedFrames, type Frame, type LogFile, openLog } from './log-file.js';

/** Tables, views, indexes and triggers. Ours are less than a hundred; those of others may be in the file, too. */
const mostObjects = 2000;

/** Bytes of the statement that made one of them. */
const longestStatement = 1024 * 1024;

/** Bytes of all statements. */
const mostBytes = 16 * 1024 * 1024;

/** Where the header of a page begins; that of the first one comes after the header of the file. */
const firstHeader = 100;

const leaf = 13;
const interior = 5;

/** @throws CatalogError `catalog_unusable` where the file and its log have more objects, or longer statements, than a catalog */
export function refuseLargeSchema(file: string): void {
  const place = realPathOf(file);
  let descriptor: number;
  try {
    descriptor = openSync(place, 'r');
  } catch {
    return;
  }
  const status = fstatSync(descriptor);
  const log = status.isFile() ? openLog(place) : undefined;
  try {
    const all = status.size + (log === undefined ? 0 : log.frames * log.pageSize);
    const what = status.isFile() ? excessOf(pagesOf(descriptor, log), all) : undefined;
    if (what === undefined) return;
    throw new CatalogError(
      'catalog_unusable',
      `${file} is no catalog that can be opened: ${what}. Name another one, or take out what others put there`,
    );
  } finally {
    log?.close();
    closeSync(descriptor);
  }
}

/** The pages of a catalog by their numbers: the log has the newer ones. */
type Pages = (page: number, size: number) => Buffer;

function pagesOf(descriptor: number, log: LogFile | undefined): Pages {
  const newer = new Map<number, Frame>();
  if (log !== undefined) for (const frame of committedFrames(log)) newer.set(frame.page, frame);
  return (page, size) => {
    const frame = newer.get(page);
    return log === undefined || frame === undefined
      ? bytesAt(descriptor, (page - 1) * size, size)
      : bytesIn(log, frame);
  };
}

/**
 * What is too large; undefined for a usual schema.
 * @param all the bytes of the file and its log
 */
function excessOf(pageAt: Pages, all: number): string | undefined {
  const size = pageSizeOf(pageAt(1, firstHeader));
  if (size === undefined) return undefined;
  const found = { objects: 0, bytes: 0 };
  const pages = [1];
  // A damaged tree may lead in circles.
  for (let visited = 0; pages.length > 0 && visited <= mostObjects; visited++) {
    const number = pages.pop() ?? 0;
    const page = pageAt(number, size);
    if (page.length < size) continue;
    const header = number === 1 ? firstHeader : 0;
    const [kind, cells] = [page[header], page.readUInt16BE(header + 3)];
    if (kind === interior) pages.push(page.readUInt32BE(header + 8));
    if (kind !== interior && kind !== leaf) continue;
    const pointers = header + (kind === leaf ? 8 : 12);
    for (let i = 0; i < cells && pointers + 2 * i + 2 <= size; i++) {
      const at = page.readUInt16BE(pointers + 2 * i);
      if (kind === leaf) {
        const bytes = varintAt(page, at).value;
        // Of a damaged file: SQLite reads none that is longer than all that is there, and ends at it.
        if (bytes > all) continue;
        if (bytes > longestStatement)
          return `${nameIn(page, at)} was made by a statement of ${groupDigits(bytes)} bytes`;
        found.objects++;
        found.bytes += bytes;
      } else if (at + 4 <= size) pages.push(page.readUInt32BE(at));
    }
    if (found.objects > mostObjects) return `it has more than ${groupDigits(mostObjects)} tables, views and the like`;
    if (found.bytes > mostBytes)
      return `its tables, views and the like were made by more than ${groupDigits(mostBytes)} bytes`;
  }
  return undefined;
}

function pageSizeOf(header: Buffer): number | undefined {
  if (header.length < firstHeader || header.toString('latin1', 0, 15) !== 'SQLite format 3') return undefined;
  const size = header.readUInt16BE(16);
  if (size === 1) return 65_536;
  return size >= 512 && (size & (size - 1)) === 0 ? size : undefined;
}

/** The type and name of an object: `the view x`. Both begin its row, after the bytes of the row, its number, and the lengths of columns. */
function nameIn(page: Buffer, cell: number): string {
  const start = varintAt(page, varintAt(page, cell).end).end;
  const header = varintAt(page, start);
  const type = varintAt(page, header.end);
  const name = varintAt(page, type.end);
  const typeAt = start + header.value;
  const nameAt = typeAt + textBytes(type.value);
  const text = (from: number, length: number) => page.toString('utf8', from, from + Math.min(length, 100));
  return sanitizeText(`the ${text(typeAt, textBytes(type.value))} ${text(nameAt, textBytes(name.value))}`);
}

/** Bytes of a text by the number that says its type and length. */
function textBytes(serial: number): number {
  return Math.max(0, Math.floor((serial - 13) / 2));
}

/** A number in up to nine bytes, of which each but the last has its first bit set. */
function varintAt(page: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let i = at; i < at + 8; i++) {
    const byte = page[i] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: i + 1 };
  }
  return { value: value * 256 + (page[at + 8] ?? 0), end: at + 9 };
}

/** Fewer where the file ends, none where the disk cannot be read: SQLite says so itself. */
function bytesAt(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  try {
    return buffer.subarray(0, readSync(descriptor, buffer, 0, length, position));
  } catch {
    return buffer.subarray(0, 0);
  }
}
