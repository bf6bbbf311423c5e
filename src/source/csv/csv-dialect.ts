// Detects the dialect of a CSV file: its delimiter and line ends.
import { CatalogError } from '../../core/errors.js';

/** The delimiters that are detected; of equally frequent ones the first. */
export const delimiters: readonly string[] = [',', ';', '\t', '|'];
/** Delimiters of files whose header has none of the others. */
const rareDelimiters: readonly string[] = ['\x1f', '^', '~', '¦', '§'];

export interface CsvDialect {
  readonly delimiter: string;
  /** What ends a line; `\n` includes CRLF, which may be mixed with LF. */
  readonly newline: '\n' | '\r';
  /** The rows of a sheet: each is one line, whatever line breaks its cells have. */
  readonly isSheet?: boolean;
}

/**
 * Detects the dialect of a file from its header line.
 * @param text the beginning of the file with the whole header line, or all available text
 * @param delimiter the delimiter, if known
 */
export function detectDialect(text: string, delimiter?: string): CsvDialect {
  const counts = new Map<string, number>();
  let quoted = false;
  // A quote within a cell, as in מק"ט, is a letter.
  let isCellStart = true;
  let at = text.search(/[^\r\n\ufeff]/);
  let newline: CsvDialect['newline'] = '\n';
  for (; at !== -1 && at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"' && (quoted || isCellStart)) quoted = !quoted;
    else if (quoted) continue;
    else if (char === '\n' || char === '\r') break;
    else counts.set(char, (counts.get(char) ?? 0) + 1);
    isCellStart = char === '"' ? isCellStart : char === ' ' ? isCellStart : isDelimiter(char);
  }
  if (text.charAt(at) === '\r' && text.charAt(at + 1) !== '\n') newline = '\r';
  let best = /^\s*sep=(.)\r?\n/.exec(text)?.[1] ?? ',';
  const isPlain = delimiters.some((candidate) => counts.has(candidate));
  for (const candidate of isPlain ? delimiters : rareDelimiters) {
    if ((counts.get(candidate) ?? 0) > (counts.get(best) ?? 0)) best = candidate;
  }
  return { delimiter: delimiter ?? best, newline };
}

function isDelimiter(char: string): boolean {
  return delimiters.includes(char) || rareDelimiters.includes(char);
}

/**
 * The delimiter as the user names it.
 * @throws CatalogError `usage` for an invalid one
 */
export function namedDelimiter(named: string | undefined): string | undefined {
  if (named === undefined) return undefined;
  const delimiter = named === '\\t' || named.toLowerCase() === 'tab' ? '\t' : named;
  if (/^[^"\r\n]$/.test(delimiter)) return delimiter;
  throw new CatalogError(
    'usage',
    `--delimiter: ${JSON.stringify(named)} is not one character; name one such as ; or tab.`,
  );
}
