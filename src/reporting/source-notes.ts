// The observer that prints notices about each file on stderr: its detected syntax, ignored columns, duplicates.

import { groupDigits, sanitizeText } from '../core/text/sanitize.js';
import type { ImportedFile, ImportObserver } from '../importing/observer.js';
import type { SourceDescription } from '../source/open-source.js';
import { describeDuplicates } from './causes/duplicate-rows.js';

const delimiters: Readonly<Record<string, string>> = { '\t': 'tab', ',': 'comma', ';': 'semicolon', '|': 'bar' };

/** Maximum ignored columns that are listed; the others are counted. */
const namesAtMost = 12;

/**
 * Makes the observer.
 * @param say prints a notice once
 * @param skipped how many items of the import an earlier one had acknowledged, so far
 * @param remembered the notice about items of a file that were not sent, for its end
 */
export function sourceNotes(
  say: (words: string) => void,
  skipped: () => number,
  remembered: () => readonly string[] = () => [],
): ImportObserver {
  let current: ImportedFile | undefined;
  let skippedBefore = 0;
  return {
    begin(file) {
      current = file;
      skippedBefore = skipped();
      say(foundWords(file.file, file.source.found));
    },
    finish({ counts, stopped, duplicates }) {
      if (current === undefined) return;
      const { file, source } = current;
      for (const note of source.notes()) say(`${shownFile(file)}: ${note}`);
      const unknown = unknownWords(file, source.unknown());
      if (unknown !== undefined) say(unknown);
      if (counts.total === 0 && source.leftOut() === 0 && stopped === undefined)
        say(`${shownFile(file)}: it contains no records.`);
      const items = skipped() - skippedBefore;
      if (items > 0) say(skippedWords(items));
      for (const words of remembered()) say(`${shownFile(file)}: ${words}`);
      if (duplicates !== undefined) say(`${shownFile(file)}: ${describeDuplicates(duplicates)}`);
    },
  };
}

/** The notice about items that an earlier run had acknowledged. */
function skippedWords(items: number): string {
  return `${groupDigits(items)} ${items === 1 ? 'item was' : 'items were'} acknowledged before and not sent again.`;
}

/** The detected syntax: `feed.csv: csv, utf-8, cells separated by semicolon`. */
function foundWords(file: string, { format, encoding, delimiter, compression }: SourceDescription): string {
  const words = [format, encoding, ...(compression === undefined ? [] : [compression])];
  if (delimiter !== undefined) words.push(`cells separated by ${delimiters[delimiter] ?? sanitizeText(delimiter)}`);
  return `${shownFile(file)}: ${words.join(', ')}`;
}

/** Ignored columns or members, with their numbers of values; undefined if there are none. */
function unknownWords(file: string, unknown: ReadonlyMap<string, number>): string | undefined {
  if (unknown.size === 0) return undefined;
  const names = [...unknown]
    .slice(0, namesAtMost)
    .map(([name, count]) => `${sanitizeText(name)} (${groupDigits(count)} ${count === 1 ? 'value' : 'values'})`);
  const more = unknown.size - names.length;
  const others = more > 0 ? `, and ${groupDigits(more)} more` : '';
  return `${shownFile(file)}: ignored columns: ${names.join(', ')}${others}. Name the field of one with --rename "${sanitizeText([...unknown.keys()][0] ?? '')}=<field>", or in the mapping.`;
}

/** The name of a file for people. */
export function shownFile(file: string): string {
  return file === '-' ? 'standard input' : sanitizeText(file);
}
