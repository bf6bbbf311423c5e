// Finds where to split a block of UTF-8 without splitting a character.

/** The end of the last complete character. */
export function utf8Boundary(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const due = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return due > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}
