// Opens a file or stdin as blocks of bytes, decompressed if gzip, zip or xlsx. The content is not interpreted here.

import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { access, constants, open, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { FileNote } from '../../core/diagnostics/file-notes.js';
import { CatalogError } from '../../core/errors.js';
import type { NumberCell } from '../csv/number-cells.js';
import { eventLoopYield } from '../event-loop.js';
import { bytesPath, type FilePlace } from '../file-place.js';
import { rewriteWatch } from './rewrite-watch.js';
import { unsupportedArchive, unsupportedFormat } from './unsupported-format.js';

/**
 * Bytes read at a time. Objects made from 64 KiB mostly die before the next garbage collection: with 256 KiB, a quarter
 * of the chunks, an import of 46 MB takes 5 % more processor time, and 6 MB more.
 */
const blockSize = 64 * 1024;

export interface ByteSource {
  readonly blocks: AsyncIterable<Buffer>;
  readonly compression: Compression | undefined;
  /** The name that determines the format: the file's own, or that of the file inside an archive. */
  readonly name: string;
  /** Bytes of the file consumed so far (compressed ones if it is compressed), and its size if known. */
  progress(): ReadProgress;
  /** Notes on how it was opened. @param header the line of the header of a table, if it was found */
  notes?(header?: number): readonly FileNote[];
  /** The currencies that a sheet shows next to the numbers of its columns, by their index. */
  currencies?(): readonly (string | undefined)[];
  /** The cells of a row of a workbook that are numbers with a fraction, whose texts have a point, or with a currency. */
  numbers?(row: number): readonly NumberCell[] | undefined;
  /** The other sheets of a workbook, without hidden ones. */
  readonly otherSheets?: readonly string[];
  close(): Promise<void>;
}

export interface ReadProgress {
  readonly read: number;
  readonly size: number | undefined;
}

export type Compression = 'gzip' | 'zip' | 'xlsx';

/**
 * Finds out whether files can be opened at all, before the first of them is read. stdin (`-`) always can.
 * @throws CatalogError `input_unreadable` that names the first file that is missing or may not be read
 */
export async function checkReadable(files: Iterable<string>): Promise<void> {
  for (const file of files) {
    if (file === '-') continue;
    await access(file, constants.R_OK).catch((cause) => {
      throw unreadable(file, cause);
    });
  }
}

/**
 * Opens a file, or stdin for `-`.
 * @param sheet the sheet of a workbook, or the file of an archive
 * @param opening ends a wait for a pipe that nobody writes to
 * @throws CatalogError `input_unreadable`, from here or from the blocks, if it cannot be read or decompressed
 */
export async function openBytes(place: FilePlace, sheet?: string, opening?: AbortSignal): Promise<ByteSource> {
  const { file, spool } = place;
  const path = bytesPath(place);
  const size = path === '-' ? undefined : await sizeOf(path, file);
  const { source, close, isRewritten } = size === undefined ? await fromStream(path) : fromDisk(path);
  opening?.addEventListener('abort', () => void close(), { once: true });
  let read = 0;

  // Two bytes identify gzip; a pipe may deliver them one by one.
  const first: Buffer[] = [];
  let length = 0;
  while (length < 2) {
    const next = await source.next().catch((cause) => {
      throw unreadable(file, cause);
    });
    if (next.done === true) break;
    first.push(next.value);
    length += next.value.length;
  }
  const head = Buffer.concat(first);

  async function* packed(): AsyncGenerator<Buffer> {
    read += head.length;
    if (head.length > 0) yield head;
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      read += next.value.length;
      yield next.value;
    }
    // A truncated export looks complete, so the size is checked. System files have size 0.
    if (size !== undefined && size > 0 && read !== size) throw changed(file, size, read);
    // Of a file that was written anew with as many bytes, parts of both would have been read.
    if (isRewritten?.() === true) throw rewritten(file);
  }

  if (head.toString('latin1', 0, 2) === 'PK' && size !== undefined && (await isArchive(path))) {
    await close();
    return openPacked(place, sheet, size);
  }
  const gzip = head[0] === 0x1f && head[1] === 0x8b;
  if (!gzip) {
    try {
      refuseOthers(file, head);
    } catch (cause) {
      await close();
      throw cause;
    }
  }
  return {
    blocks: readable(file, gzip ? unpacked(file, packed()) : packed()),
    compression: gzip ? 'gzip' : undefined,
    name: spool?.name ?? file,
    progress: () => ({ read, size }),
    close,
  };
}

/** The source of a file's bytes; `close` also ends a read that waits. */
interface ByteOrigin {
  readonly source: AsyncIterator<Buffer>;
  /** Once it is read: whether it was written to meanwhile. */
  isRewritten?(): boolean;
  close(): Promise<void>;
}

/** The standard input, or a pipe. */
async function fromStream(path: string): Promise<ByteOrigin> {
  const stream = path === '-' ? process.stdin : await openStream(path);
  return { source: stream[Symbol.asyncIterator](), close: async () => void stream.destroy() };
}

/**
 * A pipe or a device. A named pipe is opened without waiting for its writer, who is waited for afterwards: a signal can
 * end that wait, while an `open` that waits keeps one of Node's threads, and so the process, until a writer comes. (On
 * systems other than Linux a pipe without a writer would seem to be at its end.)
 */
