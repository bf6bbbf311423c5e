// Encodings that write Chinese and Japanese in ASCII between switches: HZ (RFC 1843) and ISO-2022-JP. Both contain the
// byte pairs of an eight-bit encoding without the eighth bit.
import iconv from 'iconv-lite';

/** Decodes HZ: `~{` starts GB 2312, `~}` ends it, `~~` is a tilde. */
export function hzDecoder(): (block: Buffer | undefined) => string {
  const decoder = iconv.getDecoder('gb18030');
  let carry = Buffer.alloc(0);
  let inPairs = false;
  return (block) => {
    const bytes = Buffer.concat([carry, block ?? Buffer.alloc(0)]);
    const out: number[] = [];
    let at = 0;
    // An incomplete two-byte sequence waits for its second byte.
    while (at < bytes.length && (block === undefined || at + 1 < bytes.length)) {
      const byte = bytes[at] ?? 0;
      const next = bytes[at + 1];
      if (byte === 0x7e && (next === 0x7b || next === 0x7d)) {
        inPairs = next === 0x7b;
        at += 2;
      } else if (!inPairs && byte === 0x7e && next === 0x7e) {
        out.push(byte);
        at += 2;
      } else if (inPairs && byte > 0x20 && next !== undefined && next > 0x20) {
        out.push(byte | 0x80, next | 0x80);
        at += 2;
      } else {
        // GB 2312 ends with its line.
        if (byte === 0x0a) inPairs = false;
        out.push(byte);
        at++;
      }
    }
    carry = bytes.subarray(at);
    return decoder.write(Buffer.from(out)) + (block === undefined ? (decoder.end() ?? '') : '');
  };
}

/** Switches to a set of letters, and back to ASCII. */
const switches = {
  hz: { begin: '~{', end: '~}', of: 'gb18030' },
  'iso-2022-jp': { begin: '\x1b$B', end: '\x1b(B', of: 'eucjp' },
} as const;

/** Encodes a text in a seven-bit encoding. A character that it lacks becomes a question mark. */
export function sevenBitBytes(text: string, encoding: keyof typeof switches): Buffer {
  const { begin, end, of } = switches[encoding];
  const ascii = encoding === 'hz' ? text.replaceAll('~', '~~') : text;
  const parts = ascii.split(/([^\0-\x7f]+)/);
  return Buffer.concat(
    parts.map((part, i) => {
      if (i % 2 === 0) return Buffer.from(part, 'latin1');
      const pairs = iconv.encode(part, of);
      // Only pairs with the eighth bit fit: others are letters that the encoding lacks.
      const isPlain = pairs.length === part.length * 2 && pairs.every((byte) => byte >= 0xa1);
      if (!isPlain) return Buffer.from('?'.repeat(part.length));
      return Buffer.concat([Buffer.from(begin), pairs.map((byte) => byte & 0x7f) as Buffer, Buffer.from(end)]);
    }),
  );
}
