// The name of a fetched file, by which its format is known, and its encoding.
import { basename } from 'node:path';
import { byteOrder } from '../../core/text/byte-order.js';
import type { HeaderReader } from '../../http/source/fetch-source.js';
import { formatOfName } from '../../source/bytes/detect-format.js';

/** Extensions by media type, for names that have none that is known. */
const extensions: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'application/rss+xml': 'xml',
};

/** The name: that of Content-Disposition, else the last part of the address; of either only what follows the last slash. */
export function sourceName({ pathname }: URL, header: HeaderReader): string {
  const disposition = header('content-disposition');
  const [, coded] = /filename\*=utf-8''([^;\s]+)/i.exec(disposition) ?? [];
  const [, quoted, plain] = /filename="([^"]*)"|filename=([^;\s"]+)/i.exec(disposition) ?? [];
  const given = coded === undefined ? (quoted ?? plain ?? '') : decoded(coded);
  const name = baseOf(given) || baseOf(decoded(pathname)) || 'feed';
  const extension = extensions[mediaType(header)];
  return formatOfName(name) === undefined && extension !== undefined ? `${name}.${extension}` : name;
}

/** The encoding that the response states; a byte order mark of the file counts before it. */
export function statedEncoding(header: HeaderReader, head: Buffer): string | undefined {
  const [, charset] = /;\s*charset="?([\w.:-]{1,40})"?/i.exec(header('content-type')) ?? [];
  return charset === undefined || /^utf-?8$/i.test(charset) || hasMark(head) ? undefined : charset;
}

/** Whether a file begins with a byte order mark. */
function hasMark(head: Buffer): boolean {
  return byteOrder(head) !== undefined || head.toString('latin1').startsWith('\xef\xbb\xbf');
}

function mediaType(header: HeaderReader): string {
  return (header('content-type').split(';', 1)[0] ?? '').trim().toLowerCase();
}

function baseOf(path: string): string {
  return basename(path.replaceAll('\\', '/'));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