export async function openStream(file: string): Promise<Readable> {
  if (process.platform !== 'linux' || !(await stat(file)).isFIFO())
    return createReadStream(file, { highWaterMark: blockSize });
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    return new Socket({ fd, readable: true, writable: false });
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/**
 * A file on disk, read synchronously: asynchronous reads cost twice as much for each block, and a large file is read in a
 * thread that has nothing else to do.
 */
function fromDisk(file: string): ByteOrigin {
  let isRewritten = false;
  async function* blocks(): AsyncGenerator<Buffer, void> {
    const descriptor = openSync(file, 'r');
    const watch = rewriteWatch(file, descriptor);
    const yieldIfDue = eventLoopYield();
    try {
      for (;;) {
        await yieldIfDue();
        const block = Buffer.allocUnsafeSlow(blockSize);
        const length = readSync(descriptor, block, 0, blockSize, null);
        if (length === 0) {
          isRewritten = watch.isRewritten();
          return;
        }
        const filled = length === blockSize ? block : block.subarray(0, length);
        watch.add(filled);
        yield filled;
      }
    } finally {
      closeSync(descriptor);
    }
  }
  const source = blocks();
  return { source, isRewritten: () => isRewritten, close: async () => void (await source.return()) };
}

/** Whether a file that begins with PK is an archive, and not a table whose first column has that name. */
async function isArchive(file: string): Promise<boolean> {
  const opened = await open(file);
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer[2] === 3 && buffer[3] === 4;
  } finally {
    await opened.close();
  }
}

/** One file of an archive, or one sheet of a workbook. */
async function openPacked(place: FilePlace, sheet: string | undefined, size: number): Promise<ByteSource> {
  const { file } = place;
  const { openArchive, selectEntry: chosenEntry } = await import('./zip-archive.js');
  const { sheetText } = await import('../xlsx/sheet-text.js');
  const { isWorkbook } = await import('../xlsx/workbook.js');
  const archive = await openArchive(bytesPath(place), file);
  const done = { read: 0 };
  async function* blocks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* readable(file, source);
      done.read = size;
    } finally {
      archive.close();
    }
  }
  try {
    const isBook = isWorkbook(archive.names);
    const other = unsupportedArchive(archive.names);
    if (other !== undefined) throw new CatalogError('input_unreadable', `${file} ${other}.`);
    const entry = isBook ? 'sheet.csv' : chosenEntry(file, archive.names, sheet);
    const book = isBook ? await sheetText(file, archive, sheet) : undefined;
    const source = book?.rows ?? ((await archive.open(entry)) as AsyncIterable<Buffer>);
    return {
      blocks: blocks(source),
      ...(book && {
        notes: book.notes,
        currencies: book.currencies,
        numbers: book.numbers,
        otherSheets: book.otherSheets,
      }),
      compression: isBook ? 'xlsx' : 'zip',
      name: entry,
      progress: () => ({ read: done.read, size }),
      close: async () => archive.close(),
    };
  } catch (cause) {
    archive.close();
    throw cause;
  }
}

async function sizeOf(path: string, file: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new CatalogError('input_unreadable', `${file} is a folder, and no file.`);
    return found.isFile() ? found.size : undefined;
  } catch (cause) {
    throw cause instanceof CatalogError ? cause : unreadable(file, cause);
  }
}

/** @throws CatalogError `input_unreadable` if the first bytes show that the file is not a feed */
function refuseOthers(file: string, head: Buffer): void {
  const what = unsupportedFormat(head);
  if (what !== undefined) throw new CatalogError('input_unreadable', `${file} ${what}.`);
}

async function* unpacked(file: string, packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { createGunzip } = await import('node:zlib');
  const gunzip = createGunzip({ chunkSize: blockSize });
  // The error reaches the reader through the iteration of gunzip.
  pipeline(Readable.from(packed, { objectMode: true, highWaterMark: 1 }), gunzip, () => {});
  let first = true;
  for await (const block of gunzip as AsyncIterable<Buffer>) {
    if (first) refuseOthers(file, block);
    first = false;
    yield block;
  }
}

async function* readable(file: string, blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* blocks;
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

const readAgain = 'Import it again once it is completely written.';

function changed(file: string, size: number, read: number): CatalogError {
  return new CatalogError(
    'input_unreadable',
    `${file}: changed while it was read: it had ${size} bytes when it was opened, and ${read} came. ${readAgain}`,
  );
}

function rewritten(file: string): CatalogError {
  return new CatalogError('input_unreadable', `${file}: was written to while it was read. ${readAgain}`);
}

/** The system's error for the file as a whole, with a remedy. */
function unreadable(file: string, cause: unknown): CatalogError {
  if (cause instanceof CatalogError) return cause;
  const { code = '', message = String(cause) } = cause as NodeJS.ErrnoException;
  const name = file === '-' ? 'stdin' : file;
  if (code === 'ENOENT') return new CatalogError('input_unreadable', `${name}: file not found.`, { cause });
  if (code === 'EACCES')
    return new CatalogError('input_unreadable', `${name}: may not be read by this user.`, { cause });
  if (code.startsWith('Z_')) {
    const words = `${name}: the gzip data is broken (${message}). Fetch or pack the file again.`;
    return new CatalogError('input_unreadable', words, { cause });
  }
  return new CatalogError('input_unreadable', `${name}: cannot be read (${message}).`, { cause });
}
