// Decodes blocks of bytes to blocks of text. UTF-8 is strict: an invalid byte stays marked in the text, so that only
// its record is refused.
import { isUtf8 as isValid } from 'node:buffer';
import { CatalogError } from '../../core/errors.js';
import { byteOrder } from '../../core/text/byte-order.js';
import { sevenBitMarks } from './seven-bit-marks.js';
import { utf8Boundary } from './utf8-boundary.js';

/** A block of text; `damaged` if it contains marks that `Decoder.damageIn` finds. */
interface Text {
  readonly text: string;
  readonly damaged: boolean;
}

/** The damage in the text of a record: the byte, if known, and the line breaks before it. */
interface Damage {
  readonly byte: string | undefined;
  readonly linesBefore: number;
  /** The encoding that was meant, if the damage shows it. */
  readonly encoding?: string;
}

export interface Decoder {
  readonly encoding: string;
  /** The text of a block; an undefined block ends the file. */
  decode(block: Buffer | undefined): Text;
  /** Finds the damage in the text of one record; only useful for a record that touches a damaged block. */
  damageIn(text: string): Damage | undefined;
}

/** The byte order mark of UTF-8; no text of another encoding begins with these bytes. */
const utf8Mark = Buffer.from('\ufeff');

/** UTF-8 with a byte order mark, for `encoderOf`. */
export const markedUtf8 = 'utf-8-sig';

/**
 * The decoder of a file.
 * @param first the first bytes: the byte order mark of UTF-8 decides; another one if no encoding was named
 * @param encoding the encoding named by the user, as iconv-lite knows it
 * @throws CatalogError `usage` for an unknown encoding
 */
export async function openDecoder(first: Buffer, encoding: string | undefined): Promise<Decoder> {
  const isMarked = first.subarray(0, 3).equals(utf8Mark);
  const name = isMarked ? 'utf-8' : (encoding ?? byteOrder(first) ?? declaredEncoding(first) ?? 'utf-8');
  // A named UTF-8 is meant literally; by default an ASCII file may contain another encoding written in ASCII.
  if (isUtf8(name)) return utf8(encoding === undefined);
  const { findCodec: codecOf } = await import('./codecs.js');
  const codec = codecOf(name);
  if (codec === undefined) {
    throw new CatalogError(
      'usage',
      `Encoding "${name}" is not known: try utf-8, utf-16le, windows-1252 or iso-8859-15; inspect finds it.`,
    );
  }
  const decoder = codec.decoder();
  const utf16 = /^(utf[-_ ]?16|ucs)/i.test(name);
  let length = 0;
  return {
    encoding: name.toLowerCase(),
    decode(block) {
      length += block?.length ?? 0;
      // Half a character at the end would be left out: the file was cut.
      const isCut = utf16 && block === undefined && length % 2 === 1;
      const text = decoder(block) + (isCut ? '\ufffd' : '');
      // No byte of a national encoding decodes to U+FFFD: it marks undefined bytes.
      return { text, damaged: isCut || (!utf16 && text.includes('\ufffd')) };
    },
    damageIn: damageBy(/\ufffd/),
  };
}

export function isUtf8(encoding: string): boolean {
  return /^utf[-_ ]?8$/i.test(encoding);
}

/** The encoding that an XML text declares. It applies unless a byte order mark or the user says otherwise. */
export function declaredEncoding(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 200);
  if (head.startsWith('<\0?\0')) return 'utf-16le';
  if (head.startsWith('\0<\0?')) return 'utf-16be';
  return /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1];
}

/** @param watch whether switches to other character sets within ASCII count as damage */
function utf8(watch: boolean): Decoder {
  let carry: Buffer | undefined;
  let started = false;
  return {
    encoding: 'utf-8',
    decode(block) {
      let bytes = block ?? Buffer.alloc(0);
      if (carry !== undefined) bytes = Buffer.concat([carry, bytes]);
      const end = block === undefined ? bytes.length : utf8Boundary(bytes);
      carry = end < bytes.length ? bytes.subarray(end) : undefined;
      bytes = bytes.subarray(0, end);
      const damaged = !isValid(bytes);
      let text = damaged ? withMarks(bytes) : bytes.toString('utf8');
      if (!started && text !== '') {
        started = true;
        if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
      }
      const switches = watch && (bytes.includes(0x1b) || text.includes('~{'));
      return { text, damaged: damaged || switches };
    },
    damageIn: watch ? (text) => bytesIn(text) ?? switchIn(text) : bytesIn,
  };
}

/**
 * The text of bytes that are not all UTF-8: an invalid byte becomes half a surrogate pair, U+DC00 + byte, which valid
 * UTF-8 never produces (Python's `surrogateescape`).
 */
function withMarks(bytes: Buffer): string {
  let text = '';
  let start = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = characterAt(bytes, at);
    if (length === 0) {
      text += bytes.toString('utf8', start, at) + String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
      start = at + 1;
    }
    at += Math.max(1, length);
  }
  return text + bytes.toString('utf8', start);
}

/** The length in bytes of the character at `at`; 0 if the bytes are not valid. */
function characterAt(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return at + length <= bytes.length && isValid(bytes.subarray(at, at + length)) ? length : 0;
}

/** A mark from `withMarks`: a low surrogate without a high one before it. */
const escapedByte = /(?<![\ud800-\udbff])[\udc80-\udcff]/;

/** The damage of ASCII text in a seven-bit encoding: read as ASCII it would be garbage. */
function switchIn(text: string): Damage | undefined {
  for (const [encoding, mark] of Object.entries(sevenBitMarks)) {
    const at = text.search(mark);
    if (at !== -1) return { byte: undefined, linesBefore: linesIn(text.slice(0, at)), encoding };
  }
  return undefined;
}

/** Finds the first damage in the text of a record that comes from a damaged block. */
function damageBy(mark: RegExp): Decoder['damageIn'] {
  return (text) => {
    const at = text.search(mark);
    if (at === -1) return undefined;
    const unit = text.charCodeAt(at);
    return {
      byte: unit === 0xfffd ? undefined : `0x${(unit - 0xdc00).toString(16).toUpperCase()}`,
      linesBefore: linesIn(text.slice(0, at)),
    };
  };
}

const bytesIn = damageBy(escapedByte);

function linesIn(text: string): number {
  return text.split(/\r\n|\r|\n/).length - 1;
}

/**
 * Makes the encoder that restores the bytes of a text, including marks of `withMarks`.
 * @param encoding the encoding as the decoder names it
 */
export async function encoderOf(encoding: string): Promise<(text: string, first: boolean) => Buffer> {
  if (encoding === 'utf-8') return (text) => utf8Bytes(text);
  if (encoding === markedUtf8) return (text, first) => utf8Bytes(first ? `\ufeff${text}` : text);
  const { findCodec: codecOf } = await import('./codecs.js');
  const codec = codecOf(encoding);
  if (codec === undefined) throw new Error(`${encoding} was read and cannot be written`);
  return codec.encode;
}

function utf8Bytes(text: string): Buffer {
  if (!escapedByte.test(text)) return Buffer.from(text);
  const parts = text.split(new RegExp(`(${escapedByte.source})`));
  return Buffer.concat(
    parts.map((part, i) => (i % 2 === 1 ? Buffer.of(part.charCodeAt(0) - 0xdc00) : Buffer.from(part))),
  );
}
