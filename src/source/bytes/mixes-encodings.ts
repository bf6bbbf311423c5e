// Tells files that were joined of parts in several encodings.

/**
 * Whether a file has parts in UTF-8 in addition to parts in another encoding, which would spoil the former: of the characters in
 * question a fourth is UTF-8, each a Latin letter next to another (`M\xc3\xbctze`). In other encodings such pairs are chance.
 */
export function mixesEncodings(pieces: readonly Buffer[]): boolean {
  let whole = 0;
  let odd = 0;
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      if (byte < 0x80) continue;
      const next = piece[at + 1] ?? 0;
      const isPair = byte >= 0xc3 && byte <= 0xc5 && next >= 0x80 && next <= 0xbf;
      if (isPair && (isLetter(piece[at - 1]) || isLetter(piece[at + 2]))) whole++;
      else odd++;
      if (isPair) at++;
    }
  return whole > 0 && whole * 3 >= odd;
}

function isLetter(byte = 0): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}
