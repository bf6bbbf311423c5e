// Unreadable records and lookup tables. An item that looks up a key that such a record may have is refused: it would be
// imported without the table's values.
import type { MissedRecord } from '../language/lookup-table.js';

/** The records that are missing in a table. */
export interface UnreadableRecords {
  add(record: MissedRecord): void;
  /** A record that may have a key. */
  of(key: string): MissedRecord | undefined;
}

/** Maximum keys that unreadable records have or may have; beyond it any key may be missing. */
const mostKeys = 200_000;

/**
 * Starts to collect the unreadable records of a table.
 * @param isCell whether the key is a cell of the row as it is: then the text of an unreadable row contains it
 */
export function unreadableRecords(isCell: boolean): UnreadableRecords {
  const keys = new Map<string, MissedRecord>();
  /** A record that may have any key. */
  let any: MissedRecord | undefined;
  return {
    add(record) {
      const { text, key = '' } = record;
      const may = key !== '' ? [key] : isCell ? wordsOf(text) : undefined;
      if (may === undefined || keys.size > mostKeys) any ??= record;
      else for (const one of may) if (!keys.has(one)) keys.set(one, record);
    },
    of: (key) => (key === '' ? undefined : (keys.get(key) ?? any)),
  };
}

/** Maximum length and words of a record that is examined; one with a longer text, or more cells, may have any key. */
export const longestText = 1_000_000;
const mostWords = 2_000;

/** Cells in quotation marks, also of JSON; the last one may have no end. */
const quoted = /"((?:[^"\\]|\\.?|"")*)(?:"|$)/gs;

/** The usual delimiters, and all signs between values. */
const separators = [',', ';', '\t', '|', /[,;\t|"\r\n{}[\]]/];

/**
 * The words of a record that may be keys: its cells, by each of the usual delimiters, then the parts of cells with lists;
 * undefined where the text is too long, or has too many cells.
 */
export function wordsOf(text: string): string[] | undefined {
  if (text.length > longestText) return undefined;
  const words = new Set<string>();
  const add = (word: string): void => {
    if (word.trim() !== '' && words.size <= mostWords) words.add(word.trim());
  };
  for (const [, inner = ''] of text.matchAll(quoted)) add(unquoted(inner));
  for (const separator of separators) text.split(separator).forEach(add);
  if (words.size > mostWords) return undefined;
  for (const part of text.split(/[,;\t|"\r\n{}[\]/:=> ]/)) add(part);
  return [...words];
}

/** A text without the signs by which CSV or JSON writes it. */
function unquoted(text: string): string {
  return text
    .replaceAll('""', '"')
    .replace(/\\(?:u([\da-f]{4})|(.))/gis, (_, code?: string, sign = '') =>
      code === undefined ? sign : String.fromCharCode(Number.parseInt(code, 16)),
    );
}
