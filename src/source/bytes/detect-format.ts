// Detects the format of a file: by its extension, else by its first characters.

/** The formats with their names. A new one also has its reader in `open-file.ts`. */
export const formatNames = { csv: 'CSV', tsv: 'TSV', json: 'JSON', ndjson: 'NDJSON', xml: 'XML' } as const;

export type Format = keyof typeof formatNames;

export const formats: readonly Format[] = Object.keys(formatNames) as Format[];

/** Extensions that are not the format itself. */
const otherExtensions: ReadonlyMap<string, Format> = new Map([
  ['tab', 'tsv'],
  ['jsonl', 'ndjson'],
  ['rss', 'xml'],
  ['atom', 'xml'],
]);

/**
 * The format of a file.
 * @param file its path; the extension before `.gz` counts
 * @param head its first characters, with the whole first line unless that is too long
 */
export function detectFormat(file: string, head: string): Format {
  const named = formatOfName(file);
  // A list of objects is one document, whatever the file is called.
  if (named === 'ndjson' && /^\s*\[\s*\{/.test(head)) return 'json';
  if (named !== undefined && named !== 'json') return named;
  const first = head.trimStart().charAt(0);
  if (named === undefined && /^\s*<(?:\?xml\b|!DOCTYPE\b|!--|[\p{L}_][\w:.-]*[\s>/])/u.test(head)) return 'xml';
  if (first === '{') return objectALine(head) ? 'ndjson' : 'json';
  return first === '[' ? 'json' : (named ?? 'csv');
}

/** The format that the extension of a name says. */
export function formatOfName(file: string): Format | undefined {
  const extension = /\.([^./\\]+?)(?:\.gz)?$/i.exec(file)?.[1]?.toLowerCase() ?? '';
  return otherExtensions.get(extension) ?? formats.find((format) => format === extension);
}

/** Whether the first line is an object and another one follows it. */
function objectALine(head: string): boolean {
  const [, line, rest] = /^\s*(.*)\n\s*(\S?)/.exec(head) ?? [];
  if (line === undefined || rest !== '{') return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Whether `head` contains its first non-empty line, and the character after it. */
export function firstLineEnds(head: string): boolean {
  const begin = head.search(/[^\s]/);
  if (begin === -1) return false;
  let quoted = false;
  for (let at = begin; at < head.length - 1; at++) {
    const char = head.charAt(at);
    if (char === '"') quoted = !quoted;
    else if (!quoted && (char === '\n' || char === '\r')) return true;
  }
  return false;
}
