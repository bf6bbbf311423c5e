// What is wrong with rows, in words for a person who looks at a file.

/** What is wrong with a row that cannot be read, by its problem. */
export function troubleWords(code: string, message: string): string {
  if (code !== 'row_shape')
    return code === 'invalid_text' ? 'bytes that are not text in this encoding' : 'lines that are not JSON';
  return message.startsWith('the row has')
    ? 'rows with another number of cells than the header'
    : 'rows with misplaced quotes';
}

/** Signs that a text was once read or written in the wrong encoding. */
export function damagesIn(raw: string): string[] {
  const damages: string[] = [];
  if (raw.includes('\ufffd')) damages.push('signs lost in another program (U+FFFD)');
  // UTF-8 read as cp1252: Ã¤ for ä, â‚¬ for €.
  if (/Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œžŸ]|â(?:‚¬|€[™œ“”])/.test(raw))
    damages.push('text in a wrong encoding (Ã¤ for ä)');
  return damages;
}
