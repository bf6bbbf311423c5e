// Records that could not be read, and lookup tables. Who looks up what may be such a record is refused: it would be imported
// without what the table has for it. And what such a record may look up comes back with it.
import type { RawPart } from '../../record-reader.js';
import type { LookupTable, MissedRecord } from '../language/lookup-table.js';

/** The records that a table lacks. */
export interface UnreadableRecords {
  add(record: MissedRecord): void;
  /** A record that may have a key. */
  of(key: string): MissedRecord | undefined;
}

/** Keys that missed records have or may have; beyond them any key may be missed. */
const mostKeys = 200_000;

/** Starts to watch a table. @param isCell whether its key is the cell of a column, and so occurs in the text of a record */
export function unreadableRecords(isCell: boolean): UnreadableRecords {
  const keys = new Map<string, MissedRecord>();
  /** One that may have any key. */
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

/** Words of a record that are looked at. */
const mostWords = 2_000;

/** The words of a record that may be keys: its cells between the usual delimiters, then the parts of those that hold lists. */
export function wordsOf(text: string): string[] {
  const words = new Set<string>();
  for (const cell of text.split(/[,;\t|"\r\n{}[\]]/))
    for (const word of [cell, ...cell.split(/[/:=> ]/)])
      if (word.trim() !== '' && words.size < mostWords) words.add(word.trim());
  return [...words];
}

/** The records of this file that a record which cannot be read mentions: the rows of tables by any of its words as key. */
export function mentioned(texts: readonly string[], tables: ReadonlyMap<string, LookupTable>): RawPart[] {
  const words = new Set(texts.flatMap((text) => wordsOf(text).flatMap((word) => [word, word.toLowerCase()])));
  return [...tables.values()].flatMap(({ rows, origins }) =>
    origins === undefined
      ? []
      : [...words].flatMap((word) => (rows.get(word) ?? []).flatMap((row) => origins.get(row) ?? [])),
  );
}
