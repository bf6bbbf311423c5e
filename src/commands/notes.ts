// What is worth saying of a file beside its report, each once, on stderr: how it was found to be written, and what
// of it fills no field.
import type { Found } from '../source/read.js';
import { grouped, printable } from './printable.js';

const delimiters: Readonly<Record<string, string>> = { '\t': 'tab', ',': 'comma', ';': 'semicolon', '|': 'bar' };

/** Names of columns that are told; the others are counted. */
const namesAtMost = 12;

/** How a file was found to be written: `feed.csv: csv, utf-8, cells separated by semicolon`. */
export function foundWords(file: string, { format, encoding, delimiter, compression }: Found): string {
  const words = [format, encoding, ...(compression === undefined ? [] : [compression])];
  if (delimiter !== undefined) words.push(`cells separated by ${delimiters[delimiter] ?? printable(delimiter)}`);
  return `${shownFile(file)}: ${words.join(', ')}`;
}

/** Columns or members that fill no field, with how many records have them; undefined where there is none. */
export function unknownWords(file: string, unknown: ReadonlyMap<string, number>): string | undefined {
  if (unknown.size === 0) return undefined;
  const names = [...unknown].slice(0, namesAtMost).map(([name, count]) => `${printable(name)} (${grouped(count)})`);
  const more = unknown.size - names.length;
  const others = more > 0 ? `, and ${grouped(more)} more` : '';
  return `${shownFile(file)}: left out, since they fill no field: ${names.join(', ')}${others}. --rename gives them one.`;
}

/** The name of a file, as it is shown. */
export function shownFile(file: string): string {
  return file === '-' ? 'standard input' : printable(file);
}
