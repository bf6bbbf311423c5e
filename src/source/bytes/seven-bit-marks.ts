// Escape sequences by which a text of ASCII bytes is in another encoding.

/** Encodings that write their letters in ASCII: by what they switch to them with. */
export const sevenBitMarks = {
  'iso-2022-jp': /(?!\s)\p{Cc}(?:\$[@B]|\$\(D|\([IJ])/u,
  hz: /~\{(?:[\x21-\x77][\x21-\x7e])+~\}/,
} as const;
