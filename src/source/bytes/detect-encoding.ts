// Detects the encoding of a file from all its bytes.
import { isAscii, isUtf8 } from 'node:buffer';
import { declaredEncoding } from './decoder.js';
import { mixesEncodings } from './encoding-signs.js';
import { type EncodingChoice, nationalEncoding } from './national-encoding.js';
import { sevenBitMarks } from './seven-bit-marks.js';
import { utf8Boundary } from './utf8-boundary.js';

/** The detected encoding of a file. */
export interface EncodingGuess {
  /** Undefined if the reader detects it: UTF-8, or a byte order mark. */
  readonly encoding: string | undefined;
  /** The evidence, with the certainty. */
  readonly why: string;
  /** Where the letters do not tell: the encodings that could be it, the likeliest first, each with a sample. */
  readonly open?: readonly EncodingChoice[];
  readonly newline: 'LF' | 'CRLF' | 'CR' | 'mixed' | undefined;
}

/** Bytes at the beginning that are examined for line ends and for pairs of bytes. */
const headLength = 4 * 1024 * 1024;
/** Bytes around non-ASCII letters that are compared. */
const sampleLength = 256 * 1024;

type Guessed = Omit<EncodingGuess, 'newline'>;

/** Reads all bytes of a file and guesses its encoding. Memory stays bounded. */
export async function detectEncoding(blocks: AsyncIterable<Buffer>): Promise<EncodingGuess> {
  const head: Buffer[] = [];
  let length = 0;
  const utf8 = utf8Watch();
  const sample = sampler();
  for await (const block of blocks) {
    if (length < headLength) head.push(block);
    utf8.take(block, length);
    if (!isAscii(block)) sample.take(block);
    length += block.length;
  }
  const begun = Buffer.concat(head);
  return { ...(await guessOf(begun, utf8.end(), sample.pieces())), newline: lineEnds(begun) };
}

async function guessOf(head: Buffer, invalid: Invalid | undefined, pieces: readonly Buffer[]): Promise<Guessed> {
  const marked = markOf(head) ?? wideOf(head);
  if (marked !== undefined) return marked;
  const declared = declaredEncoding(head);
  if (declared !== undefined) return { encoding: undefined, why: `its XML declaration says ${declared}` };
  if (pieces.length === 0) return sevenBit(head);
  if (invalid === undefined) return { encoding: undefined, why: 'all of it is valid UTF-8' };
  const odd = pieces.filter((piece) => !isUtf8(piece));
  const { byte, at, count } = invalid;
  const where = `byte 0x${byte.toString(16).toUpperCase()} at ${at}`;
  // Text in another encoding hardly ever makes whole characters of UTF-8.
  if (odd.length * 10 <= pieces.length || mixesEncodings(pieces))
    return {
      encoding: undefined,
      why: `${odd.length * 10 <= pieces.length ? 'nearly all' : 'part'} of it is UTF-8, but ${where}${count > 1 ? ` and ${count - 1} more` : ''} is not: those records are refused`,
    };
  return nationalEncoding(pieces, odd, where);
}

/** The encoding by a byte order mark. */
function markOf(head: Buffer): Guessed | undefined {
  const mark = (name: string): Guessed => ({ encoding: undefined, why: `it begins with the mark of ${name}` });
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return mark('UTF-8');
  const low = head[0] === 0xff && head[1] === 0xfe;
  if (low && head[2] === 0 && head[3] === 0) return mark('UTF-32');
  if (head[0] === 0 && head[1] === 0 && head[2] === 0xfe && head[3] === 0xff) return mark('UTF-32');
  return low || (head[0] === 0xfe && head[1] === 0xff) ? mark('UTF-16') : undefined;
}

/** UTF-16 and UTF-32 without a mark: delimiters, digits and line ends have zeros on one side, in any language. */
function wideOf(head: Buffer): Guessed | undefined {
  const zeros = [0, 0, 0, 0];
  const end = Math.min(head.length & ~3, 64 * 1024);
  for (let i = 0; i < end; i++) if (head[i] === 0) zeros[i % 4] = (zeros[i % 4] ?? 0) + 1;
  const [a = 0, b = 0, c = 0, d = 0] = zeros;
  const most = end / 4;
  // A single one is damage.
  const few = Math.max(most / 50, 3);
  const why = (bytes: string) => `${bytes} of each character are zero, and there is no mark`;
  if (most < 2 || a + b + c + d < few * 2) return undefined;
  if (a === most && b > most * 0.9 && d < few) return { encoding: 'utf-32be', why: why('the first bytes') };
  if (d === most && c > most * 0.9 && a < few) return { encoding: 'utf-32le', why: why('the last bytes') };
  if (b + d > few && (a + c) * 10 < b + d) return { encoding: 'utf-16le', why: why('many second bytes') };
  if (a + c > few && (b + d) * 10 < a + c) return { encoding: 'utf-16be', why: why('many first bytes') };
  return undefined;
}

