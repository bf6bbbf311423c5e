// What tells that a text in ASCII is written in another encoding.

/** Encodings that write their letters in ASCII: by what they switch to them with. */
export const sevenBitMarks = {
  'iso-2022-jp': /(?!\s)\p{Cc}(?:\$[@B]|\$\(D|\([IJ])/u,
  hz: /~\{(?:[\x21-\x77][\x21-\x7e])+~\}/,
} as const;
