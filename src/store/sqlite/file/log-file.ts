// Reads SQLite's write-ahead log (https://sqlite.org/fileformat2.html#the_write_ahead_log): a header, and a frame for
// each page that a transaction changed. They may be followed by frames of an earlier log that the present one has not
// reached yet.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';

/** A catalog's own file, without its log. */
export interface PageFile {
  /** The number of its pages, by its own page size. */
  readonly pages: number;
  /** The last bytes of a page, counted from 1; empty if the file is shorter. */
  pageTail(page: number, bytes: number): Buffer;
}

export interface LogFile {
  readonly descriptor: number;
  readonly pageSize: number;
  readonly header: Buffer;
  /** The number of frames that fit the file. */
  readonly frames: number;
  readonly catalog: PageFile;
  /** Whether no process has started the log again since it was opened. */
  isSameStill(): boolean;
  close(): void;
}

/** A page as a transaction left it. */
export interface Frame {
  readonly page: number;
  /** Where its bytes begin in the log. */
  readonly position: number;
}

const headerSize = 32;
const frameHeaderSize = 24;

/** Where both headers have the two numbers that tie a frame to its log. */
const saltsAt = { header: 16, frame: 8 } as const;

/**
 * Opens a catalog and its log for reading.
 * @returns undefined if either is missing or may not be read, or the log has no header
 */
export function openLog(file: string): LogFile | undefined {
  const descriptors: number[] = [];
  const close = (): void => {
    for (const descriptor of descriptors) closeSync(descriptor);
  };
  try {
    const base = openSync(file, 'r');
    descriptors.push(base);
    const descriptor = openSync(`${file}-wal`, 'r');
    descriptors.push(descriptor);
    const header = bytesAt(descriptor, 0, headerSize);
    const pageSize = header.length === headerSize ? header.readUInt32BE(8) : 0;
    if (pageSize >= 512 && pageSize <= 65_536)
      return {
        descriptor,
        pageSize,
        header,
        frames: Math.floor((fstatSync(descriptor).size - headerSize) / (frameHeaderSize + pageSize)),
        catalog: pageFile(base, pageSize),
        isSameStill: () => bytesAt(descriptor, 0, headerSize).equals(header),
        close,
      };
  } catch {
    // SQLite reports faults of the file when it opens it.
  }
  close();
  return undefined;
}

function pageFile(descriptor: number, pageSizeOfLog: number): PageFile {
  const start = bytesAt(descriptor, 16, 2);
  const written = start.length < 2 ? 0 : start.readUInt16BE(0);
  // 1 means 65,536. A file whose header is lost has no size that is possible.
  const size = written === 1 ? 65_536 : written < 512 ? pageSizeOfLog : written;
  return {
    pages: Math.floor(fstatSync(descriptor).size / size),
    pageTail: (page, bytes) => bytesAt(descriptor, Math.max(0, page * size - bytes), bytes),
  };
}

function bytesAt(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, position));
}

/** The bytes of a page in the log, or the last ones of them. */
export function bytesIn({ descriptor, pageSize }: LogFile, { position }: Frame, bytes = pageSize): Buffer {
  return bytesAt(descriptor, position + pageSize - bytes, bytes);
}

/** The frames that belong to the log by their numbers, complete or not, alternating from both ends. */
export function* framesInAnyOrder(log: LogFile): Generator<Frame> {
  for (let i = 0; i < log.frames; i++) {
    const index = i % 2 === 0 ? i / 2 : log.frames - (i + 1) / 2;
    const position = positionOf(log, index);
    const header = bytesAt(log.descriptor, position, frameHeaderSize);
    if (!isOfLog(log, header)) continue;
    yield { page: header.readUInt32BE(0), position: position + frameHeaderSize };
  }
}

/** The frames that SQLite would apply: up to the last that ends a transaction, before the first with a wrong checksum. */
export function* committedFrames(log: LogFile): Generator<Frame> {
  const isBigEndian = (log.header.readUInt32BE(0) & 1) === 1;
  let sums = checksums([0, 0], log.header.subarray(0, 24), isBigEndian);
  if (!isSum(sums, log.header, 24)) return;
  let transaction: Frame[] = [];
  for (let index = 0; index < log.frames; index++) {
    const position = positionOf(log, index);
    const frame = bytesAt(log.descriptor, position, frameHeaderSize + log.pageSize);
    if (frame.length < frameHeaderSize + log.pageSize || !isOfLog(log, frame)) return;
    sums = checksums(sums, frame.subarray(0, 8), isBigEndian);
    sums = checksums(sums, frame.subarray(frameHeaderSize), isBigEndian);
    if (!isSum(sums, frame, 16)) return;
    transaction.push({ page: frame.readUInt32BE(0), position: position + frameHeaderSize });
    const endsTransaction = frame.readUInt32BE(4) !== 0;
    if (!endsTransaction) continue;
    yield* transaction;
    transaction = [];
  }
}

function positionOf(log: LogFile, index: number): number {
  return headerSize + index * (frameHeaderSize + log.pageSize);
}

function isOfLog(log: LogFile, frame: Buffer): boolean {
  const ofLog = log.header.subarray(saltsAt.header, saltsAt.header + 8);
  return frame.subarray(saltsAt.frame, saltsAt.frame + 8).equals(ofLog);
}

type Sums = readonly [number, number];

function checksums([first, second]: Sums, bytes: Buffer, isBigEndian: boolean): Sums {
  const isForeign = isBigEndian !== (endianness() === 'BE');
  const { buffer, byteOffset, length } = isForeign ? Buffer.from(bytes).swap32() : bytes;
  // Three times as fast as reading them from a view: a log may have 32 MB.
  const words = new Int32Array(buffer, byteOffset, length / 4);
  let [a, b] = [first | 0, second | 0];
  for (let i = 0; i < words.length; i += 2) {
    a = (a + Number(words[i]) + b) | 0;
    b = (b + Number(words[i + 1]) + a) | 0;
  }
  return [a >>> 0, b >>> 0];
}

function isSum([a, b]: Sums, bytes: Buffer, at: number): boolean {
  return bytes.readUInt32BE(at) === a && bytes.readUInt32BE(at + 4) === b;
}
