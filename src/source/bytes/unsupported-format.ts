// Recognizes unsupported formats by their first bytes (magic numbers), with a remedy for each.
import { foreignText } from './foreign-text.js';

interface Signature {
  readonly bytes: string;
  readonly at?: number;
  readonly what: string;
  readonly remedy: string;
}

const unpack = 'unpack it, or pack it as .gz or .zip';
const save = 'open it in a spreadsheet and save it as .xlsx or CSV';

const signatures: readonly Signature[] = [
  {
    bytes: 'PAR1',
    what: 'a Parquet file',
    remedy: "export it as CSV or NDJSON, such as duckdb -c \"COPY (FROM 'feed.parquet') TO 'feed.csv'\"",
  },
  { bytes: '7z\xbc\xaf\x27\x1c', what: 'a 7-Zip archive', remedy: unpack },
  { bytes: 'Rar!\x1a\x07', what: 'a RAR archive', remedy: unpack },
  { bytes: 'BZh', what: 'packed by bzip2', remedy: unpack },
  { bytes: '\xfd7zXZ\0', what: 'packed by xz', remedy: unpack },
  { bytes: '\x28\xb5\x2f\xfd', what: 'packed by Zstandard', remedy: unpack },
  { bytes: '\x04\x22\x4d\x18', what: 'packed by LZ4', remedy: unpack },
  { bytes: 'ustar', at: 257, what: 'a tar archive', remedy: 'unpack it and name the file in it' },
  { bytes: '%PDF-', what: 'a PDF document', remedy: 'ask for the list as CSV, Excel, JSON or XML' },
  {
    bytes: 'SQLite format 3\0',
    what: 'an SQLite database',
    remedy: 'export its table as CSV, such as sqlite3 -header -csv',
  },
  { bytes: '\x89PNG', what: 'an image', remedy: 'name the feed itself' },
  { bytes: '\xff\xd8\xff', what: 'an image', remedy: 'name the feed itself' },
];

/** The message for a file that is not a feed by its first bytes, with the remedy; undefined if it may be one. */
export function unsupportedFormat(head: Buffer): string | undefined {
  const start = head.toString('latin1', 0, 512);
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return oldWorkbook(head);
  const found = signatures.find(({ bytes, at = 0 }) => start.startsWith(bytes, at));
  if (found !== undefined) return `is ${found.what}, which cannot be read; ${found.remedy}`;
  return htmlPage(start, head) ?? foreignText(head.toString('latin1', 0, 4096));
}

/** The container of old workbooks, which also contains new ones with a password. */
function oldWorkbook(head: Buffer): string {
  const encrypted = head.includes(Buffer.from('EncryptedPackage', 'utf16le'));
  if (encrypted) return 'is a workbook with a password, which cannot be read; save it without a password';
  return `is an old Excel workbook (.xls), which cannot be read; ${save}`;
}

/** An HTML page where a feed was expected: a login page, an error, or a table that was saved as a page. */
function htmlPage(start: string, head: Buffer): string | undefined {
  if (!/^(?:\xef\xbb\xbf)?\s*(?:<!--[^>]*>\s*)?<(?:!doctype\s+html|html)\b/i.test(start)) return undefined;
  const page = head.toString('latin1', 0, 65_536);
  if (/<table\b/i.test(page) && !/type=["']?password/i.test(page))
    return `is an HTML page with a table, which cannot be read; ${save}`;
  return 'is an HTML page, not a feed: often a login page or an error. Open its address in a browser to see what it asks for';
}

/** The kind of an archive, by its files. */
export function unsupportedArchive(names: readonly string[]): string | undefined {
  const has = (name: string): boolean => names.includes(name);
  if (has('content.xml') && has('mimetype')) return `is an OpenDocument file (.ods), which cannot be read; ${save}`;
  if (has('xl/workbook.bin')) return `is a binary Excel workbook (.xlsb), which cannot be read; ${save}`;
  if (has('word/document.xml')) return 'is a Word document, which cannot be read; save its table as .xlsx or CSV';
  if (names.some((name) => name.endsWith('.iwa')))
    return `is a Numbers document, which cannot be read; export it as .xlsx or CSV`;
  return undefined;
}
