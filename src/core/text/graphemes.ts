// The characters of a text as people see them, with their accents and joined signs.

let segmenter: Intl.Segmenter | undefined;

/** The characters of a text (UAX #29), one by one. The segmenter is created at the first use, since that takes 9 ms. */
export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
