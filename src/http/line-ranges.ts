// The lines of a batch's items in the client's file, as a header carries them: `2-41` or `2-5,7,9-44`.

/** Maximum length of the header. */
const longest = 4000;

/** Formats lines as a header; undefined if one of them is unknown, or it would be too long. */
export function encodeLines(lines: readonly (number | undefined)[]): string | undefined {
  const ranges: string[] = [];
  for (let i = 0; i < lines.length; ) {
    const first = lines[i];
    if (first === undefined || first < 1) return undefined;
    let last = first;
    while (lines[++i] === last + 1) last++;
    ranges.push(first === last ? String(first) : `${first}-${last}`);
  }
  const text = ranges.join();
  return text === '' || text.length > longest ? undefined : text;
}

/**
 * Parses such a header.
 * @returns undefined if it does not contain as many lines as there are items
 */
export function decodeLines(text: string, items: number): readonly number[] | undefined {
  if (text.length > longest || !/^[1-9]\d{0,11}(?:-[1-9]\d{0,11})?(?:,[1-9]\d{0,11}(?:-[1-9]\d{0,11})?)*$/.test(text))
    return undefined;
  const lines: number[] = [];
  for (const range of text.split(',')) {
    const [first = 0, last = first] = range.split('-').map(Number);
    if (last < first || last - first >= items - lines.length) return undefined;
    for (let line = first; line <= last; line++) lines.push(line);
  }
  return lines.length === items ? lines : undefined;
}
