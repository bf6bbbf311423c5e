// How the syntax of a file is named.
import { sanitizeText } from '../core/text/sanitize.js';

const delimiters: Readonly<Record<string, string>> = { '\t': 'tab', ',': 'comma', ';': 'semicolon', '|': 'bar' };

interface NamedSyntax {
  readonly format: string;
  readonly compression: string | undefined;
  readonly delimiter: string | undefined;
}

/**
 * The syntax of a file: `csv`, `gzip`, `cells separated by semicolon`. A workbook is read as CSV in UTF-8, which says nothing of it.
 * @param encoding for those who name it among the rest
 */
export function formWords({ format, compression, delimiter }: NamedSyntax, encoding?: string): string[] {
  if (compression === 'xlsx') return ['xlsx'];
  const cells =
    delimiter === undefined ? undefined : `cells separated by ${delimiters[delimiter] ?? sanitizeText(delimiter)}`;
  return [format, encoding, compression, cells].filter((word) => word !== undefined);
}
