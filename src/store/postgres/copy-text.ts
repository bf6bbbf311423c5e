// Rows as COPY reads them in text form, written character by character into messages of the protocol. As texts that are put
// together and encoded afterwards, 200,000 rows took the main thread twice as long, and left garbage that survived collections:
// a message holds the rows of a whole transaction.
import { compile } from '../../core/rows/compile-function.js';
import type { Row, Value } from '../../core/rows/table.js';

/** Bytes of a message. One for all rows would be a buffer that grows, and is copied, for an unknown length. */
const messageLength = 2 ** 18;

/** The code of `CopyData`, and the bytes of its head: that code, and the length of what follows. */
const copyData = 0x64;
const headLength = 5;

/** Texts from this length on are messages of their own: a buffer that has room for them in any case would be three times as large. */
const longText = 2 ** 16;

/** Longer texts are encoded by Node, whose call takes as long as writing a hundred characters. */
const shortText = 100;

/** Most bytes of a cell that is not a text, and of what separates cells. */
const otherLength = 26;

const [tab, newline, backslash, letterN, minus, zero] = [0x09, 0x0a, 0x5c, 0x4e, 0x2d, 0x30] as const;

/** 1 for the characters that texts in ASCII contain as they are. */
const isPlain = new Uint8Array(128).map((_, code) => ('\\\n\r\t'.includes(String.fromCharCode(code)) ? 0 : 1));

const needsEscape = /[\\\n\r\t]/;

function escaped(text: string): string {
  return text.replace(/[\\\n\r\t]/g, (mark) =>
    mark === '\\' ? '\\\\' : mark === '\n' ? '\\n' : mark === '\r' ? '\\r' : '\\t',
  );
}

/** Puts the cells of a row into a list, in the order of columns. */
export type TakeCells = (row: Row, cells: Value[]) => void;

const takers = new WeakMap<readonly string[], TakeCells>();

/** By columns, compiled: looking up properties by name takes half of the time. */
export function cellsOf(columns: readonly string[]): TakeCells {
  let take = takers.get(columns);
  if (take === undefined) {
    const assigned = columns.map((name, i) => `cells[${i}] = row.${name};`).join(' ');
    take = compile<TakeCells>(['row', 'cells'], assigned);
    takers.set(columns, take);
  }
  return take;
}

/**
 * Rows as messages of the protocol, with their heads.
 * @returns the bytes of messages in pieces, to be written one after the other; none for no rows
 */
export function copyMessages(columns: readonly string[], rows: readonly Row[]): Buffer[] {
  const messages: Buffer[] = [];
  const take = cellsOf(columns);
  const cells: Value[] = columns.map(() => null);
  let bytes: Buffer = Buffer.alloc(0);
  let at = headLength;
  let left = rows.length;
  for (const row of rows) {
    take(row, cells);
    const needed = mostBytes(cells);
    if (at + needed > bytes.length) {
      if (at > headLength) messages.push(finished(bytes, at));
      // Next to a long text a full buffer would be kept for a few bytes.
      const length = cells.some(isLong) ? needed : Math.max(needed, Math.min(left * needed, messageLength));
      bytes = Buffer.allocUnsafe(headLength + length);
      at = headLength;
    }
    left--;
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i] as Value;
      if (isLong(cell)) {
        messages.push(finished(bytes, at), ...messageOf(cell));
        bytes = Buffer.allocUnsafe(headLength + mostBytes(cells));
        at = headLength;
      } else at = writeCell(bytes, at, cell);
      bytes[at++] = i + 1 < cells.length ? tab : newline;
    }
  }
  if (at > headLength) messages.push(finished(bytes, at));
  return messages;
}

/** Writes the head of a message. */
function finished(bytes: Buffer, length: number): Buffer {
  bytes[0] = copyData;
  bytes.writeInt32BE(length - 1, 1);
  return bytes.subarray(0, length);
}

/** The bytes that cells may take, without long ones: three for each character in UTF-8, two for one that is escaped. */
function mostBytes(cells: readonly Value[]): number {
  let most = otherLength * cells.length;
  for (const cell of cells) if (typeof cell === 'string' && cell.length < longText) most += 3 * cell.length;
  return most;
}

function isLong(cell: Value): cell is string {
  return typeof cell === 'string' && cell.length >= longText;
}

/** A long text as a message: rows may go on in the next one. */
function messageOf(text: string): Buffer[] {
  const head = Buffer.allocUnsafe(headLength);
  const bytes = Buffer.from(needsEscape.test(text) ? escaped(text) : text);
  head[0] = copyData;
  head.writeInt32BE(bytes.length + headLength - 1, 1);
  return [head, bytes];
}

/** Writes a cell, and returns the index after it. */
function writeCell(bytes: Buffer, at: number, cell: Value): number {
  if (typeof cell === 'string') return writeText(bytes, at, cell);
  if (typeof cell === 'number') return writeNumber(bytes, at, cell);
  bytes[at] = backslash;
  bytes[at + 1] = letterN;
  return at + 2;
}

function writeText(bytes: Buffer, from: number, text: string): number {
  const { length } = text;
  if (length <= shortText) {
    let at = from;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 128 || isPlain[code] === 0) break;
      bytes[at++] = code;
    }
    if (at === from + length) return at;
  }
  return from + bytes.write(needsEscape.test(text) ? escaped(text) : text, from);
}

/**
 * The largest integer that is written digit by digit: its tenth is one of 32 bits. Times and fingerprints are below it; as a text
 * each took four times as long.
 */
const longestInteger = 9_999_999_999;

function writeNumber(bytes: Buffer, from: number, value: number): number {
  if (!Number.isInteger(value) || Math.abs(value) > longestInteger) return from + bytes.write(String(value), from);
  let at = from;
  if (value < 0) bytes[at++] = minus;
  let rest = Math.abs(value);
  let length = 1;
  for (let limit = 10; rest >= limit; limit *= 10) length++;
  for (let i = at + length - 1; i >= at; i--) {
    const tenth = (rest / 10) | 0;
    bytes[i] = zero + rest - 10 * tenth;
    rest = tenth;
  }
  return at + length;
}