function sevenBit(head: Buffer): Guessed {
  const text = head.toString('latin1');
  for (const [encoding, mark] of Object.entries(sevenBitMarks))
    if (mark.test(text)) return { encoding, why: `all of it is ASCII, with the switches of ${encoding}` };
  return { encoding: undefined, why: 'all of it is ASCII' };
}

interface Invalid {
  readonly byte: number;
  readonly at: number;
  /** Blocks that hold such bytes. */
  readonly count: number;
}

/** Finds the first byte that is not UTF-8, across blocks that may split a character. */
function utf8Watch(): { take(block: Buffer, offset: number): void; end(): Invalid | undefined } {
  let carry = Buffer.alloc(0);
  let found: Invalid | undefined;
  function check(bytes: Buffer, offset: number): void {
    if (isUtf8(bytes)) return;
    const at = firstInvalid(bytes);
    found =
      found === undefined ? { byte: bytes[at] ?? 0, at: offset + at, count: 1 } : { ...found, count: found.count + 1 };
  }
  let end = 0;
  return {
    take(block, offset) {
      const bytes = carry.length === 0 ? block : Buffer.concat([carry, block]);
      const whole = utf8Boundary(bytes);
      check(bytes.subarray(0, whole), offset - carry.length);
      carry = Buffer.from(bytes.subarray(whole));
      end = offset + block.length;
    },
    end() {
      if (carry.length > 0) check(carry, end - carry.length);
      return found;
    },
  };
}

/** The first byte of a block that is not part of a UTF-8 character. */
function firstInvalid(bytes: Buffer): number {
  let low = 0;
  let high = bytes.length;
  // The longest valid beginning that ends with a whole character.
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isUtf8(bytes.subarray(0, utf8Boundary(bytes.subarray(0, middle))))) low = middle;
    else high = middle - 1;
  }
  return utf8Boundary(bytes.subarray(0, low));
}

/** Bytes that separate words in every encoding: no two-byte character ends in one. */
const isBetween = (byte: number | undefined): boolean => byte === undefined || byte < 0x30;

/**
 * Keeps pieces of text around non-ASCII bytes from the whole file; when there are too many, every second one is
 * dropped.
 */
function sampler(): { take(block: Buffer): void; pieces(): readonly Buffer[] } {
  let kept: Buffer[] = [];
  // Those at the edge of a block may begin or end within a character.
  const edges: Buffer[] = [];
  let size = 0;
  let every = 1;
  let seen = 0;
  let isBegun = false;
  /** The piece at the end of the last block, which is the end of the file if no other block follows. */
  let tail: Buffer | undefined;
  function keep(piece: Buffer): void {
    if (seen++ % every !== 0) return;
    kept.push(Buffer.from(piece));
    size += piece.length;
    if (size < sampleLength) return;
    kept = kept.filter((_, i) => i % 2 === 0);
    size = kept.reduce((sum, { length }) => sum + length, 0);
    every *= 2;
  }
  return {
    take(block) {
      const isFirst = !isBegun;
      isBegun = true;
      if (tail !== undefined && edges.length < 16) edges.push(tail);
      tail = undefined;
      for (let at = 0; at < block.length; at++) {
        if ((block[at] ?? 0) < 0x80) continue;
        let from = at;
        while (from > 0 && at - from < 64 && !isBetween(block[from - 1])) from--;
        let end = at + 1;
        while (end < block.length && end - at < 200 && !(end - at > 24 && isBetween(block[end]))) end++;
        const piece = block.subarray(from, end);
        const isOpen = from === 0 && !isFirst;
        if (!isOpen && end < block.length) keep(piece);
        else if (!isOpen) tail = Buffer.from(piece);
        else if (edges.length < 16) edges.push(Buffer.from(piece));
        at = end;
      }
    },
    pieces() {
      const whole = tail === undefined ? kept : [...kept, tail];
      return whole.length > 0 ? whole : edges;
    },
  };
}

function lineEnds(head: Buffer): EncodingGuess['newline'] {
  const text = head.toString('latin1').replaceAll('\0', '');
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1 - crlf;
  const cr = text.split('\r').length - 1 - crlf;
  if (crlf > 0 && crlf >= lf) return lf > crlf / 2 ? 'mixed' : 'CRLF';
  if (lf > 0) return crlf > 0 ? 'mixed' : 'LF';
  return cr > 0 ? 'CR' : undefined;
}
