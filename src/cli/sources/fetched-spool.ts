// A source by its address: fetched whole into a private temporary file before anything of it is read.
import { closeSync, copyFileSync, createReadStream, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { WarningLog } from '../../core/diagnostics/warning-log.js';
import { CatalogError } from '../../core/errors.js';
import { byteOrder } from '../../core/text/byte-order.js';
import type { HeaderReader } from '../../http/source/fetch-failures.js';
import type { FetchedSource, FetchLimits } from '../../http/source/fetch-source.js';
import { formatOfName } from '../../source/bytes/detect-format.js';
import type { Spool } from '../../source/file-place.js';
import { readCertificates } from '../remote.js';
import type { AddressFlags } from './address-options.js';
import { type KeptSource, keptSource } from './kept-source.js';
import { sourceAuthorization } from './source-credentials.js';
import type { SpoolFolder } from './spool-folder.js';

export interface FetchedSpool extends Spool {
  /** What to keep of it, where the server says by what it can be asked whether there is a newer one. */
  readonly kept: KeptSource | undefined;
  /** Of the copy of an earlier run: what was kept of it. */
  readonly notModifiedSince?: KeptSource;
}

/** What fetching needs of its command. */
export interface FetchContext {
  readonly flags: AddressFlags & { readonly feed?: string };
  readonly env: NodeJS.ProcessEnv;
  readonly folder: SpoolFolder;
  readonly signal: AbortSignal;
  readonly log?: WarningLog;
}

function limitsOf({ sourceMaxSize = 1024 ** 3, sourceMaxTime = 3600 }: AddressFlags): FetchLimits {
  return { bytes: sourceMaxSize, total: sourceMaxTime * 1000, idle: 60_000, pauses: [500, 2_000] };
}

/**
 * Fetches it.
 * @param file the address as it may be shown
 * @throws CatalogError where it did not arrive whole
 */
export async function fetchedSpool(file: string, address: URL, context: FetchContext): Promise<FetchedSpool> {
  const { flags, env, folder, signal, log } = context;
  const { fetchSource } = await import('../../http/source/fetch-source.js');
  const { feed } = flags;
  const known = feed === undefined ? undefined : await keptSource({ feed, file, address }, env);
  const limits = limitsOf(flags);
  const fetched = await fetchSource({
    ...{ url: address, known, env, limits, signal },
    authorization: sourceAuthorization(address, flags.sourceAuthEnv, env),
    ca: flags.caFile === undefined ? undefined : readCertificates(flags.caFile),
    open: () => folder.open(file),
  });
  const { header, etag, modified } = fetched;
  if (fetched.path === undefined && known !== undefined) {
    log?.warn('source_not_modified', { feed: feed ?? '', file, run: known.run ?? null });
    const own = folder.open(file);
    own.close();
    // A run of the feed at the same time may replace what is kept.
    copyFileSync(known.path, own.path);
    return { ...known, path: own.path, modified, isNotModified: true, kept: undefined, notModifiedSince: known };
  }
  const path = await unpacked(file, fetched, context, limits.bytes);
  const head = headOf(path);
  if (head[0] === 0x1f && head[1] === 0x8b) await gunzip(file, path, signal, () => undefined);
  const about = { name: sourceName(address, header), encoding: await knownEncoding(header, head), modified };
  return { ...about, path, kept: (etag ?? modified) === undefined ? undefined : { ...about, etag } };
}

/** The path of the content of what was compressed on the way. */
async function unpacked(
  file: string,
  { path = '', header }: FetchedSource,
  { folder, signal }: FetchContext,
  most: number,
): Promise<string> {
  const coding = header('content-encoding').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return path;
  if (!/^(?:x-)?gzip$/.test(coding))
    throw failed(file, `was sent with Content-Encoding ${coding}, which is not supported`);
  const own = folder.open(file);
  let length = 0;
  try {
    await gunzip(file, path, signal, (block) => {
      length += block.length;
      if (length > most) throw failed(file, `has more than ${most} bytes when it is unpacked (--source-max-size)`);
      own.write(block);
    });
  } finally {
    own.close();
  }
  return own.path;
}

/** Unpacks a file to its end. @throws CatalogError where its data is broken: what was before that would be imported first */
async function gunzip(file: string, path: string, signal: AbortSignal, take: (block: Buffer) => void): Promise<void> {
  const taking = async (blocks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const block of blocks) take(block);
  };
  try {
    await pipeline(createReadStream(path), createGunzip(), taking, { signal });
  } catch (cause) {
    if (signal.aborted)
      throw new CatalogError('interrupted', `Interrupted in ${file}; nothing was imported.`, { cause: signal.reason });
    throw cause instanceof CatalogError ? cause : failed(file, 'arrived whole, but its gzip data is broken', cause);
  }
}

function failed(file: string, why: string, cause?: unknown): CatalogError {
  return new CatalogError('input_unreadable', `${file} ${why}; nothing was imported.`, { cause });
}

/** The encoding that the response states, where it is one that can be read. */
async function knownEncoding(header: HeaderReader, head: Buffer): Promise<string | undefined> {
  const stated = statedEncoding(header, head);
  if (stated === undefined) return undefined;
  const { findCodec } = await import('../../source/bytes/codecs.js');
  return findCodec(stated) === undefined ? undefined : stated;
}

function headOf(path: string): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    const head = Buffer.alloc(4);
    return head.subarray(0, readSync(descriptor, head, 0, head.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

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
function sourceName({ pathname }: URL, header: HeaderReader): string {
  const disposition = header('content-disposition');
  const [, coded] = /filename\*=utf-8''([^;\s]+)/i.exec(disposition) ?? [];
  const [, quoted, plain] = /filename="([^"]*)"|filename=([^;\s"]+)/i.exec(disposition) ?? [];
  const given = coded === undefined ? (quoted ?? plain ?? '') : decoded(coded);
  const name = baseOf(given) || baseOf(decoded(pathname)) || 'feed';
  const extension = extensions[mediaType(header)];
  return formatOfName(name) === undefined && extension !== undefined ? `${name}.${extension}` : name;
}

/** The encoding that the response states; a byte order mark of the file counts before it. */
function statedEncoding(header: HeaderReader, head: Buffer): string | undefined {
  const [, charset] = /;\s*charset="?([\w.:-]{1,40})"?/i.exec(header('content-type')) ?? [];
  return charset === undefined || /^utf-?8$/i.test(charset) || hasMark(head) ? undefined : charset;
}

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
