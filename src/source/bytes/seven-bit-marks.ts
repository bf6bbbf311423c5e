// Escape sequences that show that an ASCII text is in another encoding.

/** Encodings that write their characters in ASCII, with their escape sequences. */
export const sevenBitMarks = {
  'iso-2022-jp': /(?!\s)\p{Cc}(?:\$[@B]|\$\(D|\([IJ])/u,
  hz: /~\{(?:[\x21-\x77][\x21-\x7e])+~\}/,
} as const;
