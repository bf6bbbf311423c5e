// Describes the syntax of a file.
import type { SourceDescription } from '../../../source/source.js';

const delimiters: Readonly<Record<string, string>> = { '\t': 'tab', ',': 'comma', ';': 'semicolon', '|': 'bar' };

/** `csv, utf-8, separated by semicolon`. */
export function describeFile({ format, encoding, delimiter, compression }: SourceDescription): string {
  const words = [format, encoding, ...(compression === undefined ? [] : [compression])];
  return [...words, ...(delimiter === undefined ? [] : [`separated by ${delimiters[delimiter] ?? delimiter}`])].join(
    ', ',
  );
}
